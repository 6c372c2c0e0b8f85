"""Boxes as rows of nine numbers, many at a time: where their corners are, and which edges are seen.

A row is (right, away, yaw, log w, log h, log l, pitch, roll, drop). Pitch and roll give the table's frame in the
camera's, as ``B = Rz(roll) Rx(pitch)`` with the columns right, down and away; drop is the table's distance from the
camera. A box stands on the table at ``right`` and ``away``, turned by ``yaw`` about down: its rotation is B Ry(yaw).
Which of the numbers are free depends on what is known: table and size (the first three), the table (the first six), or
the size (all but the extents).
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import BoxView, FoundBox, TablePlane, Vector

Rows = NDArray[np.float64]
FloatArray = NDArray[np.float64]

NUMBERS = 9  # not a threshold: a row has so many
PLACED = (0, 1, 2)
SIZED = (0, 1, 2, 3, 4, 5)  # not a threshold: which numbers of a row they are
TILTED = (0, 1, 2, 6, 7, 8)  # not a threshold: likewise
HEIGHT = 4  # not a threshold: likewise
STEP = 1e-5  # not a threshold: of derivatives, in metres, radians and logarithms of metres
_NEAR_M = 0.01  # not a threshold: guards a division; no camera is so near to a box
_LEVEL = 1e-3  # not a threshold: guards a division; rays that fall by less, or rise, meet the table far away
FAR_PX = 1e5  # not a threshold: OpenCV draws in integers, in which farther corners have no place
# not a threshold: OpenCV draws corners to a sixteenth of a pixel
_FRACTION_BITS, _FRACTION = 4, 16

SIGNS: FloatArray = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
# not a threshold: indices of corners
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_FACES = np.array(FACES)
_CORNERS = range(len(SIGNS))
EDGES = tuple((i, j) for i in _CORNERS for j in _CORNERS if i < j and np.abs(SIGNS[i] - SIGNS[j]).sum() == 2)
"""Pairs of corners; `EDGE_FACES` names the two faces of each."""
EDGE_FACES = tuple(tuple(f for f, face in enumerate(FACES) if i in face and j in face) for i, j in EDGES)


def table_numbers(plane: TablePlane) -> tuple[float, float, float]:
    """Returns pitch, roll and drop of a plane."""
    x, y, z = (-number for number in plane.normal)
    return math.asin(max(-1.0, min(1.0, z))), math.atan2(-x, y), -plane.offset


def table_axes(rows: Rows) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Returns right, down and away of rows (n, 9), each (n, 3)."""
    (cp, cr), (sp, sr) = np.cos(rows[:, 6:8]).T, np.sin(rows[:, 6:8]).T
    axes = np.zeros((3, len(rows), 3))
    axes[0, :, 0], axes[0, :, 1] = cr, sr
    axes[1, :, 0], axes[1, :, 1], axes[1, :, 2] = -sr * cp, cr * cp, sp
    axes[2, :, 0], axes[2, :, 1], axes[2, :, 2] = sr * sp, -cr * sp, cp
    return axes[0], axes[1], axes[2]


def corners_of(rows: Rows) -> FloatArray:
    """Returns the corners of rows (n, 9) in the camera's frame, (n, 8, 3), in the order of `SIGNS`."""
    right, down, away = table_axes(rows)
    extents = np.exp(rows[:, 3:6])
    half = SIGNS[None] * extents[:, None] / 2
    cosine, sine = np.cos(rows[:, 2:3]), np.sin(rows[:, 2:3])
    x = rows[:, 0:1] + cosine * half[..., 0] + sine * half[..., 2]
    z = rows[:, 1:2] - sine * half[..., 0] + cosine * half[..., 2]
    y = rows[:, 8:9] - extents[:, 1:2] / 2 + half[..., 1]
    found: FloatArray = x[..., None] * right[:, None] + y[..., None] * down[:, None] + z[..., None] * away[:, None]
    return found


def project(points: FloatArray, view: BoxView) -> FloatArray:
    """Returns the pixels (..., 2) of points (..., 3); what is not before the camera is moved before it."""
    depth = np.maximum(points[..., 2], _NEAR_M)
    pixels = np.empty((*depth.shape, 2))
    pixels[..., 0] = view.center_x + view.focal_x * points[..., 0] / depth
    pixels[..., 1] = view.center_y + view.focal_y * points[..., 1] / depth
    return pixels


def hull_mask(pixels: FloatArray, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Draws the convex hull of corners (n, 2) as a mask (height, width), with all pixels that its outline touches."""
    mask = np.zeros(shape, np.uint8)
    hull = cv2.convexHull(((pixels - 0.5) * _FRACTION).round().astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 1, cv2.LINE_8, _FRACTION_BITS)
    return mask.astype(bool)


def box_of(row: FloatArray) -> FoundBox:
    """Returns a row (9,) as a box."""
    right, down, away = (axis[0] for axis in table_axes(row[None]))
    cosine, sine = math.cos(row[2]), math.sin(row[2])
    width, height, length = (float(extent) for extent in np.exp(row[3:6]))
    center = right * row[0] + down * (row[8] - height / 2) + away * row[1]
    columns = np.stack([cosine * right - sine * away, down, sine * right + cosine * away], axis=1)
    first, second, third = ((float(r[0]), float(r[1]), float(r[2])) for r in columns)
    return FoundBox(
        (float(center[0]), float(center[1]), float(center[2])), (width, height, length), (first, second, third)
    )


def row_of(box: FoundBox, plane: TablePlane) -> FloatArray:
    """Returns an upright box as a row (9,) on a table: `box_of` back."""
    row = np.zeros(NUMBERS)
    row[6:] = table_numbers(plane)
    right, _, away = (axis[0] for axis in table_axes(row[None]))
    center, first = np.array(box.center), np.array(box.rotation)[:, 0]
    row[:2] = float((center * right).sum()), float((center * away).sum())
    row[2] = math.atan2(-float((first * away).sum()), float((first * right).sum()))
    row[3:6] = size_numbers(box.size)
    return row


def size_numbers(size: Vector) -> tuple[float, float, float]:
    """Returns the logarithms of the extents."""
    return math.log(size[0]), math.log(size[1]), math.log(size[2])


def onto_table(pixels: FloatArray, row: FloatArray, view: BoxView, height: float) -> FloatArray:
    """Returns (right, away) of where the rays of pixels (n, 2) meet the level ``height`` above a row's table: (n, 2).

    Rays that go up meet it far away.
    """
    right, down, away = (axis[0] for axis in table_axes(row[None]))
    rays = np.stack(
        [
            (pixels[:, 0] - view.center_x) / view.focal_x,
            (pixels[:, 1] - view.center_y) / view.focal_y,
            np.ones(len(pixels)),
        ],
        axis=1,
    )
    falls = np.maximum((rays * down).sum(axis=1), _LEVEL)
    points = rays * ((row[8] - height) / falls)[:, None]
    return np.stack([(points * right).sum(axis=1), (points * away).sum(axis=1)], axis=1)


def seen_faces(corners: FloatArray) -> tuple[bool, ...]:
    """Tells for each of `FACES` whether it is turned to the camera; corners (8, 3)."""
    middles = corners[_FACES].mean(axis=1)
    outwards = (middles - corners.mean(axis=0)) * middles
    return tuple((outwards[:, 0] + outwards[:, 1] + outwards[:, 2] < 0).tolist())


def entry_depth(row: FloatArray, pixels: FloatArray, view: BoxView) -> FloatArray:
    """Returns the depth at which the rays of pixels (n, 2) enter a row's box, infinite where they miss it: (n,)."""
    box = box_of(row)
    axes, center, half = np.array(box.rotation), np.array(box.center), np.array(box.size) / 2
    across = (pixels[:, 0] - view.center_x) / view.focal_x
    down = (pixels[:, 1] - view.center_y) / view.focal_y
    near, far = np.zeros(len(pixels)), np.full(len(pixels), np.inf)
    for index in range(3):
        axis = axes[:, index]
        speed = across * axis[0] + down * axis[1] + axis[2]
        speed = np.where(np.abs(speed) < 1e-12, 1e-12, speed)
        middle = float((center * axis).sum())
        one, other = (middle - half[index]) / speed, (middle + half[index]) / speed
        near = np.maximum(near, np.minimum(one, other))
        far = np.minimum(far, np.maximum(one, other))
    return np.where((near <= far) & (near > 0), near, np.inf)
