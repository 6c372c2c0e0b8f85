"""The hinge_folding task."""
