"""All programs that fold a chain into a silhouette, and so the shortest.

In a program that gives a silhouette every piece lies within it. So pieces are laid one after another, each at the eight
angles of its hinge, and what sticks out is not followed; the few chains that are left are compared with the silhouette.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from puzzles.hinge_folding.chain import ANGLE_STEP, GRID, SAME_AREA, Floats, HingeShape, outline_of

STEPS = 8
"""Angles that a hinge can have."""
_NEAR = 1e-4  # a corner that lies within the silhouette but for rounding; as an area along a side of 1 it is SAME_AREA


def solve(shapes: Sequence[HingeShape], target: shapely.Geometry) -> Iterator[tuple[int, ...]]:
    """Yields every program that gives a silhouette: of each hinge how many steps of 45 degrees, 0 to 7.

    Parameters
    ----------
    shapes : sequence of HingeShape
        From the left to the right, at least one.
    target : shapely.Geometry
        The silhouette, with the first piece centred at the origin.
    """
    wider = target.buffer(_NEAR)
    shapely.prepare(wider)
    first = outline_of(shapes[0])
    start = shapely.Polygon(first.corners)
    if start.difference(target, grid_size=GRID).area < SAME_AREA:
        yield from _lay(shapes, target, wider, (), (start,), np.array([first.right, 0.0]), 0)


def least_turns(programs: Iterator[tuple[int, ...]] | Sequence[tuple[int, ...]]) -> int | None:
    """How many hinges the shortest program turns; None if there is no program."""
    return min((sum(map(bool, program)) for program in programs), default=None)


def _lay(
    shapes: Sequence[HingeShape],
    target: shapely.Geometry,
    wider: shapely.Geometry,
    steps: tuple[int, ...],
    laid: tuple[shapely.Geometry, ...],
    joint: Floats,
    turn: int,
) -> Iterator[tuple[int, ...]]:
    if len(laid) == len(shapes):
        if shapely.union_all(laid, grid_size=GRID).symmetric_difference(target, grid_size=GRID).area < SAME_AREA:
            yield steps
        return
    piece = outline_of(shapes[len(laid)])
    corners = np.array(piece.corners) - (piece.left, 0.0)
    for step in range(STEPS):
        angle = (turn + step) % STEPS * ANGLE_STEP
        cos, sin = math.cos(angle), math.sin(angle)
        rotation = np.array([[cos, -sin], [sin, cos]])
        placed = shapely.Polygon(corners @ rotation.T + joint)
        if not wider.contains(placed) and placed.difference(target, grid_size=GRID).area >= SAME_AREA:
            continue
        yield from _lay(
            shapes,
            target,
            wider,
            (*steps, step),
            (*laid, placed),
            joint + rotation @ (piece.right - piece.left, 0.0),
            turn + step,
        )
