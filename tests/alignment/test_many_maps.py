"""Of many maps, the one under which a picture agrees with its puzzle is told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from grader.alignment.many_maps import best_of
from grader.alignment.template import AlignmentConfig, make_template

SIDE = 160
RNG = np.random.default_rng(5)
# Lines at irregular places, so that no shift by a cell looks alike.
PICTURE = np.full((SIDE, SIDE, 3), 255, np.uint8)
for place in RNG.choice(np.arange(8, SIDE - 8), 9, replace=False):
    PICTURE[:, place : place + 2] = 0
    PICTURE[(place * 7) % SIDE, :] = 0


def turned(zoom: float, turn: float) -> np.ndarray:
    """A map about the middle: pixels of a picture to those of the puzzle."""
    middle = (SIDE - 1) / 2.0
    return np.asarray(cv2.getRotationMatrix2D((middle, middle), turn, zoom), np.float64)


GRID = [turned(1.0 + zoom, turn) for zoom in np.linspace(-0.06, 0.06, 7) for turn in np.linspace(-2.0, 2.0, 5)]


@pytest.mark.parametrize("made", range(0, len(GRID), 3))
def test_a_zoom_and_turn_are_told(made: int) -> None:
    back = cv2.invertAffineTransform(GRID[made])
    seen = cv2.warpAffine(PICTURE, back, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    template = make_template(PICTURE, AlignmentConfig())
    assert best_of(np.asarray(seen, np.uint8), GRID, template) == made


def test_a_colored_answer_moves_nothing() -> None:
    made = 11
    seen = cv2.warpAffine(PICTURE, cv2.invertAffineTransform(GRID[made]), (SIDE, SIDE), borderValue=(255, 255, 255))
    cv2.line(seen, (10, 20), (150, 90), (255, 0, 0), 12)
    template = make_template(PICTURE, AlignmentConfig())
    assert best_of(np.asarray(seen, np.uint8), GRID, template) == made


def test_where_nothing_can_be_compared_the_first_is_told() -> None:
    away = [np.array([[1.0, 0.0, 10.0 * SIDE * side], [0.0, 1.0, 0.0]]) for side in (1, -1)]
    template = make_template(PICTURE, AlignmentConfig())
    assert best_of(PICTURE, away, template) == 0
