"""Queens on a board, and what was changed of the board."""
