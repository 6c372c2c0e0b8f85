"""What is asked of a grid maze: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.jobs import TaskInput


@dataclass(frozen=True)
class GridMazeInput(TaskInput):
    """The rows of a maze, a sign a tile; and its published annotation, None and empty where there is none."""

    rows: tuple[str, ...]
    reachable: bool | None = None
    accepted_shortest_paths: tuple[str, ...] = ()
