"""Reducing pictures quickly and exactly."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


class Pyramid:
    """A picture and its reductions by powers of two, each made when it is first asked for.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3) or (H, W), uint8
        It must not change any more.
    """

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        self._levels = [picture]

    @property
    def picture(self) -> NDArray[np.uint8]:
        """The picture itself."""
        return self._levels[0]

    def reduced(self, factor: int) -> NDArray[np.uint8]:
        """The picture reduced by a power of two as `reduce_picture` does, (ceil(H / factor), ceil(W / factor), ...)."""
        level = factor.bit_length() - 1
        while len(self._levels) <= level:
            self._levels.append(_halved(self._levels[-1]))
        return self._levels[level]


def reduce_picture(picture: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Reduces a picture by a power of two, averaging areas.

    A picture whose sides are no multiple of the factor is continued by its last rows and columns, so that pixel (x, y)
    of the result always covers the pixels from (factor x, factor y). Halving repeatedly is several times faster in
    OpenCV than one step.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3) or (H, W), uint8
    factor : int
        1, 2, 4, ...

    Returns
    -------
    ndarray of shape (ceil(H / factor), ceil(W / factor), ...), uint8
    """
    while factor > 1:
        picture = _halved(picture)
        factor //= 2
    return picture


def _halved(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    if width % 2 or height % 2:
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE), np.uint8)
    size = ((width + 1) // 2, (height + 1) // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def resize(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Resizes a picture to (width, height): averages areas when reducing, interpolates linearly when enlarging."""
    height, width = picture.shape[:2]
    if (width, height) == size:
        return picture
    shrinking = width >= size[0] and height >= size[1]
    method = cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=method), np.uint8)


def fitted(picture: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Resizes a picture, with its shape kept, to a longest side."""
    height, width = picture.shape[:2]
    ratio = side / max(width, height)
    return resize(picture, (max(1, round(width * ratio)), max(1, round(height * ratio))))
