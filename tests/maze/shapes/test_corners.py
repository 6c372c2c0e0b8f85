"""Signs in corners, of which a maze's floor shows a part."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.residual.mixing import seen, seen_color
from detectors.common.residual.signs import SignConfig, corners_of
from detectors.maze.shapes.corners import corner_signs
from tests.maze.remainder.scenes import PLAN, SHAPE

CONFIG = SignConfig(width=0.3, height=0.3)
CORNERS = corners_of(SHAPE, 0.3, 0.3)
"""Of the bottom left one no marker is in sight: the maze ends there at x 16 and y 111."""
USABLE = PLAN.open_floor & (PLAN.wall_distance > 2.0)


def drawn(*bars: tuple[int, int, int, int]) -> np.ndarray:
    """Grey bars, by their first and last column and row."""
    picture = PLAN.picture.copy()
    for left, right, top, bottom in bars:
        picture[top : bottom + 1, left : right + 1] = 120
    return picture


ARM = (20, 36, 99, 101)
"""17 x 3 pixels on the floor."""
REST = (0, 19, 99, 101)
UPRIGHT = (5, 7, 88, 112)
"""The rest of a cross, on the wall and on what lies around, where half of the outer wall is, too."""


def signs(picture: np.ndarray, corners: np.ndarray = CORNERS) -> np.ndarray:
    values = np.where(USABLE[..., None], seen(picture) - seen_color(np.full(3, 255.0)), np.float32(0.0))
    wall, around = (np.median(PLAN.picture[where], axis=0) for where in (PLAN.walls, PLAN.outside & ~PLAN.walls))
    return corner_signs(picture, values, corners, 1.0, 0.0, wall, around, PLAN, CONFIG)


def test_nothing_is_none():
    assert not signs(PLAN.picture).any()


def test_what_goes_on_around_the_maze_is_looked_at_with_it():
    """An arm on the floor fills its hull. With those on the wall and around the maze it is a cross."""
    assert not signs(drawn(ARM)).any()
    assert signs(drawn(ARM, REST, UPRIGHT))[100, 25:33].all()


def test_what_shows_around_the_maze_alone_is_not_looked_for():
    assert not signs(drawn(REST, UPRIGHT)).any()


@pytest.mark.parametrize("inside", [True, False])
def test_it_has_to_lie_in_a_corner(inside):
    assert signs(drawn(ARM, REST, UPRIGHT), CORNERS & inside).any() == inside
