"""Small boards for stage tests: 3 x 3 tiles of two colours each, the same size as a rectified board."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.sliding.config import TILE_CONFIG, TileConfig
from detectors.sliding.model import TileModel, make_model

STATE = (1, 2, 3, 4, -1, 5, 6, 7, 8)
BLANK = 4  # the piece
CELL = 24
COLORS = [
    (220, 40, 40), (40, 200, 60), (50, 70, 220), (230, 210, 40), (20, 20, 20), (200, 60, 200), (40, 200, 210),
    (240, 140, 30), (150, 150, 150),
]  # fmt: skip


def board(colors: list[tuple[int, int, int]] | None = None, cell: int = CELL, size: int = 3) -> NDArray[np.uint8]:
    """A board whose tiles have a colour each, and a darker corner at the upper left; the blank is flat."""
    picture = np.zeros((size * cell, size * cell, 3), np.uint8)
    for place, color in enumerate(colors or COLORS):
        row, column = divmod(place, size)
        part = picture[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]
        part[:] = color
        if place != BLANK:
            part[: cell // 2, : cell // 2] = np.array(color) // 2
    return picture


def model(colors: list[tuple[int, int, int]] | None = None, config: TileConfig = TILE_CONFIG) -> TileModel:
    return make_model(board(colors), 3, STATE, config)


def moved(arrangement: tuple[int, ...], *cells: int) -> tuple[int, ...]:
    """The arrangement after the blank has gone to cells, one after another."""
    pieces = list(arrangement)
    for cell in cells:
        blank = pieces.index(BLANK)
        pieces[blank], pieces[cell] = pieces[cell], pieces[blank]
    return tuple(pieces)


def sliding(one: TileModel, arrangement: tuple[int, ...], cells: tuple[int, ...], offset: int) -> NDArray[np.float32]:
    """A board, drawn to whole pixels, on which the tiles of a line have slid ``offset`` px; blank's cell first."""
    shown = one.drawn(arrangement)
    side = one.cell_px
    blank = one.patches[one.blank]
    for cell in cells:
        row, column = divmod(cell, one.size)
        shown[row * side : (row + 1) * side, column * side : (column + 1) * side] = blank
    for to, start in pairwise(cells):
        (row, column), (to_row, to_column) = divmod(start, one.size), divmod(to, one.size)
        top, left = row * side + (to_row - row) * offset, column * side + (to_column - column) * offset
        shown[top : top + side, left : left + side] = one.patches[arrangement[start]]
    return shown
