"""MentisOculi: puzzles, with clips, series of pictures and written answers."""
