"""The zones of a maze with square cells: floor of cells, what lies between them, and blocked cells."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from detectors.maze.textures.zones import Zone, ZoneKind
from grader.tasks.maze.model import MazeBox, MazeGridInput
from grader.tasks.maze.plans.form import blocked_cells
from puzzles.maze.geometry import CellGrid
from puzzles.maze.layout import Layout


def zones_of(
    layout: Layout, counts: tuple[int, int], box: MazeBox, grid: MazeGridInput | None, *, tiled: bool
) -> tuple[Zone, ...]:
    """The zones of a maze; what lies between cells is unknown where no grid is declared.

    Parameters
    ----------
    layout : Layout
    counts : tuple of int
        Cells in a row, and rows.
    box : MazeBox
        Where the maze lies in its picture.
    grid : MazeGridInput or None
        What is declared.
    tiled : bool
        Whether cells lie side by side without walls between them: then what is blocked is whole cells.
    """
    blocked = frozenset[int]() if grid is None else blocked_cells(grid)
    cells = tuple(_cells(layout, counts, box, blocked, tiled=tiled))
    if tiled:
        return cells
    return (*cells, *_between(layout, counts, box, grid, blocked))


def with_posts(zones: Sequence[Zone], layout: Layout, counts: tuple[int, int], box: MazeBox) -> tuple[Zone, ...]:
    """The same with the posts at the corners of cells, which are walls where one leads to them."""
    (width, height), wall, cell = counts, layout.wall_width_px, layout.cell_size_px
    closed: set[tuple[int, int]] = set()
    for zone in zones:
        if zone.pair is None or zone.kind is not ZoneKind.BLOCKED:
            continue
        left, top, right, bottom = zone.box
        across = right - left > bottom - top
        ends = ((left, bottom), (right, bottom)) if across else ((right, top), (right, bottom))
        for x, y in ends:
            column, row = (
                round((x - box.left) / cell - 0.5 * wall / cell),
                round((y - box.top) / cell - 0.5 * wall / cell),
            )
            closed.add((column, row))
    made = []
    for column, row in itertools.product(range(width + 1), range(height + 1)):
        kind = ZoneKind.BLOCKED if (column, row) in closed else ZoneKind.FLOOR
        left, top = box.left + column * cell, box.top + row * cell
        made.append(Zone((left, top, left + wall, top + wall), kind))
    return (*zones, *made)


def tile_labels(
    picture_size: tuple[int, int], factor: int, box: MazeBox, grid: MazeGridInput, cell_px: float, rim: float
) -> NDArray[np.int32]:
    """The cells of tiles in the working frame, (h, w) int32, 0 outside.

    The cells of floor reach into what is blocked beside them by a share of a tile, so that their borders lie where it
    looks blocked.
    """
    width, height = (-(-side // factor) for side in picture_size)
    x = ((np.arange(width) + 0.5) * factor - box.left) / cell_px
    y = ((np.arange(height) + 0.5) * factor - box.top) / cell_px
    rows, columns = len(grid.rows), len(grid.rows[0])
    blocked = blocked_cells(grid)
    ids = np.arange(1, rows * columns + 1, dtype=np.int32).reshape(rows, columns)
    floor = np.where(np.isin(ids, sorted(blocked)), 0, ids).astype(np.int32)

    def at(table: NDArray[np.int32], right: float, down: float) -> NDArray[np.int32]:
        column, row = np.floor(x + right).astype(np.int64), np.floor(y + down).astype(np.int64)
        inside = ((row >= 0) & (row < rows))[:, None] & ((column >= 0) & (column < columns))[None]
        found = table[np.clip(row, 0, rows - 1)[:, None], np.clip(column, 0, columns - 1)[None]]
        return np.asarray(np.where(inside, found, 0), np.int32)

    labels = at(floor, 0.0, 0.0)
    for right, down in ((-rim, 0.0), (rim, 0.0), (0.0, -rim), (0.0, rim)):
        labels = np.where(labels == 0, at(floor, right, down), labels)
    return np.asarray(np.where(labels == 0, at(ids, 0.0, 0.0), labels), np.int32)


def _cells(
    layout: Layout, counts: tuple[int, int], box: MazeBox, blocked: frozenset[int], *, tiled: bool
) -> Iterator[Zone]:
    (width, height), cell = counts, layout.cell_size_px
    wall = 0.0 if tiled else layout.wall_width_px
    for row, column in itertools.product(range(height), range(width)):
        number = row * width + column + 1
        left, top = box.left + column * cell, box.top + row * cell
        kind = ZoneKind.BLOCKED if number in blocked else ZoneKind.FLOOR
        yield Zone((left + wall, top + wall, left + cell, top + cell), kind, number)


def _between(
    layout: Layout, counts: tuple[int, int], box: MazeBox, grid: MazeGridInput | None, blocked: frozenset[int]
) -> Iterator[Zone]:
    """What lies between two cells, and between a cell and the outside."""
    (width, height), cell, wall = counts, layout.cell_size_px, layout.wall_width_px
    for row, column in itertools.product(range(height + 1), range(width + 1)):
        left, top = box.left + column * cell, box.top + row * cell
        number = row * width + column + 1
        if row < height:
            pair = (number - 1 if column else 0, number if column < width else 0)
            yield Zone((left, top + wall, left + wall, top + cell), _kind(pair, grid, blocked), pair=_ordered(pair))
        if column < width:
            pair = (number - width if row else 0, number if row < height else 0)
            yield Zone((left + wall, top, left + cell, top + wall), _kind(pair, grid, blocked), pair=_ordered(pair))


def _ordered(pair: tuple[int, int]) -> tuple[int, int]:
    return min(pair), max(pair)


def _kind(pair: tuple[int, int], grid: MazeGridInput | None, blocked: frozenset[int]) -> ZoneKind:
    if 0 in pair:
        return ZoneKind.BLOCKED
    if grid is None:
        return ZoneKind.UNKNOWN
    return ZoneKind.BLOCKED if set(pair) & blocked or _ordered(pair) in grid.walls else ZoneKind.FLOOR


def is_tiled(grid: MazeGridInput | None, wall_px: float) -> bool:
    """Whether a maze is of tiles: a grid without a width of walls."""
    return grid is not None and wall_px == 0.0


def counts_of(grid: CellGrid) -> tuple[int, int]:
    """Cells in a row, and rows, of a grid of squares."""
    width, height = (round(length) for length in grid.extent)
    return width, height
