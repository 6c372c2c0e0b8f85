"""A list of moves in a lot as motion: where every vehicle is at any time, and the frames of a clip of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from puzzles.common.easing import Easing, Pace, frame_times
from puzzles.common.raster import Picture
from puzzles.rush_hour.canvas import LotCanvas
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.render import picture_size, sprites_of
from puzzles.rush_hour.rules import Move, simulate
from puzzles.rush_hour.style import LotStyle


@dataclass(frozen=True)
class Slide:
    """A vehicle goes from a pose to another one.

    Attributes
    ----------
    vehicle
        Its place in the lot's vehicles.
    start_s, end_s
        When, in seconds; the same time twice is a jump.
    start, end
        From where to where.
    easing
        How.

    Raises
    ------
    ValueError
        If the times are not finite or it ends before it starts.
    """

    vehicle: int
    start_s: float
    end_s: float
    start: Pose
    end: Pose
    easing: Easing = Easing.SMOOTH

    def __post_init__(self) -> None:
        if not (math.isfinite(self.start_s) and math.isfinite(self.end_s) and self.start_s <= self.end_s):
            raise ValueError(f"a slide must not end before it starts; it goes from {self.start_s} to {self.end_s} s")

    def at(self, time_s: float) -> Pose:
        """Return the pose at a time from the start on; after the end it is the last one."""
        if time_s >= self.end_s:
            return self.end
        share = self.easing.at((time_s - self.start_s) / (self.end_s - self.start_s))
        a, b = self.start, self.end
        return Pose(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.theta + (b.theta - a.theta) * share)


@dataclass(frozen=True)
class Timeline:
    """Where vehicles are in the course of a clip.

    Attributes
    ----------
    start
        Their poses at first, in the lot's order.
    slides
        By start; of one vehicle the latest that has begun holds.
    duration_s
        How long it takes.

    Raises
    ------
    ValueError
        If slides are not by start, name no vehicle, or go on after the end.
    """

    start: tuple[Pose, ...]
    slides: tuple[Slide, ...]
    duration_s: float

    def __post_init__(self) -> None:
        starts = [slide.start_s for slide in self.slides]
        if starts != sorted(starts):
            raise ValueError("the slides must be in the order in which they start")
        for slide in self.slides:
            if not 0 <= slide.vehicle < len(self.start):
                raise ValueError(f"a slide names vehicle {slide.vehicle}; there are {len(self.start)}, from 0")
            if slide.end_s > self.duration_s:
                raise ValueError(f"a slide ends at {slide.end_s} s, after the clip, which takes {self.duration_s} s")

    def poses(self, time_s: float) -> tuple[Pose, ...]:
        """Return all poses at a time in seconds; before the first slide they are the first ones."""
        poses = list(self.start)
        for slide in self.slides:
            if slide.start_s <= time_s:
                poses[slide.vehicle] = slide.at(time_s)
        return tuple(poses)


def plan_motion(lot: Lot, moves: Sequence[Move], pace: Pace | None = None) -> Timeline:
    """Return a list of moves as motion, one after another, each from where `simulate` says to where it says.

    Parameters
    ----------
    lot
        The lot.
    moves
        What is shown. A move of length 0 takes no time, but has its pause.
    pace
        How fast; ``None`` for the usual one.

    Raises
    ------
    ValueError
        If a move cannot be made.
    """
    pace = pace or Pace()
    run = simulate(lot, moves)
    if run.failure is not None:
        raise ValueError(run.failure.message)
    places = {vehicle.label: place for place, vehicle in enumerate(lot.vehicles)}
    slides: list[Slide] = []
    time = pace.before_s
    for number, step in enumerate(run.steps):
        place = places[step.move.label]
        begin, end = run.poses[number][place], run.poses[number + 1][place]
        until = time + pace.time_of(step.distance)
        slides.append(Slide(place, time, until, begin, end, pace.easing))
        time = until + pace.pause_s
    last = slides[-1].end_s if slides else pace.before_s
    return Timeline(run.poses[0], tuple(slides), last + pace.after_s)


def clip_frames(
    lot: Lot,
    timeline: Timeline,
    style: LotStyle | None = None,
    size: tuple[int, int] | None = None,
    fps: float = 24.0,
) -> Iterator[Picture]:
    """Yield the frames of a clip, (H, W, 3) uint8 RGB, the first one at time 0; the same arguments give the same bytes.

    Parameters
    ----------
    lot
        The lot.
    timeline
        Where its vehicles are.
    style, size
        As of `puzzles.rush_hour.render.render_lot`.
    fps
        Frames a second, positive.

    Raises
    ------
    ValueError
        If the timeline is of another number of vehicles, or a number is out of range.
    """
    style = style or LotStyle()
    canvas = LotCanvas(lot, style, size or picture_size(lot, style))
    for time in frame_times(timeline.duration_s, fps):
        yield canvas.draw(sprites_of(lot, timeline.poses(time), style))
