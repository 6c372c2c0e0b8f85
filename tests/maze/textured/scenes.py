"""Small mazes of own pixel art: tiles, and walls between cells."""

from __future__ import annotations

import itertools
from functools import cache

import cv2
import numpy as np

from puzzles.grid_maze.maze import Tile
from puzzles.grid_maze.palettes import PALETTES
from puzzles.grid_maze.sprites import sprite

TILE = 40
ROWS = ("S.#.", ".T#.", "...G", "##..")
"""Rows of tiles; the way that goes right last is one of two."""
WAY = (1, 5, 9, 10, 11, 12)
SIDE = len(ROWS) * TILE
RED = (230, 30, 30)


def tile(kind: Tile, variant: int = 0, palette: str = "forest", side: int = TILE) -> np.ndarray:
    """A sprite."""
    return cv2.resize(sprite(kind, PALETTES[palette], variant), (side, side), interpolation=cv2.INTER_NEAREST)


@cache
def tiles() -> np.ndarray:
    """The rows, drawn: a hedge on sand, a trap, a player and a chest."""
    lines = [
        np.hstack([tile(Tile(sign), (3 * row + column) % 4) for column, sign in enumerate(line)])
        for row, line in enumerate(ROWS)
    ]
    picture = np.vstack(lines)
    picture.flags.writeable = False
    return picture


def middle(cell: int) -> tuple[int, int]:
    """Of a tile."""
    row, column = divmod(cell - 1, len(ROWS[0]))
    return column * TILE + TILE // 2, row * TILE + TILE // 2


def stroke(
    picture: np.ndarray, cells: tuple[int, ...], color: tuple[int, int, int] = RED, width: int = 6
) -> np.ndarray:
    """With a stroke from tile to tile."""
    drawn = picture.copy()
    for first, second in itertools.pairwise(cells):
        cv2.line(drawn, middle(first), middle(second), color, width, cv2.LINE_AA)
    return drawn


def put(picture: np.ndarray, cell: int, piece: np.ndarray) -> np.ndarray:
    """With another tile in a tile's place."""
    drawn, (x, y) = picture.copy(), middle(cell)
    drawn[y - TILE // 2 : y + TILE // 2, x - TILE // 2 : x + TILE // 2] = piece
    return drawn


def jpeg(picture: np.ndarray, quality: int) -> np.ndarray:
    """Compressed."""
    data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])
