"""How far a convex polygon slides until it touches another one, or a side of the lot, in closed form.

Two convex polygons touch where a vertex of one meets an edge of the other. Seen from the moving one, all these meetings
lie on the outline of one convex polygon, the set of displacements at which both overlap. It is bounded by the lines
along the edges of both, so it is kept as slabs ``low < n . m < high``, one for each direction n that is normal to an
edge, and a slide is a ray that meets it or does not. One formula serves one slide and millions of them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Slab = tuple[float, float, float, float]
Floats = NDArray[np.float64]

# What is this deep or less, in units of the lot, only touches. Rounding after many moves stays far below, and the
# smallest gap between bodies in the public puzzles, 5e-4, far above.
CONTACT_EPSILON = 1e-9
# Edges that differ by less, in radians, are parallel; speeds below are across the motion, and move nothing by more than
# the contact epsilon on any way through a lot.
_PARALLEL = 1e-12


def rectangle(x: float, y: float, theta: float, length: float, width: float) -> Polygon:
    """Return the corners of a rectangle with its centre at (x, y), counter-clockwise.

    Parameters
    ----------
    x, y
        The centre.
    theta
        The angle from the x axis to the side of the given length, in radians, counter-clockwise.
    length, width
        The sides, in the units of x and y.
    """
    along = (math.cos(theta) * length / 2, math.sin(theta) * length / 2)
    across = (-math.sin(theta) * width / 2, math.cos(theta) * width / 2)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple((x + a * along[0] + b * across[0], y + a * along[1] + b * across[1]) for a, b in signs)


def slabs(moving: Polygon, other: Polygon) -> tuple[Slab, ...]:
    """Return the displacements at which two convex polygons overlap, as slabs (n_x, n_y, low, high).

    Moved by m, the first one overlaps the other exactly if ``low < n . m < high`` for every slab. The normals are of
    length 1, one for each direction of an edge: 2 to 4 for two rectangles.
    """
    found: list[Slab] = []
    for n_x, n_y in (*_normals(moving), *_normals(other)):
        for seen_x, seen_y, _, _ in found:
            if abs(n_x * seen_y - n_y * seen_x) < _PARALLEL:
                break
        else:
            found.append(_slab(n_x, n_y, moving, other))
    return tuple(found)


def _slab(n_x: float, n_y: float, moving: Polygon, other: Polygon) -> Slab:
    mine = [n_x * x + n_y * y for x, y in moving]
    theirs = [n_x * x + n_y * y for x, y in other]
    return n_x, n_y, min(theirs) - max(mine), max(theirs) - min(mine)


def overlap_depth(first: Polygon, second: Polygon) -> float:
    """Return the shortest displacement that parts two convex polygons; negative where they are apart.

    Where they are apart its size is at most their distance, and equal to it unless two corners are nearest.
    """
    return min(min(-low, high) for _, _, low, high in slabs(first, second))


def first_touch(low: Floats, high: Floats, speed: Floats) -> Floats:
    """Return the distances at which rays from the origin meet the polygons that slabs bound.

    Parameters
    ----------
    low, high : (..., K)
        The bounds of K slabs.
    speed : (..., K)
        The components of the directions along the slabs' normals; directions are of length 1.

    Returns
    -------
    (...,)
        Not negative; infinite where there is no contact deeper than `CONTACT_EPSILON`. What touches already and parts,
        or slides along, is not met. What overlaps already is met at once, unless the overlap gets no deeper across the
        side where it is shallowest.
    """
    moves = np.abs(speed) > _PARALLEL
    safe = np.where(moves, speed, 1.0)
    first, last = low / safe, high / safe
    enters = _over_slabs(np.maximum, np.where(moves, np.minimum(first, last), -np.inf))
    # Whether there is a contact is asked of slabs that are narrower by the epsilon, where it happens of the true ones.
    narrow_low, narrow_high = low + CONTACT_EPSILON, high - CONTACT_EPSILON
    first, last = narrow_low / safe, narrow_high / safe
    within = (narrow_low < 0) & (narrow_high > 0)
    begin = _over_slabs(np.maximum, np.where(moves, np.minimum(first, last), np.where(within, -np.inf, np.inf)))
    end = _over_slabs(np.minimum, np.where(moves, np.maximum(first, last), np.where(within, np.inf, -np.inf)))
    met = (begin < end) & (end > 0)
    inside = _over_slabs(np.logical_and, within)
    if inside.any():
        met &= ~(inside & _parts(low, high, speed))
    return np.where(met, np.maximum(enters, 0.0), np.inf)


def _over_slabs(of_two: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
    """``of_two.reduce(values, axis=-1)``, which takes far longer over so few slabs of so many slides."""
    found = values[..., 0]
    for slab in range(1, values.shape[-1]):
        found = of_two(found, values[..., slab])
    return np.asarray(found)


def _parts(low: Floats, high: Floats, speed: Floats) -> NDArray[np.bool_]:
    """Return whether each ray from within the slabs gets no farther from the nearest of their bounds."""
    nearest = np.minimum(-low, high).argmin(axis=-1)[..., None]
    outwards = np.where(-low < high, -speed, speed)
    return np.take_along_axis(outwards, nearest, axis=-1)[..., 0] >= -_PARALLEL


def slide_to_polygon(moving: Polygon, direction: Point, other: Polygon) -> float:
    """Return how far a convex polygon slides along a direction until it touches another one; infinite if never.

    Parameters
    ----------
    moving, other
        Corners of convex polygons, in order, in one unit.
    direction
        Of length 1.

    Raises
    ------
    ValueError
        If the direction is not of length 1.
    """
    _check_direction(direction)
    bounds = slabs(moving, other)
    low, high = (np.array([slab[place] for slab in bounds]) for place in (2, 3))
    speed = np.array([n_x * direction[0] + n_y * direction[1] for n_x, n_y, _, _ in bounds])
    return float(first_touch(low, high, speed))


def slide_to_edge(moving: Polygon, direction: Point, width: float, height: float) -> tuple[float, int]:
    """Return how far a polygon inside the lot 0..width x 0..height slides until it touches a side, and which side.

    Returns
    -------
    tuple of float and int
        The distance, not negative, and 0 for left (x = 0), 1 for right, 2 for bottom (y = 0), 3 for top; at a corner
        the first of both.

    Raises
    ------
    ValueError
        If the direction is not of length 1.
    """
    _check_direction(direction)
    columns, rows = [x for x, _ in moving], [y for _, y in moving]
    gaps = (min(columns), width - max(columns), min(rows), height - max(rows))
    speeds = (-direction[0], direction[0], -direction[1], direction[1])
    reached = [(max(gap / speed, 0.0), side) for side, (gap, speed) in enumerate(_pairs(gaps, speeds)) if speed > 0]
    return min(reached)


def _pairs(gaps: tuple[float, ...], speeds: tuple[float, ...]) -> list[tuple[float, float]]:
    # A speed that is only rounding moves towards no side.
    return [(gap, speed if abs(speed) > _PARALLEL else 0.0) for gap, speed in zip(gaps, speeds, strict=True)]


@lru_cache(maxsize=4096)  # a body stands still while many slide
def _normals(polygon: Polygon) -> tuple[Point, ...]:
    normals = []
    for (x, y), (next_x, next_y) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        size = math.hypot(next_x - x, next_y - y)
        normals.append(((next_y - y) / size, (x - next_x) / size))
    return tuple(normals)


def _check_direction(direction: Point) -> None:
    if abs(math.hypot(*direction) - 1) > 1e-9:
        raise ValueError(f"a direction must be of length 1, not {math.hypot(*direction):g}; divide it by its length")
