"""Sums a residual over windows of several sizes, as the eye does: a wide faint stroke shows like a thin strong one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from detectors.common.residual.mixing import lengths


@dataclass(frozen=True)
class WindowConfig:
    """A window in which a residual is averaged.

    Attributes
    ----------
    side : its side, as a share of a cell...
    least_px : ...but at least so many working pixels
    filled : least share of it that has to be in sight
    visible : contrast, averaged over it, from which something is plain to see
    times : ...if it is also so many times what the middle one of all cells has: noise is everywhere
    alone : what lies in one cell alone has to be so many times as plain as what leads from one to another
    """

    side: float
    least_px: int
    filled: float
    visible: float
    times: float
    alone: float


@dataclass(frozen=True)
class WindowsConfig:
    """Windows of all sizes.

    Attributes
    ----------
    dot, spot, blot, patch : square ones
    line : a row of pixels, along the rows, the columns and both diagonals
    surround : side of the window, as a share of a cell, whose average is taken off first
    """

    dot: WindowConfig = WindowConfig(0.0, 3, 0.5, 0.055, 3.5, 5.2)
    spot: WindowConfig = WindowConfig(0.15, 7, 0.5, 0.027, 2.6, 1.9)
    blot: WindowConfig = WindowConfig(0.3, 9, 0.4, 0.019, 2.4, 1.7)
    patch: WindowConfig = WindowConfig(0.6, 17, 0.35, 0.0105, 3.0, 1.6)
    line: WindowConfig = WindowConfig(0.25, 7, 0.7, 0.06, 3.5, 3.4)
    surround: float = 1.4


def averages(
    values: NDArray[np.float32], usable: NDArray[np.bool_], cell_px: float, config: WindowsConfig
) -> Iterator[tuple[WindowConfig, NDArray[np.float32]]]:
    """Contrast of the average of each window, by its middle.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        A residual; 0 where it is not usable.
    usable : ndarray of shape (h, w), bool
    cell_px : float
        Length of a cell in pixels.
    config : WindowsConfig

    Yields
    ------
    window : WindowConfig
    contrast : ndarray of shape (h, w), float32
        0 where too little of the window is in sight.
    """
    weight = usable.astype(np.float32)
    side = round(config.surround * cell_px) | 1
    around = _sum(values, side, side) / np.maximum(_sum(weight, side, side), 1.0)[..., None]
    left = np.asarray((values - around) * weight[..., None], np.float32)
    for window in (config.dot, config.spot, config.blot, config.patch):
        side = max(window.least_px, round(window.side * cell_px)) | 1
        yield window, _average(left, weight, side, side, window.filled)
    window = config.line
    side = max(window.least_px, round(window.side * cell_px)) | 1
    for wide, high in ((side, 1), (1, side)):
        yield window, _average(left, weight, wide, high, window.filled)
    for down in (False, True):
        yield window, _diagonal(left, weight, side, down, window.filled)


def _sum(picture: NDArray[np.float32], wide: int, high: int) -> NDArray[np.float32]:
    return np.asarray(
        cv2.boxFilter(picture, -1, (wide, high), normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32
    )


def _average(
    values: NDArray[np.float32], weight: NDArray[np.float32], wide: int, high: int, filled: float
) -> NDArray[np.float32]:
    count = _sum(weight, wide, high)
    enough = count >= filled * wide * high
    return np.where(enough, lengths(_sum(values, wide, high)) / np.maximum(count, 1.0), np.float32(0.0))


def _diagonal(
    values: NDArray[np.float32], weight: NDArray[np.float32], side: int, down: bool, filled: float
) -> NDArray[np.float32]:
    """Averages along diagonals: each row is moved on by a pixel, which makes columns of them."""
    # A step along a diagonal is longer than one along a row.
    side = max(3, round(side / 2**0.5)) | 1
    height, width = weight.shape
    slanted = np.zeros((height, width + height, values.shape[2] + 1), np.float32)
    within = _on_slant(slanted, width, down)
    within[..., :-1] = values
    within[..., -1] = weight
    straight = _on_slant(_sum(slanted, 1, side), width, down)
    count = straight[..., -1]
    return np.where(
        count >= filled * side,
        lengths(np.ascontiguousarray(straight[..., :-1])) / np.maximum(count, 1.0),
        np.float32(0.0),
    )


def _on_slant(slanted: NDArray[np.float32], width: int, down: bool) -> NDArray[np.float32]:
    """What lies in a slanted picture as (h, width, n), to be read or written: each row begins a pixel further on."""
    height, _, numbers = slanted.shape
    row, pixel, number = slanted.strides
    first = slanted if down else slanted[:, height:]
    return as_strided(first, (height, width, numbers), (row + pixel if down else row - pixel, pixel, number))
