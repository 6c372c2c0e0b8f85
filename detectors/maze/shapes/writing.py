"""Writing, told by its strokes: along a word what is drawn comes and goes, and along a bar it goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class WritingConfig:
    """What is told to be writing.

    Attributes
    ----------
    least, noisy : what shows at this contrast, and at so many times the noise of the floor, hangs together in it
    strokes : along it there are at least so many strokes...
    dip : ...between which this share of what the weaker one shows is left at most
    """

    least: float = 0.08
    noisy: float = 2.0
    strokes: int = 4
    dip: float = 0.75


def is_written(contrast: NDArray[np.float32], part: NDArray[np.bool_], config: WritingConfig) -> bool:
    """Whether something is a word or a number of several strokes.

    Parameters
    ----------
    contrast : ndarray of shape (h, w), float32
        How plain what is left is.
    part : ndarray of shape (h, w), bool
        Where it lies.
    config : WritingConfig
    """
    rows, columns = np.nonzero(part)
    if not rows.size:
        return False
    box = np.where(part, contrast, np.float32(0.0))[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    along = box if box.shape[1] >= box.shape[0] else box.T
    return _strokes(along.mean(axis=0), config.dip) >= config.strokes


def _strokes(profile: NDArray[np.floating], dip: float) -> int:
    """How often a profile rises from below a share of the peak before it to as much above."""
    count, peak, valley, rising = 0, 0.0, 0.0, True
    for value in profile.tolist():
        if rising:
            peak = max(peak, value)
            if value < dip * peak:
                count, valley, rising = count + 1, value, False
        else:
            valley = min(valley, value)
            if dip * value > valley:
                peak, rising = value, True
    return count + (rising and peak > 0.0)
