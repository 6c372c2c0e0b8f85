"""Bodies in one another, and out of the lot: where they are seen, and where they must have been while they were not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from detectors.rush_hour.findings import Flags, Floats, LotFindings, VehicleTrack
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS, ThroughRules
from puzzles.rush_hour.lot import Lot, Side

_CORNERS = 4  # not a threshold: of a rectangle
WALL = "the wall"
"""Stands for the other body where a vehicle is in a side of the lot."""


@dataclass(frozen=True)
class Overlap:
    """Two bodies in one another: their names, from which frame to which, and how deep, in units of the lot."""

    one: str
    other: str
    first: int
    last: int
    depth: float


def overlaps(
    lot: Lot, found: LotFindings, depth: float, rules: ThroughRules = RUSH_HOUR_SETTINGS.through
) -> tuple[Overlap, ...]:
    """Returns which bodies are driven through one another, deeper than ``depth``, by first frame.

    Between two frames bodies are taken to go straight on, so that one which passes another in a frame or two is seen
    to. Bodies in one another count that stay so for ``frames``, or go on so for ``way``; less is how exactly places are
    measured.
    """
    names = [v.label for v in lot.vehicles] + [o.id for o in lot.obstacles]
    count, steps = len(found.times_s), rules.steps
    if count < 2:
        return ()
    corners = [
        *(
            _between(_corners(t.x, t.y, t.theta, v.length, v.width), steps)
            for t, v in zip(found.tracks, lot.vehicles, strict=True)
        ),
        *(np.repeat(np.array(o.outline())[None], (count - 1) * steps + 1, axis=0) for o in lot.obstacles),
    ]
    frame_of = np.arange((count - 1) * steps + 1) / steps
    before, after = np.floor(frame_of).astype(np.intp), np.ceil(frame_of).astype(np.intp)
    there = [shown[before] & shown[after] for shown in (_there(track, rules) for track in found.tracks)]
    there += [np.ones(len(frame_of), bool) for _ in lot.obstacles]
    result = [*_unseen_ways(lot, found, depth, rules), *_through_walls(lot, found, depth, rules)]
    for one, other in itertools.combinations(range(len(corners)), 2):
        if one >= len(lot.vehicles):
            break
        middles = corners[one].mean(axis=1) - corners[other].mean(axis=1)
        reach = sum(float(np.hypot(*(c[0, 0] - c[0].mean(axis=0)))) for c in (corners[one], corners[other]))
        near = np.flatnonzero((np.hypot(middles[:, 0], middles[:, 1]) < reach) & there[one] & there[other])
        if len(near) < 2:
            continue
        deep = np.zeros(len(frame_of))
        deep[near] = _depths(corners[one][near], corners[other][near])
        for first, last in _runs(deep > depth, 2):
            way = float(np.hypot(*(middles[last] - middles[first])))
            if last - first + 1 >= rules.frames * steps - steps + 1 or way >= rules.way:
                frames = int(before[first]), int(after[last])
                result.append(Overlap(names[one], names[other], *frames, float(deep[first : last + 1].max())))
    return tuple(sorted(result, key=lambda overlap: (overlap.first, overlap.one, overlap.other)))


def _unseen_ways(lot: Lot, found: LotFindings, depth: float, rules: ThroughRules) -> Iterator[Overlap]:
    """Yields bodies through which a vehicle must have gone while it was not seen.

    Between two sightings its way is swept and must be free. What moves meanwhile may have gone first or last, so only
    what is in the way both before and after is sure to have been.
    """
    corners = [_corners(t.x, t.y, t.theta, v.length, v.width) for t, v in zip(found.tracks, lot.vehicles, strict=True)]
    names = [v.label for v in lot.vehicles] + [o.id for o in lot.obstacles]
    following = [_next_seen(track) for track in found.tracks]
    for one, track in enumerate(found.tracks):
        seen = np.flatnonzero(track.seen)
        for before, after in zip(seen[:-1].tolist(), seen[1:].tolist(), strict=True):
            moved = math.hypot(track.x[after] - track.x[before], track.y[after] - track.y[before])
            if after - before < 2 or moved < rules.back_again:
                continue
            steps = max(2, math.ceil(moved * rules.steps))
            swept = _between(corners[one][[before, after]], steps)
            for other in range(len(names)):
                if other == one:
                    continue
                if other < len(corners):
                    ends = corners[other][[before, int(following[other][after])]]
                else:
                    ends = np.repeat(np.array(lot.obstacles[other - len(corners)].outline())[None], 2, axis=0)
                deep = min(float(_depths(swept, np.repeat(end[None], len(swept), axis=0)).max()) for end in ends)
                if deep > depth:
                    yield Overlap(names[one], names[other], before, after, deep)


def _next_seen(track: VehicleTrack) -> Floats:
    """Returns for each frame, (N,), the first one from there on in which a vehicle is seen; the last one if none is."""
    count = len(track.seen)
    frames = np.where(track.seen, np.arange(count), count - 1)
    return np.asarray(np.minimum.accumulate(frames[::-1])[::-1])


def _through_walls(lot: Lot, found: LotFindings, depth: float, rules: ThroughRules) -> Iterator[Overlap]:
    """Yields vehicles that are out of the lot: it ends at its walls for each, but for the red car at its exit."""
    for track, vehicle in zip(found.tracks, lot.vehicles, strict=True):
        corners = _corners(track.x, track.y, track.theta, vehicle.length, vehicle.width)
        low, high = corners.min(axis=1), corners.max(axis=1)
        out = {
            Side.LEFT: -low[:, 0], Side.BOTTOM: -low[:, 1],
            Side.RIGHT: high[:, 0] - lot.width, Side.TOP: high[:, 1] - lot.height,
        }  # fmt: skip
        if vehicle is lot.red:
            for opening in lot.exits:
                middle = track.y if opening.side in (Side.LEFT, Side.RIGHT) else track.x
                inside = (middle >= opening.start) & (middle <= opening.end)
                out[opening.side] = np.where(inside, -np.inf, out[opening.side])
        deep = np.max(list(out.values()), axis=0)
        for first, last in _runs(track.seen & (deep > depth), rules.frames):
            yield Overlap(vehicle.label, WALL, first, last, float(deep[first : last + 1].max()))


def _there(track: VehicleTrack, rules: ThroughRules) -> Flags:
    """Whether a vehicle is there in each frame, (N,): seen, hidden, or gone for a time and back at the same place.

    A vehicle that nothing hides and that is not seen is nowhere.
    """
    there = np.asarray(track.seen | (track.covered > rules.hidden))
    for first, last in _runs(~there, 1):
        if first > 0 and last + 1 < len(there):
            moved = math.hypot(track.x[last + 1] - track.x[first - 1], track.y[last + 1] - track.y[first - 1])
            if moved < rules.back_again:
                there[first : last + 1] = True
    return there


def _between(corners: Floats, steps: int) -> Floats:
    """Returns corners (N, 4, 2) with steps straight from frame to frame, ((N - 1) * steps + 1, 4, 2)."""
    share = (np.arange(steps) / steps)[None, :, None, None]
    between = corners[:-1, None] + share * (corners[1:] - corners[:-1])[:, None]
    return np.concatenate([between.reshape(-1, _CORNERS, 2), corners[-1:]])


def _corners(x: Floats, y: Floats, theta: Floats, length: float, width: float) -> Floats:
    """Returns the corners of a rectangle over time, (N, 4, 2)."""
    along = np.stack([np.cos(theta), np.sin(theta)], axis=-1) * length / 2
    across = np.stack([-np.sin(theta), np.cos(theta)], axis=-1) * width / 2
    center = np.stack([x, y], axis=-1)
    return np.stack([center + a * along + b * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))], axis=1)


def _depths(first: Floats, second: Floats) -> Floats:
    """Returns how deep rectangles (K, 4, 2) are in one another, as `overlap_depth` does, (K,)."""
    least = np.full(len(first), np.inf)
    for body in (first, second):
        for edge in (body[:, 1] - body[:, 0], body[:, 3] - body[:, 0]):
            normal = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None]
            one = (first * normal[:, None, :]).sum(axis=2)
            two = (second * normal[:, None, :]).sum(axis=2)
            inside = np.minimum(one.max(axis=1) - two.min(axis=1), two.max(axis=1) - one.min(axis=1))
            least = np.minimum(least, inside)
    return least


def _runs(flags: Flags, least: int) -> Iterator[tuple[int, int]]:
    frames = np.flatnonzero(flags)
    if len(frames):
        for part in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1):
            if len(part) >= least:
                yield int(part[0]), int(part[-1])
