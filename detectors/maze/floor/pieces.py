"""A floor without cells, parted into pieces of about a corridor's width: what cells are to other mazes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.graph import MCP_Geometric
from skimage.measure import label

from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.walls import cut_floor, draw_line, shortest_ray
from detectors.maze.floor.widths import Mask, distance_into

_AROUND_DEG = 180.0  # not a threshold: to either side, all around
Labels = NDArray[np.int32]
Costs = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FloorPieces:
    """The pieces of a floor.

    Attributes
    ----------
    labels : (h, w) int32, ids from 1, which reach into the walls beside them; 0 outside
    passages : pairs of pieces, lower one first, that touch on the floor
    start, goal : the pieces of the two ends
    """

    labels: Labels
    passages: frozenset[tuple[int, int]]
    start: int
    goal: int


@dataclass(frozen=True, eq=False)
class FloorEnd:
    """Start or goal: a spot (row, column) on the floor, and (h, w) bool, what marks it, which may be nothing."""

    spot: tuple[int, int]
    mark: Mask


def part_floor(
    floor: Mask, beyond: Mask, ends: tuple[FloorEnd, FloorEnd], unit: float, wall: float, config: FloorConfig
) -> FloorPieces | None:
    """Parts a floor.

    It is cut from each wall's end to both sides, so that no piece lies on both sides of a wall; start and goal are
    pieces of their own; what lies between is parted evenly.

    Parameters
    ----------
    floor : ndarray of shape (h, w), bool
        What hangs together with start and goal.
    beyond : ndarray of shape (h, w), bool
        What is neither floor nor wall: pieces reach half of the way there.
    ends : tuple of FloorEnd
        Start and goal.
    unit, wall : float
        Widths in pixels: of corridor and wall together, and of a wall.
    config : FloorConfig

    Returns
    -------
    FloorPieces, or None
        None where there are too many.
    """
    cuts = cut_floor(floor, unit, config)
    start, goal = (_end_piece(floor, cuts, end, unit, config) for end in ends)
    number = int(cuts.max(initial=0))
    cuts[start], cuts[goal] = number + 1, number + 2
    pieces = _even_pieces(floor, cuts, ends[0].spot, unit)
    most = int(pieces.max(initial=0))
    pieces[start], pieces[goal] = most + 1, most + 2
    pieces = _without_slivers(_spread(pieces, floor), floor, (most + 1, most + 2), unit - wall, config)
    ids, compact = np.unique(pieces, return_inverse=True)
    if len(ids) > config.most_pieces:
        return None
    pieces = compact.reshape(pieces.shape).astype(np.int32) + (0 if ids[0] == 0 else 1)
    first, last = (int(pieces[end.spot]) for end in ends)
    least = max(1.0, config.least_door * (unit - wall))
    passages = frozenset(pair for pair, length in _touching(pieces, floor).items() if length > least)
    return FloorPieces(_reaching(pieces, floor, beyond, unit, wall, config), passages, first, last)


def hanging_together(floor: Mask, spot: tuple[int, int]) -> Mask:
    """(h, w) bool, the floor that can be reached from a spot."""
    # not a threshold: no way leads diagonally between two walls
    _, parts = cv2.connectedComponents(floor.view(np.uint8), connectivity=4)
    return np.asarray(floor & (parts == parts[spot]), np.bool_)


def middle_line(
    floor: Mask, start: tuple[int, int], goal: tuple[int, int], corridor: float, config: FloorConfig
) -> NDArray[np.float64]:
    """The shortest way that keeps to the middle of the floor, (N, 2) as (x, y)."""
    depth = distance_into(floor)
    aside = np.clip(1.0 - depth / (0.5 * corridor), 0.0, 1.0)
    search = MCP_Geometric(np.where(floor, 1.0 + config.middle * aside**2, -1.0))
    search.find_costs([start], [goal])
    points = np.array(search.traceback(goal), np.float64)[:, ::-1] + 0.5
    window = max(1, round(config.smooth * corridor))
    if len(points) <= 2 * window:
        return points
    padded = np.concatenate([np.repeat(points[:1], window, axis=0), points, np.repeat(points[-1:], window, axis=0)])
    sums = np.cumsum(np.concatenate([np.zeros((1, 2)), padded]), axis=0)
    size = 2 * window + 1
    smooth = (sums[size:] - sums[:-size]) / size
    return np.concatenate([points[:1], smooth[:: max(1, window // 2)], points[-1:]])


def _end_piece(floor: Mask, cuts: Labels, end: FloorEnd, unit: float, config: FloorConfig) -> Mask:
    """The piece of start or goal: what lies within half a unit of the cross-section there, and what marks it.

    It ends at cuts, but for what marks it.
    """
    free = floor & (cuts == 0)
    row, column = _nearest(free, end.spot)
    region = hanging_together(free, (row, column))
    seeds = np.zeros(floor.shape, np.int32)
    seeds[row, column] = 1
    first = shortest_ray(floor, (row, column), 0.0, _AROUND_DEG, config.longest_cut * unit, config)
    if first is not None:
        draw_line(seeds, *first, 1)
        down, right = first[1] - first[0]
        back = math.atan2(float(-down), float(-right))
        other = shortest_ray(floor, (row, column), back, config.sector_deg, config.longest_cut * unit, config)
        if other is not None:
            draw_line(seeds, *other, 1)
    near = _within(region, region & (seeds > 0), config.end * unit)
    return near | _within(floor, end.mark & floor, config.end_more * unit) if end.mark.any() else near


def _nearest(mask: Mask, spot: tuple[int, int]) -> tuple[int, int]:
    """The pixel of a mask that is nearest to a spot."""
    if mask[spot]:
        return spot
    on = np.argwhere(mask)
    row, column = on[int(np.hypot(on[:, 0] - spot[0], on[:, 1] - spot[1]).argmin())]
    return int(row), int(column)


def _within(floor: Mask, seeds: Mask, reach: float) -> Mask:
    """(h, w) bool, the floor that lies no farther from seeds, over the floor, than that."""
    found = np.zeros(floor.shape, np.bool_)
    if not seeds.any():
        return found
    rows, columns = np.flatnonzero(seeds.any(axis=1)), np.flatnonzero(seeds.any(axis=0))
    rim = math.ceil(reach) + 1
    box = (
        slice(max(0, int(rows[0]) - rim), int(rows[-1]) + 1 + rim),
        slice(max(0, int(columns[0]) - rim), int(columns[-1]) + 1 + rim),
    )
    found[box] = _distances(floor[box], seeds[box]) <= reach
    return found


def _distances(floor: Mask, seeds: Mask) -> Costs:
    """(h, w), how far each pixel of the floor is from seeds, over the floor; infinite elsewhere."""
    if not seeds.any():
        return np.full(floor.shape, np.inf)
    search = MCP_Geometric(np.where(floor, 1.0, -1.0))
    costs, _ = search.find_costs(np.argwhere(seeds).tolist(), find_all_ends=True)
    return np.asarray(costs, np.float64)


def _even_pieces(floor: Mask, cuts: Labels, start: tuple[int, int], unit: float) -> Labels:
    """(h, w) int32, the regions between cuts, each parted evenly from one of its cuts to the others; 0 on cuts."""
    free = floor & (cuts == 0)
    # not a threshold: no way leads diagonally between two walls
    count, regions = cv2.connectedComponents(free.astype(np.uint8), connectivity=4)
    doors = _doors(regions, cuts)
    first = dict(reversed(doors))
    sources, sinks = np.zeros(floor.shape, np.bool_), np.zeros(floor.shape, np.bool_)
    for (region, cut), at in doors.items():
        (sources if first[region] == cut else sinks).ravel()[at] = True
    if not sources.any():
        sources[start] = True
    near = _distances(free, sources)
    owner = regions.ravel()
    known = np.isfinite(near.ravel()) & (owner > 0)
    through = known & sinks.ravel()
    farthest, sums = np.zeros(count), np.bincount(owner[through], near.ravel()[through], count)
    np.maximum.at(farthest, owner[known], near.ravel()[known])
    doors_px = np.bincount(owner[through], minlength=count)
    length = sums / np.maximum(doors_px, 1)
    # Of doors that lie side by side nothing is told.
    length = np.where(length >= 0.5 * unit, length, farthest)
    # Each piece is as long as the others of its region, and about a unit.
    long = np.maximum(length, unit) / np.maximum(1.0, np.rint(length / unit))
    band = (np.where(known.reshape(near.shape), near, 0.0) / long[regions]).astype(np.int64)
    keys = np.where(free, regions.astype(np.int64) * (int(band.max()) + 1) + band + 1, 0)
    return np.asarray(label(keys, background=0, connectivity=1), np.int32)  # type: ignore[no-untyped-call]


def _doors(regions: Labels, cuts: Labels) -> dict[tuple[int, int], NDArray[np.intp]]:
    """The flat places of each region that lie beside each cut, by region and cut, ascending."""
    flat = np.arange(regions.size).reshape(regions.shape)
    places: list[NDArray[np.intp]] = []
    beside: list[Labels] = []
    for one, other in (
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
    ):
        for here, there in ((one, other), (other, one)):
            met = (regions[here] > 0) & (cuts[there] > 0)
            places.append(flat[here][met])
            beside.append(cuts[there][met])
    at, cut = np.concatenate(places), np.concatenate(beside)
    region = regions.ravel()[at]
    order = np.lexsort((at, cut, region))
    at, cut, region = at[order], cut[order], region[order]
    found: dict[tuple[int, int], NDArray[np.intp]] = {}
    if at.size:
        starts = np.flatnonzero(np.r_[True, (np.diff(region) != 0) | (np.diff(cut) != 0)])
        for begin, end in zip(starts.tolist(), [*starts[1:].tolist(), at.size], strict=True):
            found[int(region[begin]), int(cut[begin])] = at[begin:end]
    return found


def _spread(pieces: Labels, onto: Mask) -> Labels:
    """Pieces that reach over all of a mask: each of its pixels belongs to the nearest piece."""
    side = 5  # not a threshold: of OpenCV's larger mask
    _, nearest = cv2.distanceTransformWithLabels(
        (pieces == 0).astype(np.uint8), cv2.DIST_L2, side, labelType=cv2.DIST_LABEL_PIXEL
    )
    owner = np.zeros(int(nearest.max()) + 1, np.int32)
    there = pieces > 0
    owner[nearest[there]] = pieces[there]
    return np.asarray(np.where(onto, owner[nearest], 0), np.int32)


def _touching(pieces: Labels, floor: Mask) -> dict[tuple[int, int], int]:
    """How long pairs of pieces touch on the floor, in pixels."""
    most = int(pieces.max(initial=0)) + 1
    found: list[NDArray[np.int64]] = []
    for one, other, both in (
        (pieces[:-1], pieces[1:], floor[:-1] & floor[1:]),
        (pieces[:, :-1], pieces[:, 1:], floor[:, :-1] & floor[:, 1:]),
    ):
        met = both & (one != other) & (one > 0) & (other > 0)
        a, b = one[met].astype(np.int64), other[met].astype(np.int64)
        found.append(np.minimum(a, b) * most + np.maximum(a, b))
    keys, counts = np.unique(np.concatenate(found), return_counts=True)
    return {
        (int(key) // most, int(key) % most): int(count)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True)
    }


def _without_slivers(
    pieces: Labels, floor: Mask, kept: tuple[int, int], corridor: float, config: FloorConfig
) -> Labels:
    """Pieces of which small and narrow ones belong to that beside them which they touch longest."""
    areas = np.bincount(pieces.ravel()).astype(np.float64)
    # not a threshold: half of a pixel lies on this side of a border
    narrow = 2.0 * _deepest(pieces) - 1.0 < config.narrow * corridor
    touching: dict[int, dict[int, int]] = {}
    for (one, other), length in _touching(pieces, floor).items():
        touching.setdefault(one, {})[other] = length
        touching.setdefault(other, {})[one] = length
    owner = np.arange(len(areas))
    least = config.least_piece * corridor**2
    for piece in sorted(range(1, len(areas)), key=lambda piece: (areas[piece], piece)):
        if not areas[piece] or piece in kept or not (areas[piece] < least or narrow[piece]):
            continue
        beside = touching.get(piece, {})
        if not beside:
            continue
        # Rather to a piece that is no end.
        into = min(beside, key=lambda other: (other in kept, -beside[other], other))
        owner[owner == piece] = into
        areas[into] += areas[piece]
        narrow[into] &= narrow[piece]
        for other, length in touching.pop(piece).items():
            touching[other].pop(piece, None)
            if other != into:
                touching[into][other] = touching[into].get(other, 0) + length
                touching[other][into] = touching[into][other]
    return np.asarray(owner[pieces], np.int32)


def _deepest(pieces: Labels) -> NDArray[np.float64]:
    """By piece, how far in pixels its middle is from its borders."""
    edge = np.pad(pieces == 0, 1, constant_values=True)
    edge[1:-1, 1:-1][1:] |= pieces[1:] != pieces[:-1]
    edge[1:-1, 1:-1][:, 1:] |= pieces[:, 1:] != pieces[:, :-1]
    # not a threshold: the side of OpenCV's larger mask
    depth = cv2.distanceTransform((~edge).view(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    found = np.zeros(int(pieces.max(initial=0)) + 1)
    np.maximum.at(found, pieces.ravel(), depth.ravel())
    return found


def _reaching(pieces: Labels, floor: Mask, beyond: Mask, unit: float, wall: float, config: FloorConfig) -> Labels:
    """Pieces that reach into the walls beside them: to their middle between two floors or to the outside."""
    walls = ~floor
    # not a threshold: the side of OpenCV's larger mask
    from_floor = np.asarray(cv2.distanceTransform(walls.view(np.uint8), cv2.DIST_L2, 5), np.float32)
    reach = config.reach * unit
    # What lies between two floors is filled by growing the floor and shrinking it again.
    rim = math.ceil(reach) + 2
    grown = np.pad(from_floor <= reach, rim)
    filled = distance_into(grown)[rim:-rim, rim:-rim] > reach
    within = (from_floor <= 0.5 * wall + 0.5) | filled
    if beyond.any():
        # not a threshold: the side of OpenCV's larger mask
        within &= from_floor < cv2.distanceTransform((~beyond).view(np.uint8), cv2.DIST_L2, 5)
    return _spread(pieces, floor | within)
