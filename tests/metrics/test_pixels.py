"""Errors on pixels: case A7, and properties that hold for any picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from skimage.metrics import mean_squared_error

from grader.metrics.pixels import masked_mse, split_mse

SHAPE = (7, 9)
PICTURES = arrays.arrays(np.uint8, (*SHAPE, 3))
MASKS = arrays.arrays(np.bool_, SHAPE).filter(lambda mask: mask.any())
SEEDED = settings(derandomize=True, deadline=None, max_examples=60)


def test_an_error_is_not_diluted_by_the_picture() -> None:
    """A7: 100 x 100, the mask covers a tenth, the error is 0.5 inside and none outside: 0.25, not 0.025."""
    mask = np.zeros((100, 100), bool)
    mask[:10] = True
    reference = np.full((100, 100, 3), 0.25)
    candidate = reference + 0.5 * mask[..., None]
    assert masked_mse(candidate, reference, mask) == pytest.approx(0.25, abs=1e-15)
    assert masked_mse(candidate, reference, ~mask) == 0.0
    # In 8 bits: 128 / 255 squared.
    eight = np.full((100, 100, 3), 64, np.uint8)
    brighter = eight + np.uint8(128) * mask[..., None].astype(np.uint8)
    assert masked_mse(brighter, eight, mask) == pytest.approx((128 / 255) ** 2, abs=1e-15)


@SEEDED
@given(PICTURES, PICTURES, MASKS, st.integers(0, 5), st.integers(0, 5), st.integers(0, 255))
def test_padding_changes_nothing(one, other, mask, rows: int, columns: int, value: int) -> None:
    padding = ((rows, columns), (columns, rows))
    padded = [np.pad(picture, (*padding, (0, 0)), constant_values=fill) for picture, fill in ((one, value), (other, 0))]
    assert masked_mse(*padded, np.pad(mask, padding)) == masked_mse(one, other, mask)


@SEEDED
@given(PICTURES, PICTURES, PICTURES, MASKS)
def test_pixels_outside_the_mask_never_count(one, other, noise, mask) -> None:
    changed = np.where(mask[..., None], one, noise)
    assert masked_mse(changed, other, mask) == masked_mse(one, other, mask)


@SEEDED
@given(PICTURES, PICTURES, MASKS)
def test_what_a_squared_error_is(one, other, mask) -> None:
    found = masked_mse(one, other, mask)
    assert 0.0 <= found <= 1.0
    assert found == masked_mse(other, one, mask)
    assert masked_mse(one, one, mask) == 0.0
    # Eight bits and floats agree, and so does an implementation of others over the whole picture.
    assert masked_mse(one / 255.0, other / 255.0, mask) == pytest.approx(found, abs=1e-12)
    whole = np.ones(SHAPE, bool)
    assert masked_mse(one, other, whole) == pytest.approx(mean_squared_error(one / 255.0, other / 255.0), abs=1e-12)


def test_extremes_and_nothing() -> None:
    black, white = np.zeros((4, 4, 3), np.uint8), np.full((4, 4, 3), 255, np.uint8)
    assert masked_mse(black, white, np.ones((4, 4), bool)) == 1.0
    assert masked_mse(black, white, np.zeros((4, 4), bool)) is None
    assert masked_mse(black[..., 0], white[..., 0], np.ones((4, 4), bool)) == 1.0


def test_a_range_is_never_guessed() -> None:
    mask = np.ones((2, 2), bool)
    eight, floats = np.full((2, 2, 3), 9, np.uint8), np.full((2, 2, 3), 0.5)
    with pytest.raises(ValueError, match="types differ"):
        masked_mse(eight, floats, mask)
    for wrong in (255.0 * floats, floats - 1.0, np.full((2, 2, 3), np.nan)):
        with pytest.raises(ValueError, match="outside"):
            masked_mse(wrong, floats, mask)
    with pytest.raises(ValueError, match="shapes differ"):
        masked_mse(eight, eight[:1], mask)
    with pytest.raises(ValueError, match="shapes differ"):
        masked_mse(eight, eight, mask[:1])
    with pytest.raises(ValueError, match="uint8 or floating"):
        masked_mse(eight.astype(np.int32), eight.astype(np.int32), mask)


@SEEDED
@given(PICTURES, PICTURES, arrays.arrays(np.bool_, SHAPE), st.none() | arrays.arrays(np.bool_, SHAPE))
def test_inside_and_outside_at_once_are_what_they_are_one_by_one(one, other, mask, covered) -> None:
    seen = np.ones(SHAPE, bool) if covered is None else covered
    assert split_mse(one, other, mask, covered) == (
        masked_mse(one, other, mask & seen),
        masked_mse(one, other, ~mask & seen),
    )
