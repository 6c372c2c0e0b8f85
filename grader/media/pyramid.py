"""Reducing pictures quickly and exactly."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


class Pyramid:
    """A picture and its reductions by 2, 3, 4, 6, 8, 12, ..., each made when it is first asked for.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3) or (H, W), uint8
        It must not change any more.
    """

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        self._made = {1: picture}

    @property
    def picture(self) -> NDArray[np.uint8]:
        """The picture itself."""
        return self._made[1]

    def reduced(self, factor: int) -> NDArray[np.uint8]:
        """The picture reduced by such a factor as `reduce_picture` does, (ceil(H / factor), ceil(W / factor), ...)."""
        if factor not in self._made:
            if factor % 3:
                self._made[factor] = _halved(self.reduced(factor // 2))
            else:
                self._made[factor] = _by_half_more(self.reduced(factor // 3 * 2), self._size(factor))
        return self._made[factor]

    def _size(self, factor: int) -> tuple[int, int]:
        height, width = self.picture.shape[:2]
        return -(-width // factor), -(-height // factor)


def factor_for(length: float, least: float) -> int:
    """The largest of 1, 2, 3, 4, 6, 8, 12, ... by which a length may be divided without getting less than another."""
    factor = 1
    while length / (2 * factor) >= least:
        factor *= 2
    return factor // 2 * 3 if factor > 1 and length / (factor // 2 * 3) >= least else factor


def reduce_picture(picture: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Reduces a picture by 1, 2, 3, 4, 6, 8, 12, ..., averaging areas; where it is by 3, nearly so.

    A picture whose sides are no multiple of the factor is continued by its last rows and columns, so that pixel (x, y)
    of the result always covers the pixels from (factor x, factor y). Halving repeatedly is several times faster in
    OpenCV than one step.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3) or (H, W), uint8
    factor : int
        1, 2, 4, ..., or 3, 6, 12, ...

    Returns
    -------
    ndarray of shape (ceil(H / factor), ceil(W / factor), ...), uint8
    """
    return Pyramid(picture).reduced(factor)


def _by_half_more(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """What was reduced by an even factor reduced to (width, height), by that and half of it."""
    # Linear interpolation there has nearly the weights of averages over areas, in an eighth of the time. Two pixels
    # are made of three, so that an even number has to be made.
    width, height = (length + length % 2 for length in size)
    right, bottom = width // 2 * 3 - picture.shape[1], height // 2 * 3 - picture.shape[0]
    if right or bottom:
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, bottom, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    made = cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.ascontiguousarray(made[: size[1], : size[0]]), np.uint8)


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
