"""The jigsaw task."""
