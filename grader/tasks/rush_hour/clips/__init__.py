"""Clips of a lot: the moves that they show, and whether they free the red car."""
