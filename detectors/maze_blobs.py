"""The widest spots of ink in a frame, and which of them is the one marker that travels through a clip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze_motion_config import Blob, MotionConfig, Sight
from detectors.maze_scene import Reading

_CORE = 0.7
"""A blob's centre is the middle of what lies this share of its radius or more from its edge."""


@dataclass(frozen=True)
class Spot:
    """Where the marker is in a frame: index, time in seconds, and the blob."""

    index: int
    time_s: float
    blob: Blob


@dataclass(frozen=True)
class Travel:
    """The way of a marker, and blobs that stand beside it.

    Attributes
    ----------
    spots : in order of frames; none where no blob is seen
    others : the first spot of each other blob that lasts while the marker is there
    """

    spots: tuple[Spot, ...]
    others: tuple[Spot, ...]


@dataclass
class _Track:
    spots: list[Spot] = field(default_factory=list)

    @property
    def way(self) -> float:
        """How far apart its places lie: the diagonal of the box around them."""
        xs, ys = [one.blob.x for one in self.spots], [one.blob.y for one in self.spots]
        return math.hypot(max(xs) - min(xs), max(ys) - min(ys))


def find_blobs(
    view: NDArray[np.uint8], reading: Reading, factor: int, config: MotionConfig
) -> tuple[tuple[Blob, ...], float]:
    """The widest spot of each connected part of the ink, widest first, and the area of all ink.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
    reading : Reading
        Of the same frame.
    factor : int
        Puzzle pixels per pixel.
    config : MotionConfig

    Returns
    -------
    blobs : tuple of Blob
        In puzzle pixels.
    area : float
        In puzzle pixels.
    """
    kept = reading.kept
    if not kept.size:
        return (), 0.0
    areas = reading.stats[kept, cv2.CC_STAT_AREA]
    largest = kept[np.argsort(-areas, kind="stable")][: 2 * config.blobs]
    found: list[Blob] = []
    for label in largest.tolist():
        left, top, width, height, area = (int(value) for value in reading.stats[label])
        mask = (reading.labels[top : top + height, left : left + width] == label).astype(np.uint8)
        left, top = left + reading.origin[0], top + reading.origin[1]
        box = (slice(top, top + height), slice(left, left + width))
        # A margin, or the box's edge would count as ink.
        depth = cv2.distanceTransform(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5)
        depth = depth[1:-1, 1:-1]
        radius = float(depth.max())
        row, column = divmod(int(depth.argmax()), width)
        rows, columns = np.nonzero(depth >= _CORE * radius)
        # Of the core only what hangs together with the widest place.
        near = np.hypot(rows - row, columns - column) <= 1.5 * radius
        rows, columns = rows[near], columns[near]
        x, y = float(columns.mean()) + left, float(rows.mean()) + top
        mean = view[box][rows, columns].mean(axis=0, dtype=np.float64)
        rgb = (float(mean[0]), float(mean[1]), float(mean[2]))
        found.append(Blob((x + 0.5) * factor, (y + 0.5) * factor, radius * factor, rgb, float(area) * factor * factor))
    widest = max(blob.radius for blob in found)
    rivals = [blob for blob in found if blob.radius >= config.rival * widest]
    rivals.sort(key=lambda blob: (-blob.radius, blob.x, blob.y))
    return tuple(rivals[: config.blobs]), float(areas.sum()) * factor * factor


def travel(sights: Sequence[Sight], least_radius: float, cell_px: float, config: MotionConfig) -> Travel:
    """Joins the blobs of a clip to the way of one marker.

    The blob with the longest way is the marker. What ends before it or begins after it is the same marker, displaced;
    what stands beside it is another.

    Parameters
    ----------
    sights : sequence of Sight
        One a frame.
    least_radius : float
        Narrower blobs are none, in puzzle pixels.
    cell_px : float
        A cell's width in puzzle pixels.
    config : MotionConfig
    """
    tracks = _tracks(sights, least_radius, config.reach * cell_px, config)
    if not tracks:
        return Travel((), ())
    main = max(tracks, key=lambda track: (track.way, len(track.spots), -track.spots[0].index))
    # What is seen in one frame only is noise.
    chain, rest = [main], [track for track in tracks if track is not main and len(track.spots) > 1]
    # Later first: whatever fits between is nearer to the marker in time.
    while before := [one for one in rest if one.spots[-1].index < chain[0].spots[0].index]:
        nearest = max(before, key=lambda one: (one.spots[-1].index, len(one.spots)))
        chain.insert(0, nearest)
        rest.remove(nearest)
    while after := [one for one in rest if one.spots[0].index > chain[-1].spots[-1].index]:
        nearest = min(after, key=lambda one: (one.spots[0].index, -len(one.spots)))
        chain.append(nearest)
        rest.remove(nearest)
    spots = tuple(spot for track in chain for spot in track.spots)
    lasting = [one for one in rest if one.spots[-1].time_s - one.spots[0].time_s >= config.other_s]
    return Travel(spots, tuple(one.spots[0] for one in lasting))


def _tracks(sights: Sequence[Sight], least_radius: float, reach: float, config: MotionConfig) -> list[_Track]:
    """Blobs joined from frame to frame, nearest first."""
    done: list[_Track] = []
    active: list[_Track] = []
    for sight in sights:
        blobs = [blob for blob in sight.blobs if blob.radius >= least_radius and not sight.other_scene]
        pairs = sorted(
            (math.hypot(blob.x - track.spots[-1].blob.x, blob.y - track.spots[-1].blob.y), one, other)
            for one, track in enumerate(active)
            for other, blob in enumerate(blobs)
        )
        taken: set[int] = set()
        joined: set[int] = set()
        for distance, one, other in pairs:
            if distance > reach or one in taken or other in joined:
                continue
            taken.add(one)
            joined.add(other)
            active[one].spots.append(Spot(sight.index, sight.time_s, blobs[other]))
        fresh = [_Track([Spot(sight.index, sight.time_s, blob)]) for at, blob in enumerate(blobs) if at not in joined]
        still = [one for one in active if sight.index - one.spots[-1].index <= config.patience_frames]
        done.extend(one for one in active if one not in still)
        active = still + fresh
    return done + active
