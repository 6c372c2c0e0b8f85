"""``grader make``: a command for each kind of puzzle."""
