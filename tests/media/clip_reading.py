"""Reading clips in tests: frames with their summary, or why a clip was refused."""

from __future__ import annotations

import numpy as np
import pytest

from grader.media.clips.video import ClipSummary, open_video
from grader.media.frames import Frame
from grader.media.pictures import MediaError, MediaLimits, MediaReason


def read(data: bytes, limits: MediaLimits | None = None) -> tuple[list[Frame], ClipSummary]:
    with open_video(data, limits or MediaLimits()) as clip:
        return list(clip.frames()), clip.summary()


def refusal(data: bytes, limits: MediaLimits | None = None) -> tuple[MediaReason, str]:
    with pytest.raises(MediaError) as caught:
        read(data, limits)
    return caught.value.reason, str(caught.value)


def codes(summary: ClipSummary) -> list[str]:
    return [note.code for note in summary.notes]


def worst(got: np.ndarray, wanted: np.ndarray) -> int:
    return int(np.abs(got.astype(int) - wanted).max())


def times(frames: list[Frame]) -> list[float]:
    return [frame.time_s for frame in frames]
