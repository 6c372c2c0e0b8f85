"""The tasks: a package each, with settings, puzzle, judge, messages and overlay; the registry of all."""
