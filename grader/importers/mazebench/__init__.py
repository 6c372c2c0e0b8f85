"""MazeBench's grid mazes, or those that ``grader make grid-maze`` made, with what models answered, to a manifest."""
