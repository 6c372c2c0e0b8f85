"""How many frames show something for a given time."""

from __future__ import annotations

import math

_ROUNDING = 1e-6  # not a threshold: of a frame; times of frames are rounded


def frames_lasting(duration_s: float, rate: float) -> int:
    """Returns the least number of frames, at a rate in frames a second, that show something for so long.

    Three frames of 30 a second last 0.1 s, though 0.1 times a rate that is told from rounded times may be more than 3.
    """
    return math.ceil(duration_s * rate - _ROUNDING)
