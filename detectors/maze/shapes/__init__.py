"""Shapes of markers."""
