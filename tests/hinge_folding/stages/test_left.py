"""What of a picture is left beside its pieces and its ground, at each stage's bounds: with 40 pixels to a unit."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.hinge_folding.exact.config import LeftConfig
from detectors.hinge_folding.exact.left import (
    LeftThing,
    _averaged,
    _Places,
    _rough,
    _take_off_ink,
    _take_off_shade,
    _things,
    find_left,
)
from tests.hinge_folding.stages.test_exact_stages import UNIT, close_of

LEFT = LeftConfig()


def left_of(draw, line=0.0, ink=None):
    """What is left of a white picture of 120 pixels with a grey piece from 40 to 80 once something is drawn on it."""
    pixels = np.full((120, 120), 240.0)
    pixels[40:80, 40:80] = 120.0
    owner = np.full((120, 120), 1, np.int16)
    owner[40:80, 40:80] = 0
    draw(pixels)
    ends = (np.zeros(2), np.full(2, 120.0))
    return find_left(close_of(pixels), owner, 1, ends, [(100.0, 100.0, 3.0)], None, line, ink, LEFT)


def box(x, y, wide, high, levels):
    def draw(pixels):
        pixels[y : y + high, x : x + wide] -= levels

    return draw


def test_nothing_is_left_of_pieces_and_ground():
    assert left_of(lambda pixels: None) == ()
    # Light that changes slowly is the ground's own.
    assert left_of(lambda pixels: np.subtract(pixels, np.linspace(0, 20, 120), out=pixels)) == ()


@pytest.mark.parametrize(
    ("size", "levels", "found"),
    [
        ((5, 5), 21, 0),  # 3 x 3 pixels from 22 levels on
        ((5, 5), 23, 1),
        ((16, 16), 7, 0),  # 9 x 9 pixels from 8 levels on, but for what curves of the ground take off
        ((16, 16), 10, 1),
        ((24, 1), 28, 0),  # 15 in a row from 24 on; 12 are 14/15 in it, and 0.008 x 1600 are 12.8
        ((26, 1), 28, 1),
        ((26, 1), 23, 0),
        ((1, 24), 28, 0),
        ((1, 26), 28, 1),
        ((1, 26), 23, 0),
    ],
)
def test_what_stands_out_on_the_ground(size, levels, found):
    assert len(left_of(box(8, 8, *size, levels))) == found


@pytest.mark.parametrize(("levels", "found"), [(21, 0), (23, 1)])
def test_what_stands_out_on_a_piece(levels, found):
    things = left_of(box(58, 58, 5, 5, levels))
    assert len(things) == found
    assert all(one.on_piece and not one.mark for one in things)


def thing(x, y, wide, high, away=8.0, unit=UNIT):
    """One thing so far from a piece."""
    found = np.zeros((60, 60), bool)
    found[y : y + high, x : x + wide] = True
    size = np.where(found, np.float32(30), np.float32(0)).astype(np.float32)
    places = _Places(np.ones((60, 60), np.int16), ~found, found, np.full((60, 60), away, np.float32), unit)
    return _things(found, size, places, 0.004, LEFT)


def test_a_thing_is_measured_in_units():
    (one,) = thing(10, 20, 8, 3)
    assert one == LeftThing(10.0, 20.0, 8.0, 3.0, 24 / 1600, True, False, one.wide, 30.0)
    # From its middle row to what is beyond it OpenCV counts 0.955 a pixel.
    assert one.wide == pytest.approx((2 * 2 * 0.955 - 1) / 40, abs=1e-4)
    assert thing(10, 20, 3, 2) == []  # 6 pixels of 6.4


@pytest.mark.parametrize(
    ("size", "away", "unit", "mark"),
    [
        ((18, 3), 4.9, 40.0, True),
        ((18, 3), 4.7, 40.0, False),  # 0.12 units are 4.8 pixels
        ((19, 3), 4.9, 40.0, False),  # 0.45 units are 18
        ((18, 5), 6.0, 46.0, False),  # (6 x 0.955 - 1) / 46 are 0.103, and 0.075 are the most
        ((10, 3), 0.0, 40.0, False),
    ],
)
def test_a_mark_is_small_and_apart(size, away, unit, mark):
    (one,) = thing(10, 20, *size, away, unit)
    assert (one.mark, one.on_piece) == (mark, away == 0.0)


def test_averages_are_of_what_counts():
    weight = np.ones((20, 20), np.float32)
    weight[:, 10:] = 0.0
    values = np.zeros((20, 20, 3), np.float32)
    values[:, :10, 1] = -6.0
    found = _averaged(values, weight, LEFT.windows[0])
    # At the column before the last 3 of 3 columns count; at the last 2 of them; beside it 1, less than half.
    assert found[10, [8, 9, 10]].tolist() == [6.0, 6.0, 0.0]


def test_shade_is_ground_with_less_light():
    ground = np.full((1, 4, 3), 200, np.float32)
    residual = np.zeros((1, 4, 3), np.float32)
    residual[0, 0] = -78.0  # 0.39 of its light
    residual[0, 1] = -82.0  # 0.41, where 0.4 is the most
    residual[0, 2] = 10.0
    residual[0, 3] = -40.0
    _take_off_shade(residual, ground, np.array([[True, True, True, False]]), LEFT)
    assert residual[0, :, 0] == pytest.approx([0.0, -82.0, 10.0, -40.0], abs=1e-4)


def test_ink_is_taken_off_by_its_share():
    surfaces = np.full((1, 4, 3), 200, np.float32)
    residual = np.zeros((1, 4, 3), np.float32)
    residual[0, 0] = -50.0  # half of the way to 100
    residual[0, 1] = -160.0  # 1.6 times, of which 1.5 are taken off
    residual[0, 2] = 30.0
    residual[0, 3] = -50.0
    _take_off_ink(residual, surfaces, np.full(3, 100, np.float32), np.array([[True, True, True, False]]), LEFT.ink)
    assert residual[0, :, 0] == pytest.approx([0.0, -10.0, 30.0, -50.0], abs=1e-4)


@pytest.mark.parametrize(
    ("rough", "usual", "rows", "found"),
    [(6.0, 0, 1, 0), (6.6, 0, 1, 1), (11, 0, 20, 0), (13, 0, 20, 1), (13, 5.5, 1, 0), (14, 5.5, 1, 1)],
)
def test_a_piece_that_is_rough_is_drawn_on(rough, usual, rows, found):
    """From 12 levels on, or from 5 where it varies from row to row: a square has 3 rows of 5, so 0.8 of it is seen.

    And from 2.5 times what is usual of pieces and of the ground beside them.
    """
    owner = np.full((20, 60), 2, np.int16)
    owner[:, :20], owner[:, 20:40] = 0, 1
    ground = owner == 2
    residual = np.full((20, 60, 3), usual, np.float32)
    residual[:, :20] = rough
    residual[np.arange(20) // rows % 2 == 0] *= -1
    places = _Places(owner, ground, ground, np.zeros((20, 60), np.float32), UNIT)
    things = _rough(residual, np.ones((20, 60), bool), places, 2, LEFT)
    assert [(one.left, one.top, one.width, one.height, one.area) for one in things] == [
        (0.0, 0.0, 20.0, 20.0, 400 / 1600)
    ] * found
    few = np.zeros((20, 60), bool)
    few[:, 0] = few[0, :19] = True
    assert _rough(residual * 10, few, places, 2, LEFT) == []  # 38 pixels of 40
