"""Clips of mazes: a path that grows, or a marker that travels."""
