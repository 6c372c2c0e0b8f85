"""Bars beside or above a picture, by which a model filled up the shape that it draws in."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class BarsConfig:
    """What counts as a bar.

    Attributes
    ----------
    same_shape : logarithm of the ratio of two pictures' aspects up to which they are of one shape
    soft_px : so near to the picture, in pixels, a bar may be blurred
    spread : levels (0 to 255) by which a bar's pixels may differ from their median
    outliers : percentage of the pixels at each end of the range that may differ by more
    """

    same_shape: float = 0.02
    soft_px: int = 2
    spread: float = 12.0
    outliers: float = 1.0


def without_bars(picture: NDArray[np.uint8], size: tuple[int, int], config: BarsConfig) -> NDArray[np.uint8]:
    """A picture without two equal bars of one colour that make its shape another than it should be.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    size : tuple of int
        Width and height of a picture of the right shape.
    config : BarsConfig

    Returns
    -------
    (h, w, 3) uint8 RGB
        A window of the picture, or all of it where it has the right shape or has no such bars, or is so thin that less
        than a pixel would be left.
    """
    height, width = picture.shape[:2]
    stretch = math.log(width * size[1] / (height * size[0]))
    if abs(stretch) <= config.same_shape:
        return picture
    soft = config.soft_px
    if stretch < 0.0:
        first, last = _window(height, width * size[1] / size[0])
        bars, window = (picture[: first - soft], picture[last + soft :]), picture[first:last]
    else:
        first, last = _window(width, height * size[0] / size[1])
        bars, window = (picture[:, : first - soft], picture[:, last + soft :]), picture[:, first:last]
    if not window.size or first <= soft or last + soft >= (height if stretch < 0.0 else width):
        return picture
    pixels = np.concatenate([bar.reshape(-1, 3) for bar in bars]).astype(np.int16)
    # not a threshold: the median is the fiftieth of a hundred
    low, middle, high = np.percentile(pixels, (config.outliers, 50, 100 - config.outliers), axis=0)
    return window if float(max((high - middle).max(), (middle - low).max())) <= config.spread else picture


def _window(length: int, kept: float) -> tuple[int, int]:
    """First and one past the last of what is kept in the middle."""
    first = (length - kept) / 2
    return round(first), round(length - first)
