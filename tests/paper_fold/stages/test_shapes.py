"""What of a hole one disc leaves unexplained, along rays from its middle: of 20 pixels, and each bound from both sides.

What is seen along the rays is given: a colour up to the rim of each ray, and what is drawn within and beside it.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.paper_fold.closer import shapes as stage
from detectors.paper_fold.closer.config import HoleShapeConfig
from detectors.paper_fold.closer.rays import HoleRays
from detectors.paper_fold.closer.shapes import _measure, measure_holes
from detectors.paper_fold.config import SheetConfig
from detectors.paper_fold.holes import Disc
from detectors.paper_fold.sheet import BareSheet

CONFIG = HoleShapeConfig()
RADIUS, RAYS = 20.0, 40
TURNS = np.arange(RAYS) * (2 * np.pi / RAYS)


def measured(rim=RADIUS, contrast=0.5, drawn=None, hidden=None):
    """The shape of a hole whose rim lies so far out on each ray; None if too little is seen of it.

    ``drawn`` changes contrasts, (depths, rays), by depths in pixels, and ``hidden`` says where nothing is seen.
    """
    rims = np.broadcast_to(np.asarray(rim, float), (RAYS,))

    def look(depths):
        values = np.where(depths <= rims + 1e-6, contrast, 0.0)
        if drawn is not None:
            values[0] = drawn(depths[0], values[0].copy())
        unseen = np.zeros(depths.shape, bool)
        if hidden is not None:
            unseen[0] = hidden(depths[0])
        colors = np.zeros((*depths.shape, 3), np.float32)
        colors[..., 0] = values
        return colors, unseen

    rays = SimpleNamespace(radius=np.array([RADIUS]), at=np.array([0]), look=look)
    return _measure(rays, CONFIG).get(0)


def only(rays):
    """The first rays, as a mask of (1, 40)."""
    return (np.arange(RAYS) < rays)[None]


def test_a_disc_is_explained():
    found = measured()
    assert found.radius == 20.0
    assert (found.uneven, found.slim, found.alien, found.around) == pytest.approx((0.0, 1.0, 0.0, 0.0), abs=1e-6)


def test_how_far_and_how_closely_rays_are_looked_along():
    """Forty rays, up to 1.9 radii, in steps of half a pixel."""
    seen = []

    def look(depths):
        seen.append(depths)
        return np.zeros((*depths.shape, 3), np.float32), np.zeros(depths.shape, bool)

    _measure(SimpleNamespace(radius=np.array([RADIUS]), at=np.array([0]), look=look), CONFIG)
    assert seen[0].shape == (1, 76, 40)
    assert seen[0][0, [0, 1, 75], 0].tolist() == [0.0, 0.5, 37.5]


@pytest.mark.parametrize(("rays", "told"), [(8, False), (9, True)])
def test_paper_has_to_be_in_sight(rays, told):
    """From 1.45 radii, 29 pixels, on: 18 of 76 steps; a twentieth of all 76 x 40 are 152, and 8 rays have 144."""
    found = measured(hidden=lambda depths: (depths >= 29.0) & ~only(rays))
    assert (found is not None) == told


@pytest.mark.parametrize(("rays", "told"), [(19, False), (20, True)])
def test_half_of_a_rim_has_to_be_in_sight(rays, told):
    found = measured(hidden=lambda depths: (depths >= 15.0) & (depths <= 25.0) & ~only(rays))
    assert (found is not None) == told


@pytest.mark.parametrize(("gap", "told"), [(22.5, True), (22.0, False)])
def test_beyond_a_rim_two_pixels_have_to_be_in_sight(gap, told):
    """The last step within is at 20: what is hidden up to four steps on may hide where it ends."""
    found = measured(hidden=lambda depths: (depths == gap) & ~only(10))
    assert (found is not None) == told


@pytest.mark.parametrize(("turns", "told"), [(3, True), (8, True), (9, False)])
def test_an_uneven_rim_is_told_by_its_turns(turns, told):
    """Up to eight; more are noise. A swing of 1 pixel is a root of 2 less in the mean square."""
    found = measured(RADIUS + np.cos(turns * TURNS + 0.4))
    # Rims are told in steps of half a pixel.
    assert (found.uneven > 0.02) == told
    assert not told or found.uneven == pytest.approx(1 / np.sqrt(2) / 20, rel=0.12)
    assert found.slim == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize(("rays", "share"), [(28, 1.0), (27, 0.7)])
def test_of_a_part_of_a_rim_the_whole_unevenness_is_told(rays, share):
    """Where less than 0.7 of the rays see it: 0.7 of its mean square, which has no part that is told by turns."""
    swing = RADIUS + np.where(np.arange(RAYS) % 2, 1.0, -1.0)
    found = measured(swing, hidden=lambda depths: (depths >= 15.0) & (depths <= 25.0) & ~only(rays))
    # Up and down from ray to ray there are 20 turns.
    assert (found.uneven > 0.03) == (share < 1)
    assert share == 1.0 or found.uneven == pytest.approx(0.7 / 20, rel=0.06)


def test_an_ellipse_is_slim_and_not_uneven():
    """A tenth out and in: 1.1 / 0.9; where less than 0.9 of it is in sight that is not told."""
    rim = RADIUS * (1 + 0.1 * np.cos(2 * TURNS))
    found = measured(rim)
    assert found.slim == pytest.approx(1.1 / 0.9, abs=0.02)
    assert found.uneven < 0.008
    for rays, told in ((36, True), (35, False)):
        part = measured(rim, hidden=lambda depths, rays=rays: (depths >= 15.0) & (depths <= 25.0) & ~only(rays))
        assert (part.slim > 1.15) == told


def beside(depth, contrast, rays=RAYS, hole=0.5, wide=0.1):
    def drawn(depths, values):
        there = (np.abs(depths - depth) < wide) & only(rays)
        return np.where(there, contrast, values)

    return measured(contrast=hole, drawn=drawn).around


@pytest.mark.parametrize(("depth", "counts"), [(23.5, False), (24.0, True)])
def test_what_lies_beside_a_hole_is_not_its_own(depth, counts):
    """From 0.1 radii and 1.5 pixels on, as far out as the rim is told: 20.25 x 1.1 + 1.5 are 23.8."""
    around = beside(depth, 0.2)
    # A step of each ray: its depth, half a pixel, and a fortieth of a turn; over the hole's area.
    expected = 40 * depth * 0.5 * 2 * np.pi / 40 / (np.pi * RADIUS**2)
    assert around == pytest.approx(expected if counts else 0.0)


@pytest.mark.parametrize(
    ("hole", "contrast", "counts"), [(0.3, 0.078, False), (0.3, 0.082, True), (0.5, 0.098, False), (0.5, 0.102, True)]
)
def test_what_lies_beside_a_hole_is_drawn(hole, contrast, counts):
    """From a contrast of 0.08, and a fifth of the rim's."""
    assert (beside(26.0, contrast, hole=hole) > 0) == counts


@pytest.mark.parametrize(("every", "contrast", "counts"), [(4, 0.118, False), (4, 0.122, True), (10, 0.102, True)])
def test_what_lies_beside_a_hole_stands_out_from_noise(every, contrast, counts):
    """Four times what four fifths of the paper stay below: every fourth pixel is 0.03 off, or every tenth."""

    def drawn(depths, values):
        noisy = (depths >= 29.0) & ((2 * depths).astype(int) % every == 0)
        values = np.where(noisy, 0.03, values)
        return np.where((np.abs(depths - 26.0) < 0.1) & only(10), contrast, values)

    assert (measured(drawn=drawn).around > 0) == counts


def within(low, high, change, rays=4, hole=0.5):
    def drawn(depths, values):
        there = (depths >= low) & (depths <= high) & only(rays)
        return np.where(there, values + change, values)

    return measured(contrast=hole, drawn=drawn).alien


@pytest.mark.parametrize(
    ("hole", "change", "counts"),
    [(0.5, -0.145, False), (0.5, -0.155, True), (0.12, -0.049, False), (0.12, -0.051, True), (0.5, 0.155, True)],
)
def test_another_colour_within_a_hole(hole, change, counts):
    """From 0.3 of the rim's contrast on, and from 0.05."""
    assert (within(6.0, 12.0, change, hole=hole) > 0) == counts


def test_another_colour_counts_by_its_area_and_by_how_much_it_is_another():
    """Four rays of 40, between 6 and 12 of some 19 pixels: steps count by how far out they are."""
    share = within(6.0, 12.0, -0.25) / 0.5
    steps = np.arange(0.0, 19.0, 0.5) * 20.25 / 20
    expected = 4 * steps[(steps >= 6) & (steps <= 12)].sum() / (40 * steps.sum())
    assert share == pytest.approx(expected, rel=0.03)
    assert within(6.0, 12.0, -0.5) == pytest.approx(expected, rel=0.03)  # as plain as the rim, it counts whole


def ringed(off, rays=4):
    """A hole with a darker middle up to 10 pixels, which reaches so much farther on some rays."""

    def drawn(depths, values):
        return np.where(depths <= 10.05 + np.where(only(rays), off, 0.0), values + 0.4, values)

    return measured(drawn=drawn).alien


@pytest.mark.parametrize(("off", "counts"), [(1.0, False), (1.5, False), (2.1, True), (-1.5, False), (-2.2, True)])
def test_a_ring_may_lie_a_little_aside(off, counts):
    """By three steps of half a pixel."""
    assert (ringed(off) > 0) == counts


# --- what rays are ---


def sheet(creases=()):
    picture = np.full((240, 240, 3), 250, np.uint8)
    picture[10:230, 10:230] = (206, 222, 240)
    outline = ((10.0, 10.0), (230.0, 10.0), (230.0, 230.0), (10.0, 230.0))
    return BareSheet((240, 240), 1, picture, outline, RADIUS, creases, SheetConfig())


@pytest.mark.parametrize(("creased", "hidden"), [(0.029, False), (0.031, True)])
def test_what_is_hidden_from_rays(monkeypatch, creased, hidden):
    """Edges and two pixels beside them, all beyond the sheet, and creases where more than 0.03 of them shows."""
    asked = []
    monkeypatch.setattr(stage, "HoleRays", lambda view, holes, at, near, unit, config: asked.append((near, at, unit)))
    monkeypatch.setattr(stage, "_measure", lambda rays, config, shades: {})
    bare = sheet((((40.0, 120.0), (200.0, 120.0)),))
    discs = [Disc((x, 60.0), 20.0, 0.5, True, outside) for x, outside in ((60.0, False), (400.0, True), (180.0, False))]
    measure_holes(np.zeros((480, 480, 3), np.uint8), bare, discs, creased, CONFIG)
    ((near, at, unit),) = asked
    assert (at.tolist(), unit) == ([0, 2], 2.0)
    assert near[120, 100] == hidden
    assert near[60, :16].tolist() == [True] * 13 + [False] * 3
    assert not near[60, 100]


def test_other_holes_hide_what_is_close_to_them():
    """Up to 1.3 radii and 2 pixels: 28. A hole farther off than rays see, 41 pixels and 28, is none of them."""
    view = np.full((240, 240, 3), 200, np.uint8)
    holes = np.array([(70.0, 70.0, 20.0), (130.0, 70.0, 20.0), (70.0, 140.0, 20.0)])
    rays = HoleRays(view, holes, np.array([0]), np.zeros((240, 240), bool), 1.0, CONFIG)
    assert rays._others == [(0, 130.0, 70.0, 28.0)]
    depths = np.broadcast_to(np.array([10.0, 31.5, 32.5, 36.0], np.float32)[None, :, None], (1, 4, RAYS))
    _, hidden = rays.look(depths)
    assert hidden[0, :, 0].tolist() == [False, False, True, True]
    assert not hidden[0, :, 10:30].any()


def test_colours_are_seen_along_rays_where_they_are():
    view = np.zeros((240, 240, 3), np.uint8)
    view[:, 100:] = 255
    rays = HoleRays(view, np.array([(70.0, 70.0, 20.0)]), np.array([0]), np.zeros((240, 240), bool), 1.0, CONFIG)
    depths = np.broadcast_to(np.array([26.0, 30.0, 34.0], np.float32)[None, :, None], (1, 3, RAYS))
    values, hidden = rays.look(depths)
    # The edge at 100 is 30 pixels to the right, under a Gaussian of 0.7: half of it.
    assert values[0, :, 0, 0] == pytest.approx([0.0, 0.6, 1.0], abs=0.02)
    assert values[0, :, 20, 0] == pytest.approx([0.0] * 3, abs=1e-6)
    assert not hidden.any()
    assert rays._lab.shape == (84, 84, 3)  # 1.9 radii and 3 pixels to either side, and 2 more


@pytest.mark.parametrize(("contrast", "told"), [(0.145, False), (0.155, True)])
def test_a_rim_stands_out_of_the_noise_beside_it(contrast, told):
    """Of the paper beyond 29 pixels two fifths are off by 0.06; two and a half times that are 0.15."""
    found = measured(contrast=contrast, drawn=lambda depths, values: values + 0.06 * ((depths >= 29.0) & noisy()))
    assert (found is not None) == told


def noisy():
    return (np.arange(RAYS) % 5 < 2)[None]
