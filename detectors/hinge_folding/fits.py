"""How well pieces fit a picture at poses: how strongly it changes across their edges, and how much of them is paint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.config import PlacingConfig
from detectors.hinge_folding.view import ChainView, Floats
from puzzles.hinge_folding.chain import HingeShape, outline_of


@dataclass(frozen=True, eq=False)
class PieceSamples:
    """Points of a piece in its own frame, y up, in units: along its edges with their normals, and within it."""

    edge: Floats
    normal: Floats
    inner: Floats

    @cached_property
    def every(self) -> NDArray[np.float32]:
        """All points, x and y, (2, K)."""
        return np.concatenate([self.edge, self.inner]).T.astype(np.float32)

    @cached_property
    def across(self) -> NDArray[np.float32]:
        """Normals, x and y, (2, n)."""
        return self.normal.T.astype(np.float32)


@lru_cache(maxsize=64)  # not a threshold: how much is kept
def samples_of(shape: HingeShape, a_unit: float, grid: int) -> PieceSamples:
    """Points of a piece."""
    corners = np.array(outline_of(shape).corners)
    edges, normals = [], []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        count = max(2, round(length * a_unit))
        shares = (np.arange(count) + 0.5) / count
        edges.append(start + shares[:, None] * along)
        normals.append(np.tile((along[1] / length, -along[0] / length), (count, 1)))
    low, high = corners.min(axis=0), corners.max(axis=0)
    shares = (np.arange(grid) + 0.5) / grid
    points = np.stack(np.meshgrid(*(low[axis] + shares * (high - low)[axis] for axis in (0, 1))), axis=-1).reshape(
        -1, 2
    )
    along_edges, outward = np.concatenate(edges), np.concatenate(normals)
    inside = (((points[:, None] - along_edges) * outward).sum(axis=2) < 0).all(axis=1)
    return PieceSamples(along_edges, outward, points[inside])


def score_poses(
    view: ChainView,
    shape: HingeShape,
    poses: Floats,
    size: float | Floats,
    placing: PlacingConfig,
    edge_half: float,
    open_points: NDArray[np.bool_] | None = None,
) -> Floats:
    """Scores of a piece at poses, (M, 3) to (M,): 0 to 1 for its edges and 0 to `inner_weight` for its paint.

    Parameters
    ----------
    view : ChainView
    shape : HingeShape
    poses : (M, 3)
    size : float or (M,)
        By how much the piece is larger than a unit's pixels say.
    placing : PlacingConfig
    edge_half : float
        Change a pixel that counts half as an edge.
    open_points : (M, K) or None
        Which points count, of those along its edges and then of those within; what other pieces cover says nothing.
    """
    points = samples_of(shape, placing.samples_unit, placing.inner_grid)
    cos = np.cos(poses[:, 2], dtype=np.float32)[:, None]
    sin = np.sin(poses[:, 2], dtype=np.float32)[:, None]
    unit = np.float32(view.unit_px) * np.asarray(size, np.float32).reshape(-1, 1)
    height, width = view.paint.shape
    local = points.every
    # In place where it can be: to make room for so many numbers takes as long as to compute them.
    x, y = cos * local[0], sin * local[0]
    x -= sin * local[1]
    y += cos * local[1]
    x *= unit
    y *= unit
    x += (poses[:, :1] - 0.5).astype(np.float32)
    np.subtract((poses[:, 1:2] - 0.5).astype(np.float32), y, out=y)
    # What lies beyond the picture is as at its rim.
    for one, last in ((x, width - 1), (y, height - 1)):
        np.rint(one, out=one)
        np.maximum(one, np.float32(0), out=one)
        np.minimum(one, np.float32(last), out=one)
    places = y.astype(np.int32)
    places *= np.int32(width)
    places += x.astype(np.int32)
    count = len(points.edge)
    normal, at = points.across, places[:, :count]
    edge, down = cos * normal[0], sin * normal[0]
    edge -= sin * normal[1]
    down += cos * normal[1]
    edge *= view.changes[0].take(at)
    down *= view.changes[1].take(at)
    edge -= down
    np.abs(edge, out=edge)
    edge /= edge + np.float32(edge_half)
    inner = view.paint.ravel().take(places[:, count:])
    inner /= inner + np.float32(placing.paint_half)
    if open_points is None:
        return np.asarray(edge.mean(axis=1) + placing.inner_weight * inner.mean(axis=1), np.float64)
    weights = open_points.astype(np.float32)
    return np.asarray(
        _mean(edge, weights[:, :count]) + placing.inner_weight * _mean(inner, weights[:, count:]), np.float64
    )


def _mean(values: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of what counts; of less than one point it is less."""
    return np.asarray((values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1), np.float32)


@lru_cache(maxsize=8)  # not a threshold: how much is kept
def planes_of(shape: HingeShape) -> tuple[Floats, Floats]:
    """Of each edge the outward direction, (2, K), and how far out it lies, (K,)."""
    corners = np.array(outline_of(shape).corners)
    along = np.roll(corners, -1, axis=0) - corners
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    return outward.T, (corners * outward).sum(axis=1)


@lru_cache(maxsize=8)  # not a threshold: how much is kept
def radius_of(shape: HingeShape) -> float:
    """How far any point of a piece is from its centre, in units."""
    corners = np.array(outline_of(shape).corners)
    return float(np.hypot(corners[:, 0], corners[:, 1]).max())


def open_points_of(
    shapes: Sequence[HingeShape], chains: Floats, poses: Floats, unit_px: float, placing: PlacingConfig
) -> NDArray[np.bool_]:
    """Which points of a piece no piece before it covers: chains (M, N, 3) and poses (M, 3) of piece N, to (M, K)."""
    samples = samples_of(shapes[chains.shape[1]], placing.samples_unit, placing.inner_grid)
    local_x, local_y = np.concatenate([samples.edge, samples.inner]).T.astype(np.float32)
    laid, before, size = poses.astype(np.float32), chains.astype(np.float32), np.float32(unit_px)
    cos, sin = np.cos(laid[:, 2:]), np.sin(laid[:, 2:])
    every_x = laid[:, :1] / size + cos * local_x - sin * local_y
    every_y = -laid[:, 1:2] / size + sin * local_x + cos * local_y
    hidden = np.zeros(every_x.shape, bool)
    for number in range(chains.shape[1]):
        # Pieces that are far from each other do not lie on each other.
        away = np.hypot(*(before[:, number, :2] - laid[:, :2]).T) / size
        close = np.flatnonzero(away < radius_of(shapes[number]) + radius_of(shapes[chains.shape[1]]))
        if not close.size:
            continue
        pose, x, y = before[close, number], every_x[close], every_y[close]
        cos, sin = np.cos(pose[:, 2])[:, None], np.sin(pose[:, 2])[:, None]
        across, up = x - pose[:, :1] / size, y + pose[:, 1:2] / size
        along, aside = cos * across + sin * up, cos * up - sin * across
        outward, reach = planes_of(shapes[number])
        within = np.ones(x.shape, bool)
        for (plane_x, plane_y), far in zip(outward.T.tolist(), (reach - placing.hidden_rim).tolist(), strict=True):
            within &= along * plane_x + aside * plane_y < far
        hidden[close] |= within
    return ~hidden


def less_hidden(shape: HingeShape, scores: Floats, open_points: NDArray[np.bool_], placing: PlacingConfig) -> Floats:
    """Scores less what a piece loses that other pieces cover too much of."""
    count = len(samples_of(shape, placing.samples_unit, placing.inner_grid).edge)
    hidden = 1 - open_points[:, count:].mean(axis=1)
    return np.asarray(scores - placing.hidden_weight * np.maximum(0, hidden - placing.most_hidden), np.float64)


def refine(
    view: ChainView,
    shape: HingeShape,
    poses: Floats,
    placing: PlacingConfig,
    edge_half: float,
    open_points: NDArray[np.bool_] | None = None,
) -> tuple[Floats, Floats]:
    """Moves and turns poses, (M, 3), to where they fit best near by; the new poses, and their scores."""
    best = poses
    scores = score_poses(view, shape, poses, 1.0, placing, edge_half, open_points)
    steps = np.array([-1.0, 0.0, 1.0])
    offsets = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    reach = np.array([placing.near * view.unit_px, placing.near * view.unit_px, np.radians(placing.near_deg)])
    rows = np.arange(len(best))
    counts = None if open_points is None else np.repeat(open_points, len(offsets), axis=0)
    for share in placing.near_rounds:
        tried = best[:, None] + offsets * (share * reach)
        found = score_poses(view, shape, tried.reshape(-1, 3), 1.0, placing, edge_half, counts).reshape(len(best), -1)
        # Where much fits as well, the least move is taken.
        found -= 1e-3 * np.abs(offsets).sum(axis=1)  # not a threshold: breaks ties
        chosen = found.argmax(axis=1)
        better = found[rows, chosen] > scores
        best = np.where(better[:, None], tried[rows, chosen], best)
        scores = np.where(better, found[rows, chosen], scores)
    return best, scores


def joint_of(pose: Floats, reach: float, unit_px: float) -> Floats:
    """A point on a piece's axis so far from its centre, in pixels; poses (..., 3) to (..., 2)."""
    along = np.stack([np.cos(pose[..., 2]), -np.sin(pose[..., 2])], axis=-1)
    return np.asarray(pose[..., :2] + reach * unit_px * along, np.float64)


def covered_by(places: Floats, shape: HingeShape, pose: Floats, unit: float, rim: float) -> NDArray[np.bool_]:
    """Which places, in pixels, lie within a piece or no farther from it than a rim, in units."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    local = (places - pose[:2]) / unit @ np.array([[cos, -sin], [-sin, -cos]])
    outward, reach = planes_of(shape)
    lengths = np.hypot(outward[0], outward[1])
    return np.asarray((local @ outward < reach + rim * lengths).all(axis=1))
