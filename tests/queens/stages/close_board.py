"""The board that stages of the remainder are tried on: four rows of cells of 60 pixels, lines of 2."""

from __future__ import annotations

import numpy as np

from detectors.common.residual.mixing import seen
from detectors.queens.board import Board
from detectors.queens.config import QueensConfig
from detectors.queens.remainder.config import BoardRemainderConfig
from detectors.queens.remainder.plan import CloseBoard
from tests.queens.test_board import REGIONS, N, drawn_board

CELL, SIDE = 60, 240
CONFIG = BoardRemainderConfig()
PICTURE = drawn_board(CELL)
CLOSE = CloseBoard(Board((SIDE, SIDE), 1, N, REGIONS, PICTURE, QueensConfig().board), CONFIG.grid, CONFIG.mixing)


def darkness() -> np.ndarray:
    """(h, w), how far the puzzle's pixels are on the way from their cell's lightness to a line's."""
    return CLOSE.deeper(CLOSE.colors[CLOSE.regions][..., 0], seen(PICTURE)[..., 0])
