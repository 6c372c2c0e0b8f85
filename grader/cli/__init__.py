"""The ``grader`` command."""
