"""Pictures under affine maps: to the bit what OpenCV makes of them by itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from grader.media.warping import warp_affine

PICTURE = np.random.default_rng(3).integers(0, 256, (37, 52, 3), np.uint8)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("size", [(9, 7), (40, 50), (131, 90)])
@pytest.mark.parametrize("shape", [(37, 52, 3), (37, 52)], ids=["colours", "grey"])
def test_what_is_drawn_is_as_opencv_has_it(shape, size, inverse):
    picture = PICTURE if len(shape) > 2 else PICTURE[..., 0].copy()
    matrix = np.array([[1.7, 0.13, -4.2], [-0.09, 1.4, 3.6]])
    flags = cv2.INTER_LINEAR | (cv2.WARP_INVERSE_MAP if inverse else 0)
    expected = cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    assert np.array_equal(warp_affine(picture, matrix, size, inverse=inverse), expected)


def test_the_picture_stays_as_it_is():
    before = PICTURE.copy()
    warp_affine(PICTURE, np.eye(2, 3), (52, 37))[:] = 0
    assert np.array_equal(PICTURE, before)
