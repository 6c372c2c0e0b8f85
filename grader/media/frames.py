"""One frame of a clip, as those who read clips get it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
