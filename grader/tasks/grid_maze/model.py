"""What is asked of a grid maze: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.tasks.maze.model import MazeBox, PathColor


@dataclass(frozen=True)
class GridMazeInput(TaskInput):
    """The rows of a maze, a sign a tile; and its published annotation, None and empty where there is none.

    For drawn answers also its picture, where the grid lies in it (None for in the middle, as in MazeBench's), and the
    colour of the path.
    """

    rows: tuple[str, ...]
    reachable: bool | None = None
    accepted_shortest_paths: tuple[str, ...] = ()
    image: bytes | None = field(default=None, metadata={"path": "grid_maze.puzzle.image"})
    box: MazeBox | None = None
    path_color: PathColor = PathColor.BLUE
