"""Mazes without cells, from a picture and a mask of its floor."""
