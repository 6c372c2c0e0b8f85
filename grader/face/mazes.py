"""Mazes from what data sets have of them: rows of signs, letters of moves, lists of cells, a mask of the floor."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from grader.face.errors import WrongValueError
from grader.face.pictures import PictureLike, encoded, encoded_mask, member
from grader.face.puzzles import maze_box
from grader.tasks.maze.model import MazeFloorInput, MazeGeometry, MazeGridInput, MazeInput, PathColor

CellLike = int | tuple[int, int]
"""A cell: its id, row * width + column + 1, or (row, column), counted from 0."""

PointLike = tuple[float, float]
"""A place in a picture: (x, y) in its pixels."""

_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
_OPEN = 0.5  # not a threshold of the grader: the greater part of a tile of a mask


@dataclass(frozen=True)
class _Counts:
    """Columns and rows."""

    width: int
    height: int

    def id_of(self, cell: CellLike) -> int:
        """The id of a cell."""
        row, column = cell if isinstance(cell, tuple) else divmod(int(cell) - 1, max(self.width, 1))
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise WrongValueError(f"{cell!r} is no cell of {self.height} rows and {self.width} columns")
        return row * self.width + column + 1


def maze_from_grid(
    image: PictureLike,
    rows: Sequence[str] | str | None = None,
    *,
    floor: PictureLike | None = None,
    walls: Iterable[tuple[CellLike, CellLike]] | None = None,
    passages: Iterable[tuple[CellLike, CellLike]] | None = None,
    start: CellLike | None = None,
    goal: CellLike | None = None,
    moves: str = "",
    cells: Sequence[CellLike] = (),
    width_cells: int = 0,
    height_cells: int = 0,
    cell_size_px: float = 0.0,
    wall_width_px: float = 0.0,
    path_color: PathColor | str = PathColor.BLUE,
    any_solution: bool = False,
    box: tuple[int, int, int, int] | None = None,
    goal_may_change: bool = False,
) -> MazeInput:
    """Describes a maze of square cells by its grid; no cell map is needed.

    The maze may be drawn with textures, tiles and sprites: what it looks like is learned from ``image``.

    Parameters
    ----------
    image : picture
        The maze without a path.
    rows : sequence of str, or str, optional
        A sign for each cell, row by row (a text has a line for each): S start, G goal, . floor, # wall, T trap. Spaces
        between signs are left out.
    floor : picture or ndarray of bool, optional
        Instead of rows: which pixels of ``image`` may be walked on.
    walls, passages : iterable of pairs of cells, optional
        Where cells have walls between them: the pairs with one, or the pairs without.
    start, goal : int or (row, column), optional
        Where rows have no S and G.
    moves : str, optional
        The right way as letters U, D, L and R from the start.
    cells : sequence of cells, optional
        The right way as cells. With neither moves nor cells it is a shortest way.
    width_cells, height_cells : int
        How many cells, where there are no rows.
    cell_size_px, wall_width_px : float
        Lengths in pixels of ``image``. Without a width of walls, cells are tiles that lie side by side, and walls are
        whole tiles. Without a cell size they take up all of the box, or picture.
    path_color, any_solution, box, goal_may_change
        As of `maze`.

    Raises
    ------
    WrongValueError
        If rows, counts, cells or moves contradict each other.
    """
    given = _rows(rows)
    counts = _Counts(len(given[0]), len(given)) if given else _Counts(width_cells, height_cells)
    if counts.width < 1 or counts.height < 1:
        raise WrongValueError("a maze without rows needs width_cells and height_cells")
    place = None if box is None else maze_box(box)
    pairs = _walls(counts, walls, passages)
    if not given and floor is not None:
        shape = (place.left, place.top, place.width, place.height) if place is not None else None
        given, between = _of_mask(floor, counts, cell_size_px, wall_width_px, shape)
        pairs = between if walls is None and passages is None else pairs
    path = _path(counts, _start(given, counts, start, cells), moves, cells)
    if given:
        given = _with_ends(given, counts, start, goal, path)
    elif not wall_width_px:
        raise WrongValueError("tiles are told by rows or by a mask of the floor; walls between cells by wall_width_px")
    return MazeInput(
        image=encoded(image),
        cell_map=None,
        geometry=MazeGeometry.SQUARE,
        width_cells=counts.width,
        height_cells=counts.height,
        rings=0,
        cell_size_px=cell_size_px,
        wall_width_px=wall_width_px,
        path_cell_ids=path,
        solution_image=None,
        mask=None,
        path_color=member(PathColor, path_color, "path_color"),
        any_solution=any_solution,
        box=place,
        goal_may_change=goal_may_change,
        grid=MazeGridInput(given, pairs) if given and (not wall_width_px or pairs) else None,
    )


def maze_from_mask(
    image: PictureLike,
    floor: PictureLike,
    *,
    start: PointLike | PictureLike,
    goal: PointLike | PictureLike,
    way: Sequence[PointLike] = (),
    cell_size_px: float = 0.0,
    wall_width_px: float = 0.0,
    solution_image: PictureLike | None = None,
    mask: PictureLike | None = None,
    path_color: PathColor | str = PathColor.BLUE,
    box: tuple[int, int, int, int] | None = None,
    goal_may_change: bool = False,
) -> MazeInput:
    """Describes a maze without cells by a mask of its floor: curved corridors, a labyrinth, the photograph of a maze.

    Any way from start to goal over the floor is right. What the maze looks like is learned from ``image``.

    Parameters
    ----------
    image : picture
        The maze without a path.
    floor : picture or ndarray of bool
        Of the same size: where one may walk. Not black is floor.
    start, goal : (x, y), or picture or ndarray of bool
        A place in pixels of ``image``, or a mask of the marker there. Around a place a marker is looked for by its
        colours; there may be none.
    way : sequence of (x, y), optional
        The way that lengths are held against. Without it that is a shortest one through the middle of the floor.
    cell_size_px, wall_width_px : float, optional
        Widths of a corridor and a wall together, and of a wall, in pixels. Without them they are measured.
    solution_image, mask, path_color, box, goal_may_change
        As of `maze`.
    """
    ends = [(one, None) if isinstance(one, tuple) else (None, encoded_mask(one)) for one in (start, goal)]
    return MazeInput(
        image=encoded(image),
        cell_map=None,
        geometry=None,
        width_cells=0,
        height_cells=0,
        rings=0,
        cell_size_px=cell_size_px,
        wall_width_px=wall_width_px,
        path_cell_ids=(),
        solution_image=None if solution_image is None else encoded(solution_image),
        mask=None if mask is None else encoded_mask(mask),
        path_color=member(PathColor, path_color, "path_color"),
        any_solution=True,
        box=None if box is None else maze_box(box),
        goal_may_change=goal_may_change,
        floor=MazeFloorInput(
            start=_point(ends[0][0]), goal=_point(ends[1][0]), way=tuple((float(x), float(y)) for x, y in way)
        ),
        floor_mask=encoded_mask(floor),
        start_mask=ends[0][1],
        goal_mask=ends[1][1],
    )


def _point(place: PointLike | None) -> tuple[float, float] | None:
    if place is None:
        return None
    if len(place) != 2:
        raise WrongValueError(f"a place is (x, y) in pixels, not {place!r}")
    return float(place[0]), float(place[1])


def _rows(rows: Sequence[str] | str | None) -> tuple[str, ...]:
    if rows is None:
        return ()
    lines = rows.splitlines() if isinstance(rows, str) else rows
    found = tuple(line for line in ("".join(str(one).split()).upper() for one in lines) if line)
    if len({len(row) for row in found}) > 1:
        raise WrongValueError(f"rows are equally long; these have {[len(row) for row in found]} signs")
    if not found:
        raise WrongValueError("there are no rows")
    return found


def _adjoining(counts: _Counts) -> list[tuple[int, int]]:
    cells = range(1, counts.width * counts.height + 1)
    beside = [(cell, cell + 1) for cell in cells if cell % counts.width]
    return sorted(beside + [(cell, cell + counts.width) for cell in cells if cell + counts.width <= cells[-1]])


def _walls(
    counts: _Counts,
    walls: Iterable[tuple[CellLike, CellLike]] | None,
    passages: Iterable[tuple[CellLike, CellLike]] | None,
) -> tuple[tuple[int, int], ...]:
    if walls is not None and passages is not None:
        raise WrongValueError("say walls or passages, not both")
    told = {(min(pair), max(pair)) for pair in (tuple(map(counts.id_of, one)) for one in walls or passages or ())}
    if passages is None:
        return tuple(sorted((first, second) for first, second in told))
    return tuple(pair for pair in _adjoining(counts) if pair not in told)


def _of_mask(
    floor: PictureLike,
    counts: _Counts,
    cell_px: float,
    wall_px: float,
    box: tuple[int, int, int, int] | None,
) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """The rows of a maze, and the walls between its cells, by which pixels are floor."""
    mask: NDArray[np.bool_] = np.asarray(Image.open(io.BytesIO(encoded_mask(floor))).convert("L")) > 0
    left, top, width, height = box or (0, 0, mask.shape[1], mask.shape[0])
    cell = cell_px or min((width - wall_px) / counts.width, (height - wall_px) / counts.height)

    def is_open(x: float, y: float, across: float, down: float) -> bool:
        part = mask[round(top + y) : round(top + y + down), round(left + x) : round(left + x + across)]
        return bool(part.size) and float(part.mean()) > _OPEN

    inner = cell - wall_px
    rows = tuple(
        "".join(
            "." if is_open(column * cell + wall_px, row * cell + wall_px, inner, inner) else "#"
            for column in range(counts.width)
        )
        for row in range(counts.height)
    )
    walls = []
    for first, second in _adjoining(counts) if wall_px else ():
        row, column = divmod(second - 1, counts.width)
        x, y = column * cell, row * cell
        beside = second == first + 1
        box_of_wall = (x, y + wall_px, wall_px, inner) if beside else (x + wall_px, y, inner, wall_px)
        if not is_open(*box_of_wall):
            walls.append((first, second))
    return rows, tuple(walls)


def _start(rows: tuple[str, ...], counts: _Counts, start: CellLike | None, cells: Sequence[CellLike]) -> int | None:
    if start is not None:
        return counts.id_of(start)
    signs = "".join(rows)
    if "S" in signs:
        return signs.index("S") + 1
    return counts.id_of(cells[0]) if cells else None


def _path(counts: _Counts, start: int | None, moves: str, cells: Sequence[CellLike]) -> tuple[int, ...]:
    if moves and cells:
        raise WrongValueError("say moves or cells, not both")
    if not moves:
        return tuple(map(counts.id_of, cells))
    if start is None:
        raise WrongValueError("moves begin at the start: say start, or S in the rows")
    row, column = divmod(start - 1, counts.width)
    path = [start]
    for at, letter in enumerate("".join(moves.split()).upper()):
        if letter not in _STEPS:
            raise WrongValueError(f"moves are letters U, D, L and R, not {letter!r}")
        down, right = _STEPS[letter]
        row, column = row + down, column + right
        if not (0 <= row < counts.height and 0 <= column < counts.width):
            raise WrongValueError(f"move {at + 1} ({letter}) leads out of the grid")
        path.append(counts.id_of((row, column)))
    return tuple(path)


def _with_ends(
    rows: tuple[str, ...], counts: _Counts, start: CellLike | None, goal: CellLike | None, path: tuple[int, ...]
) -> tuple[str, ...]:
    """Rows with S and G, where they are told beside."""
    signs = list("".join(rows))
    ends = (("S", start, path[:1]), ("G", goal, path[-1:]))
    for sign, told, by_path in ends:
        if told is None and sign in signs:
            continue
        if told is None and not by_path:
            name = "start" if sign == "S" else "goal"
            raise WrongValueError(f"there is no {sign} in the rows: say {name}, or the way")
        at = (counts.id_of(told) if told is not None else by_path[0]) - 1
        signs = ["." if one == sign else one for one in signs]
        signs[at] = sign
    text = "".join(signs)
    return tuple(text[row * counts.width : (row + 1) * counts.width] for row in range(counts.height))
