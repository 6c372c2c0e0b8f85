"""Structural similarity: case A8, agreement with scikit-image, and what a mask keeps out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.metrics import structural_similarity

from grader.metrics.ssim import masked_gaussian_ssim, masked_ssim, whole_windows

SEEDED = settings(derandomize=True, deadline=None, max_examples=40)
MEASURES = pytest.mark.parametrize(("measure", "window"), [(masked_ssim, 7), (masked_gaussian_ssim, 11)])


def pair(seed: int, shape: tuple[int, ...], noise: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """A picture of coarse blocks and one like it with noise."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (-(-shape[0] // 5), -(-shape[1] // 5), *shape[2:]))
    picture = coarse.repeat(5, 0).repeat(5, 1)[: shape[0], : shape[1]]
    other = np.clip(picture + rng.integers(-noise, noise + 1, shape), 0, 255)
    return other.astype(np.uint8), picture.astype(np.uint8)


def test_flat_pictures_have_known_values() -> None:
    """A8. No variance, so S = (2 a b + C1) / (a^2 + b^2 + C1), with C1 = (0.01 * 255)^2 = 6.5025."""
    flat = {value: np.full((32, 48, 3), value, np.uint8) for value in (0, 100, 150, 255)}
    # (2 * 100 * 150 + 6.5025) / (100^2 + 150^2 + 6.5025) = 30006.5025 / 32506.5025
    assert masked_ssim(flat[100], flat[150]) == pytest.approx(0.923092, abs=1e-6)
    # Black against white: 6.5025 over 255^2 + 6.5025.
    assert masked_ssim(flat[0], flat[255]) == pytest.approx(0.000099990, abs=1e-9)
    assert masked_ssim(flat[255], flat[255]) == 1.0


@MEASURES
def test_eight_bits_and_floats_are_the_same(measure, window) -> None:
    one, other = pair(1, (60, 80, 3))
    eight = measure(one, other)
    assert measure(one / 255.0, other / 255.0) == pytest.approx(eight, abs=1e-12)
    # Rounding to 32-bit floats moves a pixel by up to 3e-8, and a value by little more.
    narrow = [(picture / 255.0).astype(np.float32) for picture in (one, other)]
    assert measure(*narrow) == pytest.approx(eight, abs=1e-6)


@pytest.mark.parametrize("shape", [(7, 7, 3), (64, 64, 3), (50, 131, 3), (97, 40), (33, 40, 1)])
@pytest.mark.parametrize("noise", [1, 40, 255])
def test_is_scikit_images_value_without_a_mask(shape, noise) -> None:
    one, other = pair(len(shape) + noise, shape, noise)
    axis = 2 if len(shape) == 3 else None
    expected = structural_similarity(one, other, channel_axis=axis, data_range=255)
    assert masked_ssim(one, other) == pytest.approx(expected, abs=1e-12)
    assert masked_ssim(one, other, np.ones(shape[:2], bool)) == masked_ssim(one, other)
    floats = structural_similarity(one / 255.0, other / 255.0, channel_axis=axis, data_range=1.0)
    assert masked_ssim(one / 255.0, other / 255.0) == pytest.approx(floats, abs=1e-12)


def test_the_gaussian_variant_is_scikit_images() -> None:
    one, other = pair(3, (50, 64, 3))
    expected = structural_similarity(
        one, other, channel_axis=2, data_range=255, gaussian_weights=True, use_sample_covariance=False
    )
    assert masked_gaussian_ssim(one, other) == pytest.approx(expected, abs=1e-12)
    assert abs(expected - masked_ssim(one, other)) > 0.001


def test_nothing_cancels_in_a_bright_and_nearly_flat_picture() -> None:
    """Variance 0.25 at a mean of 254.5: the terms of 49 Sxx - Sx^2 are 1e8 times larger in part than what is left."""
    rng = np.random.default_rng(5)
    one, other = (rng.integers(254, 256, (64, 64, 3)).astype(np.uint8) for _ in range(2))
    expected = structural_similarity(one, other, channel_axis=2, data_range=255)
    assert masked_ssim(one, other) == pytest.approx(expected, abs=1e-9)


def test_the_largest_sums_fit() -> None:
    """Full windows of 255 give the largest terms; black and white stripes the largest variances."""
    stripes = np.zeros((40, 40, 3), np.uint8)
    stripes[:, ::2] = 255
    white = np.full_like(stripes, 255)
    for one, other in ((white, white), (stripes, white), (stripes, 255 - stripes)):
        expected = structural_similarity(one, other, channel_axis=2, data_range=255)
        assert masked_ssim(one, other) == pytest.approx(expected, abs=1e-12)


@MEASURES
def test_only_windows_wholly_inside_count(measure, window) -> None:
    """A kept square of one window and a row: the mean of the two windows in it, each as a picture of its own."""
    one, other = pair(7, (40, 40, 3))
    kept = np.zeros((40, 40), bool)
    kept[12 : 12 + window + 1, 9 : 9 + window] = True
    alone = [measure(one[r : r + window, 9 : 9 + window], other[r : r + window, 9 : 9 + window]) for r in (12, 13)]
    assert measure(one, other, kept) == pytest.approx((alone[0] + alone[1]) / 2, abs=1e-12)
    kept[12 + window // 2, 9 + window // 2] = False
    assert measure(one, other, kept) is None


def test_the_mean_is_over_the_map_of_scikit_image() -> None:
    one, other = pair(11, (90, 70, 3))
    kept = np.ones((90, 70), bool)
    kept[20:31, 30:60] = kept[70:, :9] = False
    _, ssim_map = structural_similarity(one, other, channel_axis=2, data_range=255, full=True)
    whole = np.array(
        [
            [r >= 3 and c >= 3 and r < 87 and c < 67 and kept[r - 3 : r + 4, c - 3 : c + 4].all() for c in range(70)]
            for r in range(90)
        ]
    )
    assert masked_ssim(one, other, kept) == pytest.approx(ssim_map[whole].mean(), abs=1e-12)
    assert np.array_equal(whole_windows(kept, 7), whole[3:87, 3:67])


@MEASURES
@pytest.mark.parametrize("kind", ["uint8", "float64"])
@pytest.mark.parametrize("seed", range(6))
def test_noise_in_what_is_excluded_moves_nothing_to_the_bit(measure, window, kind, seed) -> None:
    """Also for floats, whose running sums would carry the rounding of what a window has left."""
    rng = np.random.default_rng(seed)
    pictures = pair(seed, (90, 75, 3))
    kept = np.ones((90, 75), bool)
    top, left = rng.integers(0, 50, 2)
    kept[top : top + 30, left : left + 22] = False
    if kind == "float64":
        pictures = tuple(np.clip(picture / 255.0 * rng.uniform(0.3, 1.0), 0, 1) for picture in pictures)
    expected = measure(*pictures, kept)
    assert expected is not None
    for _ in range(3):
        noisy = [picture.copy() for picture in pictures]
        for picture in noisy:
            noise = rng.random(picture.shape)
            picture[~kept] = (noise * 255 if kind == "uint8" else noise).astype(kind)[~kept]
        assert measure(*noisy, kept) == expected


@SEEDED
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 40), st.integers(0, 255))
def test_what_a_similarity_is(seed: int, height: int, width: int, noise: int) -> None:
    one, other = pair(seed, (height, width, 3), noise)
    kept = np.random.default_rng(seed).random((height, width)) < 0.98
    for mask in (None, kept):
        found = masked_ssim(one, other, mask)
        if found is None:
            assert min(height, width) < 7 or not whole_windows(kept, 7).any()
            continue
        assert -1.0 <= found <= 1.0
        assert found == masked_ssim(other, one, mask)
        assert masked_ssim(one, one, mask) == 1.0


def test_where_there_is_no_window_there_is_no_value() -> None:
    one, other = pair(2, (20, 20, 3))
    assert masked_ssim(one, other, np.zeros((20, 20), bool)) is None
    assert masked_ssim(one[:6], other[:6]) is None
    assert masked_ssim(one[:7, :7], other[:7, :7]) is not None
    assert masked_gaussian_ssim(one[:10], other[:10]) is None


def test_a_range_is_never_guessed() -> None:
    one, other = pair(4, (20, 20, 3))
    kept = np.ones((20, 20), bool)
    for wrong in (other.astype(np.float64), other / 127.5 - 1.0, np.full(other.shape, np.nan)):
        with pytest.raises(ValueError, match="outside"):
            masked_ssim(one / 255.0, wrong, kept)
    with pytest.raises(ValueError, match="types differ"):
        masked_ssim(one, other / 255.0)
    with pytest.raises(ValueError, match="uint8 or floating"):
        masked_ssim(one.astype(np.int32), other.astype(np.int32))
    for shapes in ((one, other[:9], None), (one, other, kept[:9])):
        with pytest.raises(ValueError, match="shapes differ"):
            masked_ssim(*shapes)
    with pytest.raises(ValueError, match="booleans"):
        masked_ssim(one, other, kept.astype(np.uint8))
