"""Mazes in the public form: annotations, what they were made with, and answers as the prompt asks for them."""

from __future__ import annotations

import json

from puzzles.grid_maze.maze import GridMaze, Tile, letters_of
from puzzles.grid_maze.paths import shortest_paths
from puzzles.grid_maze.recipes import GridMazeRecipe
from puzzles.grid_maze.render import PICTURE_PX, layout_of

ANNOTATIONS_NAME = "maze_annotations.json"
META_NAME = "meta.json"


def annotation_of(maze: GridMaze) -> dict[str, object]:
    """What the published annotations say of a maze; of many shortest paths they list the first 50."""
    paths = shortest_paths(maze)
    listed = [letters_of(path) for path in paths.listed()]
    return {"reachable": paths.length is not None, "accepted_shortest_paths": listed}


def meta_of(maze: GridMaze, recipe: GridMazeRecipe, side_px: int = PICTURE_PX) -> dict[str, object]:
    """What a maze was made with, what it is, and where its tiles are in its picture."""
    made, paths, place = recipe.parameters, shortest_paths(maze), layout_of(maze.rows, maze.cols, side_px)
    return {
        "group": recipe.group,
        "rows": maze.rows,
        "cols": maze.cols,
        "wall_density": made.wall_density,
        "traps_requested": made.trap_count,
        "traps_placed": maze.count(Tile.TRAP),
        "walls": maze.count(Tile.WALL),
        "border_walls": made.border_walls,
        "force_unreachable": made.force_unreachable,
        "palette": recipe.palette,
        "seed": made.seed,
        "start": list(maze.start),
        "goal": list(maze.goal),
        "reachable": paths.length is not None,
        "shortest_path_length": paths.length,
        "n_shortest_paths_true": paths.count,
        "n_accepted_paths_listed": len(paths.listed()),
        "tile_px": place.tile_px,
        "origin_xy": list(place.origin_xy),
        "text_grid": list(maze.lines),
    }


def right_answer(maze: GridMaze) -> str:
    """A right answer with the eight keys that the prompt asks for."""
    paths = shortest_paths(maze)
    path = next(paths.paths(), ())
    return json.dumps(
        {
            "grid_size": [maze.rows, maze.cols],
            "start_found": True,
            "goal_found": True,
            "reachable": paths.length is not None,
            "shortest_path_length": paths.length,
            "path": [step.value for step in path],
            "confidence": "high",
            "image_ambiguity": "none",
        }
    )
