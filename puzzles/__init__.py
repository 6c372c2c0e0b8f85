"""The worlds of the puzzles: rules, generators, solvers, renderers. No pixels come in, nothing is graded here."""
