"""A plan for a parking lot: in words, in a clip, or as a picture after every move."""
