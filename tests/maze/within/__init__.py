"""Mazes within larger pictures."""
