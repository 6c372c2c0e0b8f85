"""The floor of a maze without cells, parted into pieces that cells stand for."""
