"""Boxes and turns in plain numbers: centre, full extents, rotation.

A rotation is given by its three rows; its columns are the box's local axes. A corner lies at
``centre + rotation @ (±w/2, ±h/2, ±l/2)``. In a frame whose y points down, ``about_y(yaw)`` turns by ``yaw`` about y,
which is clockwise seen from above: a box is turned counter-clockwise by ``angle`` if its yaw falls by ``angle``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from puzzles.common.arrays import FloatArray

Vector = tuple[float, float, float]
Rotation = tuple[Vector, Vector, Vector]

UNTURNED: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_RIGHT_ANGLES = 1e-6  # how far the rows of a rotation may be from unit length and right angles

# Signs of the corners along the local axes, and the corners of each face, around it.
CORNER_SIGNS: FloatArray = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
FACE_CORNERS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Faces -x, +x, -y, +y, -z, +z, by the index of their corners in `CORNER_SIGNS`."""


@dataclass(frozen=True)
class Box:
    """An oriented box.

    Attributes
    ----------
    center
        (x, y, z) in metres.
    size
        Full extents (w, h, l) in metres along the local x, y and z; positive.
    rotation
        Three rows; columns are the local axes.

    Raises
    ------
    ValueError
        If a number is not finite, an extent is not positive, or the rotation is none.
    """

    center: Vector
    size: Vector
    rotation: Rotation = UNTURNED

    def __post_init__(self) -> None:
        rotation = np.array(self.rotation, np.float64)
        numbers = (*self.center, *self.size, *rotation.ravel())
        if rotation.shape != (3, 3) or not all(math.isfinite(number) for number in numbers):
            raise ValueError("a box has three finite numbers each for centre and size, and a rotation of 3 x 3")
        if min(self.size) <= 0:
            raise ValueError(f"extents must be positive, not {self.size}")
        if np.abs(rotation @ rotation.T - np.eye(3)).max() > _RIGHT_ANGLES or np.linalg.det(rotation) < 0:
            raise ValueError(f"not a rotation: {self.rotation}")


def about_y(yaw: float) -> Rotation:
    """Return the rotation by ``yaw`` radians about y: ((c, 0, s), (0, 1, 0), (-s, 0, c))."""
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return ((cosine, 0.0, sine), (0.0, 1.0, 0.0), (-sine, 0.0, cosine))


def yaw_of(rotation: Rotation) -> float:
    """Return atan2(R[0][2], R[2][2]) in radians, which is the yaw of ``about_y(yaw)``."""
    return math.atan2(rotation[0][2], rotation[2][2])


def vector(numbers: FloatArray) -> Vector:
    """Return the three numbers of an array of shape (3,)."""
    x, y, z = (float(number) for number in numbers)
    return (x, y, z)


def rotation_of(rows: FloatArray) -> Rotation:
    """Return the rows of an array of shape (3, 3)."""
    return (vector(rows[0]), vector(rows[1]), vector(rows[2]))


@lru_cache(maxsize=256)
def corners(box: Box) -> FloatArray:
    """Return the eight corners, shape (8, 3), in the order of `CORNER_SIGNS`; they can't be changed."""
    local = CORNER_SIGNS * (np.array(box.size) / 2)
    turned: FloatArray = local @ np.array(box.rotation).T + np.array(box.center)
    turned.flags.writeable = False
    return turned
