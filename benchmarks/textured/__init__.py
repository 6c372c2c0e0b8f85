"""Verdicts on mazes with textures, of known truth."""
