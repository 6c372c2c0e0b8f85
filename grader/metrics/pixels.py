"""Measures on pixels. Nothing outside a mask moves a masked measure."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_Pixels = NDArray[np.uint8] | NDArray[np.floating]


def masked_mse(
    candidate: NDArray[np.uint8] | NDArray[np.floating],
    reference: NDArray[np.uint8] | NDArray[np.floating],
    mask: NDArray[np.bool_],
) -> float | None:
    """Mean squared error over the pixels of a mask, channels averaged, on the range [0, 1]. Lower is better.

    Parameters
    ----------
    candidate, reference : ndarray of shape (H, W) or (H, W, C)
        Both uint8, divided by 255, or both floating, in [0, 1].
    mask : ndarray of shape (H, W), bool
        The pixels that count.

    Returns
    -------
    float or None
        0 to 1; None where the mask holds no pixel.

    Raises
    ------
    ValueError
        If shapes or types differ, or floats lie outside [0, 1]: the range of a picture is never guessed.

    Notes
    -----
    MSE = 1/(C |M|) * sum over p in M, c of (x - y)^2. A constant error of 0.5 inside a mask gives 0.25, however small
    the mask is: the sum is divided by the mask's pixels, not by the picture's.
    """
    _check_kinds(candidate, reference, mask)
    count = int(np.count_nonzero(mask))
    if not count:
        return None
    channels = candidate.shape[2] if candidate.ndim == 3 else 1
    if candidate.dtype == np.uint8:
        return _squared_error(candidate, reference, mask) / (255.0**2 * channels * count)
    _check_ranges(candidate, reference)
    difference = candidate[mask].astype(np.float64) - reference[mask].astype(np.float64)
    return float((difference**2).sum() / (channels * count))


def split_mse(
    candidate: NDArray[np.uint8],
    reference: NDArray[np.uint8],
    mask: NDArray[np.bool_],
    covered: NDArray[np.bool_] | None,
) -> tuple[float | None, float | None]:
    """`masked_mse` inside a mask, and outside of it, of what is covered; at little more than the cost of one.

    Parameters
    ----------
    candidate, reference : ndarray of shape (H, W, C), uint8
    mask : ndarray of shape (H, W), bool
    covered : ndarray of shape (H, W), bool, or None
        Pixels that count at all; None for all.

    Returns
    -------
    inside, outside : float or None
        0 to 1; None where no pixel counts.
    """
    if covered is not None:
        return masked_mse(candidate, reference, mask & covered), masked_mse(candidate, reference, ~mask & covered)
    # Errors of whole numbers add up exactly, so what is not inside is outside; and the whole is summed much faster.
    inside = _squared_error(candidate, reference, mask)
    outside = _squared_error(candidate, reference, None) - inside
    count = int(np.count_nonzero(mask))
    scale = 255.0**2 * candidate.shape[2]
    rest = mask.size - count
    return inside / (scale * count) if count else None, outside / (scale * rest) if rest else None


def check_pair(
    candidate: NDArray[np.uint8] | NDArray[np.floating],
    reference: NDArray[np.uint8] | NDArray[np.floating],
    mask: NDArray[np.bool_] | None,
) -> None:
    """Raises unless two pictures, and a mask if there is one, can be compared: the range is never guessed.

    Parameters
    ----------
    candidate, reference : ndarray of shape (H, W) or (H, W, C)
    mask : ndarray of shape (H, W), bool, or None

    Raises
    ------
    ValueError
        If shapes or types differ, a type is neither uint8 nor floating, a float lies outside [0, 1], wherever it is, or
        the mask is not of booleans.
    """
    _check_kinds(candidate, reference, mask)
    if candidate.dtype != np.uint8:
        _check_ranges(candidate, reference)


def _check_kinds(candidate: _Pixels, reference: _Pixels, mask: NDArray[np.bool_] | None) -> None:
    if mask is None and candidate.shape != reference.shape:
        raise ValueError(f"shapes differ: {candidate.shape} and {reference.shape}")
    if mask is not None and (candidate.shape != reference.shape or candidate.shape[:2] != mask.shape):
        raise ValueError(f"shapes differ: {candidate.shape}, {reference.shape} and the mask's {mask.shape}")
    if mask is not None and mask.dtype != np.bool_:
        raise ValueError(f"a mask is of booleans, not of {mask.dtype}")
    if candidate.dtype != reference.dtype:
        raise ValueError(f"types differ: {candidate.dtype} and {reference.dtype}; give both as uint8 or both as floats")


def _check_ranges(candidate: _Pixels, reference: _Pixels) -> None:
    if not np.issubdtype(candidate.dtype, np.floating):
        raise ValueError(f"pictures are uint8 or floating, not {candidate.dtype}")
    for name, picture in (("candidate", candidate), ("reference", reference)):
        if not (picture.min() >= 0.0 and picture.max() <= 1.0):
            raise ValueError(f"the {name} has values outside [0, 1]; divide by its range first")


def _squared_error(
    candidate: NDArray[np.uint8] | NDArray[np.floating],
    reference: NDArray[np.uint8] | NDArray[np.floating],
    mask: NDArray[np.bool_] | None,
) -> float:
    """The sum of squared errors of uint8 pictures over the pixels of a mask, or over all; a whole number."""
    chosen = None if mask is None else np.ascontiguousarray(mask).view(np.uint8)
    # OpenCV squares a root, which leaves the whole number by a hair.
    return float(round(cv2.norm(candidate, reference, cv2.NORM_L2SQR, chosen)))
