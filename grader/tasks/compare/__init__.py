"""Any picture beside another one: measured, not judged."""
