"""Sliding puzzles: rules, generator, solver, chance, drawing, motion."""
