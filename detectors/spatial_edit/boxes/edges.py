"""The last, exact fit: edges of a box are looked for across where they should be, to a fraction of a pixel.

An outer edge parts the paint from what has another one; an inner edge parts two faces in different light. Where along
a profile the edge lies is told by how the colour of one side gives way to the other's, in linear RGB, in which the
pixels of an edge are mixtures of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.config import EdgesConfig, PlacesConfig, ReliefConfig
from detectors.spatial_edit.boxes.findings import BoxView
from detectors.spatial_edit.boxes.geometry import (
    EDGE_FACES,
    EDGES,
    FACES,
    FAR_PX,
    STEP,
    FloatArray,
    corners_of,
    entry_depth,
    hull_mask,
    project,
    seen_faces,
)

_STARTS, _ENDS = np.array(EDGES).T
_BLACK = 1e-3  # not a threshold: guards a division by the brightness of a face
# not a threshold: a thousandth of each diagonal keeps what the edges do not tell where it is
_RIDGE = 1e-3


@dataclass(frozen=True)
class Surroundings:
    """What may stand before or behind a box: rows of all other boxes, and of those with the same paint among them."""

    others: tuple[FloatArray, ...] = ()
    twins: tuple[FloatArray, ...] = ()


@dataclass(frozen=True)
class EdgePlaces:
    """Places on the edges of a box that should be seen.

    Attributes
    ----------
    points, normals : (n, 2) pixels, and unit vectors across the edge, outwards for outer edges
    edges, shares : (n,) index in `EDGES`, and how far along it, 0 to 1
    outer : (n,) whether it is an outer edge with another paint beside it
    covered : (n,) whether another box hides what lies so near to it that an edge may not be seen there
    hidden : share of the places on outer edges that lie outside the picture or behind another box
    """

    points: FloatArray
    normals: FloatArray
    edges: NDArray[np.int64]
    shares: FloatArray
    outer: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    hidden: float


@dataclass(frozen=True)
class EdgeFit:
    """How well edges fit.

    Attributes
    ----------
    row : (9,) the box
    support : share of places at which the edge is where it should be
    spread : how far these are off, in pixels, as a root mean square
    hidden : see `EdgePlaces`
    relief : by what share of their brightness the faces differ at the inner edge with most contrast; 1 if none is seen
    """

    row: FloatArray
    support: float
    spread: float
    hidden: float
    relief: float


def places_of(row: FloatArray, around: Surroundings, view: BoxView, config: PlacesConfig) -> EdgePlaces:
    """Returns the places to measure; other boxes hide some."""
    corners = corners_of(row[None])[0]
    seen = seen_faces(corners)
    pixels = project(corners, view)
    # For each edge that is seen: its index, how many places it has, and whether it is an outer one.
    measured: list[tuple[int, int, bool]] = []
    along = pixels[_ENDS] - pixels[_STARTS]
    lengths = np.hypot(along[:, 0], along[:, 1])
    for index, (faces, length) in enumerate(zip(EDGE_FACES, lengths.tolist(), strict=True)):
        sides = sum(seen[face] for face in faces)
        if sides == 0 or length < 3 * config.corner_px or not length < FAR_PX:
            continue
        count = min(config.most, max(2, int((length - 2 * config.corner_px) / config.spacing_px)))
        measured.append((index, count, sides == 1))
    if not measured:
        none = np.zeros((0, 2))
        return EdgePlaces(none, none, np.zeros(0, np.int64), np.zeros(0), np.zeros(0, bool), np.zeros(0, bool), 1.0)
    which, counts, outer = (np.array(column) for column in zip(*measured, strict=True))
    start, end = _STARTS[which], _ENDS[which]
    along, lengths = along[which], lengths[which]
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / lengths[:, None]
    away = (pixels[start] - pixels.mean(axis=0)) * normals
    normals[away[:, 0] + away[:, 1] < 0] *= -1.0
    # From near one corner to as near the other one, evenly.
    first, last = config.corner_px / lengths, 1 - config.corner_px / lengths
    number = np.concatenate([np.arange(count) for count in counts.tolist()])
    edges, each = which.repeat(counts), np.arange(len(which)).repeat(counts)
    share = number * ((last - first) / (counts - 1))[each] + first[each]
    share[np.cumsum(counts) - 1] = last
    place, across, is_outer = pixels[start][each] + share[:, None] * along[each], normals[each], outer[each]
    # 1 / depth is linear along the picture of an edge.
    depths = 1 / ((1 - share) / corners[start, 2][each] + share / corners[end, 2][each])
    free, covered = _free(place, across, depths, around.others, view, config)
    hidden = 1 - float(free[is_outer].mean()) if is_outer.any() else 1.0
    for twin in around.twins:
        is_outer &= ~np.isfinite(entry_depth(twin, place + config.twin_px * across, view))
    return EdgePlaces(place[free], across[free], edges[free], share[free], is_outer[free], covered[free], hidden)


def _free(
    points: FloatArray,
    normals: FloatArray,
    depths: FloatArray,
    others: tuple[FloatArray, ...],
    view: BoxView,
    config: PlacesConfig,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tells which places lie in the picture and not behind another box, and beside which another box hides things."""
    limit = np.array([view.width, view.height]) - config.border_px
    inside = ((points >= config.border_px) & (points <= limit)).all(axis=1)
    free = np.asarray(inside, np.bool_)
    covered = np.zeros(len(points), np.bool_)
    close, wide = (-config.beside_px, 0.0, config.beside_px), (-config.told_px, config.told_px)
    low, high = points.min(axis=0) - config.told_px, points.max(axis=0) + config.told_px
    beside = np.concatenate([points + aside * normals for aside in (*close, *wide)])
    for other in others:
        pixels = project(corners_of(other[None])[0], view)
        if (pixels.min(axis=0) > high).any() or (pixels.max(axis=0) < low).any():
            continue  # far from each other in the picture, which is the rule
        hides = entry_depth(other, beside, view).reshape(-1, len(points)) < depths - config.behind_m
        free &= ~hides[: len(close)].any(axis=0)
        covered |= hides[len(close) :].any(axis=0)
    return free, covered


def refine(
    row: FloatArray,
    free: tuple[int, ...],
    around: Surroundings,
    member: NDArray[np.float32],
    linear: NDArray[np.float32],
    view: BoxView,
    config: EdgesConfig,
    windows: tuple[float, ...],
) -> EdgeFit:
    """Moves a row until its edges lie where the picture has them.

    Parameters
    ----------
    row : (9,), a first fit
    free : which numbers may change
    around : the other boxes
    member, linear : see `PaintMap`
    view, config : camera and settings
    windows : how far from where an edge should be it is looked for, in pixels, one step for each
    """
    numbers = list(free)
    for window in windows:
        places = places_of(row, around, view, config.places)
        offsets, found = _measure(places, member, linear, window, config)
        if found.sum() < 2 * len(numbers):
            break
        row = _moved(row, numbers, places, offsets, found, view, config)
    places = places_of(row, around, view, config.places)
    offsets, found = _measure(places, member, linear, config.last_windows_px[-1], config)
    near = found & (np.abs(offsets) <= config.good_px)
    # An inner edge may have no contrast; an outer edge must have, where both of its sides are in sight.
    counted = (places.outer & ~places.covered) | found
    support = float(near.sum() / counted.sum()) if counted.any() else 0.0
    spread = float(np.sqrt(np.square(offsets[near]).mean())) if near.any() else config.good_px
    return EdgeFit(row, support, spread, places.hidden, _relief(places, linear, config.relief))


def _relief(places: EdgePlaces, linear: NDArray[np.float32], config: ReliefConfig) -> float:
    """Measures `EdgeFit.relief`. Means along whole edges tell differences that single places do not."""
    # Near its ends an inner edge may have the table beside it.
    inner = ~places.outer & (np.abs(places.shares - 0.5) <= config.middle)
    if not inner.any():
        return 1.0
    points, normals, edges = places.points[inner], places.normals[inner], places.edges[inner]
    sides = []
    for aside in (-config.aside_px, config.aside_px):
        x, y = ((points + aside * normals - 0.5).astype(np.float32)[:, axis : axis + 1].copy() for axis in (0, 1))
        sides.append(cv2.remap(linear, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0].astype(float))
    relief = 0.0
    for edge in np.unique(edges):
        one, other = (side[edges == edge].mean(axis=0) for side in sides)
        relief = max(relief, float(np.abs(one - other).max() / max(one.max(), other.max(), _BLACK)))
    return relief


def unevenness(row: FloatArray, mask: NDArray[np.bool_], linear: NDArray[np.float32], view: BoxView) -> float:
    """Measures how uneven the faces of a box are, from 0 to 1.

    It is the share of the variance of brightness within a mask, (H, W), that faces of one brightness each leave over:
    edges tell whether something is where they should be, but not whether the strongest edge is one of them.
    """
    corners = corners_of(row[None])[0]
    pixels = project(corners, view)
    inside = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0  # not a threshold: a pixel's neighbours
    if not inside.any() or not np.abs(pixels).max() < FAR_PX:
        return 1.0
    shown = np.zeros(mask.shape, np.int64)
    for face, (indices, seen) in enumerate(zip(FACES, seen_faces(corners), strict=True)):
        if seen:
            shown[hull_mask(pixels[list(indices)], mask.shape)] = 1 + face
    values, shown = linear.mean(axis=2, dtype=np.float64)[inside], shown[inside]
    counts = np.maximum(np.bincount(shown), 1)
    means = np.bincount(shown, values) / counts
    return float(np.square(values - means[shown]).mean() / max(values.var(), _BLACK**2))


def _moved(
    row: FloatArray,
    numbers: list[int],
    places: EdgePlaces,
    offsets: FloatArray,
    found: NDArray[np.bool_],
    view: BoxView,
    config: EdgesConfig,
) -> FloatArray:
    """Makes one Gauss-Newton step with less weight for what lies far off (Huber)."""
    shifted = np.repeat(row[None], len(numbers) + 1, axis=0)
    for index, number in enumerate(numbers):
        shifted[index + 1, number] += STEP
    pixels = project(corners_of(shifted), view)
    ends = np.array(EDGES)[places.edges[found]]
    share = places.shares[found][:, None]
    points = (1 - share) * pixels[:, ends[:, 0]] + share * pixels[:, ends[:, 1]]
    slopes = ((points[1:] - points[:1]) * places.normals[found]).sum(axis=2) / STEP
    errors = offsets[found]
    middle = float(np.median(np.abs(errors)))
    limit = max(config.outlier_px, config.outlier_share * middle)
    weights = limit / np.maximum(np.abs(errors), limit)
    normal = np.einsum("in,jn,n->ij", slopes, slopes, weights)
    right = np.einsum("in,n,n->i", slopes, errors, weights)
    step = np.linalg.solve(normal + np.diag(_RIDGE * np.diag(normal) + 1e-9), right)
    moved = row.copy()
    moved[numbers] += np.clip(step, -config.most_step, config.most_step)
    return moved


def _measure(
    places: EdgePlaces,
    member: NDArray[np.float32],
    linear: NDArray[np.float32],
    window: float,
    config: EdgesConfig,
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Returns how far along its normal each place's edge lies, in pixels, and whether there is one: (n,), (n,)."""
    count = len(places.points)
    if not count:
        return np.zeros(0), np.zeros(0, bool)
    reach = window + config.side_px + config.fine_px
    steps = np.arange(-reach, reach + config.step_px / 2, config.step_px)
    x, y = (
        (places.points[:, axis, None] + steps * places.normals[:, axis, None] - 0.5).astype(np.float32)
        for axis in (0, 1)
    )
    colors = cv2.remap(linear, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    paint = cv2.remap(member, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    rough = np.empty(count, np.int64)
    rough[places.outer] = _step_in(paint[places.outer, :, None], steps, window, True)
    rough[~places.outer] = _step_in(colors[~places.outer], steps, window, False)
    side = round(config.side_px / config.step_px)
    fine = round(config.fine_px / config.step_px)
    low = rough - fine
    before = _window_mean(colors, low - side, side)
    after = _window_mean(colors, rough + fine + 1, side)
    change = after - before
    contrast = np.sqrt(np.square(change).sum(axis=1))
    index = low[:, None] + np.arange(2 * fine + 1)
    part = (colors[np.arange(count)[:, None], index] - before[:, None]) * change[:, None]
    done = (part[..., 0] + part[..., 1] + part[..., 2]) / np.maximum(contrast**2, 1e-9)[:, None]
    # Where half has changed: the area before the change, counted from the first sample.
    remaining = np.clip(1 - done, 0, 1).sum(axis=1)
    offsets = steps[low] + (remaining - 0.5) * config.step_px
    inside = _window_mean(paint[..., None], low - side, side)[:, 0]
    outside = _window_mean(paint[..., None], rough + fine + 1, side)[:, 0]
    kept = contrast >= config.least_contrast
    # Outer edges have the paint within only, inner edges on both sides.
    kept &= np.where(places.outer, (inside > 0.5) & (outside < 0.5), (inside > 0.5) & (outside > 0.5))
    kept &= np.abs(offsets) <= window
    return offsets, kept


def _step_in(values: FloatArray, steps: FloatArray, window: float, falling: bool) -> NDArray[np.int64]:
    """Returns the index at which profiles (n, t, c) part best into two halves, within the window: (n,)."""
    count = values.shape[1]
    total = values.sum(axis=1, keepdims=True)
    first = np.cumsum(values, axis=1)
    sizes = np.arange(1, count + 1, dtype=np.float64)[None, :, None]
    left = first / sizes
    right = (total - first) / np.maximum(count - sizes, 1)
    gap = left - right
    score = (sizes * (count - sizes))[..., 0] * sum(np.square(gap[..., channel]) for channel in range(gap.shape[2]))
    if falling:
        score = np.where(gap[..., 0] > 0, score, -1.0)
    score[:, np.abs(steps) > window] = -2.0
    return np.asarray(score.argmax(axis=1), np.int64)


def _window_mean(values: FloatArray, first: NDArray[np.int64], size: int) -> FloatArray:
    """Returns the mean of ``size`` samples of profiles (n, t, c) from each ``first`` (n,): (n, c)."""
    index = np.minimum(np.maximum(first[:, None] + np.arange(size), 0), values.shape[1] - 1)
    mean: FloatArray = values[np.arange(len(values))[:, None], index].mean(axis=1)
    return mean
