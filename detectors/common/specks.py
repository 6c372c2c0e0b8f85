"""Single pixels in another colour all over a picture: what they cover is told by those around."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_RING = np.array([[int(max(abs(down), abs(right)) == 2) for right in range(-2, 3)] for down in range(-2, 3)], np.uint8)

_BESIDE = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


@dataclass(frozen=True)
class SpecksConfig:
    """What counts as specks all over a picture.

    Attributes
    ----------
    beyond : a speck is by more than so many levels, 0 to 255, beyond all pixels that lie two pixels around it, and by
        more than those differ: around a pixel of a thin line lie some of it and some beside it
    faint : where there are specks, what is off the middle of those around it by more than so many levels hangs together
    touching : at most so many that touch are specks, and no mark
    blocks : the picture is parted into so many blocks either way...
    spread : ...of which more than this share has specks
    most : and they are at most this share of all pixels
    band_px, bands : first one of so many bands of so many rows of pixels is looked at
    """

    beyond: int = 48
    faint: int = 16
    touching: int = 3
    blocks: int = 6
    spread: float = 0.5
    most: float = 0.02
    band_px: int = 16
    bands: int = 4


def without_specks(picture: NDArray[np.uint8], config: SpecksConfig) -> NDArray[np.uint8]:
    """A picture in which single pixels that lie all over it are as those around; itself where there are no such.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    config : SpecksConfig
    """
    height, width = picture.shape[:2]
    # Most pictures have none, which bands of rows tell.
    tops = range(0, height, config.bands * config.band_px)
    if not any(_specks(picture[top : top + config.band_px], config).any() for top in tops):
        return picture
    specks = _specks(picture, config)
    rows, columns = np.nonzero(specks)
    block = (rows * config.blocks // height) * config.blocks + columns * config.blocks // width
    if rows.size > config.most * specks.size or np.unique(block).size <= config.spread * config.blocks**2:
        return picture
    cleaned = picture.copy()
    cleaned[specks] = cv2.medianBlur(picture, 5)[specks]  # not a threshold: farther than specks reach
    # Two specks that lie in each other's rings hide each other.
    middle = np.asarray(cv2.medianBlur(cleaned, 5), np.uint8)  # not a threshold: as above
    red, green, blue = cv2.split(cv2.absdiff(cleaned, middle))
    single = _small(cv2.max(cv2.max(red, green), blue) > config.faint, config)
    hidden = single & _specks(cleaned, config, np.where(single[..., None], middle, cleaned))
    cleaned[hidden] = middle[hidden]
    return cleaned


def _specks(
    picture: NDArray[np.uint8], config: SpecksConfig, ground: NDArray[np.uint8] | None = None
) -> NDArray[np.bool_]:
    """(h, w) bool, pixels that are beyond all around them, or around them in a ground, alone or by two or three."""
    around = picture if ground is None else ground
    low, high = cv2.erode(around, _RING), cv2.dilate(around, _RING)
    beyond = np.maximum(cv2.subtract(low, picture), cv2.subtract(picture, high))
    beyond[beyond <= cv2.subtract(high, low)] = 0
    red, green, blue = cv2.split(beyond)
    off = (cv2.max(cv2.max(red, green), blue) > config.beyond).view(np.uint8)
    if not off.any():
        return off > 0
    off[_within_dots(picture, beyond, off, config)] = 0
    return _small(off > 0, config)


def _small(mask: NDArray[np.bool_], config: SpecksConfig) -> NDArray[np.bool_]:
    """(h, w) bool, what of a mask hangs together with no more than specks do."""
    # not a threshold: a pixel's neighbours
    _, parts, stats, _ = cv2.connectedComponentsWithStats(mask.view(np.uint8), connectivity=8)
    small = stats[:, cv2.CC_STAT_AREA] <= config.touching
    small[0] = False
    return np.asarray(small[parts], np.bool_)


def _within_dots(
    picture: NDArray[np.uint8], beyond: NDArray[np.uint8], off: NDArray[np.uint8], config: SpecksConfig
) -> NDArray[np.bool_]:
    """(h, w) bool, pixels with more of their like beside them than a speck has: the middle of a dot, say."""
    rows, columns = np.nonzero(off)
    own = picture[rows, columns].astype(np.int16)
    # not a threshold: nearer to its own colour than to that around
    half = beyond[rows, columns].max(axis=1).astype(np.int16) // 2
    like = np.zeros(rows.size, np.intp)
    for down, right in _BESIDE:
        row, column = (
            np.clip(at + by, 0, size - 1)
            for at, by, size in zip((rows, columns), (down, right), picture.shape[:2], strict=True)
        )
        like += np.abs(picture[row, column].astype(np.int16) - own).max(axis=1) < half
    found = np.zeros(off.shape, np.bool_)
    many = like >= config.touching
    found[rows[many], columns[many]] = True
    return found
