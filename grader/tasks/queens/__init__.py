"""Queens drawn on a board with coloured regions."""
