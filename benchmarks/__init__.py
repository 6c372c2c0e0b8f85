"""What the grader costs and how right it is, measured beside what a user would use instead."""
