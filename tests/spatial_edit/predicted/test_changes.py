"""Which pixels are others than before."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.spatial_edit.predicted.changes import ChangesConfig, changed_pixels, is_unchanged

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
