"""A path through a maze of square, hexagonal, triangular or circular cells: drawn, or shown in a clip."""
