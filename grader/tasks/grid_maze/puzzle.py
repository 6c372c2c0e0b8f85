"""Checks a grid maze that a request describes, and makes it ready for judging."""

from __future__ import annotations

from dataclasses import dataclass

from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.grid_maze.settings import GridMazeSettings
from puzzles.grid_maze.maze import GridMaze, parse_lines, parse_steps
from puzzles.grid_maze.paths import ShortestPaths, WalkEnd, shortest_paths, walk

_ROWS = "grid_maze.puzzle.rows"
_TRUTH = "grid_maze.truth"


@dataclass(frozen=True, eq=False)
class GridPuzzle:
    """A maze that was checked.

    Attributes
    ----------
    maze : its tiles
    paths : its shortest paths
    length : steps of one; None where the goal can't be reached
    listed : the published paths; None where there is no annotation
    """

    maze: GridMaze
    paths: ShortestPaths
    length: int | None
    listed: frozenset[str] | None

    @property
    def size(self) -> tuple[int, int]:
        """It has no picture."""
        return (1, 1)


def prepare_grid_maze(
    task: GridMazeInput, _settings: GridMazeSettings, limits: MediaLimits, _kind: CandidateKind
) -> GridPuzzle:
    """Checks a maze; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    maze = _maze(task, inputs)
    inputs.check()
    maze = inputs.checked(maze)
    paths = shortest_paths(maze)
    _check_truth(task, paths, inputs)
    inputs.check()
    listed = None if task.reachable is None else frozenset(task.accepted_shortest_paths)
    return GridPuzzle(maze, paths, paths.length, listed)


def _maze(task: GridMazeInput, inputs: Inputs) -> GridMaze | None:
    if not task.rows:
        inputs.fault(_ROWS, "MISSING", "give the rows of the maze, a sign a tile")
        return None
    try:
        return parse_lines(task.rows)
    except ValueError as error:
        inputs.fault(_ROWS, "OUT_OF_RANGE", str(error))
        return None


def _check_truth(task: GridMazeInput, paths: ShortestPaths, inputs: Inputs) -> None:
    """Notes where an annotation is not what the tiles say."""
    length = paths.length
    told = task.accepted_shortest_paths
    if task.reachable is None:
        if told:
            inputs.fault(f"{_TRUTH}.reachable", "MISSING", "say it where there is a list of paths")
        return
    if task.reachable is not (length is not None):
        can = "can't" if length is None else "can"
        inputs.fault(f"{_TRUTH}.reachable", "MISMATCH", f"by the tiles the goal {can} be reached")
        return
    if task.reachable and not told:
        inputs.fault(f"{_TRUTH}.accepted_shortest_paths", "MISSING", "list at least one path, or give no truth")
    for place, letters in enumerate(told):
        if not _is_shortest(letters, paths):
            said = f"{letters[:60]!r} is no shortest path of this maze"
            inputs.fault(f"{_TRUTH}.accepted_shortest_paths[{place}]", "MISMATCH", said)


def _is_shortest(letters: str, paths: ShortestPaths) -> bool:
    try:
        steps = parse_steps(letters)
    except ValueError:
        return False
    return len(steps) == paths.length and walk(paths.maze, steps).end is WalkEnd.AT_GOAL
