"""A puzzle that is looked for as a whole in a larger picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from grader.alignment.whole import WholeConfig, find_whole
from grader.media.pyramid import Pyramid
from tests.maze.floors.scenes import picture


def shown(scale: float, left: int, top: int, size: tuple[int, int]) -> np.ndarray:
    page = np.full((size[1], size[0], 3), 255, np.uint8)
    small = cv2.resize(picture(), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    page[top : top + small.shape[0], left : left + small.shape[1]] = small
    cv2.putText(page, "How to get out", (20, size[1] - 12), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    return page


@pytest.mark.parametrize(
    ("scale", "left", "top", "size"),
    [(1.0, 0, 0, (260, 300)), (1.0, 40, 30, (330, 320)), (0.7, 60, 20, (300, 300)), (1.5, 5, 10, (400, 420))],
    ids=["above", "within", "smaller", "larger"],
)
def test_it_is_found_where_it_lies(scale: float, left: int, top: int, size: tuple[int, int]) -> None:
    first, *_ = find_whole(Pyramid(shown(scale, left, top, size)), picture(), WholeConfig())
    corners = np.array([[0.0, 0.0, 1.0], [260.0, 240.0, 1.0]])
    # Its corners lie there, to two pixels: at 320 pixels of 420 one of the search's is 1.3 wide.
    back = cv2.invertAffineTransform(first)
    found = (corners[:, None, :] * back[None]).sum(axis=2)
    expected = np.array([[left, top], [left + 260 * scale, top + 240 * scale]])
    assert np.abs(found - expected).max() < 0.02 * max(size)
