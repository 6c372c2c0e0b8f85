"""Verdicts on clips of a maze: a path that grows, or a marker that travels."""
