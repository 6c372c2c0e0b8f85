"""Mazes on four tilings: rules, generators, solver, drawing."""
