"""What happens in a clip of a sliding puzzle, as data, and the frames of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.rollouts.looks import Look, disturbed_frame
from puzzles.common.easing import frame_times
from puzzles.common.raster import Picture
from puzzles.sliding.motion import SlidingTimeline, bare_places
from puzzles.sliding.render import BoardCanvas, TilePlace, blank_of
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, State, state_size


@dataclass(frozen=True)
class Morph:
    """What a tile shows dissolves into what another tile shows; -1 is the part that no tile shows."""

    tile: int
    start_s: float
    end_s: float
    into: int


@dataclass(frozen=True)
class Fill:
    """The blank, at a place (row, column), dissolves into the part that no tile shows."""

    start_s: float
    end_s: float
    place: tuple[int, int]


@dataclass(frozen=True)
class Dissolve:
    """The whole board dissolves into a state; at once if both times are the same."""

    start_s: float
    end_s: float
    state: State


@dataclass(frozen=True)
class TileScript:
    """All that happens in a clip.

    Attributes
    ----------
    puzzle
        The puzzle.
    timeline
        Where its tiles are.
    moves
        The legal moves that are shown, one after another, the blank's way.
    shown
        The state that the last frame shows, or ``None`` where it shows none.
    morphs, fill, dissolve
        What changes beside.
    """

    puzzle: SlidingPuzzle
    timeline: SlidingTimeline
    moves: tuple[BlankMove, ...]
    shown: State | None
    morphs: tuple[Morph, ...] = ()
    fill: Fill | None = None
    dissolve: Dissolve | None = None


@dataclass(frozen=True)
class TileSubject:
    """A puzzle for which a script is to be written.

    Attributes
    ----------
    puzzle, solution
        The puzzle with a shortest solution.
    alike
        Whether its tiles look alike, so that nobody would see one change into another.
    look
        What the clip looks like; its pace counts.
    dice
        For what is random; it follows from the case.
    """

    puzzle: SlidingPuzzle
    solution: tuple[BlankMove, ...]
    alike: bool
    look: Look
    dice: random.Random


def tile_frames(script: TileScript, picture: Picture, look: Look, seed: int) -> Iterator[Picture]:
    """Yield a clip's frames, (H, W, 3) uint8 RGB; the same arguments give the same bytes."""
    canvas = BoardCanvas(picture, script.puzzle.target, look.tiles, look.size)
    for time in frame_times(script.timeline.duration_s, look.fps):
        frame = tile_picture(script, canvas, look, time)
        yield disturbed_frame(frame, time, look.disturbance, seed, look.tiles.margin)


def tile_picture(script: TileScript, canvas: BoardCanvas, look: Look, time: float) -> Picture:
    """What a script shows at a time in seconds, undisturbed, (H, W, 3) uint8 RGB."""
    size = state_size(script.puzzle.target)
    places = list(script.timeline.places(time))
    bare = bare_places(places, size)
    parts: dict[int, Picture] = {}
    for morph in script.morphs:
        if time >= morph.start_s:
            before = parts.get(morph.tile, canvas.part(morph.tile))
            parts[morph.tile] = _mixed(before, canvas.part(morph.into), _share(morph.start_s, morph.end_s, time))
    if script.fill is not None and time >= script.fill.start_s:
        row, column = script.fill.place
        missing = canvas.missing_part()
        blank = np.broadcast_to(np.array(look.tiles.blank, np.uint8), missing.shape)
        parts[BLANK] = _mixed(blank, missing, _share(script.fill.start_s, script.fill.end_s, time))
        places.append(TilePlace(BLANK, row, column))
    drawn = canvas.draw(places, bare, parts)
    dissolve = script.dissolve
    if dissolve is not None and time >= dissolve.start_s:
        rest = replace(script.timeline, start=dissolve.state, glides=())
        other = canvas.draw(rest.places(time), [blank_of(dissolve.state)])
        drawn = _mixed(drawn, other, _share(dissolve.start_s, dissolve.end_s, time))
    return drawn


def _share(start: float, end: float, time: float) -> float:
    return 1.0 if time >= end else (time - start) / (end - start)


def _mixed(one: Picture, other: Picture, share: float) -> Picture:
    mixed: Picture = np.rint(one * (1 - share) + other * share).astype(np.uint8)
    return mixed
