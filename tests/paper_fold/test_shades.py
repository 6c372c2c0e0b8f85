"""Shades that all holes have in common are theirs; what has its own edge, or lies on one of them, is a mark."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.companions import BENEATH, UPON
from benchmarks.paper_fold.drawing import HoleLook
from grader.model.verdict import Outcome
from tests.paper_fold.drawn import codes, drawn, sheet, verdict


@pytest.mark.parametrize(
    "look",
    [*(HoleLook(beneath=name) for name in BENEATH), *(HoleLook(upon=name) for name in UPON)],
    ids=[*BENEATH, *UPON],
)
def test_holes_with_companions_are_holes(look):
    assert codes(drawn(look=look)) == []


def _crescents(picture, turn, holes=None):
    """The paper's thickness, seen on one side: the hole less itself, moved by a quarter of its radius."""
    one = sheet()
    places = one.puzzle.holes[0] if holes is None else holes
    rows, columns = np.indices(picture.shape[:2]) + 0.5
    radius = 0.9 * one.radius_px
    for x, y in one.frame.of(places).tolist():
        here = np.hypot(columns - x, rows - y) <= radius
        there = np.hypot(columns - x - np.cos(turn) * radius / 4, rows - y - np.sin(turn) * radius / 4) <= radius
        picture[here & ~there] = (120, 120, 120)
    return picture


@pytest.mark.parametrize("turn", [0.4, 2.0, 4.0])
def test_the_thickness_of_paper_is_seen_in_all_holes(turn):
    assert codes(_crescents(drawn(), turn)) == []


def test_an_unlike_hole_among_shaded_ones_is_a_mark():
    picture = _crescents(drawn(), 0.4)
    holes = sheet().puzzle.holes[0]
    red = HoleLook(fill=(205, 30, 40), rim=(205, 30, 40))
    found = verdict(drawn(holes[:1], red, on=picture))
    assert found.outcome is Outcome.FAIL


def _stroke(picture, x, y, radius):
    reach = 0.6 * radius
    cv2.line(picture, (round(x - reach), round(y)), (round(x + reach), round(y)), (200, 0, 0), 2, cv2.LINE_AA)


def _bite(picture, x, y, radius):
    cv2.circle(picture, (round(x + 0.8 * radius), round(y)), round(0.6 * radius), sheet().style.front, -1, cv2.LINE_AA)


def _twin(picture, x, y, radius):
    grey = tuple(round(0.7 * part) for part in sheet().style.front)
    cv2.circle(picture, (round(x + 1.3 * radius), round(y)), round(0.5 * radius), grey, -1, cv2.LINE_AA)


@pytest.mark.parametrize("change", [_stroke, _bite, _twin])
def test_what_all_holes_have_and_is_no_shade_is_a_mark(change):
    picture = drawn()
    one = sheet()
    for x, y in one.frame.of(one.puzzle.holes[0]).tolist():
        change(picture, x, y, one.radius_px)
    assert "MARK_NOT_A_HOLE" in codes(picture)
