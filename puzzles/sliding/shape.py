"""How boards of sliding puzzles are written."""

from __future__ import annotations

BLANK = -1
"""What stands for the blank among the numbers of tiles."""

MIN_SIZE, MAX_SIZE = 2, 5
"""Fewest and most cells in a row."""
