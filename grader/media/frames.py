"""One frame of a clip, as those who read clips get it, and how many of them show something for a time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ROUNDING = 1e-6  # not a threshold: of a frame; times of frames are rounded


@dataclass(frozen=True, eq=False)
class Frame:
    """A decoded frame.

    Attributes
    ----------
    index : its place among the frames that decode, from 0
    time_s : when it is shown, in seconds after the first frame; never before an earlier frame's
    pixels : (H, W, 3) uint8, RGB in sRGB values, upright, C-contiguous
    """

    index: int
    time_s: float
    pixels: NDArray[np.uint8]


def frames_lasting(duration_s: float, rate: float) -> int:
    """Returns the least number of frames, at a rate in frames a second, that show something for so long.

    Three frames of 30 a second last 0.1 s, though 0.1 times a rate that is told from rounded times may be more than 3.
    """
    return math.ceil(duration_s * rate - _ROUNDING)
