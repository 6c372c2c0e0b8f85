"""What a picture of a board shows beside its tiles."""
