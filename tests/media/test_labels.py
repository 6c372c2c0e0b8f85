"""Cell maps, masks, and resizing that invents no value."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from grader.media.pictures import (
    MediaError,
    MediaReason,
    decode_labels,
    decode_mask,
    resize_labels,
    resize_mask,
)
from tests.samples.media import LINEAR_RGB, RGB, RNG, encode, exif_of, png


def test_labels_are_exact() -> None:
    ids = np.array([[0, 1, 255, 256], [65535, 65536, 16777215, 160001]])
    rgb = np.stack([ids & 255, ids >> 8 & 255, ids >> 16], -1).astype(np.uint8)
    for data in (encode(rgb), encode(rgb, icc_profile=LINEAR_RGB, exif=exif_of(6))):
        labels = decode_labels(data)
        assert labels.dtype == np.int32
        assert np.array_equal(labels, ids)
    palette = Image.fromarray(np.array([[0, 1]], np.uint8), "P")
    palette.putpalette([1, 2, 0, 7, 0, 1])
    assert decode_labels(encode(palette)).tolist() == [[513, 65543]]
    assert decode_labels(encode(np.array([[2]], np.uint8))).tolist() == [[2 + 512 + 131072]]
    assert np.array_equal(decode_labels(encode(np.dstack([rgb, np.full(ids.shape, 255, np.uint8)]))), ids)


def test_labels_that_are_not_exact_are_refused() -> None:
    clear = np.dstack([RGB, np.full(RGB.shape[:2], 254, np.uint8)])
    for data in (encode(RGB, "JPEG"), encode(RGB, "WEBP"), encode(clear), png(np.ones((2, 6), np.uint16), 16, 2)):
        with pytest.raises(MediaError) as caught:
            decode_labels(data)
        assert caught.value.reason is MediaReason.LABELS_NOT_EXACT


@pytest.mark.parametrize("inside", [[255, 255, 255], [1, 1, 1], [1, 0, 0], [0, 0, 1], [127, 127, 127], [255, 0, 0]])
def test_a_mask_is_what_is_not_black(inside) -> None:
    mask = decode_mask(encode(np.array([[inside, [0, 0, 0]]], np.uint8)))
    assert (mask.dtype, mask.tolist()) == (np.dtype(bool), [[True, False]])


def test_a_mask_may_be_grey_or_of_16_bits() -> None:
    assert decode_mask(encode(np.array([[1, 0]], np.uint8))).tolist() == [[True, False]]
    assert decode_mask(png(np.array([[1, 0]], np.uint16), 16, 0)).tolist() == [[True, False]]
    assert decode_mask(png(np.array([[0, 0, 1, 0, 0, 0]], np.uint16), 16, 2)).tolist() == [[True, False]]


def test_what_is_transparent_is_not_in_a_mask() -> None:
    """White on nothing, nothing under white, and black, which is all that can be seen."""
    white, clear, black = [255] * 4, [255, 255, 255, 0], [0, 0, 0, 255]
    assert decode_mask(encode(np.array([[white, clear]], np.uint8))).tolist() == [[True, False]]
    assert decode_mask(encode(np.array([[black, clear]], np.uint8))).tolist() == [[True, False]]
    assert decode_mask(encode(np.array([[black, white, clear]], np.uint8))).tolist() == [[False, True, False]]
    assert decode_mask(encode(np.array([[black, black]], np.uint8))).tolist() == [[False, False]]


def test_what_a_jpeg_smears_into_black_is_black() -> None:
    picture = np.zeros((32, 32, 3), np.uint8)
    picture[8:24, 10:26] = 40, 0, 0
    mask = decode_mask(encode(picture, "JPEG"))
    assert (mask[10:22, 12:24].all(), mask[:6].any(), mask[:, :8].any()) == (True, False, False)


def test_a_mask_is_turned_upright_as_its_picture_is() -> None:
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[0] = 255
    assert decode_mask(encode(picture, exif=exif_of(6))).tolist() == [[False, True]] * 3


@pytest.mark.parametrize("size", [(5, 7), (64, 50), (1, 1), (300, 20)])
def test_resized_labels_are_a_subset(size: tuple[int, int]) -> None:
    """Case A10."""
    labels = RNG.choice(np.array([0, 2, 6, 7, 10], np.int32), (31, 44))
    resized = resize_labels(labels, size)
    assert resized.shape == size[::-1]
    assert resized.dtype == np.int32
    assert set(np.unique(resized)) <= {0, 2, 6, 7, 10}
    mask = resize_mask(labels > 6, size)
    assert (mask.dtype, mask.shape) == (np.dtype(bool), size[::-1])


def test_resizing_keeps_places_and_areas() -> None:
    labels = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert np.array_equal(resize_labels(labels, (9, 4)), labels.repeat(2, 0).repeat(3, 1))
    assert np.array_equal(resize_labels(labels, (3, 2)), labels)
    assert resize_labels(np.arange(4)[None], (2, 1)).tolist() == [[1, 3]]
    mask = RNG.random((30, 45)) > 0.5
    assert np.array_equal(resize_mask(mask, (15, 10)), mask.reshape(10, 3, 15, 3).mean((1, 3)) >= 0.5)
    assert np.array_equal(resize_mask(mask, (90, 90)), mask.repeat(3, 0).repeat(2, 1))
    # 3 pixels on 2: the first new pixel is 2/3 old pixel 0 and 1/3 old pixel 1.
    assert resize_mask(np.array([[True, False, False]]), (2, 1)).tolist() == [[True, False]]
    with pytest.raises(ValueError, match="at least 1"):
        resize_labels(labels, (0, 4))
    with pytest.raises(TypeError, match="bool"):
        resize_mask(labels, (2, 2))  # type: ignore[arg-type]
