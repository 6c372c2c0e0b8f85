"""Anti-aliased shapes: how much of each pixel a shape covers, and paint laid on by that share.

The share is taken from the distance d of the pixel's middle to the shape's edge, as clip(0.5 - d, 0, 1): exact for
straight edges along the axes, within a few percent of a pixel elsewhere, and the same on every platform to rounding.
Lengths are pixels; pixel (column i, row j) has its middle at (i + 0.5, j + 0.5). Coverage arrays are (height, width),
float32, from 0 to 1, and are changed in place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray

Coverage = NDArray[np.float32]
Picture = NDArray[np.uint8]
Color = tuple[int, int, int]


def new_coverage(height: int, width: int) -> Coverage:
    """Return coverage 0 everywhere, shape (height, width)."""
    return np.zeros((height, width), dtype=np.float32)


def cover_line(coverage: Coverage, points: FloatArray, width: float) -> None:
    """Raise coverage to that of a line with round joins and caps.

    Parameters
    ----------
    coverage
        Changed in place; what lies outside the picture is left out.
    points
        Shape (k, 2), float64, (x, y), k >= 1; one point gives a disc.
    width
        Positive. A line thinner than a pixel is as faint as it is thin.
    """
    if width <= 0:
        raise ValueError(f"the width must be positive, not {width}")
    ends = points[1:] if len(points) > 1 else points
    for start, end in zip(points, ends, strict=False):
        _cover_capsule(coverage, start, end, width)


def _cover_capsule(coverage: Coverage, start: FloatArray, end: FloatArray, width: float) -> None:
    half = width / 2
    (left, top), (right, bottom) = start.tolist(), end.tolist()
    bounds = (min(left, right), min(top, bottom)), (max(left, right), max(top, bottom))
    window = _window(coverage, bounds, half)
    if window is None:
        return
    rows, columns, x, y = window
    across, down = right - left, bottom - top
    along = end - start
    squared = float(along @ along)
    dx, dy = x - left, y - top
    if squared > 0:
        share = (dx * across + dy * down) / squared
        np.minimum(np.maximum(share, 0, out=share), 1, out=share)
        dx, dy = dx - share * across, dy - share * down
    distance = np.hypot(dx, dy)
    np.subtract(0.5 + half, distance, out=distance)
    np.minimum(np.maximum(distance, 0, out=distance), min(1.0, width), out=distance)
    region = coverage[rows, columns]
    np.maximum(region, distance.astype(np.float32), out=region)


def cover_polygon(coverage: Coverage, corners: FloatArray, *, add: bool = False) -> None:
    """Raise coverage to that of a convex polygon, or add to it.

    Parameters
    ----------
    coverage
        Changed in place.
    corners
        Shape (k, 2), float64, (x, y), clockwise as seen on the screen.
    add
        Sum shares instead of taking the larger one, up to 1: so that polygons side by side leave no seam.
    """
    window = _window(coverage, (corners.min(axis=0).tolist(), corners.max(axis=0).tolist()), 0.0)
    if window is None:
        return
    rows, columns, x, y = window
    outside = np.full((y.shape[0], x.shape[1]), -np.inf)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - start) / np.hypot(*(end - start))
        outside = np.maximum(outside, (x - start[0]) * along[1] - (y - start[1]) * along[0])
    covered = np.clip(0.5 - outside, 0, 1).astype(np.float32)
    region = coverage[rows, columns]
    if add:
        np.minimum(region + covered, 1, out=region)
    else:
        np.maximum(region, covered, out=region)


def _window(
    coverage: Coverage, bounds: tuple[Sequence[float], Sequence[float]], margin: float
) -> tuple[slice, slice, FloatArray, FloatArray] | None:
    """Return the rows and columns that shapes within bounds can touch, and their middles as x (1, w) and y (h, 1).

    Bounds are the least and the largest x and y of a shape's points.
    """
    height, width = coverage.shape
    left, top = (max(0, math.floor(value - margin - 1)) for value in bounds[0])
    right, bottom = (value + margin + 1 for value in bounds[1])
    columns = slice(left, min(width, math.ceil(right)))
    rows = slice(top, min(height, math.ceil(bottom)))
    if columns.start >= columns.stop or rows.start >= rows.stop:
        return None
    x = np.arange(columns.start, columns.stop, dtype=np.float64)[None, :] + 0.5
    y = np.arange(rows.start, rows.stop, dtype=np.float64)[:, None] + 0.5
    return rows, columns, x, y


def paint(picture: Picture, coverage: Coverage, color: Color, opacity: float = 1.0) -> None:
    """Lay a colour on a picture by coverage, in place.

    Parameters
    ----------
    picture
        Shape (H, W, 3), uint8, RGB; changed in place.
    coverage
        Shape (H, W), float32.
    color
        RGB from 0 to 255.
    opacity
        From 0 to 1, times the coverage.
    """
    # Most shapes touch few pixels, so only those are looked at again.
    flat = coverage.ravel()
    touched = np.flatnonzero(flat > 0)
    fully = flat[touched] >= 1 if opacity == 1 else np.zeros(touched.shape, dtype=np.bool_)
    partly = touched[~fully]
    rows, columns = np.divmod(partly, coverage.shape[1])
    share = flat[partly][:, None].astype(np.float64) * opacity
    mixed = picture[rows, columns] * (1 - share) + np.array(color, dtype=np.float64) * share
    picture[rows, columns] = np.rint(mixed).astype(np.uint8)
    picture[np.divmod(touched[fully], coverage.shape[1])] = color
