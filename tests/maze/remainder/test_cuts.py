"""Thin cuts through several walls, each less than a hole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.remainder.cuts import CutsConfig, cut_walls
from tests.maze.remainder.scenes import PLAN

CONFIG = CutsConfig()
WIDE = replace(PLAN, wall_px=4.0)
WALLS, LONG = 12, 20


def cut(changes: dict[int, float], wide: float = 4.0, config: CutsConfig = CONFIG) -> list[int]:
    """Of twelve whole walls of 20 pixels those that are cut, if one pixel of some shows so much more."""
    share = np.ones((WALLS, LONG), np.float32)
    for wall, change in changes.items():
        share[wall, 7] += change
    owner = np.repeat(np.arange(WALLS), LONG)
    return cut_walls(share.ravel(), owner, replace(PLAN, wall_px=wide), config).tolist()


def test_several_walls_with_a_thin_cut_are_told_and_two_are_not():
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}) == [1, 4, 6]
    assert cut({1: -0.1, 4: -0.1}) == []
    # 0.04 is less than the least of 0.05.
    assert cut({1: -0.04, 4: -0.04, 6: -0.04}) == []
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}, wide=2.9) == []


@pytest.mark.parametrize(("rise", "told"), [(0.08, True), (0.09, False)])
def test_what_is_darker_elsewhere_by_as_much_is_no_cut(rise, told):
    """A resized picture does both to slant walls: 1.2 times 0.08 are 0.096, and 1.2 times 0.09 are 0.108."""
    dips = {1: -0.1, 4: -0.1, 6: -0.1}
    assert (cut(dips | {2: rise, 3: rise, 5: rise}) == [1, 4, 6]) is told
    # Two that are darker are a stroke's edge.
    assert cut(dips | {2: rise, 3: rise}) == [1, 4, 6]
