"""What a video does to a scene: shutter, frame rates, blended, doubled and dropped frames, and what hides a moment."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np

from benchmarks.accuracy.seeds import dice_of
from benchmarks.rollouts.looks import Disturbance, disturbed_frame
from puzzles.common.easing import frame_times
from puzzles.common.raster import Color, Picture

_SUBFRAMES = 8  # that a shutter sees
_BLUR_SHARE = 0.035  # of the shorter side: the standard deviation of a frame that hides what it shows


@dataclass(frozen=True)
class Video:
    """How a scene is filmed.

    Attributes
    ----------
    fps : frames a second
    crf : of H.264
    shutter : share of a frame's time for which the shutter is open; 0 for a moment
    source_fps : frames a second that were drawn, where they are fewer; 0 for as many
    blends : whether frames between two drawn ones are mixtures of both; else the one before is shown again
    drops : share of the frames in whose place the one before is shown
    disturbance : what disturbs the whole picture
    """

    fps: int = 24
    crf: int = 22
    shutter: float = 0.0
    source_fps: int = 0
    blends: bool = False
    drops: float = 0.0
    disturbance: Disturbance = field(default_factory=Disturbance)


VIDEOS: Mapping[str, Video] = MappingProxyType(
    {
        "plain": Video(),
        "shutter": Video(shutter=1.0),
        "half-shutter": Video(shutter=0.5, crf=26),
        "blend12": Video(source_fps=12, blends=True),
        "blend16": Video(source_fps=16, blends=True),
        "double12": Video(source_fps=12),
        "double15": Video(fps=30, source_fps=15),
        "drops": Video(drops=0.12),
        "exposure": Video(disturbance=Disturbance(tint=0.12)),
        "camera": Video(disturbance=Disturbance(zoom=0.02, shift=0.012)),
        "noise": Video(disturbance=Disturbance(noise=6.0)),
        "soft": Video(disturbance=Disturbance(blur_px=2.0)),
        "coarse": Video(crf=34),
        "jpeg": Video(disturbance=Disturbance(jpeg=35)),
        "fps10": Video(fps=10),
        "fps16": Video(fps=16),
        "fps30": Video(fps=30),
        "fps50": Video(fps=50),
        "shaken": Video(shutter=0.7, crf=28, disturbance=Disturbance(zoom=0.015, shift=0.01, tint=0.05)),
        "old": Video(source_fps=12, crf=30, disturbance=Disturbance(noise=4.0, tint=0.05)),
        "mixed": Video(source_fps=12, blends=True, crf=28, disturbance=Disturbance(noise=3.0, tint=0.04)),
    }
)


class Hide(enum.Enum):
    """What a moment is hidden by; the last three are done to the vehicle or tile, the others to the frame."""

    NOTHING = "nothing"
    BLUR = "blur"
    BLACK = "black"
    FLASH = "flash"
    FREEZE = "freeze"
    COVER = "cover"
    GONE = "gone"
    FAINT = "faint"
    THIN = "thin"


@dataclass(frozen=True)
class Moment:
    """A time that is hidden: how, from when until when in seconds, and where, as (x, y) shares of the frame."""

    hide: Hide
    start_s: float
    end_s: float
    at: tuple[float, float] = (0.5, 0.5)

    def holds(self, time_s: float) -> bool:
        """Whether a time lies in it."""
        return self.start_s <= time_s < self.end_s


def film(
    picture: Callable[[float], Picture], duration_s: float, video: Video, moments: tuple[Moment, ...], name: str,
    margin: Color,
) -> Iterator[Picture]:  # fmt: skip
    """Yields the frames of a scene.

    Parameters
    ----------
    picture : callable
        The scene at a time in seconds, (H, W, 3) uint8 RGB.
    duration_s : float
    video : Video
    moments : tuple of Moment
        What is hidden.
    name : str
        On which all that is random depends.
    margin : Color
        What lies outside of the frame.
    """
    dice = dice_of(f"{name}/drops")
    seed = int(dice_of(f"{name}/seed").integers(2**31))

    def scene(time: float) -> Picture:
        return _hidden(picture, min(time, duration_s), moments)

    before: Picture | None = None
    for time in frame_times(duration_s, video.fps):
        dropped = bool(dice.random() < video.drops)
        if before is None or not dropped:
            before = _exposed(scene, time, video)
        yield disturbed_frame(before, time, video.disturbance, seed, margin)


def _exposed(scene: Callable[[float], Picture], time: float, video: Video) -> Picture:
    """A frame: one moment, the mean of several, or a mixture of the drawn frames around it."""
    if video.source_fps:
        number = time * video.source_fps
        first = math.floor(number + 1e-6)
        share = number - first if video.blends else 0.0
        one = scene(first / video.source_fps)
        if share < 1e-3:
            return one
        return _mean([one, scene((first + 1) / video.source_fps)], [1 - share, share])
    if not video.shutter:
        return scene(time)
    times = time + (np.arange(_SUBFRAMES) + 0.5) / _SUBFRAMES * video.shutter / video.fps
    return _mean([scene(float(one)) for one in times], [1 / _SUBFRAMES] * _SUBFRAMES)


def _mean(pictures: list[Picture], weights: list[float]) -> Picture:
    total = np.zeros(pictures[0].shape, np.float32)
    for one, weight in zip(pictures, weights, strict=True):
        total += one * np.float32(weight)
    return np.rint(total).astype(np.uint8)


def _hidden(picture: Callable[[float], Picture], time: float, moments: tuple[Moment, ...]) -> Picture:
    """The scene at a time, or what hides it."""
    now = next((one for one in moments if one.holds(time)), None)
    if now is None:
        return picture(time)
    if now.hide is Hide.FREEZE:
        return picture(now.start_s)
    shown = picture(time)
    height, width = shown.shape[:2]
    if now.hide is Hide.BLACK:
        return np.zeros_like(shown)
    if now.hide is Hide.FLASH:
        return np.full_like(shown, 255)
    if now.hide is Hide.BLUR:
        return np.asarray(cv2.GaussianBlur(shown, (0, 0), _BLUR_SHARE * min(height, width)), np.uint8)
    if now.hide is Hide.COVER:
        shown = shown.copy()
        middle = (round(now.at[0] * width), round(now.at[1] * height))
        cv2.circle(shown, middle, round(0.24 * min(height, width)), (120, 130, 140), -1)
    return shown
