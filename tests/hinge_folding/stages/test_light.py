"""Light on pieces: what has no sharp edge and lies on most of them is taken off; with 40 pixels to a unit."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.hinge_folding.exact.config import LeftConfig
from detectors.hinge_folding.exact.left import find_left
from detectors.hinge_folding.exact.light import light_on_pieces, without_light
from detectors.hinge_folding.exact.shades import SharpEdges
from tests.hinge_folding.stages.test_exact_stages import UNIT, close_of

LEFT = LeftConfig()
COLORS = np.array([(40.0, 110.0, 190.0), (200.0, 90.0, 60.0), (250.0, 250.0, 250.0)])
CORNERS = [np.array([(x, 20.0), (x + 40.0, 20.0), (x + 40.0, 60.0), (x, 60.0)]) for x in (20.0, 80.0)]
SIZE = (80, 140)
ROW, COLUMN = np.indices(SIZE, np.float32)


def owner():
    """Two squares of 40 pixels beside each other."""
    found = np.full(SIZE, 2, np.int16)
    for number, corners in enumerate(CORNERS):
        (left, top), (right, bottom) = corners[0].astype(int), corners[2].astype(int)
        found[top:bottom, left:right] = number
    return found


def spot(x, y, soft=5.0):
    return np.exp(-((COLUMN - x) ** 2 + (ROW - y) ** 2) / (2 * soft**2))


def disc(x, y, radius):
    return np.clip(radius + 0.5 - np.hypot(COLUMN - x, ROW - y), 0, 1)


def band(left, right, top, bottom):
    return ((left <= COLUMN) & (right > COLUMN) & (top <= ROW) & (bottom > ROW)).astype(np.float32)


def lit(share):
    """The squares, so large a share of the way to white."""
    pixels = COLORS[owner()]
    return close_of(pixels + (owner() < 2)[..., None] * share[..., None] * (255 - pixels))


GLOSS = 0.3 * (spot(36, 34) + spot(96, 34))


def light(share, config=LEFT):
    close = lit(share)
    return light_on_pieces(close, owner(), COLORS, CORNERS, 0.0, [], config.light, config.companions)


def test_gloss_on_pieces_is_found_and_taken_off():
    close, found = lit(GLOSS), light(GLOSS)
    assert found is not None
    assert found[owner() == 2].max() == 0
    off = without_light(close.pixels, owner(), COLORS, found) - COLORS[owner()]
    assert np.abs(off[owner() < 2]).max() < 14 < np.abs(close.pixels - COLORS[owner()]).max()


@pytest.mark.parametrize(
    "share",
    [
        np.zeros(SIZE),
        0.3 * spot(36, 34),  # on one of two pieces
        0.3 * (disc(36, 34, 7) + disc(96, 34, 7)),
        GLOSS + 0.2 * (disc(44, 46, 6) + disc(104, 46, 6)),
    ],
    ids=["nothing", "one_of_two", "discs", "discs_in_gloss"],
)
def test_what_is_no_light(share):
    assert light(share) is None


def test_what_is_drawn_in_a_color_of_its_own_stays():
    pixels = lit(GLOSS).pixels.copy()
    pixels[30:36, 30:36] = (20, 160, 30)
    there = without_light(pixels, owner(), COLORS, light(GLOSS))
    assert np.array_equal(there[30:36, 30:36], pixels[30:36, 30:36])


@pytest.mark.parametrize(
    ("share", "sharp"),
    [
        (GLOSS, False),
        (0.3 * band(30, 60, 22, 30), False),  # as shades within pieces are, along their sides
        (0.2 * disc(40, 40, 6), True),
        (GLOSS + 0.2 * disc(44, 46, 6), True),
    ],
    ids=["gloss", "band", "disc", "disc_in_gloss"],
)
def test_sharp_edges(share, sharp):
    whole = np.ones(SIZE, bool)
    told = cv2.erode((owner() == 0).view(np.uint8).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    edges = SharpEdges(lit(share).pixels, owner(), told, CORNERS, LEFT.companions.sharp)
    assert edges.lie_in((slice(None), slice(None)), whole, UNIT) is sharp


def test_gloss_raises_no_threshold():
    """A disc is seen on pieces whose light varies, as on others: 11 levels where 8 are plain to see."""

    def left(share):
        ends = (np.zeros(2), np.array(SIZE[::-1], float))
        return find_left(lit(share), owner(), 2, ends, [(5.0, 75.0, 3.0)], None, 0.0, None, LEFT, CORNERS)

    assert left(GLOSS) == ()
    assert len(left(GLOSS + 0.25 * (disc(44, 46, 6) + disc(104, 46, 6)))) > 1
