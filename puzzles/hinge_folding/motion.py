"""Turns of hinges as motion: the angles at any time, and the frames of a clip of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from puzzles.common.easing import Easing, Pace, frame_times
from puzzles.common.raster import Picture
from puzzles.hinge_folding.chain import HingeShape
from puzzles.hinge_folding.render import render_chain
from puzzles.hinge_folding.style import HingeStyle

HINGE_PACE = Pace(speed=3.0, least_s=0.4)
"""The usual pace; a way is in radians."""


@dataclass(frozen=True)
class Swing:
    """A hinge, from 0, turns from one angle to another, in radians, between two times in seconds."""

    hinge: int
    start_s: float
    end_s: float
    start: float
    end: float
    easing: Easing = Easing.SMOOTH

    def at(self, time_s: float) -> float:
        """The angle at a time from the start on."""
        if time_s >= self.end_s:
            return self.end
        return self.start + (self.end - self.start) * self.easing.at(
            (time_s - self.start_s) / (self.end_s - self.start_s)
        )


@dataclass(frozen=True)
class HingeTimeline:
    """The angles of hinges in the course of a clip: at first all are 0; of one hinge the latest swing holds."""

    hinges: int
    swings: tuple[Swing, ...]
    duration_s: float

    def angles(self, time_s: float) -> tuple[float, ...]:
        """The angle of each hinge at a time in seconds."""
        angles = [0.0] * self.hinges
        for swing in self.swings:
            if swing.start_s <= time_s:
                angles[swing.hinge] = swing.at(time_s)
        return tuple(angles)


def plan_swings(hinges: int, turns: Sequence[tuple[int, float]], pace: Pace = HINGE_PACE) -> HingeTimeline:
    """Turns, each a hinge from 0 and an angle in radians, as motion, one after another."""
    angles = [0.0] * hinges
    swings: list[Swing] = []
    time = pace.before_s
    for hinge, angle in turns:
        until = time + pace.time_of(abs(angle))
        swings.append(Swing(hinge, time, until, angles[hinge], angles[hinge] + angle, pace.easing))
        angles[hinge] += angle
        time = until + pace.pause_s
    last = swings[-1].end_s if swings else pace.before_s
    return HingeTimeline(hinges, tuple(swings), last + pace.after_s)


def clip_frames(
    shapes: Sequence[HingeShape],
    timeline: HingeTimeline,
    colors: Sequence[str],
    style: HingeStyle,
    size: tuple[int, int],
    fps: float = 24.0,
) -> Iterator[Picture]:
    """Yields the frames of a clip, (H, W, 3) uint8 RGB, the first at time 0; the same arguments give the same bytes.

    Parameters are as of `puzzles.hinge_folding.render.render_chain`.
    """
    for time in frame_times(timeline.duration_s, fps):
        yield render_chain(shapes, timeline.angles(time), colors, style, size)
