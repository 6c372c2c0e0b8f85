"""Thin cuts through several walls, each less than a hole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.remainder.cuts import CutsConfig, cut_walls
from tests.maze.remainder.scenes import PLAN

CONFIG = CutsConfig()
WALLS = [index for index, border in enumerate(PLAN.borders) if not border.open]
OWNER = PLAN.border_pixels[1]
WHICH = np.flatnonzero(np.isin(OWNER, WALLS))


def cut(changes: dict[int, float], wide: float = 4.0, at: float = 0.5) -> list[int]:
    """Of whole walls those that are cut, by number, if one place of some, so far along, shows so much more."""
    share = np.ones(len(WHICH), np.float32)
    for wall, change in changes.items():
        own = np.flatnonzero(OWNER[WHICH] == WALLS[wall])
        own = own[np.argsort(sum(np.divmod(PLAN.border_pixels[0][WHICH[own]], PLAN.labels.shape[1])), kind="stable")]
        share[own[int(at * (len(own) - 1))]] += change
    return [WALLS.index(wall) for wall in cut_walls(share, WHICH, replace(PLAN, wall_px=wide), CONFIG).tolist()]


def test_several_walls_with_a_thin_cut_are_told_and_two_are_not():
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}) == [1, 4, 6]
    assert cut({1: -0.1, 4: -0.1}) == []
    # 0.04 is less than the least of 0.05.
    assert cut({1: -0.04, 4: -0.04, 6: -0.04}) == []
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}, wide=2.9) == []


def test_at_a_wall_s_end_nothing_is_told():
    """It mixes with what lies there."""
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}, at=0.0) == []


@pytest.mark.parametrize(("rise", "told"), [(0.08, True), (0.09, False)])
def test_what_is_darker_elsewhere_by_as_much_is_no_cut(rise, told):
    """A resized picture does both to slant walls: 1.2 times 0.08 are 0.096, and 1.2 times 0.09 are 0.108."""
    dips = {1: -0.1, 4: -0.1, 6: -0.1}
    assert (cut(dips | {2: rise, 3: rise, 5: rise}) == [1, 4, 6]) is told
    # Two that are darker are a stroke's edge.
    assert cut(dips | {2: rise, 3: rise}) == [1, 4, 6]
