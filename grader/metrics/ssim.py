"""Structural similarity of pictures (SSIM), over what a mask keeps. Nothing outside of the mask moves it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.metrics.pixels import check_pair

_Map = NDArray[np.float64]
_Pixels = NDArray[np.uint8] | NDArray[np.floating]
_T = TypeVar("_T", bound=np.generic)

WINDOW_PX = 7
"""Side of the window of `masked_ssim`."""
GAUSSIAN_WINDOW_PX = 11
"""Side of the window of `masked_gaussian_ssim`."""

_GAUSSIAN_SIGMA_PX = 1.5
_K1 = 0.01
_K2 = 0.03
# Rows of windows that are worked on at a time: what they need fits into a core's cache, which halves the time.
_STRIP_ROWS = 32


def masked_ssim(
    candidate: NDArray[np.uint8] | NDArray[np.floating],
    reference: NDArray[np.uint8] | NDArray[np.floating],
    kept: NDArray[np.bool_] | None = None,
) -> float | None:
    """Mean structural similarity over the windows that lie wholly in what is kept. Higher is better.

    Parameters
    ----------
    candidate, reference : ndarray of shape (H, W) or (H, W, C)
        Both uint8, or both floating, in [0, 1].
    kept : ndarray of shape (H, W), bool, or None
        The pixels that count; None for all.

    Returns
    -------
    float or None
        -1 to 1; 1 for equal pictures. None where no window of 7 x 7 pixels lies wholly in what is kept, as in pictures
        with a side of less than 7 pixels.

    Raises
    ------
    ValueError
        If shapes or types differ, or floats lie anywhere outside [0, 1]: the range of a picture is never guessed.

    Notes
    -----
    Z. Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, equation 13, as
    scikit-image's ``structural_similarity`` has it by default: a uniform window of 7 x 7 pixels, sample covariances
    (divided by 48), K1 = 0.01, K2 = 0.03, the mean over channels, a data range of 255 (1 for floats). Without a mask it
    is that function's value, which leaves out a border of 3 pixels too: windows there lie partly outside.

    Pictures in 8 bits are measured by exact sums of whole numbers, up to the last division. So nothing cancels, and no
    pixel outside of the windows that count can move even the last bit.
    """
    measure = _eight_bit_map if candidate.dtype == np.uint8 else _uniform_map
    return _mean_map(candidate, reference, kept, WINDOW_PX, measure)


def masked_gaussian_ssim(
    candidate: NDArray[np.uint8] | NDArray[np.floating],
    reference: NDArray[np.uint8] | NDArray[np.floating],
    kept: NDArray[np.bool_] | None = None,
) -> float | None:
    """`masked_ssim` with the Gaussian window of the SSIM paper; its values differ from it by some hundredths.

    Parameters, errors and the meaning of None are those of `masked_ssim`; windows are of 11 x 11 pixels.

    Notes
    -----
    The same source, section III.B: a Gaussian of standard deviation 1.5 pixels cut to 11 x 11, population covariances.
    scikit-image gives it for ``gaussian_weights=True, use_sample_covariance=False``.
    """
    return _mean_map(candidate, reference, kept, GAUSSIAN_WINDOW_PX, _gaussian_map)


def whole_windows(kept: NDArray[np.bool_], window: int) -> NDArray[np.bool_]:
    """Which windows of ``window`` x ``window`` pixels lie wholly in what is kept.

    Parameters
    ----------
    kept : ndarray of shape (H, W), bool
    window : int
        Side of a window in pixels, odd, not longer than a side of the picture.

    Returns
    -------
    ndarray of shape (H - window + 1, W - window + 1), bool
        Element (r, c) is for the window whose upper left pixel is (r, c).
    """
    eroded = cv2.erode(kept.astype(np.uint8), np.ones((window, window), np.uint8))
    return _inner(eroded, window).view(np.bool_)


def _mean_map(
    candidate: _Pixels,
    reference: _Pixels,
    kept: NDArray[np.bool_] | None,
    window: int,
    measure: Callable[[_Pixels, _Pixels], _Map],
) -> float | None:
    """The mean of a map over whole windows and channels, strip by strip; strips without such a window cost nothing."""
    check_pair(candidate, reference, kept)
    height, width = candidate.shape[:2]
    rows, columns = height - window + 1, width - window + 1
    if rows < 1 or columns < 1:
        return None
    whole = np.ones((rows, columns), np.bool_) if kept is None else whole_windows(kept, window)
    total, count = 0.0, 0
    for first in range(0, rows, _STRIP_ROWS):
        here = whole[first : first + _STRIP_ROWS]
        number = int(np.count_nonzero(here))
        if number:
            part = slice(first, first + len(here) + window - 1)
            values = measure(candidate[part], reference[part])
            if number < here.size:
                values *= here if values.ndim == 2 else here[..., None]
            total += float(values.sum())
            count += number
    channels = candidate.shape[2] if candidate.ndim == 3 else 1
    return total / (channels * count) if count else None


def _eight_bit_map(x: _Pixels, y: _Pixels) -> _Map:
    """The map of 8-bit pictures for whole windows, (H - 6, W - 6) or (H - 6, W - 6, C).

    With n = 49 pixels and sums S over a window, means are S/n and covariances (n Sxy - Sx Sy) / (n (n - 1)). The
    denominators are the same above and below the fraction, so they go to the constants, and all terms but these are
    whole numbers; the largest is 2 (49 * 255)^2 < 2^31. Squares come from the squared difference d of the pictures, as
    x^2 + y^2 = (x - y)^2 + 2 x y, which saves a filter.
    """
    n = WINDOW_PX * WINDOW_PX
    first = n * n * (_K1 * 255.0) ** 2
    second = n * (n - 1) * (_K2 * 255.0) ** 2
    difference = cv2.absdiff(x, y)
    sum_x, sum_y = _window_sums(x), _window_sums(y)
    sum_dd = _window_sums(cv2.multiply(difference, difference, dtype=cv2.CV_16U))
    sum_xy = _window_sums(cv2.multiply(x, y, dtype=cv2.CV_16U))
    products = 2 * (sum_x * sum_y)
    squares = (sum_x - sum_y) ** 2  # of the difference, until the products come to it
    covariance = 2 * n * sum_xy - products
    variances = n * sum_dd - squares + covariance
    squares += products
    ssim: _Map = (products + first) * (covariance + second)
    ssim /= (squares + first) * (variances + second)
    return ssim


def _window_sums(picture: cv2.typing.MatLike) -> NDArray[np.int32]:
    """Exact sums over every whole window."""
    size = (WINDOW_PX, WINDOW_PX)
    sums = cv2.boxFilter(picture, cv2.CV_32S, size, normalize=False, borderType=cv2.BORDER_REFLECT)
    return _inner(np.asarray(sums, np.int32), WINDOW_PX)


def _uniform_map(x: _Pixels, y: _Pixels) -> _Map:
    n = WINDOW_PX * WINDOW_PX
    return _float_map(x, y, np.full(WINDOW_PX, 1.0 / WINDOW_PX), n / (n - 1))


def _gaussian_map(x: _Pixels, y: _Pixels) -> _Map:
    offsets = np.arange(GAUSSIAN_WINDOW_PX) - GAUSSIAN_WINDOW_PX // 2
    weights = np.exp(-0.5 * (offsets / _GAUSSIAN_SIGMA_PX) ** 2)
    return _float_map(x, y, weights / weights.sum(), 1.0)


def _float_map(first: _Pixels, second: _Pixels, weights: _Map, correction: float) -> _Map:
    """The map, on the range [0, 1], for whole windows: a separable window, and a factor on its covariances.

    Each window is summed by itself. A running sum would be faster, but it would carry the rounding of pixels that the
    window has left, and so let excluded ones move a last bit.
    """
    x, y = _unit(first), _unit(second)

    def mean(picture: _Map) -> _Map:
        filtered = cv2.sepFilter2D(picture, cv2.CV_64F, weights, weights, borderType=cv2.BORDER_REFLECT)
        return _inner(np.asarray(filtered, np.float64), len(weights))

    mean_x, mean_y = mean(x), mean(y)
    products, squares = mean_x * mean_y, mean_x * mean_x + mean_y * mean_y
    covariance = correction * (mean(x * y) - products)
    variances = correction * (mean(x * x) + mean(y * y) - squares)
    ssim: _Map = (2.0 * products + _K1**2) * (2.0 * covariance + _K2**2)
    ssim /= (squares + _K1**2) * (variances + _K2**2)
    return ssim


def _unit(picture: _Pixels) -> _Map:
    scaled = picture.astype(np.float64)
    return scaled / 255.0 if picture.dtype == np.uint8 else scaled


def _inner(filtered: NDArray[_T], window: int) -> NDArray[_T]:
    """What a filter gives for windows that lie wholly in its input."""
    border = window // 2
    return filtered[border : filtered.shape[0] - border, border : filtered.shape[1] - border]
