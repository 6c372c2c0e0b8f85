"""Where one picture differs from another of its size, as boxes, so that only these are looked at again."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[slice, slice]
"""Rows and columns of a part of a picture."""

_TILE_PX = 24
"""Differences are gathered by tiles of about so many pixels a side."""

_MOST_SHARE = 0.5
"""Where the boxes would hold more than this share of the picture, one box around it all costs less."""


def everywhere(shape: tuple[int, ...]) -> tuple[Box, ...]:
    """One box that holds a whole picture of a shape (h, w, ...)."""
    return ((slice(0, shape[0]), slice(0, shape[1])),)


def changed_boxes(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> tuple[Box, ...]:
    """Boxes that hold every pixel in which two pictures differ, be it by one level of one channel.

    Parameters
    ----------
    before, after : ndarray of shape (h, w, 3), uint8

    Returns
    -------
    tuple of Box
        None where the pictures are equal. Boxes may overlap.
    """
    height, width, channels = after.shape
    off = np.asarray(cv2.absdiff(before, after)).reshape(height, width * channels)
    # Rows first, in whole strips: long runs of bytes, which is fast.
    whole = height - height % _TILE_PX
    strips = off[:whole].reshape(-1, _TILE_PX, width * channels).max(axis=1)
    if whole < height:
        strips = np.concatenate([strips, off[whole:].max(axis=0, keepdims=True)])
    tiles = np.maximum.reduceat(strips, np.arange(0, width * channels, _TILE_PX * channels), axis=1) > 0
    if not tiles.any():
        return ()
    count, _, stats, _ = cv2.connectedComponentsWithStats(tiles.astype(np.uint8), connectivity=8)
    boxes = tuple(
        (
            slice(top * _TILE_PX, min(height, (top + rows) * _TILE_PX)),
            slice(left * _TILE_PX, min(width, (left + columns) * _TILE_PX)),
        )
        for left, top, columns, rows, _ in stats[1:count].tolist()
    )
    return boxes if area(boxes) <= _MOST_SHARE * height * width else everywhere(after.shape)


def area(boxes: tuple[Box, ...]) -> int:
    """The pixels in some boxes; what lies in two counts twice."""
    return sum((rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in boxes)


def grown(box: Box, by: int, shape: tuple[int, ...]) -> Box:
    """A box with a margin of so many pixels on each side, within a picture of a shape (h, w, ...)."""
    rows, columns = box
    return (
        slice(max(0, rows.start - by), min(shape[0], rows.stop + by)),
        slice(max(0, columns.start - by), min(shape[1], columns.stop + by)),
    )
