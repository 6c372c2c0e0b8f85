"""What mixes into the ground near a thing is taken off, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.colors import oklab
from detectors.common.residual.mixing import (
    channel_maxima,
    channel_sums,
    distance_to,
    lengths,
    seen,
    seen_color,
    take_off,
)

DARK = np.array([-0.8, 0.0, 0.0], np.float32)
"""From a white floor to a dark wall."""


def residual(*colors: tuple[float, float, float]) -> np.ndarray:
    return np.array([colors], np.float32)


def taken_off(values: np.ndarray, axis=DARK, least: float = 0.02, most: float = 1.15, zone=None) -> np.ndarray:
    left = values.copy()
    take_off(left, np.ones(values.shape[:2], bool) if zone is None else zone, np.float32(axis), least, most)
    return left


@pytest.mark.parametrize("shape", [(3,), (0, 3), (500, 3), (20, 30, 3)])
def test_sums_over_a_colour_are_numpys_own_to_the_bit(shape):
    values = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    assert channel_sums(values).tobytes() == values.sum(axis=-1).tobytes()
    assert channel_sums(values).dtype == np.float32


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32, np.float64])
def test_the_largest_of_a_colour_is_numpys_own(kind):
    values = (100 * np.random.default_rng(0).random((20, 30, 3))).astype(kind)
    assert channel_maxima(values).tobytes() == values.max(axis=-1).tobytes()
    assert channel_maxima(values).dtype == kind


def test_hues_weigh_twice():
    rgb = np.array([[[255, 0, 0], [0, 107, 183], [255, 255, 255]]], np.uint8)
    assert np.allclose(seen(rgb), oklab(rgb) * [1.0, 2.0, 2.0])
    assert seen(rgb)[0, 2] == pytest.approx([1.0, 0.0, 0.0], abs=1e-4)
    assert seen(rgb).dtype == np.float32


def test_one_colour_is_rounded_and_clipped():
    for given, meant in ((106.6, 107), (107.4, 107), (-3.0, 0), (300.0, 255)):
        expected = seen(np.array([[[meant, 10, 20]]], np.uint8))[0, 0]
        assert np.array_equal(seen_color(np.array([given, 10.0, 20.0])), expected)


def test_the_contrast_is_the_length():
    values = residual((0.3, 0.0, 0.4), (0.0, 0.0, 0.0), (-0.1, 0.2, -0.2))
    assert lengths(values) == pytest.approx(np.array([[0.5, 0.0, 0.3]]), abs=1e-6)


def test_any_mixture_with_a_thing_leaves_nothing():
    values = residual(*((-0.8 * share, 0.0, 0.0) for share in (0.0, 0.1, 0.5, 1.0, 1.15)))
    assert np.abs(taken_off(values)).max() < 1e-6


def test_what_is_stronger_than_the_thing_stays_by_as_much():
    assert taken_off(residual((-1.0, 0.0, 0.0)))[0, 0] == pytest.approx([-1.0 + 1.15 * 0.8, 0.0, 0.0], abs=1e-6)
    assert taken_off(residual((-1.0, 0.0, 0.0)), most=0.2)[0, 0] == pytest.approx([-0.84, 0.0, 0.0], abs=1e-6)


def test_another_hue_and_the_other_direction_stay():
    assert taken_off(residual((-0.4, 0.1, 0.0)))[0, 0] == pytest.approx([0.0, 0.1, 0.0], abs=1e-6)
    assert taken_off(residual((0.1, 0.0, 0.0)))[0, 0] == pytest.approx([0.1, 0.0, 0.0], abs=1e-6)


def test_only_in_its_zone():
    values = residual((-0.4, 0.0, 0.0), (-0.4, 0.0, 0.0))
    left = taken_off(values, zone=np.array([[True, False]]))
    assert left[0, 0, 0] == pytest.approx(0.0, abs=1e-6)
    assert left[0, 1, 0] == np.float32(-0.4)


@pytest.mark.parametrize(("length", "left"), [(0.019, -0.01), (0.021, 0.0)])
def test_a_thing_of_the_ground_s_colour_mixes_in_unseen(length, left):
    assert taken_off(residual((-0.01, 0.0, 0.0)), axis=[-length, 0.0, 0.0])[0, 0, 0] == pytest.approx(left, abs=1e-6)


def test_a_thing_just_as_the_ground_is_no_axis():
    values = residual((-0.4, 0.1, 0.0))
    assert np.array_equal(taken_off(values, axis=[0.0, 0.0, 0.0], least=0.0), values)


def test_distances():
    mask = np.zeros((9, 12), bool)
    assert (distance_to(mask) == 21.0).all()
    mask[4, 2] = True
    assert distance_to(mask)[4].tolist() == pytest.approx([2.0, 1.0, 0.0, *range(1, 10)], abs=0.02)
    assert distance_to(mask)[0, 2] == pytest.approx(4.0, abs=0.02)
    assert distance_to(mask)[7, 6] == pytest.approx(5.0, abs=0.2)
