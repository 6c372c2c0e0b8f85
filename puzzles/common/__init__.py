"""Shapes, letters, textures and motion that all puzzles are drawn with."""
