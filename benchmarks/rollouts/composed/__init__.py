"""Clips composed of what happens, where it is hidden, and what the video does to it, with their truth."""
