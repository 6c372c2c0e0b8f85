"""Moves of a sliding puzzle as motion: where every tile is at any time, and the frames of a clip of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from puzzles.common.easing import Easing, Pace, frame_times
from puzzles.common.raster import Picture
from puzzles.sliding.render import BoardCanvas, SlidingStyle, TilePlace, places_of
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import BlankMove, State, simulate, state_size

SLIDING_PACE = Pace(speed=2.2, least_s=0.3)
"""The usual pace; a way is in tiles."""


@dataclass(frozen=True)
class Glide:
    """A tile goes from a place to another one.

    Attributes
    ----------
    tile
        Its number.
    start_s, end_s
        When, in seconds; the same time twice is a jump.
    start, end
        (row, column).
    easing
        How.

    Raises
    ------
    ValueError
        If the times are not finite or it ends before it starts.
    """

    tile: int
    start_s: float
    end_s: float
    start: tuple[float, float]
    end: tuple[float, float]
    easing: Easing = Easing.SMOOTH

    def __post_init__(self) -> None:
        if not (math.isfinite(self.start_s) and math.isfinite(self.end_s) and self.start_s <= self.end_s):
            raise ValueError(f"a glide must not end before it starts; it goes from {self.start_s} to {self.end_s} s")

    def at(self, time_s: float) -> tuple[float, float]:
        """Return the place at a time from the start on; after the end it is the last one."""
        if time_s >= self.end_s:
            return self.end
        share = self.easing.at((time_s - self.start_s) / (self.end_s - self.start_s))
        (row, column), (to_row, to_column) = self.start, self.end
        return row + (to_row - row) * share, column + (to_column - column) * share


@dataclass(frozen=True)
class SlidingTimeline:
    """Where tiles are in the course of a clip.

    Attributes
    ----------
    start
        The state at first.
    glides
        By start; of one tile the latest that has begun holds.
    duration_s
        How long it takes.

    Raises
    ------
    ValueError
        If the start is no state, or glides are not by start, name no tile, or go on after the end.
    """

    start: State
    glides: tuple[Glide, ...]
    duration_s: float

    def __post_init__(self) -> None:
        state_size(self.start)
        starts = [glide.start_s for glide in self.glides]
        if starts != sorted(starts):
            raise ValueError("the glides must be in the order in which they start")
        for glide in self.glides:
            if glide.tile == BLANK or glide.tile not in self.start:
                raise ValueError(f"a glide names tile {glide.tile}, which is not there")
            if glide.end_s > self.duration_s:
                raise ValueError(f"a glide ends at {glide.end_s} s, after the clip, which takes {self.duration_s} s")

    def places(self, time_s: float) -> tuple[TilePlace, ...]:
        """Return the tiles' places at a time in seconds; the one that began to move last is the last, on top."""
        places = {place.tile: place for place in places_of(self.start)}
        for glide in self.glides:
            if glide.start_s <= time_s:
                places.pop(glide.tile)
                places[glide.tile] = TilePlace(glide.tile, *glide.at(time_s))
        return tuple(places.values())


def plan_glides(start: State, moves: Sequence[BlankMove], pace: Pace = SLIDING_PACE) -> SlidingTimeline:
    """Return moves of the blank as motion of the tiles, one after another.

    Raises
    ------
    ValueError
        If the start is no state, or a move takes the blank off the grid.
    """
    run = simulate(start, moves)
    if run.failure is not None:
        raise ValueError(run.failure.message)
    size = state_size(start)
    glides: list[Glide] = []
    time = pace.before_s
    for before, after in zip(run.states, run.states[1:], strict=False):
        to, at = before.index(BLANK), after.index(BLANK)  # the tile goes where the blank was
        (row, column), (to_row, to_column) = divmod(at, size), divmod(to, size)
        until = time + pace.time_of(1.0)
        glides.append(Glide(before[at], time, until, (row, column), (to_row, to_column), pace.easing))
        time = until + pace.pause_s
    last = glides[-1].end_s if glides else pace.before_s
    return SlidingTimeline(start, tuple(glides), last + pace.after_s)


def clip_frames(
    picture: Picture,
    timeline: SlidingTimeline,
    target: State,
    style: SlidingStyle | None = None,
    size: tuple[int, int] | None = None,
    fps: float = 24.0,
) -> Iterator[Picture]:
    """Yield the frames of a clip, (H, W, 3) uint8 RGB, the first one at time 0; the same arguments give the same bytes.

    Parameters
    ----------
    picture, target, style, size
        As of `puzzles.sliding.render.render_board`.
    timeline
        Where the tiles are.
    fps
        Frames a second, positive.

    Raises
    ------
    ValueError
        If the tiles of timeline and target differ, or a number is out of range.

    Notes
    -----
    With gaps, the place that a tile leaves is of the blank's colour once the tile starts.
    """
    if set(timeline.start) != set(target):
        raise ValueError("timeline and target must have the same tiles")
    side = min(picture.shape[:2])
    canvas = BoardCanvas(picture, target, style or SlidingStyle(), size or (side, side))
    for time in frame_times(timeline.duration_s, fps):
        places = timeline.places(time)
        yield canvas.draw(places, bare_places(places, state_size(target)))


def bare_places(places: Sequence[TilePlace], size: int) -> list[tuple[int, int]]:
    """Return the places (row, column) of a grid at which no tile rests, row by row."""
    resting = {(place.row, place.column) for place in places}
    return [(row, column) for row in range(size) for column in range(size) if (row, column) not in resting]
