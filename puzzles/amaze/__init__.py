"""Mazes and boards as AMAZE has them: its sets, looks and files."""
