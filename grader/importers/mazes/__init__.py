"""Mazes of square cells in the layouts that public data sets have."""
