"""An even ground's colour is a smooth surface, whatever is drawn on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.residual.ground import GroundConfig, fit_ground

CONFIG = GroundConfig()
HEIGHT, WIDTH = 60, 80
EVERYWHERE = np.arange(HEIGHT * WIDTH)
FLOOR = np.array([0.9, 0.02, -0.01], np.float32)


def even() -> np.ndarray:
    return np.tile(FLOOR, (HEIGHT, WIDTH, 1))


def test_an_even_ground_is_itself_without_noise():
    ground = fit_ground(even(), EVERYWHERE, CONFIG)
    assert np.array_equal(ground.surface, even())
    assert np.array_equal(ground.color, FLOOR)
    assert ground.noise == 0.0


def test_nothing_in_sight():
    ground = fit_ground(even(), np.zeros(0, np.intp), CONFIG)
    assert (ground.color.tolist(), ground.noise, ground.surface.shape) == ([0.0, 0.0, 0.0], 0.0, (HEIGHT, WIDTH, 3))


def test_light_that_falls_off_leaves_nothing():
    """Any polynomial of second degree in x and y, on every axis, far stronger than what is looked for."""
    x, y = np.linspace(-1, 1, WIDTH)[None, :], np.linspace(-1, 1, HEIGHT)[:, None]
    lab = even()
    lab[..., 0] += 0.05 * x - 0.03 * y + 0.02 * x * x - 0.04 * x * y + 0.01 * y * y
    lab[..., 1] += 0.02 * y - 0.01 * x * y
    ground = fit_ground(lab, EVERYWHERE, CONFIG)
    assert np.abs(ground.surface - lab).max() < 2e-4
    assert ground.noise < 2e-4


def test_what_a_lens_darkens_leaves_nothing():
    """With the fourth power of the distance from the middle."""
    x, y = np.linspace(-1, 1, WIDTH)[None, :], np.linspace(-1, 1, HEIGHT)[:, None]
    lab = even()
    lab[..., 0] -= 0.05 * (x * x + y * y) ** 2
    assert np.abs(fit_ground(lab, EVERYWHERE, CONFIG).surface - lab).max() < 2e-4


def test_noise_is_told_by_more_pixels():
    """By 20,000 instead of 3,000 the ground is told 2.6 times as well, by the root of their number; of ten pictures."""
    dice, off = np.random.default_rng(8), np.zeros(2)
    for _ in range(10):
        lab = np.tile(FLOOR, (200, 200, 1)) + dice.normal(0.0, 0.08, (200, 200, 3)).astype(np.float32)
        for place, most in enumerate((40_000, 3000)):
            ground = fit_ground(lab, np.arange(100 * 200), replace(CONFIG, most=most))
            off[place] += np.abs(ground.surface - FLOOR).mean()
    assert off[0] < 0.6 * off[1]


def test_what_is_drawn_on_a_tenth_of_it_does_not_pull():
    lab = even()
    lab[20:40, 40:64] += np.float32([-0.3, 0.2, 0.0])
    ground = fit_ground(lab, EVERYWHERE, CONFIG)
    assert np.abs(ground.surface - even()).max() < 3e-3


def test_noise_is_what_nine_in_ten_stay_below():
    """The length of three normal numbers is below 2.5 standard deviations in 90 % of all cases."""
    lab = even() + np.random.default_rng(3).normal(0.0, 0.01, (HEIGHT, WIDTH, 3)).astype(np.float32)
    ground = fit_ground(lab, EVERYWHERE, CONFIG)
    assert ground.noise == pytest.approx(0.025, rel=0.03)
    assert np.abs(ground.surface - FLOOR).max() < 3e-3


def test_it_is_told_by_some_three_thousand_pixels():
    """Of 9,000 every third: those between them may be anything."""
    lab = np.tile(FLOOR, (90, 100, 1))
    between = np.arange(9000) % 3 != 0
    lab.reshape(-1, 3)[between, 0] -= 0.5
    ground = fit_ground(lab, np.arange(9000), CONFIG)
    assert np.array_equal(ground.color, FLOOR)
    assert ground.noise == 0.0


def test_what_deviates_by_the_tolerance_counts_half():
    """Of ten pixels four are off by 0.04: what they pull, round by round, where only the constant counts.

    At first the tolerance is twice 0.015; then the greater of 0.015 and twice the middle deviation, that of the six.
    """
    off = 0.04
    pulled, tolerance = 0.0, 0.03
    for _ in range(4):
        here, there = 1.0 / (1.0 + (pulled / tolerance) ** 2), 1.0 / (1.0 + ((off - pulled) / tolerance) ** 2)
        pulled = 0.4 * there * off / (0.6 * here + 0.4 * there)
        tolerance = max(0.015, 2.0 * pulled)
    lab = even()
    at = np.random.default_rng(5).permutation(HEIGHT * WIDTH)[: HEIGHT * WIDTH * 4 // 10]
    lab.reshape(-1, 3)[at, 0] += off
    ground = fit_ground(lab, EVERYWHERE, CONFIG)
    assert float(ground.surface[..., 0].mean() - FLOOR[0]) == pytest.approx(pulled, rel=0.02)
    # The four are the noise.
    assert ground.noise == pytest.approx(off - pulled, rel=0.02)
