"""Quantiles of many numbers, in a fraction of the time that NumPy takes for a few thousand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def quantile(values: NDArray[np.floating], share: float) -> float:
    """The number that a share of some stays below, between two of them in proportion.

    That of `numpy.quantile`, up to rounding.

    Parameters
    ----------
    values : ndarray of n numbers, n at least 1
    share : float
        0 to 1.

    Examples
    --------
    >>> quantile(np.array([4.0, 1.0, 2.0]), 0.75)
    3.0
    """
    at = share * (values.size - 1)
    low = int(at)
    ordered = np.partition(values, low, axis=None)
    below = float(ordered[low])
    # What comes next is the least of the rest.
    return below if at == low else below + (float(ordered[low + 1 :].min()) - below) * (at - low)


def median(values: NDArray[np.generic]) -> float:
    """The middle one of n numbers, n at least 1, or the mean of the two in the middle.

    Examples
    --------
    >>> median(np.array([4.0, 1.0, 2.0, 8.0]))
    3.0
    """
    low = (values.size - 1) // 2
    ordered = np.partition(values, low, axis=None)
    return float(ordered[low]) if values.size % 2 else (float(ordered[low]) + float(ordered[low + 1 :].min())) / 2
