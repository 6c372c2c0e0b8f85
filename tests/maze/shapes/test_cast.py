"""The shadow of a line: the line, moved to one side."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.maze.shapes.cast import LineShadowConfig, cast_shadow

CONFIG = LineShadowConfig()
REACH = 12.0


def drawn(*points: tuple[int, int], width: int = 8) -> np.ndarray:
    mask = np.zeros((120, 160), np.uint8)
    cv2.polylines(mask, [np.array(points, np.int32)], False, 1, width)
    return mask > 0


BENT = drawn((20, 20), (80, 80), (140, 20))
"""Half of it runs down to the right, and half up to the right."""


def moved(down: int, right: int) -> np.ndarray:
    return np.roll(BENT, (down, right), axis=(0, 1))


def cast(shown: np.ndarray, config: LineShadowConfig = CONFIG) -> np.ndarray | None:
    return cast_shadow(BENT, ~BENT, shown & ~BENT, REACH, config)


@pytest.mark.parametrize(("down", "right"), [(5, 5), (-5, 5), (7, 0), (0, -7)])
def test_a_shadow_to_any_side_is_where_the_moved_line_lies(down, right):
    """Along the half that runs its own way the shadow of (5, 5) lies beneath the line, so that one half shows it."""
    shadow = moved(down, right)
    zone = cast(shadow)
    assert zone is not None
    assert (zone[shadow & ~BENT]).mean() > 0.98


def test_what_lies_all_around_is_a_rim():
    around = cv2.dilate(BENT.view(np.uint8), np.ones((13, 13), np.uint8)) > 0
    assert cast(around) is None
    assert cast(around, replace(CONFIG, other=1.0)) is not None


def test_a_mark_beside_the_line_is_no_shadow():
    """20 x 10 pixels of the more than a thousand that any moved line uncovers."""
    mark = np.zeros_like(BENT)
    mark[74:84, 90:110] = True
    assert cast(mark) is None


def test_nothing_casts_nothing():
    nothing = np.zeros_like(BENT)
    assert cast(nothing) is None
    assert cast_shadow(nothing, ~nothing, ~nothing, REACH, CONFIG) is None
