"""Labels over and under markers, told by their place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.residual.ground import Ground
from detectors.common.residual.mixing import seen_color
from detectors.maze.shapes.labels import LabelConfig, marker_labels
from tests.maze.remainder.scenes import PLAN, SHAPE, through

CONFIG = LabelConfig(
    least=0.08, noisy=3.0, joined=0.5, near=0.5, over=0.0, high=0.5, wide=2.0, long=1.5, centered=0.1, clear_px=2
)
NOTHING = np.zeros(SHAPE, bool)
MIDDLE = 32
"""The disc's column: it lies from 26 to 38, in rows as well, 13 pixels wide. Walls end at 17."""
UNDER = (41, 44)
"""Rows right under it."""


def labels(*bars: tuple[int, int, int, int], line: np.ndarray = NOTHING, config: LabelConfig = CONFIG) -> np.ndarray:
    """Of grey bars, by their first and last row and column, those that are labels."""
    picture = PLAN.picture.copy()
    for top, bottom, left, right in bars:
        picture[top : bottom + 1, left : right + 1] = 120
    color = seen_color(np.full(3, 255.0)).astype(np.float32)
    ground = Ground(np.broadcast_to(color, (*SHAPE, 3)), color, 0.0)
    return marker_labels(picture, ground, 1.0, line, PLAN, config)


def centered(half: int, rows: tuple[int, int] = UNDER, by: int = 0) -> tuple[int, int, int, int]:
    return *rows, MIDDLE - half + by, MIDDLE + half + by


def test_what_lies_right_under_or_over_a_marker_is_its_label():
    assert not labels().any()
    found = labels(centered(5))
    assert found[41:45, 27:38].all()
    assert np.count_nonzero(found) == 4 * 11
    assert labels(centered(5, (20, 23)))[20:24, 27:38].all()


@pytest.mark.parametrize(("bar", "is_one"), [
    (centered(3), True),  # 7 x 4: 1.75 times as long as high
    (centered(2), False),  # 5 x 4: 1.25
    (centered(12), True),  # 25 pixels, and twice 13 are 26
    (centered(13), False),  # 27
    (centered(5, by=1), True),  # up to 1.5 pixels
    (centered(5, by=2), False),
    (centered(5, (19, 20)), True),  # 5 pixels over its topmost row
])  # fmt: skip
def test_it_is_long_and_low_and_right_in_the_middle(bar, is_one):
    assert labels(bar).any() == is_one


@pytest.mark.parametrize(("share", "is_one"), [(0.47, True), (0.46, False)])
def test_it_lies_near_and_is_low(share, is_one):
    """A row that is 6 pixels over the topmost one, and one of 6 rows: 0.47 of 13 is 6.1, and 0.46 is 5.98."""
    assert labels(centered(5, (19, 19)), config=replace(CONFIG, near=share)).any() == is_one
    assert labels(centered(8, (19, 24)), config=replace(CONFIG, high=share)).any() == is_one


@pytest.mark.parametrize(("over", "is_one"), [(0.25, True), (0.2, False)])
def test_it_may_reach_into_the_marker_s_box(over, is_one):
    """By 3 rows: what shows beside the tip of a disc; 0.25 of 13 is 3.25, and 0.2 is 2.6."""
    assert labels(centered(8, (36, 39)), config=replace(CONFIG, over=over)).any() == is_one


def test_letters_belong_together():
    """Across gaps of 6 pixels, half of 13, and of whatever the line hides."""
    words = (*UNDER, 24, 28), (*UNDER, 36, 40)
    assert not labels(*words).any()
    near = (*UNDER, 25, 29), (*UNDER, 35, 39)
    assert labels(*near).any()
    line = through(1, 5, width=6)
    found = labels(*words, line=line)
    assert found[41, [24, 28, 36, 40]].all()
    assert not found[line].any()


def test_letters_at_its_end_may_lie_beneath_the_line():
    """From column 24 to 29, and beneath a line and its soft edge to 41: its middle may be that of the disc, 32."""
    line = np.zeros(SHAPE, bool)
    line[39:60, 31:41] = True
    part = (*UNDER, 24, 29)
    assert not labels(part).any()
    assert labels(part, line=line).any()
    line[:, 35:] = False
    assert not labels(part, line=line).any()


@pytest.mark.parametrize(("clear_px", "is_one"), [(9, True), (10, False)])
def test_what_ends_at_a_wall_is_none(clear_px, is_one):
    """From column 27 it is 9 pixels to the wall, which ends at 17."""
    assert labels(centered(5), config=replace(CONFIG, clear_px=clear_px)).any() == is_one


def test_the_rims_of_lines_and_markers_are_none():
    """What lies within a pixel of them may be their own soft edge, on both sides of a line right under a disc."""
    rims = (*UNDER, 28, 28), (*UNDER, 36, 36)
    assert not labels(*rims, line=through(1, 5, width=6)).any()
