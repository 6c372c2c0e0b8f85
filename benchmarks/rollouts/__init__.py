"""Clips of rush hour and sliding puzzles, drawn here, whose truth is known because of how they are made."""
