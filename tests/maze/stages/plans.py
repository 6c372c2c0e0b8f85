"""Small mazes drawn pixel by pixel, for tests of single stages: square cells, walls where none is said to be open."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.walls import FloorplanConfig, read_floorplan

CELL = 32
WALL = 4
MARGIN = 16
FLOOR, DARK, RED = (255, 255, 255), (0, 0, 0), (255, 0, 0)
AROUND = (200, 200, 200)


def corner(cell: int, columns: int) -> tuple[int, int]:
    """Left and top of a cell in pixels."""
    row, column = divmod(cell - 1, columns)
    return MARGIN + column * CELL, MARGIN + row * CELL


def middle(cell: int, columns: int) -> tuple[int, int]:
    """(x, y) of the middle of a cell."""
    left, top = corner(cell, columns)
    return left + CELL // 2, top + CELL // 2


def drawn_maze(
    rows: int, columns: int, passages: Collection[tuple[int, int]], markers: Mapping[int, str], wall: int = WALL
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """A picture and its cell map: cells 1, 2, ... row by row; 16 pixels around them are outside.

    ``markers`` are discs of radius 6 or crosses with arms 4 wide, named "disc" and "cross".
    """
    size = (2 * MARGIN + rows * CELL, 2 * MARGIN + columns * CELL)
    labels = np.zeros(size, np.int32)
    picture = np.full((*size, 3), AROUND, np.uint8)
    half = wall // 2
    for cell in range(1, rows * columns + 1):
        left, top = corner(cell, columns)
        labels[top : top + CELL, left : left + CELL] = cell
        picture[top : top + CELL, left : left + CELL] = FLOOR
    for cell in range(1, rows * columns + 1):
        left, top = corner(cell, columns)
        right, bottom = left + CELL, top + CELL
        last_column = (cell - 1) % columns == columns - 1
        beside = None if last_column else cell + 1
        below = cell + columns if cell + columns <= rows * columns else None
        if (cell, beside) not in passages:
            picture[top - half : bottom + half, right - half : right + half] = DARK
        if (cell, below) not in passages:
            picture[bottom - half : bottom + half, left - half : right + half] = DARK
        if (cell - 1) % columns == 0:
            picture[top - half : bottom + half, left - half : left + half] = DARK
        if cell <= columns:
            picture[top - half : top + half, left - half : right + half] = DARK
    for cell, shape in markers.items():
        x, y = middle(cell, columns)
        if shape == "disc":
            cv2.circle(picture, (x, y), 6, RED, -1)
        else:
            cv2.line(picture, (x - 6, y - 6), (x + 6, y + 6), RED, 4)
            cv2.line(picture, (x - 6, y + 6), (x + 6, y - 6), RED, 4)
    return picture, labels


def plan_of(
    rows: int,
    columns: int,
    passages: Collection[tuple[int, int]],
    markers: Mapping[int, str] | None = None,
    wall: int = WALL,
    config: FloorplanConfig | None = None,
) -> Floorplan:
    """The floor plan of such a maze; its working frame is the picture, since cells are 32 pixels long."""
    picture, labels = drawn_maze(rows, columns, passages, markers or {}, wall)
    return read_floorplan(picture, (labels,), CELL, wall, 1, config or FloorplanConfig())


def doubled_plan(
    rows: int, columns: int, passages: Collection[tuple[int, int]], markers: Mapping[int, str] | None = None
) -> Floorplan:
    """The same maze drawn at twice the size, which is read in the frame of the small one."""
    picture, labels = drawn_maze(rows, columns, passages, markers or {})
    large = np.ascontiguousarray(picture.repeat(2, axis=0).repeat(2, axis=1))
    return read_floorplan(large, (labels,), 2 * CELL, 2 * WALL, 2, FloorplanConfig())
