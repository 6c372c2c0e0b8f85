"""From the places of a thing over time to its motions: when it goes which way, and how far."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class TrackMotion:
    """A motion along a line.

    Attributes
    ----------
    first : the last frame before it
    last : the frame that ends it
    start, end : where it begins and ends on the line
    """

    first: int
    last: int
    start: float
    end: float

    @property
    def distance(self) -> float:
        """How far it goes; negative against the line's direction."""
        return self.end - self.start


def find_motions(places: Floats, seen: Flags, threshold: float, settled: float, pause: int) -> tuple[TrackMotion, ...]:
    """Find the motions of a thing on a line.

    Parameters
    ----------
    places : (N,)
        Where it is, in any unit; where it is not seen, where it was seen last.
    seen : (N,)
        Whether it is seen.
    threshold
        What goes no farther, from where it rested or turned, is no motion, so neither trembling nor drift is.
    settled
        A motion that gets no farther than this is over; at most the threshold.
    pause
        For so many frames, at least 1.

    Raises
    ------
    ValueError
        If a setting is out of its bounds, or the lengths differ.

    Notes
    -----
    A median over three frames takes out single misreadings before. A motion that creeps comes out in pieces one way.
    """
    if len(places) != len(seen):
        raise ValueError(f"there are {len(places)} places but {len(seen)} flags")
    if not (0 < settled <= threshold and pause >= 1):
        raise ValueError(f"need 0 < settled <= threshold and pause >= 1, not {settled}, {threshold} and {pause}")
    smooth = _without_spikes(places)
    motions: list[TrackMotion] = []
    rest, rest_frame = float(smooth[0]) if len(smooth) else 0.0, 0
    frame = 1
    while frame < len(smooth):
        away = float(smooth[frame]) - rest
        if not seen[frame] or abs(away) <= threshold:
            frame += 1
            continue
        first = _onset(smooth, rest, rest_frame, frame, settled)
        last = _end(smooth, frame, 1.0 if away > 0 else -1.0, threshold, settled, pause)
        motions.append(TrackMotion(first, last, rest, float(smooth[last])))
        rest, rest_frame = float(smooth[last]), last
        frame = last + 1
    return tuple(motions)


def _without_spikes(places: Floats) -> Floats:
    if len(places) < 3:
        return places.astype(np.float64)
    around = np.concatenate([places[:1], places, places[-1:]])
    return np.asarray(np.median(np.stack([around[:-2], around[1:-1], around[2:]]), axis=0), np.float64)


def _onset(places: Floats, rest: float, rest_frame: int, frame: int, settled: float) -> int:
    """Return the last frame before a motion at which the thing was still about where it rested."""
    while frame > rest_frame and abs(float(places[frame]) - rest) > settled:
        frame -= 1
    return frame


def _end(places: Floats, frame: int, way: float, threshold: float, settled: float, pause: int) -> int:
    """Return the frame at which a motion that runs at ``frame`` has come as far as it comes."""
    last, farthest = frame, way * float(places[frame])
    for later in range(frame + 1, len(places)):
        here = way * float(places[later])
        if here > farthest + settled:
            last, farthest = later, here
        elif farthest - here > threshold or later - last >= pause:
            break
    # The last bit of a motion that comes to rest gently is less than what counts as getting farther.
    end = last
    for later in range(last + 1, min(len(places), last + pause)):
        if way * float(places[later]) > way * float(places[end]):
            end = later
    return end


def identity_switches(matches: Sequence[int | None]) -> int:
    """Count how often the thing behind one truth changes: frame by frame, who it is matched with; None if with none.

    A match is compared with the last one before it, whoever it was matched with earlier, so that 1, 1, 1, 2, 1 are two
    switches; frames without a match are passed over. (CLEAR MOT counts this way: Bernardin and Stiefelhagen, 2008,
    section 2.1.2.)
    """
    known = [match for match in matches if match is not None]
    return sum(before != after for before, after in itertools.pairwise(known))
