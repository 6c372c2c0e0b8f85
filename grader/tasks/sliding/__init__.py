"""A plan for a sliding puzzle: in words, in a clip, or as a picture after every move."""
