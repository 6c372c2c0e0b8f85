"""Strokes on a maze: their centrelines, how they hang together, and their gaps."""
