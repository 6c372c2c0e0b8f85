"""The shade that a chain casts on the ground: found by its silhouette, and taken off."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.hinge_folding.exact.cast import find_cast, without_cast
from detectors.hinge_folding.exact.close import CloseView
from detectors.hinge_folding.exact.config import CastConfig

UNIT, CAST = 40.0, CastConfig()
GROUND, PIECE = np.array([240.0, 242.0, 246.0]), np.array([40.0, 110.0, 190.0])
COLORS = np.stack([PIECE, GROUND])
SIZE = (140, 180)


def owner():
    """One piece of 60 x 40 pixels; all else is ground."""
    found = np.ones(SIZE, np.int16)
    found[50:90, 60:120] = 0
    return found


def view(strength=0.3, by=(3, 4), soft=3.0, light=0.0):
    """The piece above its shade, moved by so many pixels."""
    shape = (owner() == 0).astype(np.float32)
    moved = cv2.warpAffine(shape, np.array([[1.0, 0, by[0]], [0, 1.0, by[1]]]), SIZE[::-1])
    shade = strength * cv2.GaussianBlur(moved, (0, 0), soft)
    even = 1 + light * np.linspace(-1, 1, SIZE[1])[None, :, None]
    pixels = np.where(shape[..., None] > 0, PIECE, GROUND * (1 - shade[..., None]) * even)
    return CloseView(pixels.astype(np.float32), UNIT, np.zeros(2), np.ones(2), (0.0, 0.0, 180.0, 140.0))


def found(close, discs=(), config=CAST):
    return find_cast(close, owner(), GROUND, 0.0, discs, config)


@pytest.mark.parametrize(("by", "soft"), [((3, 4), 3.0), ((-5, 2), 4.0), ((0, 0), 4.0)])
@pytest.mark.parametrize("light", [0.0, 0.02])
def test_a_shade_is_found_where_it_lies(by, soft, light):
    """In units of 40 pixels; a halo is not moved, and the light may change over the picture by 2 % either way."""
    shade = found(view(by=by, soft=soft, light=light))
    assert (shade.right * UNIT, shade.down * UNIT) == pytest.approx(by, abs=0.6)
    assert shade.soft * UNIT == pytest.approx(soft, abs=0.5)
    assert shade.strength == pytest.approx(0.3, abs=0.04)
    assert not shade.lighter
    assert shade.explained > 0.95


def test_a_glow_is_found():
    """Half of the way to white on a dark ground."""
    dark = replace(view(), pixels=(255.0 - view().pixels) / 2 + 20)
    ground = (255.0 - GROUND) / 2 + 20
    shade = find_cast(dark, owner(), ground, 0.0, (), CAST)
    assert shade is not None
    assert shade.lighter


def test_an_even_ground_has_none():
    assert found(view(strength=0.0)) is None


def test_what_lies_elsewhere_is_none():
    """A dark bar far from the piece is not explained by its silhouette."""
    close = view(strength=0.0)
    close.pixels[10:20, 20:160] *= np.float32(0.7)
    assert found(close) is None


def test_discs_are_not_looked_at():
    """A black disc beside the piece would be half of what is dark."""
    close = view()
    cv2.circle(close.pixels, (130, 70), 9, (0, 0, 0), cv2.FILLED)
    shade = found(close, [(130.5, 70.5, 10.0)])
    assert shade.strength == pytest.approx(0.3, abs=0.04)
    assert shade.explained > 0.95


def test_without_its_shade_the_ground_is_even():
    """To 3 of 255, also beside the piece; the piece is as it was."""
    close = view()
    evened = without_cast(close, owner(), COLORS, found(close), 4.0, (), lined=False)
    off = np.abs(evened - np.where(owner()[..., None] == 0, PIECE, GROUND)).max(axis=2)
    assert float(off.max()) < 6
    assert float(np.quantile(off, 0.99)) < 3


def test_an_outline_is_left_as_it_is():
    """Of 2 pixels around the piece, within the zone in which nothing but lines is."""
    close = view()
    line = cv2.dilate((owner() == 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    line &= owner() == 1
    close.pixels[line] = 20.0
    evened = without_cast(close, owner(), COLORS, found(view()), 4.0, (), lined=True)
    assert evened[line] == pytest.approx(close.pixels[line])


def test_at_discs_nothing_is_taken_off():
    close = view()
    at = (slice(92, 96), slice(88, 92))
    evened = without_cast(close, owner(), COLORS, found(close), 1.0, [(90.0, 94.0, 6.0)], lined=False)
    assert evened[at] == pytest.approx(close.pixels[at])
    assert without_cast(close, owner(), COLORS, found(close), 1.0, (), lined=False)[at].min() > close.pixels[at].max()
