"""How things of a clip move in time: easing between two places, and the pace of a list of moves."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass


class Easing(enum.Enum):
    """The share of a way that is done after a share of its time.

    LINEAR keeps its speed; SMOOTH speeds up and slows down (3 s^2 - 2 s^3); SLOWING starts fast (1 - (1 - s)^2).
    """

    LINEAR = "linear"
    SMOOTH = "smooth"
    SLOWING = "slowing"

    def at(self, share: float) -> float:
        """Return the share of the way, 0 to 1, after a share of the time; what is below 0 or above 1 counts as that."""
        s = min(1.0, max(0.0, share))
        if self is Easing.LINEAR:
            return s
        if self is Easing.SMOOTH:
            return s * s * (3 - 2 * s)
        return 1 - (1 - s) * (1 - s)


@dataclass(frozen=True)
class Pace:
    """How fast a list of moves is shown.

    Attributes
    ----------
    speed
        Length of a way over its time, in units of the puzzle a second; positive.
    least_s
        The least time of a move that goes anywhere, in seconds; positive, so that nothing jumps.
    before_s, pause_s, after_s
        Rest before the first move, between two, and after the last, in seconds; not negative.
    easing
        Within a move.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    speed: float = 6.0
    least_s: float = 0.35
    before_s: float = 0.5
    pause_s: float = 0.25
    after_s: float = 0.6
    easing: Easing = Easing.SMOOTH

    def __post_init__(self) -> None:
        for name in ("speed", "least_s"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be positive, not {value}")
        for name in ("before_s", "pause_s", "after_s"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{name} must not be negative, not {value}")

    def time_of(self, length: float) -> float:
        """Return how long a way takes, in seconds; 0 for a way of length 0."""
        return max(self.least_s, length / self.speed) if length > 0 else 0.0


def frame_times(duration_s: float, fps: float) -> list[float]:
    """Return the times of a clip's frames, in seconds: from 0, the last one at or just after the end.

    Raises
    ------
    ValueError
        If the frame rate is not positive or the duration negative.
    """
    if not (math.isfinite(fps) and fps > 0):
        raise ValueError(f"the frame rate must be positive, not {fps}")
    if not (math.isfinite(duration_s) and duration_s >= 0):
        raise ValueError(f"the duration must not be negative, not {duration_s}")
    # The rounding keeps a duration of a whole number of frames from getting one more by a float's last digit.
    return [number / fps for number in range(math.ceil(round(duration_s * fps, 6)) + 1)]
