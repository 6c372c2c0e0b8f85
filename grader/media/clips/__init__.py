"""Clips: their containers, their clock, and their frames as they decode."""
