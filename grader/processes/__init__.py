"""How processes are started, and what they log."""
