"""What moves, steps, turns and labels look like in words: a grammar a task, and what all of them share."""
