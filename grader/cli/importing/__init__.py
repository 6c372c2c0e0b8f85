"""``grader import``: what its commands have in common, and those that are long."""
