"""How many frames show something for a given time."""

from __future__ import annotations

import pytest

from grader.media.frames import frames_lasting


@pytest.mark.parametrize(
    ("duration_s", "rate", "frames"), [(0.1, 24.0, 3), (0.1, 30.0, 3), (0.1, 31.0, 4), (0.0, 24.0, 0)]
)
def test_a_time_in_frames(duration_s: float, rate: float, frames: int) -> None:
    """0.1 s are 2.4, 3, 3.1 and 0 frames."""
    assert frames_lasting(duration_s, rate) == frames


def test_a_rate_that_is_told_from_rounded_times() -> None:
    """Two frames in 1.833333 - 1.766667 s are 29.9997 a second, and 0.1 times 30.0000001 is hardly more than 3."""
    assert frames_lasting(0.1, 30.0000001) == 3
