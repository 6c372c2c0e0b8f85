"""Strokes in other colours, dashes and marks just below and just above what counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.colors import ColorName, hue_degrees, oklab
from detectors.maze.alterations import AlterationConfig, find_alterations
from detectors.maze.clips.config import KindConfig
from detectors.maze.clips.kind import MotionKind
from detectors.maze.ink import InkConfig, find_ink
from detectors.maze.strokes.config import DashConfig, SpeckConfig
from tests.maze.clip_stages.test_motion import CONFIG as CLIPS
from tests.maze.clip_stages.test_motion import PLAN as CLIP_PLAN
from tests.maze.clip_stages.test_motion import kind, moving, spot
from tests.maze.stages.plans import DARK, RED, corner, middle, plan_of
from tests.maze.stages.test_paths import CONFIG, SHAPE, WAYS, X, Y, box, dashed, found, ink_of, through

PATH = through(1, 2)
"""Far from cell 5."""


def foreign(path, other, strength: float = 0.145, config=CONFIG, floor: int = 255) -> bool:
    ink = ink_of(path, other)
    ink.strength[other] = strength
    return 5 in found(replace(ink, floor_rgb=np.full(3, float(floor))), config=config).foreign


# --- other colours ---


def test_foreign_ink_has_a_least_area():
    """0.005 of 1024 pixels is 5.12."""
    assert not foreign(PATH, box(X, Y, 5, 1))
    assert foreign(PATH, box(X, Y, 6, 1))


def test_on_a_dark_floor_foreign_ink_has_more_chroma():
    """Twice as much, 0.1, where the floor's lightness is below 0.4."""
    levels = [float(oklab(np.full((1, 3), level, np.uint8))[0, 0]) for level in range(256)]
    light = next(level for level in range(256) if levels[level] >= 0.4)
    small = box(X, Y, 6, 1)
    assert foreign(PATH, small, 0.09, floor=light)
    assert not foreign(PATH, small, 0.09, floor=light - 1)
    assert foreign(PATH, small, 0.11, floor=light - 1)


def test_jpeg_smears_over_a_block():
    """16 picture pixels from the path, paler than 0.65 of it."""
    path = box(X - 12, Y - 13, 24, 4)
    for row, seen in ((Y - 10 + 16, False), (Y - 10 + 17, True)):
        assert foreign(path, box(X, row, 6, 1), 0.6 * 0.145) is seen
    for share, seen in ((0.64, False), (0.66, True)):
        assert foreign(path, box(X, Y, 6, 1), share * 0.145) is seen


def test_the_rim_of_a_path_is_none_of_its_rivals():
    """A square of 7 around it: three pixels. As much as 0.6 of it is another path with a rim."""
    path = box(X - 10, Y - 8, 20, 2)
    assert not foreign(path, box(X, Y - 7 + 3, 6, 1))
    assert foreign(path, box(X, Y - 7 + 4, 6, 1))
    # 0.6 of 40 pixels are 24.
    assert not foreign(path, box(X - 12, Y - 6, 23, 1))
    assert foreign(path, box(X - 12, Y - 6, 24, 1))


def test_muted_ink_beside_dark_is_the_edge_of_a_wall():
    """A square of 7 around it: of 6 x 6 grey pixels, of which 30.7 are needed, a row less is 30."""
    x, y = middle(6, 3)
    grey = box(x - 3, y - 2, 6, 6)
    for above, seen in ((4, True), (3, False)):
        ink = ink_of(through(1, 2, width=3), grey=grey, dark=box(x - 6, y - 2 - above, 12, 1))
        assert (6 in found(ink).foreign) is seen


def test_muted_ink_has_a_least_chroma():
    x, y = middle(6, 3)
    other = box(x - 3, y - 2, 6, 6)
    for strength, seen in ((0.021, False), (0.023, True)):
        ink = ink_of(through(1, 2, width=3), other)
        ink.strength[other] = strength
        assert (6 in found(ink).foreign) is seen


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
    """0.6 of them: five of eight are more, five of nine are not; dots of three pixels are none."""
    config = replace(CONFIG, dashes=DashConfig())
    assert dashed(rows(8, 8, 8, 8, 8, 3, 3, 3), config)
    assert not dashed(rows(8, 8, 8, 8, 8, 3, 3, 3, 3), config)


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


# --- markers ---


def test_a_pale_marker_has_a_share_of_its_chroma():
    """0.4 of that of red, in its hue, and farther than 0.16 from it."""
    plan = plan_of(2, 3, WAYS, {1: "disc"})
    red = oklab(np.array([RED], np.uint8))[0]
    pale = [(255, 255 - step, 255 - step) for step in range(200)]
    labs = oklab(np.array(pale, np.uint8))
    strong = np.hypot(labs[:, 1], labs[:, 2]) / np.hypot(*red[1:])
    first = int(np.argmax(strong >= 0.4))
    assert np.linalg.norm(labs[first] - red) > 0.16
    assert abs(float(hue_degrees(labs[first, 1:]) - hue_degrees(red[1:]))) < 35.0
    loose = replace(AlterationConfig(), markers=replace(AlterationConfig().markers, lost=1.0))
    for index, gone in ((first, 0), (first - 1, 1)):
        picture = plan.picture.copy()
        picture[plan.marker_mask] = pale[index]
        ink = find_ink(picture, None, plan, ColorName.BLUE, InkConfig())
        assert len(find_alterations(picture, None, ink, plan, loose).erased_markers) == gone


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
