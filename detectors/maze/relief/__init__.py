"""Walls that are drawn as if they stood up: what each of them has at the same side."""
