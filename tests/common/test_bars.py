"""Bars by which a model filled up its shape are cut off; nothing else is."""

from __future__ import annotations

from dataclasses import replace

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


def barred(color, height: int = 280) -> np.ndarray:
    """The picture with bars above and below it."""
    bars = np.full((height, 320, 3), color, np.uint8)
    top = (height - 240) // 2
    bars[top : top + 240] = PICTURE
    return bars


@pytest.mark.parametrize(("height", "cut"), [(244, False), (246, True)])
def test_a_shape_is_another_by_a_fiftieth(height, cut):
    """log(246 / 240) is 0.0247, log(244 / 240) 0.0165. Three pixels of bar: one may be soft."""
    picture = barred(0, height)
    found = without_bars(picture, SIZE, replace(CONFIG, soft_px=1))
    assert (found.shape == PICTURE.shape) is cut


def test_a_bar_may_be_soft_where_it_ends():
    """Two pixels; a third is a bar's own."""
    for soft, cut in ((2, True), (3, False)):
        picture = barred(0)
        picture[20 - soft : 20] = 200
        assert (without_bars(picture, SIZE, CONFIG) is not picture) is cut
    # A bar of no more than that is none to be looked at.
    thin = barred(0, 250)
    assert without_bars(thin, SIZE, replace(CONFIG, soft_px=5)) is thin
    assert without_bars(thin, SIZE, replace(CONFIG, soft_px=4)).shape == PICTURE.shape


def test_a_bar_may_be_noisy():
    """By 12 levels from its median, a hundredth of its pixels at either end left out."""
    for level, cut in ((62, True), (63, False)):
        picture = barred(50)
        picture[:6, ::2] = level
        assert (without_bars(picture, SIZE, CONFIG) is not picture) is cut
        dark = barred(50)
        dark[:6, ::2] = 100 - level
        assert (without_bars(dark, SIZE, CONFIG) is not dark) is cut
    # 36 rows of 320 pixels are bars: 115 are a hundredth.
    for count, cut in ((110, True), (125, False)):
        picture = barred(50)
        picture[0, :count] = 250
        assert (without_bars(picture, SIZE, CONFIG) is not picture) is cut


def test_bars_beside_a_picture():
    picture = np.ascontiguousarray(barred(0).transpose(1, 0, 2))
    found = without_bars(picture, (240, 320), CONFIG)
    assert np.array_equal(found, PICTURE.transpose(1, 0, 2))


def test_of_a_picture_so_thin_that_less_than_a_pixel_would_be_left_all_is_kept():
    """Of 1 x 500 pixels a picture of 320 x 240 would be 0.75 high."""
    thin = np.zeros((500, 1, 3), np.uint8)
    assert without_bars(thin, (320, 240), CONFIG) is thin
