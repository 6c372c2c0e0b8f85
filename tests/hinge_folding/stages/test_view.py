"""A picture at its working size: how large that is, its ground, its light and its noise."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.hinge_folding.config import ChainViewConfig
from detectors.hinge_folding.view import _within, changes, evened, farthest, frequent_color, make_view
from grader.media.pyramid import Pyramid

SEEN = ChainViewConfig()


def blank(height, width, levels=250):
    return Pyramid(np.full((height, width, 3), levels, np.uint8))


@pytest.mark.parametrize(
    ("size", "unit", "halved"),
    [
        ((300, 400), 44.0, 1),
        ((300, 400), 45.0, 2),  # at most 44 pixels a unit
        ((400, 500), 40.5, 1),
        ((400, 501), 40.5, 2),  # and 40 of a picture with more than 200 000
        ((400, 501), 40.0, 1),
        ((1000, 1200), 10.0, 1),
        ((1000, 1201), 10.0, 2),  # and no more than 1 200 000 at all
    ],
)
def test_pictures_are_halved_until_they_are_small(size, unit, halved):
    view = make_view(blank(*size), (unit, unit), None, SEEN)
    assert (view.unit_px, view.scale) == (unit / halved, (1 / halved, 1 / halved))
    assert view.pixels.shape == (size[0] // halved, -(-size[1] // halved), 3)


def test_a_stretched_picture_is_brought_to_its_smaller_scale():
    view = make_view(blank(100, 200), (40.0, 20.0), None, SEEN)
    assert (view.unit_px, view.pixels.shape, view.scale) == (20.0, (100, 100, 3), (0.5, 1.0))


def test_how_far_colours_are_apart():
    pixels = np.array([[[1, 5, 9], [4, 4, 4]]], np.float32)
    assert farthest(pixels, np.array([2.0, 2.0, 2.0])).tolist() == [[7.0, 2.0]]
    assert farthest(pixels[0], pixels[0, ::-1]).tolist() == [5.0, 5.0]


def test_changes_are_those_of_the_channel_that_changes_most():
    """A step of 8 levels changes by 4 a pixel on either side of it."""
    pixels = np.zeros((6, 6, 3), np.float32)
    pixels[:, 3:, 1] = 8.0
    pixels[:, 3:, 0] = -2.0
    found = changes(pixels)
    assert found[3, :, 0].tolist() == [0, 0, 4, 4, 0, 0]
    assert not found[..., 1].any()
    turned = changes(np.ascontiguousarray(np.swapaxes(pixels, 0, 1)[..., [0, 2, 1]]))
    assert turned[:, 3, 1].tolist() == [0, 0, 4, 4, 0, 0]


def test_the_most_frequent_colour_by_bins():
    """Twelve bins have 21.3 levels each: 10 and 20 share one, 22 does not."""
    pixels = np.array([[10] * 3, [20] * 3, [20] * 3, [22] * 3, [22] * 3], np.float32)
    assert frequent_color(pixels, 12).tolist() == [20.0] * 3
    assert frequent_color(np.array([[255, 0, 0], [255, 0, 0], [0, 0, 255]], np.float32), 12).tolist() == [255, 0, 0]


def test_boxes_are_cut_to_the_picture():
    assert _within((-3.4, 2.6, 50.0, 9.0), 30, 20) == (0, 3, 30, 9)
    assert _within((5.0, 5.0, 6.0, 15.0), 30, 20) == (0, 0, 30, 20)  # less than two pixels
    assert _within((5.0, 5.0, 7.0, 7.0), 30, 20) == (5, 5, 7, 7)


def lit(change, level=200.0):
    pixels = np.full((120, 160, 3), level, np.float32)
    return pixels + np.linspace(-change / 2, change / 2, 160, dtype=np.float32)[None, :, None]


def test_light_is_evened_where_the_ground_is_bright():
    flat, ground, noise = evened(lit(20.0), None, SEEN)
    assert np.ptp(flat) < 3.0
    assert ground == pytest.approx([200.0] * 3, abs=10)
    assert noise == pytest.approx(0.0, abs=0.2)
    dark = lit(20.0, 55.0)
    assert evened(dark, None, SEEN)[0] is dark  # 60 levels and fewer are dark
    bright = lit(20.0, 75.0)
    assert evened(bright, None, SEEN)[0] is not bright


@pytest.mark.parametrize(("change", "same"), [(0.6, True), (1.2, False)])
def test_light_that_hardly_changes_is_left(change, same):
    """By 0.002 of 200 levels to either side: 0.4."""
    pixels = lit(change)
    assert (evened(pixels, None, SEEN)[0] is pixels) == same


@pytest.mark.parametrize("off", [22.0, 31.0])
def test_what_is_near_the_grounds_colour_is_ground(off):
    """Up to 26 levels: a third of the picture that differs by less is evened out, and one by more is not."""
    pixels = np.full((120, 120, 3), 200, np.float32)
    pixels[:, 80:] += np.float32(off)
    flat, _, _ = evened(pixels, None, SEEN)
    left = float(np.median(flat[:, 90:110, 0]) - np.median(flat[:, 10:60, 0]))
    assert (left < 0.7 * off) == (off < 26)


@pytest.mark.parametrize("level", [50.0, 200.0])
def test_noise_is_told_of_the_ground(level):
    """Two of three columns are 2 levels off: so is the middle one of all, and a deviation is 1.4826 times that."""
    pixels = np.full((120, 120, 3), level, np.float32)
    pixels[:, ::3] += 2.0
    pixels[:, 1::3] -= 2.0
    assert evened(pixels, None, SEEN)[2] == pytest.approx(2 * 1.4826, abs=0.2)
