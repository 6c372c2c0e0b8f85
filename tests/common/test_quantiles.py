"""Quantiles and medians are NumPy's, without its overhead; so are colours within a mask, and their contrast."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.quantiles import median, quantile
from detectors.common.residual.mixing import channel_medians, colors_within, contrasts, lengths


@pytest.mark.parametrize("count", [1, 2, 3, 10, 1001])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.uint8])
def test_quantiles_are_those_of_numpy(count, kind):
    numbers = (255 * np.random.default_rng(count).random(count)).astype(kind)
    assert median(numbers) == pytest.approx(float(np.median(numbers.astype(np.float64))), rel=1e-12)
    for share in (0.0, 0.25, 0.5, 0.9, 1.0):
        expected = float(np.quantile(numbers.astype(np.float64), share))
        assert quantile(numbers, share) == pytest.approx(expected, rel=1e-12)


def test_colours_within_a_mask_and_how_far_they_are_from_one():
    dice = np.random.default_rng(7)
    picture, mask = dice.random((11, 13, 3)).astype(np.float32), dice.random((11, 13)) < 0.4
    assert (colors_within(picture, mask) == picture[mask]).all()
    assert (colors_within(picture[2:7, 3:9], mask[2:7, 3:9]) == picture[2:7, 3:9][mask[2:7, 3:9]]).all()
    assert channel_medians(picture[mask]) == pytest.approx(np.median(picture[mask], axis=0), rel=1e-6)
    color = np.array([0.2, 0.5, 0.9], np.float32)
    assert (contrasts(picture, color) == lengths(picture - color)).all()
