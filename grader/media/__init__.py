"""Bytes to pixels and back: pictures, masks, maps of labels; what is common to all pictures."""
