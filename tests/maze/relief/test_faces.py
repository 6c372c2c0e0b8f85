"""Walls in relief: each has a face, or a shadow, at the same side."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.maze.relief.faces import FacesConfig, without_faces
from tests.maze.remainder.scenes import BLUE, PLAN, SHAPE, at, through

CONFIG = FacesConfig()
SOLID = PLAN.solid_depth > 0.0


def faced(down: int, right: int, level: int = 120, base: np.ndarray | None = None) -> np.ndarray:
    """The puzzle with its walls drawn out that far."""
    picture = (PLAN.picture if base is None else base).copy()
    for step in range(1, max(abs(down), abs(right)) + 1):
        by = tuple(round(step * way / max(abs(down), abs(right))) for way in (down, right))
        face = np.roll(SOLID, by, axis=(0, 1)) & ~SOLID & ~PLAN.marker_mask
        picture[face] = level
    return picture


def left(picture: np.ndarray) -> float:
    """Share of what the picture shows on the floor that is still seen."""
    bare = without_faces(picture, None, PLAN, CONFIG)
    floor = PLAN.open_floor
    before, after = (np.abs(one.astype(int) - PLAN.picture)[floor].max(axis=1) > 24 for one in (picture, bare))
    return float(after.sum()) / max(1, int(before.sum()))


@pytest.mark.parametrize(("down", "right"), [(3, 3), (5, 5), (-4, 4), (4, 0), (0, -6)])
@pytest.mark.parametrize("level", [90, 200])
def test_faces_to_any_side_are_floor(down: int, right: int, level: int) -> None:
    assert left(faced(down, right, level)) < 0.02


def test_a_soft_shadow_is_floor() -> None:
    dark = cv2.GaussianBlur(np.roll(SOLID, (4, 4), axis=(0, 1)).astype(np.float32), (0, 0), 2.4)
    shaded = (PLAN.picture * (1.0 - 0.3 * dark * ~SOLID)[..., None]).astype(np.uint8)
    assert left(shaded) < 0.02


def test_what_is_drawn_there_stays() -> None:
    """A line in blue over faces, and a bar as dark as a wall across a passage."""
    line = through(1, 2, 3, 4, 8, 7)
    picture = faced(4, 4)
    picture[line] = BLUE
    x, y = at(10)
    bar = np.zeros(SHAPE, bool)
    bar[y - 14 : y + 14, x - 2 : x + 2] = True
    picture[bar] = 0
    bare = without_faces(picture, None, PLAN, CONFIG)
    assert (bare[line] == BLUE).all()
    assert bare[bar].max() < 40


def test_walls_that_are_thicker_moved_or_blurred_are_as_they_were() -> None:
    thick = PLAN.picture.copy()
    thick[cv2.dilate(SOLID.view(np.uint8), np.ones((7, 7), np.uint8)) > 0] = 0
    for picture in (
        PLAN.picture,
        thick,
        np.roll(PLAN.picture, (3, 3), axis=(0, 1)),
        cv2.GaussianBlur(PLAN.picture, (0, 0), 2.5),
    ):
        assert without_faces(picture, None, PLAN, CONFIG) is picture


def test_grey_at_one_wall_or_all_around_is_no_face() -> None:
    one = PLAN.picture.copy()
    x, y = at(7)
    one[y - 15 : y - 9, x - 14 : x + 14][PLAN.open_floor[y - 15 : y - 9, x - 14 : x + 14]] = 120
    around = PLAN.picture.copy()
    around[(cv2.dilate(SOLID.view(np.uint8), np.ones((11, 11), np.uint8)) > 0) & PLAN.open_floor] = 120
    for picture in (one, around):
        assert without_faces(picture, None, PLAN, CONFIG) is picture
