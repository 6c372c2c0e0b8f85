"""Boxes, rotations, cameras, and the measures of spatial edits."""
