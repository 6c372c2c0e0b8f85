"""What all tasks share: what a task is, how inputs are checked, what a failure can earn."""
