"""Grid mazes from plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.face.pictures import PictureLike, encoded, member
from grader.face.puzzles import maze_box
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.maze.model import PathColor


def grid_maze(
    grid: str | Sequence[str],
    *,
    reachable: bool | None = None,
    accepted_shortest_paths: Iterable[str] = (),
    image: PictureLike | None = None,
    box: tuple[int, int, int, int] | None = None,
    path_color: PathColor | str = PathColor.BLUE,
) -> GridMazeInput:
    """Describes a grid maze.

    Parameters
    ----------
    grid : str or sequence of str
        Its rows, a line or an item each: S start, G goal, ``.`` floor, # wall, T trap; spaces are left out.
    reachable : bool, optional
        What the published annotation says of it; checked against the grid.
    accepted_shortest_paths : iterable of str
        The published list of shortest paths, such as ``"RRDD"``; for ``upstream_list_match``. Given only together with
        ``reachable``, for the public records have both.
    image : picture, optional
        The maze as the model was given it; for drawn answers.
    box : tuple of int, optional
        (left, top, width, height) of the grid in it; by default in the middle of a square, as in MazeBench's pictures.
    path_color : PathColor or str
        What the model was asked to draw with.

    Raises
    ------
    TypeError
        If the grid is no text and no rows of text.
    """
    if not isinstance(grid, str) and (not isinstance(grid, Sequence) or not all(isinstance(row, str) for row in grid)):
        raise TypeError(f"a grid is a text, or a list of its rows, not {type(grid).__name__}")
    rows = [line for line in grid.splitlines() if line.strip()] if isinstance(grid, str) else grid
    return GridMazeInput(
        tuple(rows),
        reachable,
        tuple(accepted_shortest_paths),
        image=None if image is None else encoded(image),
        box=None if box is None else maze_box(box),
        path_color=member(PathColor, path_color, "path_color"),
    )
