"""Lays the pieces of a chain onto a picture, one after another, each at its hinge; the answer is not seen.

A piece is scored by how strongly the picture changes across its edges, and by how much of it is paint. Several chains
are followed at once; each piece is moved and turned a little to where it fits best, so that small displacements do not
add up, and any angle can be read. What is not found at its hinge is looked for around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detectors.hinge_folding.config import ChainViewConfig, PlacingConfig
from detectors.hinge_folding.fits import joint_of, less_hidden, open_points_of, refine, score_poses
from detectors.hinge_folding.view import ChainView, Floats
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape, outline_of


@dataclass(frozen=True, eq=False)
class LaidChain:
    """Where pieces lie: of each the centre in working pixels and the angle in radians, (N, 3), and its score, 0 to 2.

    ``scale`` is by how much it is larger than a unit's pixels say.
    """

    poses: Floats
    scores: Floats
    scale: float = 1.0

    @property
    def total(self) -> float:
        """The sum of all scores."""
        return float(self.scores.sum())


def lay_chain(
    view: ChainView,
    shapes: Sequence[HingeShape],
    first: Floats,
    placing: PlacingConfig,
    seen: ChainViewConfig,
) -> list[LaidChain]:
    """Lays a chain from poses of its first piece, (M, 3).

    Returns
    -------
    list of LaidChain
        The best ones, the best first.
    """
    poses, scores = refine(view, shapes[0], first, placing, seen.edge_half)
    order = np.argsort(-scores, kind="stable")[: placing.beam]
    chains, marks = poses[order][:, None], scores[order][:, None]
    for number in range(1, len(shapes)):
        chains, marks = _extended(view, shapes, number, chains, marks, placing, seen)
    return [LaidChain(chains[at], marks[at]) for at in range(min(placing.kept, len(chains)))]


def lay_rigid(
    view: ChainView,
    shapes: Sequence[HingeShape],
    first: Floats,
    scale: float,
    placing: PlacingConfig,
    seen: ChainViewConfig,
) -> list[LaidChain]:
    """Lays a chain from poses of its first piece, (M, 3), with closed hinges at the angles that they can have.

    ``scale`` is by how much it is larger than a unit's pixels say. The best ones come first.
    """
    unit = view.unit_px * scale
    marks = score_poses(view, shapes[0], first, scale, placing, seen.edge_half)[:, None]
    chains = first[:, None]
    turns = np.arange(round(np.degrees(FULL_TURN) / placing.snap_deg)) * np.radians(placing.snap_deg)
    for number in range(1, len(shapes)):
        parents = np.repeat(np.arange(len(chains)), len(turns))
        poses = np.concatenate(
            [
                joint_of(chains[parents, -1], outline_of(shapes[number - 1]).right, unit),
                (chains[:, -1, 2][:, None] + turns).reshape(-1, 1),
            ],
            axis=1,
        )
        poses[:, :2] = joint_of(poses, -outline_of(shapes[number]).left, unit)
        points = open_points_of(shapes, chains[parents], poses, unit, placing)
        scores = score_poses(view, shapes[number], poses, scale, placing, seen.edge_half, points)
        scores = less_hidden(shapes[number], scores, points, placing)
        order = np.argsort(-(scores + marks.sum(axis=1)[parents]), kind="stable")[: placing.rigid_beam]
        chains = np.concatenate([chains[parents[order]], poses[order][:, None]], axis=1)
        marks = np.concatenate([marks[parents[order]], scores[order][:, None]], axis=1)
    return [LaidChain(chain, mark, scale) for chain, mark in zip(chains, marks, strict=True)]


def _extended(
    view: ChainView,
    shapes: Sequence[HingeShape],
    number: int,
    chains: Floats,
    marks: Floats,
    placing: PlacingConfig,
    seen: ChainViewConfig,
) -> tuple[Floats, Floats]:
    """Chains with one more piece, the best first."""
    before, shape = outline_of(shapes[number - 1]), shapes[number]
    piece = outline_of(shape)
    joints = joint_of(chains[:, -1], before.right, view.unit_px)
    turns = np.arange(placing.turns) * FULL_TURN / placing.turns
    angles = chains[:, -1, 2][:, None] + turns
    poses = np.concatenate([np.repeat(joints[:, None], placing.turns, axis=1), angles[..., None]], axis=2)
    poses[..., :2] = joint_of(poses, -piece.left, view.unit_px)
    flat = poses.reshape(-1, 3)
    parents = np.repeat(np.arange(len(chains)), placing.turns)
    points = open_points_of(shapes, chains[parents], flat, view.unit_px, placing)
    scores = less_hidden(shape, score_poses(view, shape, flat, 1.0, placing, seen.edge_half, points), points, placing)
    order = np.argsort(-(scores + marks.sum(axis=1)[parents]), kind="stable")[: placing.fitted]
    parents, points = parents[order], points[order]
    fitted, scores = refine(view, shape, flat[order], placing, seen.edge_half, points)
    scores = less_hidden(shape, scores, points, placing)
    if scores.max() < placing.least_edge:
        apart, score = _apart(view, shapes, chains[parents[0]], joints[parents[0]], placing, seen)
        if score > scores.max() + placing.apart_gain:
            fitted, scores = np.concatenate([apart[None], fitted]), np.concatenate([[score], scores])
            parents = np.concatenate([parents[:1], parents])
    totals = scores + marks.sum(axis=1)[parents]
    kept: list[int] = []
    for at in np.argsort(-totals, kind="stable"):
        # Two angles may be refined into one.
        if all(parents[at] != parents[one] or np.abs(_apart_by(fitted[at], fitted[one])) > 1 for one in kept):
            kept.append(int(at))
        if len(kept) == placing.beam:
            break
    chosen = np.array(kept)
    return (
        np.concatenate([chains[parents[chosen]], fitted[chosen][:, None]], axis=1),
        np.concatenate([marks[parents[chosen]], scores[chosen][:, None]], axis=1),
    )


def _apart_by(one: Floats, other: Floats) -> float:
    """How far two poses are apart, in working pixels, or radians a tenth of a turn worth a pixel."""
    turn = abs((one[2] - other[2] + FULL_TURN / 2) % FULL_TURN - FULL_TURN / 2)
    return float(np.hypot(*(one[:2] - other[:2])) + turn / 0.1)  # not a threshold: the same pose but for rounding


def _apart(
    view: ChainView,
    shapes: Sequence[HingeShape],
    chain: Floats,
    joint: Floats,
    placing: PlacingConfig,
    seen: ChainViewConfig,
) -> tuple[Floats, float]:
    """The best pose of the next piece of a chain anywhere around its hinge."""
    shape = shapes[len(chain)]
    steps = np.arange(-placing.apart_reach, placing.apart_reach + 1e-9, placing.apart_step) * view.unit_px
    turns = np.arange(placing.turns) * FULL_TURN / placing.turns
    offsets = np.stack(np.meshgrid(steps, steps, turns, indexing="ij"), axis=-1).reshape(-1, 3)
    poses = offsets + np.append(joint, 0.0)
    # What other pieces cover is looked at where it may matter.
    rough = score_poses(view, shape, poses, 1.0, placing, seen.edge_half)
    poses = poses[np.argsort(-rough, kind="stable")[: placing.apart_tried]]
    points = open_points_of(shapes, np.repeat(chain[None], len(poses), axis=0), poses, view.unit_px, placing)
    scores = less_hidden(shape, score_poses(view, shape, poses, 1.0, placing, seen.edge_half, points), points, placing)
    best = np.argsort(-scores, kind="stable")[: placing.beam]
    fitted, found = refine(view, shape, poses[best], placing, seen.edge_half, points[best])
    found = less_hidden(shape, found, points[best], placing)
    at = int(found.argmax())
    return fitted[at], float(found[at])
