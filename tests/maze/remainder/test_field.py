"""What is left of a maze's floor once mixtures with walls, markers and strokes are taken off."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.residual.mixing import lengths, seen_color
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.config import RemainderConfig
from detectors.maze.remainder.field import MazeResidual, maze_residual
from tests.maze.remainder.scenes import BLUE, NO_LINE, PLAN, SHAPE, at, contrast_of, grey, ink_of, through
from tests.maze.stages.plans import RED, corner

CONFIG = RemainderConfig()
PINK = (255, 200, 200)
LEFT, TOP = corner(7, 4)
COARSE = replace(PLAN, cell_px=64.0)
"""The same maze, read as if its cells were twice as long."""


def left_of(picture, strokes=None, plan: Floorplan = PLAN, covered=None, **ink) -> MazeResidual:
    strokes = NO_LINE.strokes if strokes is None else strokes
    rgb = np.array(BLUE, float) if strokes.any() else None
    return maze_residual(picture, covered, plan, ink_of(**ink), strokes, rgb, CONFIG)


def with_ring(distance: np.ndarray, first: float, last: float, color, picture=None) -> np.ndarray:
    """The floor at some distances in a colour."""
    picture = (PLAN.picture if picture is None else picture).copy()
    picture[PLAN.open_floor & (distance > first) & (distance <= last)] = color
    return picture


def test_nothing_is_left_of_the_puzzle_itself():
    found = left_of(PLAN.picture)
    assert not found.values.any()
    assert (found.ground.noise, found.companion_px) == (0.0, 0)
    # What lies at a marker's edge is the marker's business; walls, markers and the outside are no floor.
    assert np.array_equal(found.usable, PLAN.open_floor & (PLAN.marker_distance > 2.5))


def test_what_is_hidden_or_not_covered_is_not_looked_at():
    stroke = through(6, 7)
    covered = np.ones(SHAPE, bool)
    covered[:, :60] = False
    found = left_of(PLAN.picture, stroke, covered=covered)
    assert not (found.usable & stroke).any()
    # Two pixels at the edge of what is covered are mixed with what it goes on by.
    assert not found.usable[:, :62].any()
    assert found.usable[:80, 62].any()


def test_light_that_falls_off_leaves_nothing():
    y, x = np.mgrid[-1 : 1 : SHAPE[0] * 1j, -1 : 1 : SHAPE[1] * 1j]
    light = 0.9 - 0.06 * x - 0.05 * y * y
    picture = np.rint(PLAN.picture * light[..., None]).astype(np.uint8)
    assert np.abs(left_of(picture).values).max() < 0.01


# --- walls and markers ---


def test_how_far_walls_mix_into_the_floor():
    """2.5 pixels, or 0.06 of what is looked at as a cell: 0.06 x 50 = 3; of a cell of 64 that is its half, 32."""
    assert left_of(PLAN.picture).reach_px == 2.5
    assert left_of(PLAN.picture, plan=COARSE).reach_px == 2.5
    assert left_of(PLAN.picture, plan=replace(COARSE, unit_px=50.0)).reach_px == pytest.approx(3.0)


def test_a_mixture_of_floor_and_wall_beside_a_wall_leaves_nothing_and_another_hue_does():
    hue = float(np.hypot(*seen_color(np.array(PINK, float))[1:]))
    for color, share in ((grey(0.4), 0.0), (grey(0.8), 0.0), (PINK, 1.0)):
        picture = PLAN.picture.copy()
        # The wall ends at TOP + 2: this row is the second beside it.
        picture[TOP + 3, LEFT + 8 : LEFT + 20] = color
        left = lengths(left_of(picture).values)[TOP + 3, LEFT + 12]
        # A pale pink is a little darker than white; that is the wall's. Its hue stays.
        assert left == pytest.approx(share * hue, rel=0.01, abs=1e-4), color
    farther = PLAN.picture.copy()
    farther[TOP + 5, LEFT + 8 : LEFT + 20] = grey(0.4)
    assert lengths(left_of(farther).values)[TOP + 5, LEFT + 12] == pytest.approx(0.4, abs=0.01)


def test_a_pixel_may_be_darker_than_walls_by_a_little():
    """Sharpening overshoots: 1.15 of the way to a grey wall is taken off."""
    picture = PLAN.picture.copy()
    picture[TOP + 3, LEFT + 12] = 0
    expected = 1.0 - 1.15 * contrast_of((128, 128, 128))
    assert lengths(left_of(picture, wall=(128, 128, 128)).values)[TOP + 3, LEFT + 12] == pytest.approx(
        expected, abs=1e-3
    )


@pytest.mark.parametrize(("level", "reach"), [(252, 2.5), (250, 5.5)])
def test_a_blurred_wall_mixes_farther(level, reach):
    """From a contrast of 0.012: 0.0089 is three levels below white, 0.0149 five; a pixel and a half beyond the last."""
    picture = with_ring(PLAN.wall_distance, 0.0, 4.4, (level, level, level))
    assert (contrast_of((level, level, level)) > 0.012) is (reach > 2.5)
    assert left_of(picture).reach_px == reach


def test_a_blurred_wall_mixes_into_a_sixth_of_a_cell_at_most():
    """0.16 of 32 is 5.12: the fifth ring is the last."""
    assert left_of(with_ring(PLAN.wall_distance, 0.0, 6.4, grey(0.05))).reach_px == 6.5


def beside_disc(by: int, color=RED) -> np.ndarray:
    """A pixel in cell 1 or 2 so far to the right of the disc, whose last pixel is six from its middle."""
    x, y = at(1)
    picture = PLAN.picture.copy()
    picture[y, x + 6 + by] = color
    return np.asarray(picture, np.uint8)


def left_beside_disc(by: int, plan: Floorplan = PLAN) -> float:
    x, y = at(1)
    return float(lengths(left_of(beside_disc(by), plan=plan).values)[y, x + 6 + by])


def test_a_marker_may_be_larger_by_a_share_of_a_cell():
    """0.08 of 64 pixels are 5.12."""
    assert left_beside_disc(5, COARSE) == pytest.approx(0.0, abs=1e-5)
    assert left_beside_disc(6, COARSE) > 0.3


def test_a_marker_s_hue_smears_over_a_block():
    """16 picture pixels, a fifth of its colour."""
    assert left_beside_disc(16) == pytest.approx(0.8 * contrast_of(RED), rel=1e-3)
    assert left_beside_disc(17) == pytest.approx(contrast_of(RED), rel=1e-3)
    # In a picture twice as large a block is eight working pixels.
    assert left_beside_disc(9, replace(PLAN, factor=2)) == pytest.approx(contrast_of(RED), rel=1e-3)


# --- edges ---


@pytest.mark.parametrize(("ring", "trusted"), [(4, False), (5, True)])
def test_what_is_left_all_along_walls_counts_little(ring, trusted):
    """Up to four pixels from them, down to 0.03."""
    pink = contrast_of(PINK)
    picture = with_ring(PLAN.wall_distance, ring - 0.5, ring + 0.4, PINK)
    left = lengths(left_of(picture).values)
    told = PLAN.open_floor & (PLAN.marker_distance > 8) & (np.abs(PLAN.wall_distance - ring) < 0.3)
    assert np.median(left[told]) == pytest.approx(pink if trusted else 0.03, rel=0.02)


@pytest.mark.parametrize(("share", "trusted"), [(0.01, True), (0.05, False)])
def test_a_place_along_a_wall_counts(share, trusted):
    """More than 0.97 of the pixels as near have to be clean."""
    ring = np.argwhere(PLAN.open_floor & (np.abs(PLAN.wall_distance - 4) <= 0.5) & (PLAN.marker_distance > 6))
    picture = PLAN.picture.copy()
    middle = len(ring) // 2
    picture[tuple(ring[middle : middle + round(share * len(ring))].T)] = PINK
    left = lengths(left_of(picture).values)[tuple(ring[middle])]
    assert left == pytest.approx(contrast_of(PINK) if trusted else 0.03, rel=0.02)


def test_edges_of_a_noisy_floor_are_trusted_more():
    """Twice the floor's noise: here every other row is 16 levels darker."""
    picture = PLAN.picture.copy()
    for parity, level in ((0, 239), (1, 255)):
        rows = np.arange(SHAPE[0])[:, None] % 2 == parity
        picture[PLAN.open_floor & rows] = level
    noise = left_of(picture).ground.noise
    assert 2.0 * noise > 0.04
    strong = with_ring(PLAN.wall_distance, 3.5, 4.4, (255, 150, 150), picture)
    told = PLAN.open_floor & (PLAN.marker_distance > 8) & (np.abs(PLAN.wall_distance - 4) < 0.3)
    assert np.median(lengths(left_of(strong).values)[told]) == pytest.approx(2.0 * noise, rel=0.05)


LINE = through(1, 2, 3, 4, 8, 7, 6, 5)
TO_LINE = np.asarray(cv2.distanceTransform((~LINE).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
ALONG = PLAN.open_floor & (PLAN.wall_distance > 4) & (PLAN.marker_distance > 9) & ~LINE


@pytest.mark.parametrize(("ring", "trusted"), [(4, False), (5, True)])
def test_what_is_left_all_along_strokes_counts_little(ring, trusted):
    """Up to four working pixels, in a picture so large that a block of JPEG is less; a hue that is no companion's."""
    picture = with_ring(TO_LINE, ring - 0.5, ring + 0.4, PINK)
    picture[LINE] = BLUE
    found = left_of(picture, LINE, replace(PLAN, factor=8))
    left = lengths(found.values)[ALONG & (np.abs(TO_LINE - ring) < 0.3)]
    assert found.companion_px == 0
    assert np.median(left) == pytest.approx(contrast_of(PINK) if trusted else 0.03, rel=0.03)


@pytest.mark.parametrize(("share", "trusted"), [(0.03, True), (0.08, False)])
def test_a_place_along_a_stroke_counts(share, trusted):
    """More than 0.95 of the pixels as near have to be clean."""
    ring = np.argwhere(PLAN.open_floor & (PLAN.wall_distance > 2.5) & (np.abs(TO_LINE - 4) <= 0.5))
    picture = PLAN.picture.copy()
    picture[tuple(ring[len(ring) // 2 :][: round(share * len(ring))].T)] = PINK
    picture[LINE] = BLUE
    left = lengths(left_of(picture, LINE, replace(PLAN, factor=8)).values)[tuple(ring[len(ring) // 2])]
    assert left == pytest.approx(contrast_of(PINK) if trusted else 0.03, rel=0.03)
