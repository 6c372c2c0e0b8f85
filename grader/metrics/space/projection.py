"""Where boxes appear in a picture: their outlines, and the pixels these cover.

A camera is a pinhole without distortion: x_px = fx x / z + skew y / z + cx, y_px = fy y / z + cy, in the camera's frame
(+x right, +y down, +z forward). Pixel (column j, row i) spans j to j + 1 and i to i + 1, so its centre is at
(j + 1/2, i + 1/2).

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, section 2, Edit Locality.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import read_numbers

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

NEAR_M: Final = 0.01
"""What is nearer to the camera's plane is cut off: it has no finite place in the picture."""
_EDGES: Final = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)])
"""The corners of a box's 12 edges: their signs differ in one axis."""
_STRAIGHT: Final = 1e-10
"""A corner of an outline at which it turns by less, as the sine of the angle, is none."""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera whose numbers are in pixels of one picture.

    Attributes
    ----------
    fx, fy : focal lengths, pixels, more than zero
    cx, cy : the principal point, pixels
    skew : pixels, mostly 0
    """

    fx: float
    fy: float
    cx: float
    cy: float
    skew: float = 0.0


def read_camera(intrinsics: ArrayLike, field: str = "camera_intrinsics") -> Camera:
    """Reads the matrix K = [[fx, skew, cx], [0, fy, cy], [0, 0, 1]], in pixels of the picture.

    Raises
    ------
    GeometryError
        WRONG_SHAPE, NOT_FINITE, or NOT_A_CAMERA where K has another form or a focal length is not more than zero.
    """
    matrix = read_numbers(intrinsics, (3, 3), field)
    if matrix.shape != (3, 3):
        raise GeometryError(field, GeometryFault.WRONG_SHAPE, f"its shape is {matrix.shape}; give 3 x 3 numbers")
    fx, skew, cx, below, fy, cy, *last = (float(value) for value in matrix.ravel())
    if below != 0.0 or last != [0.0, 0.0, 1.0]:
        raise GeometryError(field, GeometryFault.NOT_A_CAMERA, "give [[fx, s, cx], [0, fy, cy], [0, 0, 1]]")
    if fx <= 0.0 or fy <= 0.0:
        text = f"its focal lengths are {fx:g} and {fy:g} pixels; both are more than zero"
        raise GeometryError(field, GeometryFault.NOT_A_CAMERA, text)
    return Camera(fx, fy, cx, cy, skew)


def camera_matrix(camera: Camera) -> Floats:
    """K = [[fx, skew, cx], [0, fy, cy], [0, 0, 1]], (3, 3)."""
    return np.array([[camera.fx, camera.skew, camera.cx], [0.0, camera.fy, camera.cy], [0.0, 0.0, 1.0]])


def check_camera(
    camera: Camera, width: int, height: int, *, slack: float = 0.15, field: str = "camera_intrinsics"
) -> None:
    """Checks that a camera's numbers are in pixels of a picture of this size, by where its principal point lies.

    Parameters
    ----------
    camera : Camera
    width, height : int
        Of the picture, pixels.
    slack : float
        How far off the middle the principal point may lie, as a share of the picture's width or height.
    field : str
        What an error names.

    Raises
    ------
    GeometryError
        OTHER_PICTURE_SIZE: K was probably made for the picture at another size.
    """
    across, down = camera.cx / width, camera.cy / height
    if abs(across - 0.5) > slack or abs(down - 0.5) > slack:
        text = (
            f"its principal point ({camera.cx:g}, {camera.cy:g}) is not about the middle of a picture of {width} x"
            f" {height} pixels; give K in pixels of this picture"
        )
        raise GeometryError(field, GeometryFault.OTHER_PICTURE_SIZE, text)


def box_outline(box: OrientedBox, camera: Camera, near_m: float = NEAR_M) -> Floats:
    """The outline of a box in a picture that has no borders.

    Parameters
    ----------
    box : OrientedBox
    camera : Camera
    near_m : float
        What of the box is nearer than this to the camera's plane, metres, is cut off.

    Returns
    -------
    (K, 2) float64
        Corners x, y of a convex polygon in pixels, clockwise as seen in the picture (y is down); 0 of them where
        nothing of the box is in front, else 3 to 10.
    """
    corners = box.corners()
    depth = corners[:, 2] - near_m
    start, end = depth[_EDGES[:, 0]], depth[_EDGES[:, 1]]
    crossing = (start < 0.0) != (end < 0.0)
    one, other = corners[_EDGES[crossing, 0]], corners[_EDGES[crossing, 1]]
    share = (start[crossing] / (start[crossing] - end[crossing]))[:, None]
    points = np.concatenate([corners[depth >= 0.0], one + share * (other - one)])
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    return _hull(np.stack([(camera.fx * x + camera.skew * y) / z + camera.cx, camera.fy * y / z + camera.cy], axis=1))


def _hull(points: Floats) -> Floats:
    """The convex hull of points (N, 2), without corners on straight lines (Andrew's monotone chain)."""
    if len(points) < 3:
        return np.zeros((0, 2))
    ordered = sorted({(float(x), float(y)) for x, y in points})

    def chain(sequence: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for x, y in sequence:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2:]
                turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                if turn > _STRAIGHT * math.hypot(bx - ax, by - ay) * math.hypot(x - ax, y - ay):
                    break
                found.pop()
            found.append((x, y))
        return found

    hull = chain(ordered)[:-1] + chain(reversed(ordered))[:-1]
    return np.array(hull) if len(hull) > 2 else np.zeros((0, 2))


def polygon_mask(polygon: Floats, width: int, height: int) -> Flags:
    """The pixels whose centres lie in a convex polygon or on its border.

    Parameters
    ----------
    polygon : (K, 2) float64
        Corners x, y in pixels, in order, either way round; they may lie outside of the picture.
    width, height : int
        Of the picture.

    Returns
    -------
    (H, W) bool
    """
    mask = np.zeros((height, width), bool)
    if len(polygon) < 3:
        return mask
    first = max(0, math.ceil(float(polygon[:, 1].min()) - 0.5))
    last = min(height - 1, math.floor(float(polygon[:, 1].max()) - 0.5))
    if first > last:
        return mask
    rows = np.arange(first, last + 1) + 0.5
    left, right = np.full(len(rows), np.inf), np.full(len(rows), -np.inf)
    for (x, y), (next_x, next_y) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y == next_y:  # the ends of a level edge are ends of its neighbours
            continue
        meets = (rows >= min(y, next_y)) & (rows <= max(y, next_y))
        share = (rows[meets] - y) / (next_y - y)
        place = np.where(share == 1.0, next_x, x + share * (next_x - x))
        left[meets], right[meets] = np.minimum(left[meets], place), np.maximum(right[meets], place)
    columns = np.arange(width) + 0.5
    mask[first : last + 1] = (columns >= left[:, None]) & (columns <= right[:, None])
    return mask


def boxes_mask(boxes: Iterable[OrientedBox], camera: Camera, width: int, height: int, near_m: float = NEAR_M) -> Flags:
    """The pixels of boxes: the union of their outlines, without dilation [1]_.

    Returns
    -------
    (H, W) bool
        True where a box is. What the locality of an edit is measured on is its inverse.
    """
    mask = np.zeros((height, width), bool)
    for box in boxes:
        mask |= polygon_mask(box_outline(box, camera, near_m), width, height)
    return mask
