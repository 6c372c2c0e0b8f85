"""Single pixels in another colour all over a picture: what they cover is told by those around."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SpecksConfig:
    """What counts as specks all over a picture.

    Attributes
    ----------
    apart : a speck differs from the middle one of its neighbours by more than so many levels, 0 to 255...
    alone : ...and from each of them by more than so many
    blocks : the picture is parted into so many blocks either way...
    spread : ...of which more than this share has specks
    most : and they are at most this share of all pixels
    touching : then so many that touch are specks, too
    band_px, bands : first one of so many bands of so many rows of pixels is looked at
    """

    apart: int = 60
    alone: int = 36
    blocks: int = 6
    spread: float = 0.5
    most: float = 0.02
    touching: int = 3
    band_px: int = 16
    bands: int = 4


def without_specks(picture: NDArray[np.uint8], config: SpecksConfig) -> NDArray[np.uint8]:
    """A picture in which single pixels that lie all over it are as their neighbours; itself where there are no such.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    config : SpecksConfig
    """
    height, width = picture.shape[:2]
    # Most pictures have none, which bands of rows tell.
    tops = range(0, height, config.bands * config.band_px)
    if not any(_single(picture[top : top + config.band_px], config)[0].size for top in tops):
        return picture
    at, _ = _single(picture, config)
    rows, columns = np.divmod(at, width)
    block = (rows * config.blocks // height) * config.blocks + columns * config.blocks // width
    if at.size > config.most * height * width or np.unique(block).size <= config.spread * config.blocks**2:
        return picture
    return _cleaned(picture, config)


def _cleaned(picture: NDArray[np.uint8], config: SpecksConfig) -> NDArray[np.uint8]:
    """A picture without its specks, of which here and there two or three happen to touch."""
    smooth = np.asarray(cv2.medianBlur(picture, 5), np.uint8)  # not a threshold: twice as far as specks reach
    off = (cv2.absdiff(picture, smooth).max(axis=2) > config.apart).view(np.uint8)
    # not a threshold: a pixel's neighbours
    count, parts, stats, _ = cv2.connectedComponentsWithStats(off, connectivity=8)
    # What goes on beside it in its own colour is the end of something, and no speck.
    own = picture.astype(np.int16)
    goes_on = np.zeros(count, np.bool_)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = (slice(0, off.shape[0] - down), slice(max(0, -right), off.shape[1] - max(0, right)))
        other = (slice(down, None), slice(max(0, right), off.shape[1] - max(0, -right)))
        alike = (parts[one] != parts[other]) & (np.abs(own[one] - own[other]).max(axis=2) <= config.alone)
        goes_on[parts[one][alike]] = True
        goes_on[parts[other][alike]] = True
    specks = (stats[:, cv2.CC_STAT_AREA] <= config.touching) & ~goes_on
    specks[0] = False
    cleaned = picture.copy()
    cleaned[specks[parts]] = smooth[specks[parts]]
    return cleaned


def _single(picture: NDArray[np.uint8], config: SpecksConfig) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Flat positions of single pixels, and what pixels are by the middle one of those around."""
    width = picture.shape[1]
    smooth = np.asarray(cv2.medianBlur(picture, 3), np.uint8)  # not a threshold: a pixel's neighbours
    channels = np.flatnonzero(cv2.absdiff(picture, smooth) > config.apart)
    at = np.unique(channels // 3)  # not a threshold: channels of a pixel
    rows, columns = np.divmod(at, width)
    # not a threshold: those at the edge have not all neighbours
    at = at[(rows > 0) & (rows < len(picture) - 1) & (columns > 0) & (columns < width - 1)]
    flat = picture.reshape(-1, 3)
    own = flat[at].astype(np.int16)
    for down, right in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
        alone = np.abs(flat[at + down * width + right].astype(np.int16) - own).max(axis=1) > config.alone
        at, own = at[alone], own[alone]
    return at, smooth
