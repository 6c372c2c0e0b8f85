"""Tracks that are kept small: a point only where a track leaves the straight way between its neighbours."""

from __future__ import annotations

import numpy as np

from grader.tasks.plans.model import Track, TrackPoint
from puzzles.rush_hour.contact import Floats


def make_track(name: str, times_s: Floats, places: Floats, tolerance: float) -> Track:
    """A track with as few points as a tolerance allows.

    Parameters
    ----------
    name : str
        Label of the vehicle or number of the tile.
    times_s : ndarray of shape (N,)
        Seconds, never falling; N is at least 1.
    places : ndarray of shape (N, 3)
        x, y and angle at each time.
    tolerance : float
        How far a place that is left out may lie from the line in time between its neighbours, in each number.

    Notes
    -----
    Of a stretch, the point farthest from the line between its ends is kept, and both halves are looked at in turn
    (Ramer 1972; Douglas and Peucker 1973), here with distances at equal times instead of distances from a curve.
    """
    kept = {0, len(times_s) - 1}
    stretches = [(0, len(times_s) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        inner = slice(first + 1, last)
        span = times_s[last] - times_s[first]
        share = (times_s[inner] - times_s[first]) / span if span > 0 else np.zeros(last - first - 1)
        straight = places[first] + share[:, None] * (places[last] - places[first])
        off = np.abs(places[inner] - straight).max(axis=1)
        farthest = int(off.argmax())
        if off[farthest] > tolerance:
            kept.add(first + 1 + farthest)
            stretches += [(first, first + 1 + farthest), (first + 1 + farthest, last)]
    return Track(
        name,
        tuple(TrackPoint(float(times_s[place]), *(float(part) for part in places[place])) for place in sorted(kept)),
    )
