"""Clips of a sliding puzzle: the moves that they show, and whether they reach the target."""
