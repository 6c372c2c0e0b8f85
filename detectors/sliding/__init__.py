"""Sliding puzzles in pictures and clips: the board, its tiles, and how they slide."""
