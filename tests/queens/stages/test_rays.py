"""Rays from queens: where each ends, and how round she is."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.queens.remainder.rays import Rays, companions, outlines, rays_from
from tests.queens.stages.close_board import CONFIG

DISCS = ((40.0, 40.0, 16.0), (120.0, 40.0, 16.0), (80.0, 110.0, 16.0))
RAYS = rays_from(DISCS, CONFIG.companions)
KNOWN = np.ones(RAYS.x.shape, bool)
NO_GREY = np.zeros(RAYS.x.shape, bool)
SHAPE = (160, 160)


def darkness_of(radii: list[tuple[float, float]], rays: Rays = RAYS) -> np.ndarray:
    """Along rays, how dark ellipses with these half axes across and down are: 1 inside, with soft edges."""
    y, x = np.indices(SHAPE, np.float64)
    picture = np.zeros(SHAPE, np.float32)
    for (left, top, _), (across, down) in zip(DISCS, radii, strict=True):
        away = np.hypot((x - left) / across, (y - top) / down)
        picture = np.maximum(picture, np.clip((1 - away) * min(across, down) + 0.5, 0, 1).astype(np.float32))
    return rays.sample(picture)


def test_rays_reach_two_radii_in_half_pixels() -> None:
    """2 radii of 16 pixels are 64 steps of half a pixel, each looked at in its middle."""
    assert RAYS.x.shape == (3, 72, 64)
    assert RAYS.shares[[0, -1]] == pytest.approx([1 / 64, 2 - 1 / 64])
    assert (RAYS.x[0, 0, -1], RAYS.y[0, 0, -1]) == pytest.approx((40 + 16 * RAYS.shares[-1], 40.0))
    # A quarter turn leads down.
    assert (RAYS.x[0, 18, -1], RAYS.y[0, 18, -1]) == pytest.approx((40.0, 40 + 16 * RAYS.shares[-1]), abs=1e-4)
    # Of tiny queens eight places at least.
    assert len(rays_from(((5.0, 5.0, 0.5),), CONFIG.companions).shares) == 8


def test_a_sample_is_0_outside_of_the_picture() -> None:
    shares = RAYS.sample(np.ones((60, 60), np.float32))
    assert shares[0].min() == 0.0
    assert shares[0].max() == 1.0
    assert (shares[1, 0, 10:] == 0.0).all()
    assert RAYS.sample(np.ones((60, 60, 3), np.float32)).shape == (3, 72, 64, 3)


def test_round_queens_end_at_their_radius() -> None:
    found = outlines(darkness_of([(16, 16)] * 3), NO_GREY, KNOWN, RAYS, CONFIG.outlines)
    assert found.edges == pytest.approx(np.ones((3, 72)), abs=0.05)
    assert found.uneven.max() < 0.03
    assert found.oval.max() < 0.01


def test_one_that_is_more_oval_than_the_others_is_told() -> None:
    """Half axes of 18 and 14 pixels: the second harmonic is 2 of 16."""
    found = outlines(darkness_of([(16, 16), (18, 14), (16, 16)]), NO_GREY, KNOWN, RAYS, CONFIG.outlines)
    assert found.oval == pytest.approx([0.0, 2 / 16, 0.0], abs=0.02)
    assert found.uneven.max() < 0.05
    # Where all are, none is.
    assert outlines(darkness_of([(18, 14)] * 3), NO_GREY, KNOWN, RAYS, CONFIG.outlines).oval.max() < 0.01


def test_a_bite_makes_an_outline_uneven_but_not_where_it_is_a_highlight_or_a_line() -> None:
    darkness = darkness_of([(16, 16)] * 3)
    darkness[0, 10:20, 20:] = 0.0
    found = outlines(darkness, NO_GREY, KNOWN, RAYS, CONFIG.outlines)
    # The queen ends there at 20 of 32 steps; the ellipse that fits best goes a third of the way along.
    assert found.edges[0, 15] == pytest.approx(20 / 32, abs=0.04)
    assert found.uneven[0] == pytest.approx(0.25, abs=0.03)
    assert found.uneven[1:].max() < 0.03
    grey = NO_GREY.copy()
    grey[0, 10:20, 20:32] = True
    assert outlines(darkness, grey, KNOWN, RAYS, CONFIG.outlines).uneven.max() < 0.05
    known = KNOWN.copy()
    known[0, 10:20] = False
    assert outlines(darkness, NO_GREY, known, RAYS, CONFIG.outlines).uneven.max() < 0.05


@pytest.mark.parametrize(("wide", "share"), [(1, 1 / 3), (2, 2 / 3), (3, 1.0)])
def test_a_bite_is_told_of_three_rays_together(wide: int, share: float) -> None:
    """One that three rays see is told with all of its depth, here an eighth of her radius, and of one with a third."""
    darkness = darkness_of([(16, 16)] * 3)
    darkness[0, 10 : 10 + wide, 28:] = 0.0
    found = outlines(darkness, NO_GREY, KNOWN, RAYS, CONFIG.outlines)
    depth = found.edges[0, 40] - found.edges[0, 10]
    assert depth == pytest.approx(1 / 8, abs=0.02)
    assert found.uneven[0] == pytest.approx(share * depth, abs=0.012)


def test_of_a_queen_that_is_half_hidden_no_outline_is_told() -> None:
    darkness = darkness_of([(16, 16), (19, 13), (16, 16)])
    known = KNOWN.copy()
    known[1, :40] = False
    found = outlines(darkness, NO_GREY, known, RAYS, CONFIG.outlines)
    assert (found.uneven[1], found.oval[1]) == (0.0, pytest.approx(0.0, abs=0.01))


def test_a_highlight_at_the_outline_hides_it_and_the_rest_tells_where_it_goes_on() -> None:
    """A queen 2 pixels to the right of where she was read, with a highlight over 16 of 72 rays to the upper left."""
    y, x = np.indices(SHAPE, np.float64)
    darkness = darkness_of([(16, 16)] * 3)
    aside = np.clip(16.5 - np.hypot(x - 42.0, y - 40.0), 0, 1).astype(np.float32)
    darkness[0] = RAYS.sample(aside)[0]
    whole = outlines(darkness, NO_GREY, KNOWN, RAYS, CONFIG.outlines)
    darkness[0, 38:54, 18:] = 0.0
    grey = NO_GREY.copy()
    # Up to where she ends, which is at 28 to 32 of 32 places there.
    grey[0, 38:54, 18:] = RAYS.sample(aside)[0, 38:54, 18:] > 0.5
    found = outlines(darkness, grey, KNOWN, RAYS, CONFIG.outlines)
    assert found.uneven[0] < 0.05
    assert found.discs[0] == pytest.approx(whole.discs[0], abs=0.4)
    assert outlines(darkness, NO_GREY, KNOWN, RAYS, CONFIG.outlines).uneven[0] > 0.1


def test_a_glow_is_followed_to_where_it_has_faded() -> None:
    """From 0.1 at the outline to nothing at 1.8 radii: it is 0.02 at 1.64 and 0.005 at 1.76."""
    glow = 0.1 * np.clip((1.8 - RAYS.shares) / 0.8, 0.0, 1.0)
    left = np.zeros((*RAYS.x.shape, 3), np.float32)
    left[..., 0] = glow
    base = np.tile(np.array([0.8, 0.1, 0.1], np.float32), (3, 1))
    around, _ = companions(left, base, KNOWN, np.ones((3, 72)), RAYS, CONFIG.companions)
    at = int(np.searchsorted(RAYS.shares, 1.72))
    assert (around[0, :, :, at] <= glow[at]).all()
    assert (around[1, :, :, at] >= glow[at]).all()
