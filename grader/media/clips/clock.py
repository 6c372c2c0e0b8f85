"""Times of frames from the stamps of a file, which may be missing, doubled or out of order."""

from __future__ import annotations

from fractions import Fraction


class Clock:
    """Turns stamps into seconds from the first frame, ever increasing.

    Parameters
    ----------
    unit : Fraction
        Seconds of one unit of a stamp.
    step_s : float
        Seconds from a frame to the next where stamps do not tell.

    Attributes
    ----------
    repaired : frames that got their time by ``step_s``
    """

    def __init__(self, unit: Fraction, step_s: float) -> None:
        self.step_s = step_s
        self.repaired = 0
        self._unit = unit
        self._first: int | None = None
        self._last_s: float | None = None

    def time_s(self, stamp: int | None) -> float:
        """Time of the next frame. A stamp that is missing or not after the last one makes it ``step_s`` later."""
        if self._first is None and stamp is not None:
            # Where stamps begin late, the frames before have taken up the time that was given to them.
            elapsed = 0 if self._last_s is None else round((self._last_s + self.step_s) / self._unit)
            self._first = stamp - elapsed
        if self._last_s is None:
            self.repaired += stamp is None
            self._last_s = 0.0
            return 0.0
        time = None
        if stamp is not None and self._first is not None:
            # Integers divide without loss up to the last rounding.
            time = (stamp - self._first) * self._unit.numerator / self._unit.denominator
        if time is None or time <= self._last_s:
            self.repaired += 1
            time = self._last_s + self.step_s
        self._last_s = time
        return time
