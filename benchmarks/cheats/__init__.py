"""The bank of cheats: ways to look right to a careless grader, each drawn on this project's own puzzles."""
