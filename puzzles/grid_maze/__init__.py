"""Grid mazes of whole tiles, as MazeBench has them: rules, shortest paths, generator, groups, pictures and records."""
