"""Paths on mazes: ink, strokes, walls, and what was changed of the maze."""
