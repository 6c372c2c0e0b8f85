"""The shadow that a line casts to one side: the line itself, moved a little, and soft."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import FEWEST
from detectors.common.residual.mixing import distance_to


@dataclass(frozen=True)
class LineShadowConfig:
    """When what lies beside a line is its shadow.

    Attributes
    ----------
    directions : it may fall to so many...
    lengths : ...so far, in shares of how far companions reach
    samples : as many of the line's pixels are moved
    share : of what a line that is moved would cover, at least this share is seen
    other : ...and at most this one of what it would cover if it were moved the other way
    soft : a shadow's edge is as wide as this share of its length
    """

    directions: int = 16
    lengths: tuple[float, ...] = (0.15, 0.3, 0.45, 0.6, 0.8, 1.0)
    samples: int = 4000
    share: float = 0.6
    other: float = 0.3
    soft: float = 1.0


def cast_shadow(
    strokes: NDArray[np.bool_],
    beside: NDArray[np.bool_],
    shown: NDArray[np.bool_],
    reach_px: float,
    config: LineShadowConfig,
) -> NDArray[np.bool_] | None:
    """(h, w) bool, where the shadow of a line lies; None if it casts none.

    A line with a stretch in the direction of its shadow hides it there. So it is not told by what goes along all of the
    line: the line is moved, and what it uncovers has to be seen, and what is seen beside it to be uncovered.

    Parameters
    ----------
    strokes : ndarray of shape (h, w), bool
        The line.
    beside : ndarray of shape (h, w), bool
        Where what lies beside it can be told.
    shown : ndarray of shape (h, w), bool
        Where something is seen.
    reach_px : float
        How far a shadow falls at most, in pixels.
    config : LineShadowConfig
    """
    row, column = np.nonzero(strokes)
    every = max(1, len(row) // config.samples)
    row, column = row[::every], column[::every]
    told = beside & shown

    def counts(down: int, right: int) -> tuple[int, int]:
        """How many pixels the line uncovers that is moved so far, and at how many of them something is seen."""
        at = _moved((row, column), down, right, strokes.shape)
        return int(np.count_nonzero(beside[at])), int(np.count_nonzero(told[at]))

    best, offset = 0, (0, 0)
    for length in config.lengths:
        for turn in np.arange(config.directions) * (2.0 * math.pi / config.directions):
            down, right = (round(length * reach_px * way(float(turn))) for way in (math.sin, math.cos))
            uncovered, seen = counts(down, right)
            # What is uncovered and not seen speaks against it as much as what is seen speaks for it.
            if seen * every >= FEWEST and seen >= config.share * uncovered and 2 * seen - uncovered > best:
                best, offset = 2 * seen - uncovered, (down, right)
    if not best:
        return None
    uncovered, seen = counts(-offset[0], -offset[1])
    if seen > config.other * uncovered:
        return None  # it lies all around: a rim, or a glow
    moved = np.zeros_like(strokes)
    rows, columns = np.nonzero(strokes)
    moved[_moved((rows, columns), *offset, strokes.shape)] = True
    return np.asarray(distance_to(moved) <= config.soft * math.hypot(*offset), np.bool_)


def _moved(
    at: tuple[NDArray[np.intp], NDArray[np.intp]], down: int, right: int, shape: tuple[int, ...]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns so much farther down and right, as far as they lie in a picture."""
    rows, columns = at[0] + down, at[1] + right
    inside = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
    return rows[inside], columns[inside]
