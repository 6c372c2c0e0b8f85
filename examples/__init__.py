"""Programs that show what the grader does. They use it as any other program would."""
