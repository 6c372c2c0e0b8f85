"""Resizing that never invents a value. Import these from ``grader.media.pictures``."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


def resize_labels(labels: NDArray[_Scalar], size: tuple[int, int]) -> NDArray[_Scalar]:
    """Resize a map of labels by nearest neighbour at pixel centres, so that its values are among the former ones.

    Parameters
    ----------
    labels : ndarray, (H, W, ...)
        Of any dtype.
    size : (width, height)
        The new size in pixels, as OpenCV and Pillow order it.

    Returns
    -------
    ndarray, (height, width, ...)
        A copy of the same dtype.

    Raises
    ------
    ValueError
        If the map or the new size is empty.
    """
    width, height = _checked(labels.shape, size)
    return labels[_nearest(labels.shape[0], height)[:, None], _nearest(labels.shape[1], width)[None, :]]


def resize_mask(mask: NDArray[np.bool_], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Resize a mask: a new pixel is True where at least half of its area was. Computed in integers, so it is exact.

    Parameters
    ----------
    mask : ndarray of bool, (H, W)
    size : (width, height)
        The new size in pixels, as OpenCV and Pillow order it.

    Returns
    -------
    ndarray of bool, (height, width)

    Raises
    ------
    TypeError
        If the mask is not of bool.
    ValueError
        If the mask or the new size is empty.
    """
    if mask.dtype != np.bool_:
        raise TypeError(f"a mask is of bool, this one is of {mask.dtype}; compare it with a threshold first")
    width, height = _checked(mask.shape, size)
    old_height, old_width = mask.shape
    covered = _box_sums(_box_sums(mask, height).T, width).T
    # Sums along both axes are in units of 1 / (height * width) old pixels; a new pixel has old_height * old_width of
    # them.
    return np.ascontiguousarray(2 * covered >= old_height * old_width)


def _checked(shape: tuple[int, ...], size: tuple[int, int]) -> tuple[int, int]:
    if min(*shape[:2], *size) < 1:
        raise ValueError(f"can't resize {shape[1]} x {shape[0]} px to {size[0]} x {size[1]} px; sides are at least 1")
    return size


def _nearest(old: int, new: int) -> NDArray[np.int64]:
    """Old index below the centre of each new pixel: floor((i + 1/2) old / new), in integers."""
    return (2 * np.arange(new, dtype=np.int64) + 1) * old // (2 * new)


def _box_sums(values: NDArray[np.bool_] | NDArray[np.int64], new: int) -> NDArray[np.int64]:
    """Sum ``values`` along axis 0 over ``new`` boxes of equal length, in units of 1 / new of a value."""
    old = values.shape[0]
    running = np.zeros((old + 1, values.shape[1]), np.int64)
    np.cumsum(values, axis=0, out=running[1:])
    whole, part = np.divmod(np.arange(new + 1, dtype=np.int64) * old, new)
    at_edges = running[whole] * new + part[:, None] * values[np.minimum(whole, old - 1)]
    sums: NDArray[np.int64] = np.diff(at_edges, axis=0)
    return sums
