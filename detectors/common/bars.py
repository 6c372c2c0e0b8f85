"""Bars beside or above a picture, by which a model filled up the shape that it draws in."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_SAME_SHAPE = 0.02
"""Pictures whose sides' ratios differ by less, as a share, are of one shape."""
_SOFT_PX = 2
"""So near to the picture a bar may be blurred."""
_MOST_SPREAD = 12
"""Levels by which a bar's pixels may differ, from the fiftieth to the highest and lowest of a hundred."""


def without_bars(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """A picture without two equal bars of one colour that make its shape another than it should be.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    size : tuple of int
        Width and height of a picture of the right shape.

    Returns
    -------
    (h, w, 3) uint8 RGB
        A window of the picture, or all of it where it has the right shape or has no such bars.
    """
    height, width = picture.shape[:2]
    stretch = math.log(width * size[1] / (height * size[0]))
    if abs(stretch) <= _SAME_SHAPE:
        return picture
    if stretch < 0.0:
        first, last = _window(height, width * size[1] / size[0])
        bars, window = (picture[: first - _SOFT_PX], picture[last + _SOFT_PX :]), picture[first:last]
    else:
        first, last = _window(width, height * size[0] / size[1])
        bars, window = (picture[:, : first - _SOFT_PX], picture[:, last + _SOFT_PX :]), picture[:, first:last]
    if first <= _SOFT_PX or last + _SOFT_PX >= (height if stretch < 0.0 else width):
        return picture
    pixels = np.concatenate([bar.reshape(-1, 3) for bar in bars]).astype(np.int16)
    low, middle, high = np.percentile(pixels, (1, 50, 99), axis=0)
    return window if float(max((high - middle).max(), (middle - low).max())) <= _MOST_SPREAD else picture


def _window(length: int, kept: float) -> tuple[int, int]:
    """First and one past the last of what is kept in the middle."""
    first = (length - kept) / 2
    return round(first), round(length - first)
