"""Bars by which a model filled up its shape are cut off; nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.common.bars import BarsConfig, without_bars

PICTURE = np.asarray(
    cv2.GaussianBlur(np.random.default_rng(3).integers(0, 256, (240, 320, 3), dtype=np.uint8), (0, 0), 3), np.uint8
)
SIZE = (320, 240)
CONFIG = BarsConfig()


def padded(across: int, down: int, color: int) -> np.ndarray:
    return np.pad(PICTURE, ((down, down), (across, across), (0, 0)), constant_values=color)


@pytest.mark.parametrize("color", [0, 128, 255])
def test_bars_above_and_beside_are_cut_off(color):
    assert np.array_equal(without_bars(padded(0, 40, color), SIZE, CONFIG), PICTURE)
    assert np.array_equal(without_bars(padded(60, 0, color), SIZE, CONFIG), PICTURE)


def test_bars_of_a_jpeg_in_another_size_are_cut_off():
    """Fitted into 512 x 512: 512 x 384, with bars of 64 rows."""
    square = np.zeros((512, 512, 3), np.uint8)
    square[64:448] = cv2.resize(PICTURE, (512, 384), interpolation=cv2.INTER_CUBIC)
    decoded = cv2.imdecode(cv2.imencode(".jpg", square, [cv2.IMWRITE_JPEG_QUALITY, 75])[1], cv2.IMREAD_COLOR)
    assert without_bars(decoded, SIZE, CONFIG).shape == (384, 512, 3)


def test_what_is_no_bar_stays():
    stretched = cv2.resize(PICTURE, (320, 320))
    assert without_bars(stretched, SIZE, CONFIG) is stretched
    assert without_bars(PICTURE, SIZE, CONFIG) is PICTURE
    two_colors = padded(0, 40, 0)
    two_colors[-40:] = 255
    assert without_bars(two_colors, SIZE, CONFIG) is two_colors
    below = np.pad(PICTURE, ((0, 80), (0, 0), (0, 0)))
    assert without_bars(below, SIZE, CONFIG) is below
    written = padded(0, 40, 0)
    written[10:30, 100:200] = 255
    assert without_bars(written, SIZE, CONFIG) is written
