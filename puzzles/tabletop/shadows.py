"""Shadows that cuboids cast on planes, as exact convex polygons."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.tabletop.scene import NEAR_M, Light, TableCamera
from puzzles.tabletop.solids import CORNER_SIGNS, Box, corners

_LAMP_POINTS = 12  # points of a soft lamp, on its rim and half-way, besides the middle
_FLAT = 1e-9
# Pairs of corners that differ along one axis only.
_EDGES = tuple(
    (i, j) for i in range(8) for j in range(i + 1, 8) if np.abs(CORNER_SIGNS[i] - CORNER_SIGNS[j]).sum() == 2
)


@lru_cache(maxsize=64)
def lamp_directions(light: Light) -> FloatArray:
    """Return unit directions (n, 3) to points of the lamp: one for a hard light, 13 for a soft one; read-only."""
    unit = _directions(light)
    unit.flags.writeable = False
    return unit


def _directions(light: Light) -> FloatArray:
    middle = np.array(light.direction)
    if light.softness <= 0:
        return middle[None]
    side = np.cross(middle, [1.0, 0.0, 0.0] if abs(middle[0]) < 0.9 else [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    other = np.cross(middle, side)
    found = [middle]
    for point in range(_LAMP_POINTS):
        angle = 2 * math.pi * point / _LAMP_POINTS
        radius = math.tan(light.softness) * (1.0 if point % 2 else 0.5)
        found.append(middle + radius * (math.cos(angle) * side + math.sin(angle) * other))
    directions = np.stack(found)
    unit: FloatArray = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return unit


def shadow(box: Box, normal: FloatArray, offset: float, toward: FloatArray) -> FloatArray:
    """Return the points (n, 3) on the plane ``normal . p = offset`` whose convex hull is a box's shadow.

    Only what lies on the side that the normal points to casts it. Empty if there is no shadow.

    Parameters
    ----------
    box
        What casts the shadow.
    normal, offset
        The plane that receives it.
    toward
        Direction to the lamp, shape (3,).
    """
    slope = float(normal @ toward)
    if slope <= _FLAT:
        return np.zeros((0, 3))
    points = corners(box)
    heights = (points @ normal - offset).tolist()
    kept = [points[index] for index in range(8) if heights[index] > 0]
    for i, j in _EDGES:
        if (heights[i] > 0) != (heights[j] > 0):
            share = heights[i] / (heights[i] - heights[j])
            kept.append(points[i] + share * (points[j] - points[i]))
    if not kept:
        return np.zeros((0, 3))
    above = np.stack(kept)
    fallen: FloatArray = above - ((above @ normal - offset) / slope)[:, None] * toward
    return fallen


def outline(camera: TableCamera, points: FloatArray) -> FloatArray:
    """Return the convex outline (n, 2) in pixels of coplanar points (n, 3); empty if any is not before the camera."""
    if len(points) < 3 or camera.seen(points)[:, 2].min() <= NEAR_M:
        return np.zeros((0, 2))
    hull: FloatArray = cv2.convexHull(camera.project(points).astype(np.float32))[:, 0].astype(np.float64)
    return hull
