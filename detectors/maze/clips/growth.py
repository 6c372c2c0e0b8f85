"""How a path came: along the finished line, when each place of it appeared. The answer is not looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.maze.clips.config import GrowthConfig


@dataclass(frozen=True)
class Arrival:
    """A piece of the path that came in one frame, or from that frame on.

    Attributes
    ----------
    index : of the frame
    first, last : places along the path, in puzzle pixels from its start
    at : (x, y) of the piece's middle in puzzle pixels
    """

    index: int
    first: float
    last: float
    at: tuple[float, float]

    @property
    def length(self) -> float:
        """In puzzle pixels."""
        return self.last - self.first


@dataclass(frozen=True)
class Growth:
    """How a path came.

    Attributes
    ----------
    length : of the path in puzzle pixels
    tip : (frame index, x, y) of the farthest place up to which the path was unbroken from its start, each time it moved
    jumps : pieces that came apart from what was there; ``index`` is that of the first frame
    at_once : joined pieces that are too long to have been drawn in one frame
    appeared : whether the path was shown finished, by a cut or a fade, rather than drawn
    before_fault : how far along the path, from its start, it came without a fault
    """

    length: float
    tip: tuple[tuple[int, float, float], ...]
    jumps: tuple[Arrival, ...]
    at_once: tuple[Arrival, ...]
    appeared: bool
    before_fault: float


def read_growth(
    polyline: Sequence[tuple[float, float]],
    arrival: NDArray[np.int32],
    factor: int,
    anchors: Sequence[tuple[float, float]],
    cell_px: float,
    config: GrowthConfig,
) -> Growth:
    """Reads when each place of a finished path appeared.

    In the order of frames, what appears in one frame is cut into pieces that hang together along the path. A piece is
    joined if it touches what was there, or an end of the path, where a marker is. A drawn path comes in short joined
    pieces; one that is cut to or faded in comes in a long one, or in many that are apart.

    Parameters
    ----------
    polyline : sequence of (x, y)
        The finished path in puzzle pixels, from its start; empty where there is none.
    arrival : ndarray of shape (h, w), int32
        The index of the frame in which ink came, -1 where there is none.
    factor : int
        Puzzle pixels per pixel of it.
    anchors : sequence of (x, y)
        The markers' centres in puzzle pixels: there a path may begin.
    cell_px : float
        A cell's width in puzzle pixels.
    config : GrowthConfig
    """
    if len(polyline) < 2:
        return Growth(0.0, (), (), (), False, 0.0)
    points, along = _places(np.array(polyline, np.float64), config.sample * cell_px)
    when = _looked_up(points, arrival, factor, config.around * cell_px)
    length = float(along[-1])
    seen = np.flatnonzero(when >= 0)
    if not seen.size:
        return Growth(length, (), (), (), False, 0.0)
    points, along, when = points[seen], along[seen], when[seen]
    gap = config.jump * cell_px
    open_start, open_end = (_is_near(one, anchors, cell_px) for one in (polyline[0], polyline[-1]))
    longest = max(config.at_once * cell_px, config.at_once_share * length)
    there = np.zeros(len(when), np.bool_)
    rooted = np.zeros(len(when), np.bool_)
    apart: dict[int, list[int]] = {}
    tip: list[tuple[int, float, float]] = []
    at_once: list[Arrival] = []
    reached = -1
    for index in np.unique(when).tolist():
        fresh = when == index
        # What comes first has nothing to join, where the path does not lead from marker to marker: what it joined may
        # have been taken away since.
        free = not there.any() and not (open_start and open_end)
        there |= fresh
        for run in _runs(there, along, gap):
            joins = free or bool(rooted[run].any())
            joins |= (open_start and along[run[0]] <= gap) or (open_end and along[run[-1]] >= length - gap)
            new = run[fresh[run]]
            if not joins:
                if new.size:
                    apart.setdefault(index, []).extend(new.tolist())
                continue
            rooted[run] = True
            pieces = [_piece(index, one, points, along) for one in _runs(fresh & _only(run, len(when)), along, gap)]
            at_once += [piece for piece in pieces if piece.length > longest]
        while reached + 1 < len(when) and there[reached + 1]:
            reached += 1
        if reached >= 0 and (not tip or tip[-1][1:] != (float(points[reached][0]), float(points[reached][1]))):
            tip.append((index, float(points[reached][0]), float(points[reached][1])))
    loose = _only(np.array(sorted(place for places in apart.values() for place in places), np.intp), len(when))
    pieces = [_piece(int(when[one].min()), one, points, along) for one in _runs(loose, along, gap)]
    jumps = [piece for piece in pieces if piece.length >= config.jumped * cell_px]
    fault = min([length, *(one.first for one in (*jumps, *at_once))])
    shown = sum(one.length for one in (*jumps, *at_once))
    return Growth(length, tuple(tip), tuple(jumps), tuple(at_once), shown > config.shown * length, fault)


def _runs(chosen: NDArray[np.bool_], along: NDArray[np.float64], gap: float) -> list[NDArray[np.intp]]:
    """The chosen places, cut where the next one is farther along than a gap."""
    at = np.flatnonzero(chosen)
    return np.split(at, np.flatnonzero(np.diff(along[at]) > gap) + 1) if at.size else []


def _only(places: NDArray[np.intp], count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, np.bool_)
    mask[places] = True
    return mask


def _piece(index: int, piece: NDArray[np.intp], points: NDArray[np.float64], along: NDArray[np.float64]) -> Arrival:
    x, y = points[piece[len(piece) // 2]]
    return Arrival(index, float(along[piece[0]]), float(along[piece[-1]]), (float(x), float(y)))


def _is_near(point: tuple[float, float], anchors: Sequence[tuple[float, float]], reach: float) -> bool:
    return any(math.hypot(point[0] - x, point[1] - y) <= reach for x, y in anchors)


def _places(points: NDArray[np.float64], step: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places at equal distances along a polyline, and how far along they are."""
    legs = np.diff(points, axis=0)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(legs[:, 0], legs[:, 1]))])
    count = max(2, round(along[-1] / step) + 1)
    at = np.linspace(0.0, along[-1], count)
    return np.stack([np.interp(at, along, points[:, axis]) for axis in (0, 1)], axis=1), at


def _looked_up(
    points: NDArray[np.float64], arrival: NDArray[np.int32], factor: int, around: float
) -> NDArray[np.int64]:
    """The frame in which the ink around each point came: the median; -1 where there is no ink."""
    height, width = arrival.shape
    reach = max(1, round(around / factor))
    when = np.full(len(points), -1, np.int64)
    for number, (x, y) in enumerate(points / factor):
        row, column = min(int(y), height - 1), min(int(x), width - 1)
        near = arrival[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1].ravel()
        near = np.sort(near[near >= 0])
        if near.size:
            when[number] = near[(near.size - 1) // 2]
    return when
