"""What overlays are made of: lines and labels, strips of text, pairs of pictures, contact sheets."""
