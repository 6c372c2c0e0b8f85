"""Tables with coloured cuboids, seen by a pinhole camera: scenes, pictures, and edits of known truth."""
