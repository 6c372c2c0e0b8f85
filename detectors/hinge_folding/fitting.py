"""Brings a laid chain to where it fits best as a whole, and looks whether its edges lie on what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from detectors.common.quantiles import median
from detectors.hinge_folding.config import ChainViewConfig, PlacingConfig
from detectors.hinge_folding.fits import covered_by, planes_of, radius_of, samples_of, score_poses
from detectors.hinge_folding.placing import LaidChain
from detectors.hinge_folding.view import ChainView, Floats
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, folded

_RIMS = 3.0  # not a threshold: at a sharp corner a rim reaches farther than it is wide


def snapped(
    view: ChainView,
    shapes: Sequence[HingeShape],
    chain: LaidChain,
    placing: PlacingConfig,
    seen: ChainViewConfig,
    reach: float = 1.0,
) -> LaidChain | None:
    """The chain with closed hinges at the angles that they can have; None if it fits worse than as it was laid.

    ``reach`` is how many times as far as usual it may be moved, turned and resized.
    """
    step = np.radians(placing.snap_deg)
    turns = chain.poses[:, 2]
    # What a turned picture adds to all angles.
    most = np.radians(placing.snap_off_deg)
    off = float(np.clip(np.angle(np.exp(1j * turns * FULL_TURN / step).sum()) * step / FULL_TURN, -most, most))
    angles = np.rint((turns - off) / step) * step
    local = np.concatenate([one.mean(axis=0, keepdims=True) for one in folded(shapes, np.diff(angles))])
    cos, sin = np.cos(angles[0]), np.sin(angles[0])
    local = local @ np.array([[cos, sin], [-sin, cos]])

    def placed(params: Floats) -> Floats:
        """Poses of the whole chain for (x, y, turn, scale), (M, 4) to (M, N, 3)."""
        cos, sin = np.cos(params[:, 2])[:, None], np.sin(params[:, 2])[:, None]
        unit = view.unit_px * params[:, 3:4]
        x = params[:, :1] + unit * (cos * local[:, 0] - sin * local[:, 1])
        y = params[:, 1:2] - unit * (sin * local[:, 0] + cos * local[:, 1])
        return np.stack([x, y, np.broadcast_to(angles, x.shape) + params[:, 2:3]], axis=-1)

    middle = local.mean(axis=0) * (1, -1)
    seen_middle = chain.poses[:, :2].mean(axis=0)
    spread = float(np.linalg.norm(local - local.mean(axis=0)))
    seen_spread = float(np.linalg.norm(chain.poses[:, :2] - seen_middle)) / view.unit_px
    scale = seen_spread / spread if spread > 0 and chain.scale == 1.0 else chain.scale
    scale = float(np.clip(scale, placing.least_scale, placing.most_scale))
    best = np.array([*(seen_middle - scale * view.unit_px * middle), off, scale])
    steps = np.array([-1.0, 0.0, 1.0])
    offsets = np.stack(np.meshgrid(*(steps,) * len(best), indexing="ij"), axis=-1).reshape(-1, len(best))
    far = placing.near * view.unit_px
    ways = reach * np.array([far, far, np.radians(placing.near_deg) / len(shapes), placing.snap_scale])
    for number in range(placing.snap_rounds):
        tried = best + offsets * ways / 2**number
        tried[:, 2] = np.clip(tried[:, 2], -most, most)
        found = _scores_of(view, shapes, placed(tried), tried[:, 3], placing, placing.snap_half).sum(axis=1)
        found -= 1e-3 * np.abs(offsets).sum(axis=1)  # not a threshold: breaks ties
        best = tried[int(found.argmax())]
    poses = placed(best[None])
    scores = _scores_of(view, shapes, poses, best[3:4], placing, seen.edge_half)[0]
    free = np.array(
        [
            score_poses(view, shape, pose[None], chain.scale, placing, seen.edge_half)[0]
            for shape, pose in zip(shapes, chain.poses, strict=True)
        ]
    )
    if (free - scores).mean() > placing.snap_edge:
        return None
    return LaidChain(poses[0], scores, float(best[3]))


def _scores_of(
    view: ChainView,
    shapes: Sequence[HingeShape],
    poses: Floats,
    scales: Floats,
    placing: PlacingConfig,
    edge_half: float,
) -> Floats:
    """Scores of whole chains, (M, N, 3) and (M,) to (M, N)."""
    found = np.empty(poses.shape[:2])
    for shape in dict.fromkeys(shapes):
        # Pieces of one shape at once.
        same = [number for number, one in enumerate(shapes) if one is shape]
        scores = score_poses(
            view, shape, poses[:, same].reshape(-1, 3), np.repeat(scales, len(same)), placing, edge_half
        )
        found[:, same] = scores.reshape(len(poses), -1)
    return found


@dataclass(frozen=True, eq=False)
class EdgeCheck:
    """How each piece's free edge lies on what is seen.

    Attributes
    ----------
    held : the share of it that does
    grown : how far out it is, in units
    """

    held: Floats
    grown: Floats


def check_edges(
    view: ChainView, shapes: Sequence[HingeShape], chain: LaidChain, placing: PlacingConfig, seen: ChainViewConfig
) -> EdgeCheck:
    """Looks across each edge, where no other piece is near, for the strongest change.

    A piece of which hardly any edge is free is held, and where it should be.
    """
    unit = view.unit_px * chain.scale
    height, width = view.paint.shape
    count = 2 * max(2, round(2 * placing.held_window * unit)) + 1
    reach = np.linspace(-placing.held_window, placing.held_window, count)
    near = np.abs(reach) <= placing.held_reach
    held, outward = [], []
    for number, shape in enumerate(shapes):
        samples = samples_of(shape, placing.held_samples, placing.inner_grid)
        pose = chain.poses[number]
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        turn = np.array([[cos, -sin], [-sin, -cos]])  # y down
        places, normals = pose[:2] + samples.edge @ turn.T * unit, samples.normal @ turn.T
        # What lies at the rim of the picture, or beyond it, is not seen.
        beyond = places + placing.held_window * unit * normals
        free = ((beyond > 1) & (beyond < (width - 1, height - 1))).all(axis=1)
        for at, other in enumerate(shapes):
            # Pieces that are far from each other do not lie on each other.
            far = unit * (radius_of(shape) + radius_of(other) + _RIMS * placing.held_rim)
            if at != number and float(np.hypot(*(chain.poses[at, :2] - pose[:2]))) < far:
                free &= ~covered_by(places, other, chain.poses[at], unit, placing.held_rim)
        if free.sum() < placing.held_least * len(free):
            held.append(1.0)
            outward.append(0.0)
            continue
        tried = places[free][:, None] + (reach * unit)[:, None] * normals[free][:, None]
        columns = np.clip(np.rint(tried[..., 0] - 0.5).astype(np.intp), 0, width - 1)
        rows = np.clip(np.rint(tried[..., 1] - 0.5).astype(np.intp), 0, height - 1)
        change = view.change.reshape(-1, 2).take(rows * width + columns, axis=0)
        across, down = normals[free].T[..., None]
        strength = np.abs(change[..., 0] * across + change[..., 1] * down)
        top, own = strength.max(axis=1), strength[:, near].max(axis=1)
        held.append(float(((own >= placing.held_share * top) & (own > seen.edge_half)).mean()))
        clear = top > seen.edge_half
        # The middle of all places that are as strong, for pixels are coarse.
        strong = strength >= placing.held_strong * top[:, None]
        middle = (strong * reach).sum(axis=1) / np.maximum(1, strong.sum(axis=1))
        grown = median(middle[clear]) if clear.any() else 0.0
        outward.append(grown if free.mean() >= placing.sized_least else 0.0)
    return EdgeCheck(np.array(held), np.array(outward))


@lru_cache(maxsize=8)  # not a threshold: how much is kept
def inner_radius(shape: HingeShape) -> float:
    """By how much the edge of a shape moves out, in the mean, where it grows by its own size: 2 areas / perimeter."""
    outward, reach = planes_of(shape)
    return float(reach.sum() / np.hypot(outward[0], outward[1]).sum())
