"""Mazes drawn with textures, tiles and sprites: read by what is declared of them, and turned into flat ones."""
