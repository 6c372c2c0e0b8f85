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
    runs = ((rows, *_run(tiles[rows].any(axis=0))) for rows in _runs(tiles.any(axis=1)))
    bands = tuple((_pixels(rows, height), _pixels(slice(first, last), width)) for rows, first, last in runs)
    count, _, stats, _ = cv2.connectedComponentsWithStats(tiles.astype(np.uint8), connectivity=8)
    parts = tuple(
        (_pixels(slice(top, top + rows), height), _pixels(slice(left, left + columns), width))
        for left, top, columns, rows, _ in stats[1:count].tolist()
    )
    return min((everywhere(after.shape), bands, parts), key=lambda boxes: area(boxes) + _BOX_COSTS_PX * len(boxes))


def _runs(chosen: NDArray[np.bool_]) -> list[slice]:
    """Where some entries stand in a row."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8))).tolist()
    return [slice(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def _run(chosen: NDArray[np.bool_]) -> tuple[int, int]:
    """From the first chosen entry to the last, exclusive; at least one is chosen."""
    return int(chosen.argmax()), len(chosen) - int(chosen[::-1].argmax())


def _pixels(tiles: slice, most: int) -> slice:
    return slice(tiles.start * _TILE_PX, min(most, tiles.stop * _TILE_PX))


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
