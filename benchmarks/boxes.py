"""Overlap of oriented boxes against two other routes: ``python -m benchmarks.boxes [--pairs N]``.

Pairs are random and, in most kinds, nearly degenerate. The whole of them goes against manifold3d; a few against the
intersection of half-spaces (a linear programme for a point inside, then Qhull through scipy). Ends with 1 where an
overlap differs by more than 1e-6, is above 1, or depends on which box is named first. Times are of one core.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

from grader.metrics.space.boxes3d import BoxArray, box_overlaps
from grader.metrics.space.rotations import from_axis, from_quaternion, matmul, transpose

Floats = NDArray[np.float64]

TOLERANCE = 1e-6
_SIGNS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_SMALL_ANGLES = (1e-5, 1e-7, 1e-9, 1e-12)
_SMALL_OFFSETS = (1e-6, 1e-9, 1e-12, -1e-9)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Two arrays of boxes of one length."""

    one: BoxArray
    other: BoxArray


def _turns(dice: np.random.Generator, n: int) -> Floats:
    return from_quaternion(dice.normal(size=(n, 4)), scalar_first=True)


def _sizes(dice: np.random.Generator, n: int) -> Floats:
    return dice.uniform(0.2, 1.5, (n, 3))


def _moved(rotations: Floats, inside: Floats) -> Floats:
    """Vectors (n, 3) from the boxes' frames to the outside."""
    return np.asarray((rotations * inside[:, None, :]).sum(axis=2), np.float64)


def _small_turns(dice: np.random.Generator, n: int) -> Floats:
    """Turns by very small angles about any axis."""
    axis = dice.normal(size=(n, 3))
    axis /= np.sqrt((axis**2).sum(axis=1, keepdims=True))
    half = 0.5 * dice.choice(_SMALL_ANGLES, (n, 1))
    return from_quaternion(np.concatenate([np.cos(half), axis * np.sin(half)], axis=1), scalar_first=True)


def random_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """Any boxes; about six in seven overlap."""
    one = BoxArray(dice.normal(0.0, 0.3, (n, 3)), _sizes(dice, n), _turns(dice, n))
    return Pairs(one, BoxArray(dice.normal(0.0, 0.3, (n, 3)), _sizes(dice, n), _turns(dice, n)))


def same_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """The same solid, with its axes named in another order."""
    one = BoxArray(dice.normal(size=(n, 3)), _sizes(dice, n), _turns(dice, n))
    cycle = np.roll(np.eye(3), dice.integers(3), axis=0)
    sizes = _moved(np.broadcast_to(cycle, (n, 3, 3)), one.sizes)
    return Pairs(one, BoxArray(one.centers, sizes, matmul(one.rotations, np.broadcast_to(cycle.T, (n, 3, 3)))))


def coplanar_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """Boxes with common axes: each axis has faces in one plane, touching faces, one centre, or none of these."""
    one = BoxArray(dice.normal(size=(n, 3)), _sizes(dice, n), _turns(dice, n))
    sizes = np.where(dice.random((n, 3)) < 0.4, one.sizes, _sizes(dice, n))
    choice = dice.integers(0, 4, (n, 3))
    flush, touching = 0.5 * (one.sizes - sizes), 0.5 * (one.sizes + sizes)
    inside = np.choose(choice, [flush, np.where(dice.random((n, 3)) < 0.2, touching, 0.3), 0.0 * flush, 0.5 * flush])
    turn = matmul(one.rotations, from_axis("y", dice.choice([0.0, np.pi], n)))
    return Pairs(one, BoxArray(one.centers + _moved(one.rotations, inside), sizes, turn))


def nearly_coplanar_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """The same, then turned by 1e-5 to 1e-12 rad and displaced by as little."""
    pairs = coplanar_pairs(dice, n)
    offset = dice.choice(_SMALL_OFFSETS, (n, 3))
    turned = matmul(_small_turns(dice, n), pairs.other.rotations)
    return Pairs(pairs.one, BoxArray(pairs.other.centers + offset, pairs.other.sizes, turned))


def contained_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """One wholly within the other."""
    one = BoxArray(dice.normal(size=(n, 3)), dice.uniform(2.0, 3.0, (n, 3)), _turns(dice, n))
    inside = dice.uniform(-0.3, 0.3, (n, 3))
    return Pairs(one, BoxArray(one.centers + _moved(one.rotations, inside), 0.5 * _sizes(dice, n), _turns(dice, n)))


def touching_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """A corner of one lies in a face of the other, or off it by 1e-6 to 1e-12, either way."""
    one = BoxArray(dice.normal(size=(n, 3)), _sizes(dice, n), _turns(dice, n))
    sizes, turns = _sizes(dice, n), _turns(dice, n)
    face = one.sizes * dice.uniform(-0.4, 0.4, (n, 3))
    face[:, 0] = 0.5 * one.sizes[:, 0] + dice.choice(_SMALL_OFFSETS, n)
    # The corner that lies deepest along the face's normal.
    local = matmul(transpose(one.rotations), turns)
    corner = -0.5 * sizes * np.sign(local[:, 0, :])
    centers = one.centers + _moved(one.rotations, face) - _moved(turns, corner)
    return Pairs(one, BoxArray(centers, sizes, turns))


def thin_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """Needles and plates, 1/10 to 1/1000 as thin as long, against anything and each other, near one another's axes."""
    sizes = [_sizes(dice, n) * dice.choice([1.0, 0.1, 0.01, 0.001], (n, 3)) for _ in range(2)]
    one = BoxArray(dice.normal(size=(n, 3)), sizes[0], _turns(dice, n))
    near = matmul(one.rotations, _small_turns(dice, n))
    turns = np.where(dice.random(n)[:, None, None] < 0.5, near, _turns(dice, n))
    inside = 0.3 * np.minimum(one.sizes, sizes[1]) * dice.uniform(-1.0, 1.0, (n, 3))
    return Pairs(one, BoxArray(one.centers + _moved(one.rotations, inside), sizes[1], turns))


def far_pairs(dice: np.random.Generator, n: int) -> Pairs:
    """Nearly coplanar ones, 1 to 100 km from the origin."""
    pairs = nearly_coplanar_pairs(dice, n)
    away = dice.normal(size=(n, 3)) * dice.choice([1e3, 1e4, 1e5], (n, 1))
    return Pairs(
        BoxArray(pairs.one.centers + away, pairs.one.sizes, pairs.one.rotations),
        BoxArray(pairs.other.centers + away, pairs.other.sizes, pairs.other.rotations),
    )


KINDS: tuple[tuple[Callable[[np.random.Generator, int], Pairs], float], ...] = (
    (random_pairs, 0.3),
    (same_pairs, 0.05),
    (coplanar_pairs, 0.15),
    (nearly_coplanar_pairs, 0.2),
    (contained_pairs, 0.05),
    (touching_pairs, 0.1),
    (thin_pairs, 0.1),
    (far_pairs, 0.05),
)
"""What makes pairs, and its share of all."""


def manifold_ious(one: BoxArray, other: BoxArray) -> Floats:
    """Intersection over union by manifold3d, (N,); the coordinates are relative to the first box's centre."""
    import manifold3d

    found = np.empty(len(one))
    for at in range(len(one)):
        shifts = np.zeros(3), other.centers[at] - one.centers[at]
        solids = [
            manifold3d.Manifold.cube(boxes.sizes[at], True).transform(np.c_[boxes.rotations[at], shift])
            for boxes, shift in zip((one, other), shifts, strict=True)
        ]
        shared = (solids[0] ^ solids[1]).volume()
        found[at] = shared / (one.volumes[at] + other.volumes[at] - shared)
    return found


def half_space_iou(one: BoxArray, other: BoxArray, at: int) -> float:
    """Intersection over union of one pair by half-spaces; 0 where a ball of 1e-9 m does not fit into it."""
    planes = []
    for boxes in (one, other):
        normals = np.concatenate([boxes.rotations[at].T, -boxes.rotations[at].T])
        inside = normals @ (boxes.centers[at] - one.centers[at])
        planes.append(np.c_[normals, -inside - 0.5 * np.tile(boxes.sizes[at], 2)])
    half_spaces = np.concatenate(planes)
    matrix = np.c_[half_spaces[:, :3], np.ones(12)]
    ball = linprog([0, 0, 0, -1], A_ub=matrix, b_ub=-half_spaces[:, 3], bounds=[(None, None)] * 3 + [(0, None)])
    if ball.status != 0 or ball.x[3] < 1e-9:
        return 0.0
    shared = ConvexHull(HalfspaceIntersection(half_spaces, ball.x[:3]).intersections).volume
    return float(shared / (one.volumes[at] + other.volumes[at] - shared))


def _row(values: Floats) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values.ravel()) + "]"


def main() -> int:
    """Compares and times; 1 if something is off."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half-spaces", type=int, default=300, help="pairs for the route by half-spaces, per kind")
    options = parser.parse_args()
    console, dice = Console(width=120), np.random.default_rng(options.seed)
    table = Table("kind", "pairs", "overlap", "manifold3d: worst", "half-spaces: worst", "above 1", "not symmetric")
    worst, worst_text, wrong, ours_s, theirs_s, half_s, pairs_run, halves = 0.0, "", 0, 0.0, 0.0, 0.0, 0, 0
    for make, share in KINDS:
        n = max(1, round(options.pairs * share))
        pairs = make(dice, n)
        clock = time.process_time()
        found = box_overlaps(pairs.one, pairs.other)
        ours_s += time.process_time() - clock
        turned = box_overlaps(pairs.other, pairs.one)
        clock = time.process_time()
        expected = manifold_ious(pairs.one, pairs.other)
        theirs_s += time.process_time() - clock
        off = np.abs(found.iou - expected)
        few, half_off, failed = min(n, options.half_spaces), 0.0, 0
        clock = time.process_time()
        for at in range(few):
            try:
                half_off = max(half_off, abs(half_space_iou(pairs.one, pairs.other, at) - float(found.iou[at])))
            except QhullError:
                failed += 1
        half_s += time.process_time() - clock
        above, uneven = int((found.iou > 1).sum()), int((found.iou != turned.iou).sum())
        wrong += above + uneven + int((off > TOLERANCE).sum())
        at = int(np.argmax(off))
        if off[at] >= worst:
            worst = float(off[at])
            one, other = ((b.centers[at], b.sizes[at], b.rotations[at]) for b in (pairs.one, pairs.other))
            worst_text = (
                f"{make.__name__} {at}: ours {float(found.iou[at])!r}, manifold3d {float(expected[at])!r}\n"
                + "\n".join(f"  center {_row(c)} size {_row(s)}\n  rotation {_row(r)}" for c, s, r in (one, other))
            )
        halves_text = f"{half_off:.1e} of {few}" + (f", Qhull fails on {failed}" if failed else "")
        name = make.__name__.removesuffix("_pairs").replace("_", " ")
        overlap = f"{float((found.iou > 0).mean()):.2f}"
        table.add_row(name, str(n), overlap, f"{off[at]:.1e}", halves_text, str(above), str(uneven))
        pairs_run, halves = pairs_run + n, halves + few
    console.print(table)
    console.print(f"worst against manifold3d: {worst:.2e}\n{worst_text}", highlight=False, soft_wrap=True)
    ours, theirs, half = pairs_run / ours_s, pairs_run / theirs_s, halves / half_s
    console.print(f"{pairs_run} pairs: ours {ours:.0f} pairs/s on one core", highlight=False)
    console.print(f"manifold3d {theirs:.0f} pairs/s, ours is {ours / theirs:.1f} times as fast", highlight=False)
    console.print(f"half-spaces {half:.0f} pairs/s, ours is {ours / half:.0f} times as fast", highlight=False)
    console.print(f"{wrong} differ by more than {TOLERANCE:g}, are above 1, or are not symmetric", highlight=False)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
