"""The tables of grid mazes: what MazeBench reports, and mazes that differ in one thing beside each other."""
