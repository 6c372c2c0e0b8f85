"""The widest spots of ink in a frame, and which of them is the one marker that travels through a clip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.clips.config import BlobConfig
from detectors.maze.clips.depth import DepthMap
from detectors.maze.clips.findings import Blob, Sight
from detectors.maze.clips.reading import FrameInk


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


@dataclass(frozen=True, eq=False)
class _Core:
    """The widest spot of a part of the ink: centre, radius and area in pixels, and which pixels it is told by."""

    x: float
    y: float
    radius: float
    area: int
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


class BlobFinder:
    """Finds the widest spots of the ink of one frame after the other.

    Parameters
    ----------
    factor : int
        Puzzle pixels per pixel.
    config : BlobConfig
    """

    def __init__(self, factor: int, config: BlobConfig) -> None:
        self._factor, self._config = factor, config
        self._depths = DepthMap()
        self._ink: FrameInk | None = None
        self._cores: tuple[_Core, ...] = ()
        self._area = 0

    def find(self, view: NDArray[np.uint8], ink: FrameInk) -> tuple[tuple[Blob, ...], float]:
        """The widest spot of each connected part of the ink, widest first, and the area of all ink.

        Parameters
        ----------
        view : ndarray of shape (h, w, 3), uint8 RGB
        ink : FrameInk
            Of the same frame.

        Returns
        -------
        blobs : tuple of Blob
            In puzzle pixels.
        area : float
            In puzzle pixels.
        """
        if ink is not self._ink:
            self._ink = ink
            areas = ink.stats[ink.kept, cv2.CC_STAT_AREA]
            self._area = int(areas.sum())
            largest = ink.kept[np.argsort(-areas, kind="stable")][: 2 * self._config.most]
            self._cores = self._widest(ink, largest.tolist()) if largest.size else ()
        factor = self._factor
        found: list[Blob] = []
        for core in self._cores:
            mean = view[core.rows, core.columns].mean(axis=0, dtype=np.float64)
            rgb = (float(mean[0]), float(mean[1]), float(mean[2]))
            x, y = (core.x + 0.5) * factor, (core.y + 0.5) * factor
            found.append(Blob(x, y, core.radius * factor, rgb, float(core.area) * factor * factor))
        return tuple(found), float(self._area) * factor * factor

    def _widest(self, ink: FrameInk, labels: list[int]) -> tuple[_Core, ...]:
        depth = self._depths.update(ink.mask)
        found = [_core(ink, label, depth, self._config) for label in labels]
        widest = max(core.radius for core in found)
        rivals = [core for core in found if core.radius >= self._config.rival * widest]
        rivals.sort(key=lambda core: (-core.radius, core.x, core.y))
        return tuple(rivals[: self._config.most])


def _core(ink: FrameInk, label: int, depth: NDArray[np.float32], config: BlobConfig) -> _Core:
    left, top, width, height, area = (int(value) for value in ink.stats[label])
    part = ink.labels[top : top + height, left : left + width] == label
    left, top = left + ink.origin[0], top + ink.origin[1]
    inside = depth[top : top + height, left : left + width]
    _, radius, _, (column, row) = cv2.minMaxLoc(inside, part.view(np.uint8))
    # Of the core only what hangs together with the widest place.
    reach = math.ceil(config.core_reach * radius)
    first_row, first_column = max(0, row - reach), max(0, column - reach)
    near = (slice(first_row, row + reach + 1), slice(first_column, column + reach + 1))
    rows, columns = np.nonzero((inside[near] >= config.core * radius) & part[near])
    rows, columns = rows + first_row, columns + first_column
    close = np.hypot(rows - row, columns - column) <= config.core_reach * radius
    rows, columns = rows[close] + top, columns[close] + left
    return _Core(float(columns.mean()), float(rows.mean()), radius, area, rows, columns)


def travel(
    sights: Sequence[Sight], least_radius: float, cell_px: float, floor_rgb: NDArray[np.float64], config: BlobConfig
) -> Travel:
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
    floor_rgb : (3,) float64, 0 to 255
    config : BlobConfig
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
    others: list[Spot] = []
    for one in rest:
        if one.spots[-1].time_s - one.spots[0].time_s < config.other_s:
            continue
        beside = _beside(one.spots, spots, floor_rgb, config)
        if beside and beside[-1].time_s - beside[0].time_s >= config.other_s:
            others.append(one.spots[0])
        else:
            # It is the marker where the way of that was lost for a while, as after frames that show it twice.
            known = {spot.index for spot in spots}
            added = (spot for spot in one.spots if spot.index not in known)
            spots = tuple(sorted((*spots, *added), key=lambda spot: spot.index))
    return Travel(spots, tuple(others))


def _beside(
    spots: Sequence[Spot], marker: Sequence[Spot], floor_rgb: NDArray[np.float64], config: BlobConfig
) -> list[Spot]:
    """Those spots that are seen together with the marker, in frames that are not mixed of two.

    A frame that is mixed by shares a and 1 - a shows the marker at two places, in its colour mixed with the floor's.
    """
    own, other = ({spot.index: np.array(spot.blob.rgb) for spot in one} for one in (marker, spots))
    alone = [rgb for index, rgb in own.items() if index not in other]
    colors = np.stack(alone or list(own.values()))
    # Most frames may be mixed: its own colour is as far from the floor's as any.
    far = np.linalg.norm(colors - floor_rgb, axis=1)
    color = np.median(colors[far >= np.quantile(far, config.pure)], axis=0)
    found = []
    for spot in spots:
        if spot.index in own:
            off = [float(np.linalg.norm(one[spot.index] - color)) for one in (own, other)]
            if sum(off) < config.mixed_levels or min(off) < config.mixed_least * sum(off):
                found.append(spot)
    return found


def _tracks(sights: Sequence[Sight], least_radius: float, reach: float, config: BlobConfig) -> list[_Track]:
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
