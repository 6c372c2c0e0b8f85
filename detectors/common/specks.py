"""Single pixels in another colour all over a picture: what they cover is told by those around."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_RING = np.array([[int(max(abs(down), abs(right)) == 2) for right in range(-2, 3)] for down in range(-2, 3)], np.uint8)

_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))  # not a threshold: in order


@dataclass(frozen=True)
class SpecksConfig:
    """What counts as specks all over a picture.

    Attributes
    ----------
    beyond : a speck is by more than so many levels, 0 to 255, beyond all pixels that lie two pixels around it, and by
        more than those differ: around a pixel of a thin line lie some of it and some beside it
    faint : where there are specks, what is off the middle of those around it by more than so many levels hangs together
    touching : at most so many that touch are specks, and no mark
    binned : colours are told apart in steps of this many levels, 0 to 255...
    own : ...and one that this share of the specks has is a colour of specks: wherever as few touch in it, they are some
    blocks : the picture is parted into so many blocks either way...
    spread : ...of which more than this share has specks
    most : and they are at most this share of all pixels
    band_px, bands : first one of so many bands of so many rows of pixels is looked at
    """

    beyond: int = 48
    faint: int = 16
    touching: int = 3
    binned: int = 32
    own: float = 0.1
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
    # Beside an edge what lies around differs by more than a speck does, but specks are of few colours.
    beside = _small(_in_colors_of(picture, picture[specks], config) & (cleaned == picture).all(axis=2), config)
    beside[_through(picture, np.asarray(cv2.absdiff(picture, middle), np.uint8), beside)] = False
    cleaned[beside] = middle[beside]
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


def _in_colors_of(picture: NDArray[np.uint8], specks: NDArray[np.uint8], config: SpecksConfig) -> NDArray[np.bool_]:
    """(h, w) bool, pixels of a picture in the colours that many specks (n, 3) have."""
    count = 255 // config.binned + 1  # not a threshold: the range of a channel

    def codes(colors: NDArray[np.uint8]) -> NDArray[np.int32]:
        steps = (colors // np.uint8(config.binned)).astype(np.int32)
        return np.asarray((steps[..., 0] * count + steps[..., 1]) * count + steps[..., 2], np.int32)

    own = np.bincount(codes(specks), minlength=count**3) >= config.own * len(specks)
    return np.asarray(own[codes(picture)], np.bool_)


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
    found = np.zeros(off.shape, np.bool_)
    found[np.nonzero(off)] = _alike_beside(picture, beyond, off).sum(axis=0) >= config.touching
    return found


def _through(picture: NDArray[np.uint8], beyond: NDArray[np.uint8], off: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(h, w) bool, pixels with their like on two sides of them, apart from each other: a thin line leads through."""
    found = np.zeros(off.shape, np.bool_)
    alike = _alike_beside(picture, beyond, off)
    # Going round a pixel, its like begin twice.
    found[np.nonzero(off)] = (alike & ~np.roll(alike, 1, axis=0)).sum(axis=0) > 1
    return found


def _alike_beside(picture: NDArray[np.uint8], beyond: NDArray[np.uint8], off: NDArray[np.generic]) -> NDArray[np.bool_]:
    """(8, n) bool, which pixels around some are nearer to their colour than to that around, as they follow each other.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
    beyond : ndarray of shape (h, w, 3), uint8
        How far a pixel is from what lies around it.
    off : ndarray of shape (h, w)
        The pixels: n are not 0.
    """
    rows, columns = np.nonzero(off)
    own = picture[rows, columns].astype(np.int16)
    half = beyond[rows, columns].max(axis=1).astype(np.int16) // 2  # not a threshold: halfway
    alike = np.zeros((len(_AROUND), rows.size), np.bool_)
    for place, (down, right) in enumerate(_AROUND):
        row, column = (
            np.clip(at + by, 0, size - 1)
            for at, by, size in zip((rows, columns), (down, right), picture.shape[:2], strict=True)
        )
        alike[place] = np.abs(picture[row, column].astype(np.int16) - own).max(axis=1) < half
    return alike
