"""Batches of convex polygons in space, cut by planes across an axis: the inner loop of `grader.metrics.space.boxes3d`.

Polygons are (3, K, M) float64: coordinates, corners in order, polygons. One with fewer corners than K repeats its
first. Corners come before polygons, so that a step of a loop over corners is one pass over memory, and no sum depends
on the batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cut(polygons: Floats, axis: int, bound: Floats, sign: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Cuts polygons to the side of a plane where sign * coordinate <= bound.

    Parameters
    ----------
    polygons : (3, K, M) float64
    axis : int
        The plane is across this axis.
    bound : (M,) float64
    sign : float
        1 or -1.

    Returns
    -------
    polygons : (3, K + 1, M) float64
        Of polygons that are wholly outside, anything.
    inside : (M,) bool
        Which are not wholly outside.

    Notes
    -----
    The corner that lies farthest inside is inside, if any is. From it the edge is followed both ways to the first
    corner outside. A convex polygon has no corner inside beyond these, except by rounding, by no more than rounding:
    so whatever noise does to corners that lie in the plane, the polygon stays whole.
    """
    depth = bound - sign * polygons[axis]
    count = depth.shape[0]
    deepest = depth.max(axis=0)
    inside = deepest > 0.0
    crossed = np.flatnonzero(inside & (depth.min(axis=0) < 0.0))
    result = np.concatenate([polygons, polygons[:, :1]], axis=1)
    if not len(crossed):
        return result, inside
    depth = depth[:, crossed]
    order = (np.arange(count)[:, None] + np.argmax(depth, axis=0)) % count
    depth = np.take_along_axis(depth, order, axis=0)
    outside = depth < 0.0
    leaves = np.argmax(outside, axis=0)
    enters = count - np.argmax(outside[::-1], axis=0)
    # Of the result: corners up to `leaves`, the two crossings, corners from `enters`, then the first one again.
    slots = np.arange(count + 1)[:, None]
    source = np.where(slots < leaves, slots, enters + slots - leaves - 2)
    source = np.where(source < count, source, 0)
    at, columns = leaves, np.arange(len(crossed))
    last_in, first_out = depth[at - 1, columns], depth[at, columns]
    out_share = last_in / (last_in - first_out)
    last_out, first_in = depth[enters - 1, columns], depth[enters % count, columns]
    in_share = first_in / (first_in - last_out)
    picked = np.take_along_axis(order, np.maximum(source, 0), axis=0)
    for coordinate in range(3):
        values = polygons[coordinate][:, crossed]
        made = np.take_along_axis(values, picked, axis=0)
        if coordinate == axis:
            made[leaves, columns] = made[leaves + 1, columns] = sign * bound[crossed]
        else:
            start, end = values[order[at - 1, columns], columns], values[order[at, columns], columns]
            made[leaves, columns] = start + out_share * (end - start)
            start, end = values[order[enters % count, columns], columns], values[order[enters - 1, columns], columns]
            made[leaves + 1, columns] = start + in_share * (end - start)
        result[coordinate][:, crossed] = made
    return result, inside


def above(polygons: Floats, floor: Floats) -> Floats:
    """The integrals of x - floor over the shadows of polygons on the (y, z) plane, (M,) float64.

    A shadow is positive where the polygon is counter-clockwise seen from +x. It is a fan of triangles; on each, x is
    linear, so the integral is its area times the mean over its corners.
    """
    x, y, z = polygons[0] - floor, polygons[1] - polygons[1, 0], polygons[2] - polygons[2, 0]
    total = np.zeros(polygons.shape[2])
    for at in range(1, polygons.shape[1] - 1):
        twice = y[at] * z[at + 1] - y[at + 1] * z[at]
        total += twice * (x[0] + x[at] + x[at + 1])
    return total / 6.0
