"""Strokes, dashes and marks just below and just above what counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.colors import ColorName
from detectors.maze.clips.config import KindConfig
from detectors.maze.clips.kind import MotionKind
from detectors.maze.ink import InkConfig, find_ink
from detectors.maze.strokes.config import DashConfig, SpeckConfig
from tests.maze.clip_stages.scenes import CONFIG as CLIPS
from tests.maze.clip_stages.scenes import PLAN as CLIP_PLAN
from tests.maze.clip_stages.scenes import kind, moving, spot
from tests.maze.stages.plans import DARK, corner, middle, plan_of
from tests.maze.stages.test_paths import CONFIG, SHAPE, WAYS, X, Y, box, dashed, found, ink_of, through

PATH = through(1, 2)
"""Far from cell 5."""


def test_an_opaque_pixel_is_as_strong_as_the_strongest_tenth():
    """A speck of 5 pixels, each half as strong as the line, has an area of 2.5, less than 2.56; at 0.6 it has 3."""
    for share, pieces in ((0.5, 1), (0.6, 2)):
        speck = box(X, Y, 5, 1)
        ink = ink_of(PATH | speck)
        ink.strength[speck] *= share
        assert len(found(ink, config=replace(CONFIG, specks=SpeckConfig(pinhole=0.0))).pieces) == pieces
    # Single strong pixels are no measure: a twentieth of the line is ten times as strong.
    ink = ink_of(PATH)
    at = np.argwhere(PATH)[::20]
    ink.strength[tuple(at.T)] *= 10
    assert len(found(ink).pieces) == 1


# --- dashes ---


def rows(*lengths: int) -> np.ndarray:
    """Pieces of 3 pixels' height one below the other."""
    mask = np.zeros(SHAPE, bool)
    for number, length in enumerate(lengths):
        mask[4 + 10 * number : 7 + 10 * number, 10 : 10 + length] = True
    return mask


def test_five_pieces_need_not_be_alike():
    assert dashed(rows(8, 8, 8, 8, 30))
    assert not dashed(rows(8, 8, 8, 30))
    assert dashed(rows(8, 8, 8, 12))


def test_dashes_have_a_greatest_length():
    """1.5 cells of 32 pixels are 48; a centreline is two pixels or so shorter than its dash."""
    assert dashed(rows(47, 47, 47, 47, 47))
    assert not dashed(rows(54, 54, 54, 54, 54))


def test_most_pieces_are_dashes():
    """0.6 of them: five of eight are more, five of nine are not, with crumbs that are thinner than they."""
    config = replace(CONFIG, dashes=DashConfig())
    crumbs = [np.zeros(SHAPE, bool) for _ in range(2)]
    for mask, count in zip(crumbs, (3, 4), strict=True):
        mask[5 : 5 + 10 * count : 10, 40:42] = True
    assert dashed(rows(8, 8, 8, 8, 8) | crumbs[0], config)
    assert not dashed(rows(8, 8, 8, 8, 8) | crumbs[1], config)


def test_between_dashes_there_may_be_dots_as_wide():
    """As many as there are dashes, and one more: 5 and 6 of 14 are 11, more than 0.6 of them; of 19 they are not."""
    config = replace(CONFIG, dashes=DashConfig())

    def with_dots(count: int) -> np.ndarray:
        mask = rows(8, 8, 8, 8, 8)
        for number in range(count):
            row, column = divmod(number, 7)
            mask[4 + 10 * row : 8 + 10 * row, 40 + 10 * column : 43 + 10 * column] = True
        return mask

    assert dashed(with_dots(9), config)
    assert not dashed(with_dots(14), config)


def test_most_of_their_length_is_in_dashes():
    """0.6 of it: five of about 10 pixels beside one of 90 are less."""
    assert not dashed(rows(12, 12, 12, 12, 12, 92))
    assert dashed(rows(45, 45, 45, 45, 45, 92))


# --- ink ---


@pytest.mark.parametrize(("height", "seen"), [(5, False), (6, True)])
def test_the_edge_of_a_wide_wall_is_wide(height, seen):
    """0.4 of a wall of 10 pixels is 4: what reaches two pixels beyond that is drawn."""
    plan = plan_of(2, 3, WAYS, {}, 10)
    left, top = corner(5, 3)
    picture = plan.picture.copy()
    picture[top + 5 : top + 5 + height, left + 8 : left + 24] = DARK
    assert find_ink(picture, None, plan, ColorName.BLACK, InkConfig()).asked.any() == seen


# --- clips ---


def test_a_marker_of_nearly_a_colour_may_have_lain_on_one():
    """Up to 70 levels in a channel."""
    x, y = middle(4, 3)
    for level, first in ((186, 0), (180, 1)):
        frames = [spot(x + 12 + 2 * number, y, 5, (level, 0, 0)) for number in range(20)]
        assert kind(CLIP_PLAN.picture, *frames).travel.spots[0].index == first


def test_a_line_has_a_least_length():
    """0.6 of a cell of 32 pixels, 19.2, beside the widest spot, which is left out to 1.35 of its radius."""
    frames = moving(14, 5, 3)
    long = replace(CLIPS, kind=KindConfig(line=1.2))
    assert kind(CLIP_PLAN.picture, *frames).has_trail
    assert not kind(CLIP_PLAN.picture, *frames, config=long).has_trail
    assert kind(CLIP_PLAN.picture, *frames, config=long).kind is MotionKind.MOVING_MARKER
    assert kind(CLIP_PLAN.picture, *frames, config=replace(CLIPS, kind=KindConfig(rim=6.0))).has_trail is False
