"""How exactly a picture is that of a chain as it was laid: along the outlines of its pieces, and pixel by pixel."""
