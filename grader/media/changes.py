"""Where one picture differs from another of its size, as boxes, so that only these are looked at again."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[slice, slice]
"""Rows and columns of a part of a picture."""

_TILE_PX = 32
"""Differences are gathered by tiles of so many pixels a side."""

_BOX_COSTS_PX = 16_000
"""To begin with a box takes about the time in which so many pixels are read."""

_NEARLY_WHOLE = 0.7
"""A box that holds more than this share of a picture is made the whole of it, which is drawn in a faster way."""


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
    tiles = np.maximum.reduceat(strips, np.arange(0, width * channels, _TILE_PX * channels), axis=1)
    if not tiles.any():
        return ()
    in_rows = np.flatnonzero(tiles.max(axis=1)).tolist()
    in_columns = np.flatnonzero(tiles.max(axis=0)).tolist()
    around = (_pixels(in_rows[0], in_rows[-1] + 1, height), _pixels(in_columns[0], in_columns[-1] + 1, width))
    if area((around,)) <= _BOX_COSTS_PX:
        return (around,)
    bands = []
    for first, last in _runs(in_rows):
        columns = np.flatnonzero(tiles[first:last].max(axis=0)).tolist()
        bands.append((_pixels(first, last, height), _pixels(columns[0], columns[-1] + 1, width)))
    several = tuple(bands)
    if area(several) + _BOX_COSTS_PX * (len(several) - 1) < area((around,)):
        return several
    # A picture that changed nearly everywhere is best taken whole.
    return (around,) if area((around,)) < _NEARLY_WHOLE * height * width else everywhere(after.shape)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Ascending numbers in runs without a gap: the first of each, and one more than its last."""
    starts = [one for before, one in zip([-2, *numbers], numbers, strict=False) if one > before + 1]
    stops = [one + 1 for one, after in zip(numbers, [*numbers[1:], numbers[-1] + 2], strict=True) if after > one + 1]
    return list(zip(starts, stops, strict=True))


def _pixels(first: int, last: int, most: int) -> slice:
    return slice(first * _TILE_PX, min(most, last * _TILE_PX))


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
