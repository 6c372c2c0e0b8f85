"""MentisOculi: rush hour and sliding puzzles, with clips, series of pictures and written answers."""
