"""Pieces that can't be told apart have no order."""

from __future__ import annotations

import numpy as np
import pytest

import grader


def test_pieces_that_are_alike_are_refused() -> None:
    piece = np.tile(np.arange(64, dtype=np.uint8)[:, None, None], (1, 64, 3))
    puzzle = grader.jigsaw("order_generation", [1, 2, 3, 4], pieces=[piece, piece, piece[::-1], piece[:, :, ::-1] // 2])
    with pytest.raises(grader.InvalidRequestError, match="two pieces are alike"):
        grader.grade(puzzle, np.zeros((128, 128, 3), np.uint8))
