"""What is one disc, and what is another shape or has something on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from grader.model.verdict import Outcome
from tests.paper_fold.drawn import drawn, sheet, verdict

RIGHT = sheet().puzzle.holes[0]


def _places():
    one = sheet()
    return [(float(x), float(y)) for x, y in one.frame.of(RIGHT)], one.radius_px


def _polygon(picture, center, radius, corners):
    turns = np.arange(len(corners)) * (2 * np.pi / len(corners)) + 0.2
    points = np.array(center) + radius * np.array(corners)[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    cv2.fillPoly(picture, [np.rint(16 * points).astype(np.int32)], (30, 30, 36), cv2.LINE_AA, 4)


@pytest.mark.parametrize(
    "corners", [[1.2] * 3, [1.2] * 4, [1.4, 0.6] * 5, [1.3, 1.3, 0.85, 0.85] * 5], ids=["3", "4", "star", "gear"]
)
def test_other_shapes_are_no_holes(corners):
    picture = sheet().flat.copy()
    centers, radius = _places()
    for center in centers:
        _polygon(picture, center, radius, corners)
    found = verdict(picture)
    assert found.outcome is Outcome.FAIL
    assert found.reward == 0.0


def _struck(picture, x, y, radius):
    reach = 1.6 * radius
    start, end = np.rint([(x - reach, y - reach), (x + reach, y + reach)]).astype(int).tolist()
    cv2.line(picture, start, end, (200, 0, 0), 2, cv2.LINE_AA)


def _erased(picture, x, y, radius):
    center, size = (round(x), round(y)), (round(1.3 * radius),) * 2
    cv2.ellipse(picture, center, size, 0, 20, 110, sheet().style.front, -1)


def _half(picture, x, y, radius):
    center, size = (round(x), round(y)), (round(0.9 * radius),) * 2
    cv2.ellipse(picture, center, size, 0, 90, 270, sheet().style.front, -1, cv2.LINE_AA)


def _doubled(picture, x, y, radius):
    cv2.circle(picture, (round(x + 1.2 * radius), round(y)), round(radius), (30, 30, 36), -1, cv2.LINE_AA)


@pytest.mark.parametrize("change", [_struck, _erased, _half, _doubled])
def test_what_lies_on_a_hole_is_a_mark(change):
    picture = drawn()
    centers, radius = _places()
    for x, y in centers:
        change(picture, x, y, radius)
    found = verdict(picture)
    assert "MARK_NOT_A_HOLE" in [one.code for one in found.reasons]
    assert found.reward <= 0.45
