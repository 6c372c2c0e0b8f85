"""Colours of surfaces: the same in light and shadow, and which are seen around."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.colors import oklab
from detectors.spatial_edit.scene.colors import accounted_for, grown, shrunk, surface_colors
from detectors.spatial_edit.scene.config import AlikeConfig, SurfaceConfig
from tests.spatial_edit.scene.surfaces import flags, plain

NOWHERE = np.zeros((100, 100), np.bool_)
ALIKE = AlikeConfig(reach=0.1, least_light=0.5, most_light=1.5)


def patch(*rgb: int) -> np.ndarray:
    return np.tile(np.array(rgb, np.uint8), (20, 24, 1))


def test_a_tint_is_a_and_b_over_lightness():
    colors = surface_colors(patch(200, 120, 40), SurfaceConfig())
    lightness, a, b = oklab(patch(200, 120, 40))[0, 0]
    assert colors.lightness.shape == (20, 24)
    assert colors.lightness == pytest.approx(np.full((20, 24), lightness), abs=1e-6)
    assert colors.tint[3, 5] == pytest.approx([a / lightness, b / lightness], abs=1e-6)
    assert colors.lab[3, 5] == pytest.approx([lightness, a, b], abs=1e-6)


def test_half_the_light_leaves_the_tint():
    """Linear RGB of (200, 120, 40) and of (145, 85, 25) differ by about a factor of two in each channel."""
    bright, dim = (surface_colors(patch(*rgb), SurfaceConfig()) for rgb in ((200, 120, 40), (145, 85, 25)))
    assert dim.lightness[0, 0] < 0.8 * bright.lightness[0, 0]
    assert dim.tint[0, 0] == pytest.approx(bright.tint[0, 0], abs=0.02)


def test_of_what_is_darker_than_the_least_lightness_the_tint_is_small():
    """It is divided by 0.2 then, not by the lightness, and the colours come out again."""
    config = SurfaceConfig(dark=0.2)
    dark = surface_colors(patch(5, 0, 0), config)
    lightness, a, b = oklab(patch(5, 0, 0))[0, 0]
    assert 0.05 < lightness < 0.2
    assert dark.tint[0, 0] == pytest.approx([a / 0.2, b / 0.2], abs=1e-6)
    assert dark.lab[0, 0] == pytest.approx([lightness, a, b], abs=1e-6)
    # By default only from 0.05 on.
    assert surface_colors(patch(5, 0, 0), SurfaceConfig()).tint[0, 0] == pytest.approx([a / lightness, b / lightness])
    lightness, a, b = oklab(patch(0, 0, 1))[0, 0]
    assert lightness < 0.05
    assert surface_colors(patch(0, 0, 1), SurfaceConfig()).tint[0, 0] == pytest.approx([a / 0.05, b / 0.05], rel=1e-4)


def test_single_pixels_are_smoothed_by_a_gaussian_of_one_pixel():
    """At its middle the kernel with a deviation of 1 has 0.399^2 = 0.159 of the weight."""
    picture = patch(0, 0, 0)
    picture[10, 12] = 255
    colors = surface_colors(picture, SurfaceConfig())
    assert colors.lightness[10, 12] == pytest.approx(0.159, abs=0.002)
    assert colors.lightness[10, 11] == colors.lightness[10, 13] == pytest.approx(0.159 * np.exp(-0.5), abs=0.002)


def test_masks_grow_and_shrink_by_a_disc():
    dot = flags(slice(50, 51), slice(50, 51))
    assert grown(dot, 3)[50, 47:54].all()
    assert not grown(dot, 3)[50, [46, 54]].any()
    assert not grown(dot, 3)[47, 47]
    square = flags(slice(40, 60), slice(40, 60))
    assert (shrunk(square, 3) == flags(slice(43, 57), slice(43, 57))).all()
    # The border of the picture is no outline.
    assert (shrunk(flags(slice(0, 60), slice(40, 100)), 3) == flags(slice(0, 57), slice(43, 100))).all()
    assert (grown(square, 0) == square).all()


@pytest.mark.parametrize(("light", "alike"), [(0.501, True), (0.499, False), (1.499, True), (1.501, False)])
def test_a_surface_may_be_darker_or_lighter_within_limits(light, alike):
    now = plain(lightness=0.6 * light)
    assert accounted_for(now, flags(slice(0, 1), slice(0, 4)), plain(), ~NOWHERE, ALIKE).tolist() == [alike] * 4


@pytest.mark.parametrize(("tint", "alike"), [((0.099, 0), True), ((0.101, 0), False), ((0.07, 0.07), True),
                                             ((0.072, -0.072), False)])  # fmt: skip
def test_tints_of_one_surface_are_near_to_each_other(tint, alike):
    """0.07 sqrt(2) = 0.099 and 0.072 sqrt(2) = 0.102."""
    now = plain()
    now.tint[:] = tint
    assert accounted_for(now, flags(slice(0, 1), slice(0, 1)), plain(), ~NOWHERE, ALIKE).tolist() == [alike]


def test_tint_and_light_have_to_fit_the_same_surface():
    """One surface around has the tint but not the light, the other the light but not the tint."""
    around = plain()
    around.tint[:50, :, 0], around.lightness[:50] = 0.5, 0.1
    now = plain()
    now.tint[:, :, 0] = 0.5
    looked = flags(slice(0, 1), slice(0, 1))
    assert accounted_for(now, looked, around, ~NOWHERE, ALIKE).tolist() == [False]
    around.lightness[:50] = 0.6
    assert accounted_for(now, looked, around, ~NOWHERE, ALIKE).tolist() == [True]
    # Only what is around counts, and it is told for each pixel in order.
    assert accounted_for(now, looked, around, flags(slice(50, 100), slice(0, 100)), ALIKE).tolist() == [False]
    now.tint[0, 1] = 0
    assert accounted_for(now, flags(slice(0, 1), slice(0, 3)), around, flags(slice(50, 100), slice(0, 100)),
                         ALIKE).tolist() == [False, True, False]  # fmt: skip


def test_of_many_pixels_around_each_so_many_th_is_compared():
    """Of 10 x 10 pixels and 10 samples each tenth, which are the first of each row."""
    around = plain(10)
    around.tint[:, 0, 0] = 0.5
    now = plain(10)
    every = np.ones((10, 10), np.bool_)
    one = flags(slice(0, 1), slice(0, 1), 10)
    few = AlikeConfig(reach=0.1, least_light=0.5, most_light=1.5, samples=10)
    assert accounted_for(now, one, around, every, few).tolist() == [False]
    now.tint[0, 0, 0] = 0.5
    assert accounted_for(now, one, around, every, few).tolist() == [True]
    now.tint[0, 0, 0] = 0
    assert accounted_for(now, one, around, every, ALIKE).tolist() == [True]
    # By default 512: of 1024 pixels each second.
    half = plain(32)
    half.tint[:, 0::2, 0] = 0.5
    assert not accounted_for(plain(32), flags(slice(0, 1), slice(0, 1), 32), half, np.ones((32, 32), bool), ALIKE).any()
    half = plain(32)
    half.tint[:, 1::2, 0] = 0.5
    assert accounted_for(plain(32), flags(slice(0, 1), slice(0, 1), 32), half, np.ones((32, 32), bool), ALIKE).all()


def test_nothing_to_look_at_gives_nothing():
    assert accounted_for(plain(), NOWHERE, plain(), ~NOWHERE, ALIKE).shape == (0,)


def test_many_pixels_are_told_apart_in_order():
    """More than are compared at once, 32768: 182 x 182, of which the last row has another tint."""
    now = plain(182)
    now.tint[-1] = 1.0
    every, one = np.ones((182, 182), np.bool_), flags(slice(0, 1), slice(0, 1), 182)
    told = accounted_for(now, every, plain(182), one, ALIKE)
    assert told.reshape(182, 182)[:-1].all()
    assert not told.reshape(182, 182)[-1].any()
