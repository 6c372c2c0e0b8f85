"""Light and shade on pieces and beside boards are no faults; other colours and things with edges are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import grader
from benchmarks.accuracy.scenes import encoded
from benchmarks.form_board.boards import board
from benchmarks.form_board.right import casting, lit

BOARD = board(2, 40)


def codes(picture):
    """Why a picture is wrong."""
    found = grader.grade(BOARD.task, grader.ImageCandidate(encoded(np.ascontiguousarray(picture))))
    return [one.code for one in found.reasons]


@pytest.mark.parametrize("way", [casting, lit])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_companions_are_no_faults(way, seed):
    assert codes(way(BOARD, np.random.default_rng(seed))) == []


def test_a_page_may_be_shaded_in_a_corner():
    """By up to a third, smoothly, over the last fifth of the diagonal."""
    picture = BOARD.draw(BOARD.solved())
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width]
    corner = np.clip(((x / width + y / height) / 2 - 0.8) / 0.2, 0, 1) ** 2
    assert codes((picture * (1 - 0.33 * corner)[..., None]).astype(np.uint8)) == []


def test_a_grey_block_beside_the_board_is_drawn():
    """As dark as a shadow, and a fifth of the board's side wide, with edges of its own."""
    picture = BOARD.draw(BOARD.solved())
    right = round(max(x for x, _ in BOARD.laid.board.silhouette))
    top = round(min(y for _, y in BOARD.laid.board.silhouette))
    side = round(2 * BOARD.unit)
    cv2.rectangle(picture, (right - side, top - side // 2), (right, top + 2), (190, 190, 190), -1)
    assert codes(picture)
