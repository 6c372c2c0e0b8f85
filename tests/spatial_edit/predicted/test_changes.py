"""Which pixels are others than before, and how far what stays lies off its place."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.predicted.changes import (
    ChangesConfig,
    changed_pixels,
    displacement_of_all,
    displacements,
    is_unchanged,
    recolored,
)
from detectors.spatial_edit.predicted.config import DisplacedConfig, TingedConfig

CONFIG = ChangesConfig()
PICTURE = np.random.default_rng(0).integers(60, 180, (60, 80, 3)).astype(np.uint8)


def test_the_same_pixels_are_unchanged_in_another_light():
    assert not changed_pixels(PICTURE, PICTURE, CONFIG).any()
    assert not changed_pixels(PICTURE, PICTURE + np.uint8(20), CONFIG).any()


def test_noise_is_no_change():
    noise = np.random.default_rng(1).normal(0, 12, PICTURE.shape)
    assert not changed_pixels(PICTURE, np.clip(PICTURE + noise, 0, 255).astype(np.uint8), CONFIG).any()


@pytest.mark.parametrize(("levels", "changed"), [(5, False), (8, True)])
def test_a_patch_is_a_change_from_the_least_difference_on(levels, changed):
    after = PICTURE.copy()
    after[20:40, 30:50] += np.uint8(levels)
    assert changed_pixels(PICTURE, after, CONFIG)[30, 40] == changed


def test_another_picture_is_changed_though_all_of_it_differs():
    smooth = np.repeat(np.linspace(40, 200, 80)[None, :, None], 60, axis=0).repeat(3, axis=2).astype(np.uint8)
    assert changed_pixels(smooth, smooth[:, ::-1], CONFIG).mean() > 0.8


def test_a_place_may_have_a_hundredth_of_other_pixels():
    place = np.ones((10, 20), np.bool_)
    changed = np.zeros_like(place)
    assert not is_unchanged(changed, np.zeros_like(place), CONFIG)
    changed[0, :2] = True
    assert is_unchanged(changed, place, CONFIG)
    changed[0, 2] = True
    assert not is_unchanged(changed, place, CONFIG)


TEXTURE = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 1, (120, 160, 3)).astype(np.float32), (0, 0), 4)
EVERY = np.ones(TEXTURE.shape[:2], np.bool_)
LEFT = EVERY & (np.indices(EVERY.shape)[1] < 80)
OFF = DisplacedConfig()


def off_by(after, still=EVERY, places=(EVERY,)):
    return displacements(TEXTURE, np.asarray(after, np.float32), still, places, OFF)


def shifted(x, y):
    return cv2.warpAffine(TEXTURE, np.float32([[1, 0, x], [0, 1, y]]), (160, 120), borderMode=cv2.BORDER_REFLECT)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (0.4, 0), (1.5, 0), (0, -1.5), (1.2, 0.9)])
def test_a_shift_is_told_in_pixels(x, y):
    """(1.2, 0.9) is 1.5 px: 3, 4, 5. Windows differ by some tenths."""
    assert off_by(shifted(x, y))[0] == pytest.approx(math.hypot(x, y), abs=0.3)


@pytest.mark.parametrize(("x", "y"), [(0.5, 0), (0, 0.5), (1, 0)])
def test_what_comes_in_at_the_rim_moves_nothing(x, y):
    """Beyond a picture nothing is known: a bright line of a pixel there, as resampling leaves one, is no shift."""
    rimmed = shifted(x, y)
    rimmed[:, -1] += 1
    rimmed[-1] += 1
    assert off_by(rimmed)[0] == pytest.approx(math.hypot(x, y), abs=0.1)
    assert displacement_of_all(TEXTURE, rimmed, EVERY, OFF) == pytest.approx(math.hypot(x, y), abs=0.1)


def test_each_place_is_told_by_itself():
    """The right half is shifted; what is smeared from it into the left one reaches 6 px, and a window some more."""
    half = np.where(LEFT[..., None], TEXTURE, shifted(1.5, 0))
    left, right = off_by(half, places=(LEFT & (np.indices(EVERY.shape)[1] < 70), ~LEFT))
    assert left < 0.2
    assert right > 1.2
    # Where it need not have stayed nothing is told.
    assert off_by(half, still=LEFT, places=(EVERY,))[0] < 0.2
    assert off_by(half, places=(np.zeros_like(EVERY),)) == (0.0,)


def test_what_is_lighter_or_painted_did_not_move():
    assert off_by(TEXTURE + np.float32(0.1))[0] < 0.5
    painted = TEXTURE.copy()
    painted[40:80, 60:100] = 0.5
    assert off_by(painted)[0] < OFF.most_px
    assert off_by(np.random.default_rng(3).normal(0, 0.001, TEXTURE.shape) + TEXTURE) == (0.0,)


@pytest.mark.parametrize(("zoom", "degrees", "far"), [(1.0, 0.0, 0.0), (1.03, 0.0, 2.6), (1.0, 1.5, 2.3)])
def test_all_edges_together_tell_a_zoom_and_a_roll(zoom, degrees, far):
    """A corner is 100 px from the middle, and nine tenths of all pixels are nearer than 87 px: 0.03 x 87 = 2.6 px."""
    matrix = cv2.getRotationMatrix2D((79.5, 59.5), degrees, zoom)
    warped = cv2.warpAffine(TEXTURE, matrix, (160, 120), borderMode=cv2.BORDER_REFLECT)
    coarse = warped + np.random.default_rng(4).normal(0, 0.1, TEXTURE.shape).astype(np.float32)
    assert displacement_of_all(TEXTURE, coarse, EVERY, OFF) == pytest.approx(far, abs=0.5)


def test_where_nothing_stays_no_displacement_is_told():
    assert displacement_of_all(TEXTURE, shifted(2, 0), ~EVERY, OFF) == 0.0
    assert displacement_of_all(0 * TEXTURE, 0 * TEXTURE, EVERY, OFF) == 0.0


QUARTERS = [(np.indices(EVERY.shape)[1] // 40) == part for part in range(4)]
SURFACES = TEXTURE / 20 + sum(
    part[..., None] * np.array(color, np.float32)
    for part, color in zip(
        QUARTERS, ((0.8, 0.02, 0.03), (0.5, 0.0, 0.0), (0.6, 0.1, -0.1), (0.4, -0.1, 0.05)), strict=True
    )
)
"""Rough surfaces side by side: a table, a floor and two faces, in lightness and hue."""


@pytest.mark.parametrize("change", [(0.03, 0.0, 0.0), (0.0, 0.02, 0.02)])
def test_another_colour_all_over_one_surface_is_told(change):
    after = SURFACES + QUARTERS[2][..., None] * np.array(change, np.float32)
    found = recolored(SURFACES, after, QUARTERS, TingedConfig())
    assert found[2] > TingedConfig().most
    assert found[2] > 1.5 * max(found[0], found[1], found[3])
    few = TingedConfig(least_px=np.count_nonzero(QUARTERS[2]))
    assert recolored(SURFACES, after, QUARTERS, few) == (0.0,) * 4


def test_another_contrast_and_saturation_of_all_is_no_other_colour():
    """All a little lighter, of a tenth less contrast and saturation."""
    after = SURFACES * np.float32(0.9) + np.float32([0.08, 0.001, 0.002])
    assert max(recolored(SURFACES, after, QUARTERS, TingedConfig())) < 0.003
    assert max(recolored(SURFACES, after, QUARTERS, TingedConfig(most_tone=0.0))) > 0.01
    assert max(recolored(SURFACES, SURFACES * np.float32(0.5), QUARTERS, TingedConfig())) > 0.02
