"""What tasks share whose answer is a list of moves: words, series of pictures, progress, chance."""
