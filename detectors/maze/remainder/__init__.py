"""What a candidate shows beside its maze and the strokes that were read: ways, marks, holes in walls, other markers."""
