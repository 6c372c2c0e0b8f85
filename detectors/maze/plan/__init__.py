"""A maze's floor plan, read from its picture and its map of cells."""
