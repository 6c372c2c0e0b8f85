"""Checks a grid maze that a request describes, and makes it ready for judging."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.media.types import MediaLimits
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.grid_maze.settings import GridMazeSettings
from grader.tasks.maze.model import MazeBox, MazeGeometry, MazeGridInput, MazeInput
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.self_check import prepare_readable_maze
from puzzles.grid_maze.maze import GridMaze, parse_lines, parse_steps
from puzzles.grid_maze.paths import ShortestPaths, WalkEnd, shortest_paths, walk
from puzzles.grid_maze.render import layout_of

_ROWS = "grid_maze.puzzle.rows"
_IMAGE = "grid_maze.puzzle.image"
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
    drawn : how its picture is read; None where no pictures are judged
    """

    maze: GridMaze
    paths: ShortestPaths
    length: int | None
    listed: frozenset[str] | None
    drawn: MazePuzzle | None = None

    @property
    def size(self) -> tuple[int, int]:
        """That of its picture, where it has one."""
        return (1, 1) if self.drawn is None else self.drawn.size


def prepare_grid_maze(
    task: GridMazeInput, settings: GridMazeSettings, limits: MediaLimits, kind: CandidateKind
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
    drawn = None
    if kind is not CandidateKind.TEXT:
        if task.image is None:
            inputs.fault(
                _IMAGE, "MISSING", "give the picture that the model was given: drawn answers are compared with it"
            )
        inputs.check()
        drawn = _drawn(task, maze, paths.length is not None, settings, limits)
    return GridPuzzle(maze, paths, paths.length, listed, drawn)


def _drawn(
    task: GridMazeInput, maze: GridMaze, reachable: bool, settings: GridMazeSettings, limits: MediaLimits
) -> MazePuzzle:
    """The maze as one of tiles, in its picture."""
    box = task.box
    if box is None and task.image is not None:
        inputs = Inputs(limits)
        picture = inputs.checked(inputs.picture(_IMAGE, task.image))
        place = layout_of(maze.rows, maze.cols, min(picture.shape[:2]))
        (left, top), tile = place.origin_xy, place.tile_px
        box = MazeBox(left, top, maze.cols * tile, maze.rows * tile)
    asked = MazeInput(
        image=task.image,
        cell_map=None,
        geometry=MazeGeometry.SQUARE,
        width_cells=maze.cols,
        height_cells=maze.rows,
        rings=0,
        cell_size_px=0.0,
        wall_width_px=0.0,
        path_cell_ids=(),
        solution_image=None,
        mask=None,
        path_color=task.path_color,
        any_solution=reachable,
        box=box,
        grid=MazeGridInput(tuple("".join(tile.value for tile in row) for row in maze.tiles)),
        without_way=not reachable,
    )
    try:
        return prepare_readable_maze(asked, settings.drawn, limits, CandidateKind.IMAGE)
    except InvalidRequestError as error:
        # The fields of a maze have other names here.
        renamed = [replace(one, field=one.field.replace("maze.puzzle.grid.rows", _ROWS)) for one in error.violations]
        raise InvalidRequestError(
            *(
                replace(one, field=one.field.replace("maze.", "grid_maze.", 1))
                if one.field.startswith("maze.")
                else one
                for one in renamed
            )
        ) from None


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
