"""How boards of sliding puzzles are written: the blank, and how many cells are in a row."""

from __future__ import annotations

BLANK = -1


MIN_SIZE = 2


MAX_SIZE = 5
