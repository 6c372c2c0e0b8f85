"""What the colours that all holes have within in common may be: 24 rings, 40 rays, less the paper's."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.paper_fold.closer import shaded as stage
from detectors.paper_fold.closer.config import HoleShadeConfig, HoleShapeConfig
from detectors.paper_fold.closer.shaded import (
    _rim_begins,
    area_beside_shade,
    shade_around,
    shade_within,
    steepest_edges,
)

CONFIG = HoleShadeConfig()
SHARES = np.arange(24) / 24
TURN = np.arange(40) * (2 * np.pi / 40)
LEAST = np.full(24, 0.05, np.float32)


def within(colors, plain):
    """Of three holes that all have these."""
    off = np.broadcast_to(colors.astype(np.float32), (3, *colors.shape))
    return shade_within(off, np.ones(off.shape[:3], bool), SHARES, LEAST, plain, CONFIG)


def grey(levels):
    return np.stack([levels, np.zeros_like(levels), np.zeros_like(levels)], axis=-1)


def shaded(contrast, left):
    """A hole of a contrast of which this is left at the rim on one side, from seven tenths of the radius on."""
    deep = np.clip((SHARES - 0.7) / 0.15, 0, 1)[:, None] * np.clip(2 * np.cos(TURN), 0, 1)
    return grey(contrast - (contrast - left) * deep)


# 0.035 is nearly the paper's colour for a hole of 0.3, and a quarter of one of 0.12.
@pytest.mark.parametrize(("contrast", "left", "shade"), [(0.3, 0.12, True), (0.3, 0.0, False), (0.12, 0.035, True)])
def test_what_has_the_papers_colour_is_told_by_the_holes_contrast(contrast, left, shade):
    assert (within(shaded(contrast, left), contrast) is not None) is shade


def ringed(begins, depth=0.5):
    """A rim of another colour from a share of the radius on."""
    return grey(np.where(SHARES[:, None] >= begins, -depth, 0.1) + np.zeros((24, 40)))


@pytest.mark.parametrize(("begins", "told"), [(0.625, 0.625), (0.75, 0.75), (0.25, 1.0)])
def test_where_a_rim_begins(begins, told):
    """Beyond the core: what begins in it is something within the hole."""
    assert _rim_begins(ringed(begins), SHARES, LEAST, CONFIG) == told


def test_a_disc_has_no_rim_that_is_drawn():
    assert _rim_begins(ringed(0.625, -0.08), SHARES, LEAST, CONFIG) == 1.0


def test_a_shade_beside_a_thick_rim_may_be_steep():
    """A shadow at 0.4 of the radius, where the core of a rim from 0.625 on has ended."""
    deep = np.clip((SHARES - 0.36) / 0.1, 0, 1)[:, None] * np.maximum(np.cos(TURN), 0)
    shadow = np.where(SHARES[:, None] >= 0.625, 0.0, -0.3 * deep)
    assert within(ringed(0.625) + grey(shadow), 0.6) is not None
    assert within(grey(0.6 - 2 * deep * 0.3), 0.6) is None


@pytest.mark.parametrize(("height", "told"), [(0.049, False), (0.051, True)])
def test_an_edge_stands_out_of_the_noise(height, told):
    """From two and a half times 0.02 on; two steps to either side of where it is."""
    off = np.zeros((1, 40, 8, 3), np.float32)
    off[:, :20, :, 0] = height
    at, seen = steepest_edges(off, np.ones(off.shape[:3], bool), np.arange(40) * 0.5, np.array([0.02]), CONFIG)
    assert seen.all() == seen.any() == told
    assert not told or at[0] == pytest.approx(9.75, abs=1.0)


def around(strengths):
    """What three holes have around them on rings, from the rim outwards, in grey; the holes have a contrast of 0.5."""
    colors = grey(np.broadcast_to(np.array(strengths)[:, None], (len(strengths), 40)))
    off = np.broadcast_to(colors.astype(np.float32), (3, *colors.shape))
    return shade_around(off, np.ones(off.shape[:3], bool), 0.5, 0.02, CONFIG)


def test_what_fades_around_all_holes_is_a_shade():
    fading = [-0.16 * math.exp(-at / 3) for at in range(16)]
    found = around(fading)
    assert found is not None
    assert found[:, 0, 0] == pytest.approx(fading)
    # What does not fade is drawn, and so is what is farther off than the rim, and what is too strong for a shade.
    assert around([-0.16] * 16) is None
    assert around([0.0] * 6 + fading[:10]) is None
    assert around([5 * one for one in fading]) is None


def test_what_is_drawn_beside_a_shade_has_an_area(monkeypatch):
    """A ring from 24 to 30 pixels around a hole of 20, where nothing is in common: pi times 30 and 24 squared."""
    shapes = HoleShapeConfig()
    monkeypatch.setattr(stage, "shade_around", lambda off, *_: np.zeros(off.shape[1:], np.float32))

    def look(depths):
        colors = np.zeros((*np.broadcast_shapes(depths.shape, (1, 1, shapes.rays)), 3), np.float32)
        colors[..., 0] = (depths >= 24) & (depths < 30)
        return colors, np.zeros(colors.shape[:3], bool)

    area = area_beside_shade(
        SimpleNamespace(radius=np.array([20.0]), look=look), np.zeros((1, 3), np.float32),
        np.full((1, shapes.rays), 20.0), np.array([0.5]), np.array([0.1]), shapes, CONFIG,
    )  # fmt: skip
    assert area == pytest.approx([math.pi * (30**2 - 24**2)], rel=0.1)
