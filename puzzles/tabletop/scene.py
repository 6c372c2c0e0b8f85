"""A table with cuboids on it, a light and a camera.

Frames. The table's: x to the right, y down, z away from where the camera usually stands; the table's top is y = 0 and a
cuboid that stands on it has its middle at y = -h/2. The camera's: x right, y down, z forward. Both are right-handed.
Lengths are metres, angles radians. Points of the picture are (x, y) pixels; the pixel in column i and row j has its
middle at (i + 0.5, j + 0.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color
from puzzles.tabletop.solids import Box, Rotation, Vector, about_y, corners, rotation_of, vector

NEAR_M = 0.01  # nothing nearer to the camera is seen


@dataclass(frozen=True)
class TableCamera:
    """A pinhole camera without distortion.

    Attributes
    ----------
    width, height
        Size of the picture in pixels.
    focal_px
        Focal length, the same for both axes.
    rotation
        Turns the table's frame into the camera's: ``point_camera = rotation @ point_table + translation``.
    translation
        In metres.

    Raises
    ------
    ValueError
        If the picture is empty or the focal length is not positive.
    """

    width: int
    height: int
    focal_px: float
    rotation: Rotation
    translation: Vector

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or not 0 < self.focal_px < math.inf:
            raise ValueError(f"no camera: {self.width} x {self.height}, focal length {self.focal_px}")

    @property
    def intrinsics(self) -> Rotation:
        """The rows of K, with the principal point in the middle of the picture."""
        focal = self.focal_px
        return ((focal, 0.0, self.width / 2), (0.0, focal, self.height / 2), (0.0, 0.0, 1.0))

    @property
    def eye(self) -> FloatArray:
        """Where the camera is in the table's frame, shape (3,)."""
        eye: FloatArray = -np.array(self.rotation).T @ np.array(self.translation)
        return eye

    def scaled(self, width: int) -> TableCamera:
        """The same view in a picture of another width in pixels; ValueError where its height would not be whole."""
        if width * self.height % self.width:
            raise ValueError(f"a picture of {width} px across would be {width * self.height / self.width:g} px high")
        return replace(
            self, width=width, height=width * self.height // self.width, focal_px=self.focal_px * width / self.width
        )

    @cached_property
    def _numbers(self) -> tuple[FloatArray, FloatArray]:
        return np.array(self.rotation), np.array(self.translation)

    def seen(self, points: FloatArray) -> FloatArray:
        """Turn points (n, 3) of the table's frame into the camera's, (n, 3)."""
        turn, offset = self._numbers
        turned: FloatArray = points @ turn.T + offset
        return turned

    def project(self, points: FloatArray) -> FloatArray:
        """Return the pixels (n, 2) of points (n, 3) of the table's frame that lie before the camera."""
        seen = self.seen(points)
        pixels: FloatArray = seen[:, :2] / seen[:, 2:] * self.focal_px + (self.width / 2, self.height / 2)
        return pixels


def looking_at(
    eye: Vector, target: Vector, roll: float = 0.0, focal_px: float = 640.0, size: tuple[int, int] = (640, 480)
) -> TableCamera:
    """Return a camera at ``eye`` that has ``target`` in the middle, both in the table's frame.

    Parameters
    ----------
    eye, target
        Metres; the line between them must not be upright.
    roll
        Turns the picture's content counter-clockwise, in radians; at 0 the camera's x is level.
    focal_px
        Focal length.
    size
        Width and height of the picture.
    """
    forward = np.array(target) - np.array(eye)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(np.array([0.0, 1.0, 0.0]), forward)
    if np.linalg.norm(right) < 1e-9:
        raise ValueError("a camera that looks straight down has no level axis")
    right = right / np.linalg.norm(right)
    down = np.cross(forward, right)
    level = np.stack([right, down, forward])
    cosine, sine = math.cos(roll), math.sin(roll)
    rows = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]]) @ level
    return TableCamera(*size, focal_px, rotation_of(rows), vector(-rows @ np.array(eye)))


@dataclass(frozen=True)
class Cuboid:
    """A cuboid that stands on the table.

    Attributes
    ----------
    label
        What it is called, such as "red box". Several may have the same.
    color
        RGB of its paint.
    size
        (w, h, l) in metres along its local x, y (down) and z.
    place
        (x, z) of its middle in the table's frame.
    yaw
        Its turn about the table's y; seen from above it grows clockwise.
    texture_seed
        Fixes the grain of its faces.
    """

    label: str
    color: Color
    size: Vector
    place: tuple[float, float]
    yaw: float
    texture_seed: int = 0

    @cached_property
    def box(self) -> Box:
        """Its box in the table's frame."""
        return Box((self.place[0], -self.size[1] / 2, self.place[1]), self.size, about_y(self.yaw))

    @property
    def radius(self) -> float:
        """Of the circle around its footprint."""
        return math.hypot(self.size[0], self.size[2]) / 2


@dataclass(frozen=True)
class Light:
    """A lamp far away, and light from all sides.

    Attributes
    ----------
    direction
        From the table to the lamp, in the table's frame; unit length, y below 0.
    softness
        Half the angle that the lamp takes up, in radians; 0 casts hard shadows.
    strength, ambient
        How much of its colour a white face returns, in linear RGB, if it faces the lamp, and from the light around.
    """

    direction: Vector
    softness: float
    strength: Vector
    ambient: Vector


@dataclass(frozen=True)
class TableTop:
    """A table.

    Attributes
    ----------
    color
        RGB of the top.
    grain
        How strong its texture is: the largest change of brightness as a share.
    left, right, near, far
        Its edges, as x and z in the table's frame.
    floor_color
        RGB of what is seen beside it.
    texture_seed
        Fixes its grain.
    """

    color: Color
    grain: float
    left: float
    right: float
    near: float
    far: float
    floor_color: Color
    texture_seed: int = 0


@dataclass(frozen=True)
class Scene:
    """All that a picture is made of.

    Attributes
    ----------
    cuboids
        In any order.
    table, light, camera
        See there.
    noise
        Standard deviation of the camera's noise, in steps of 255.
    noise_seed
        Fixes the noise.
    """

    cuboids: tuple[Cuboid, ...]
    table: TableTop
    light: Light
    camera: TableCamera
    noise: float = 1.5
    noise_seed: int = 0

    def with_cuboid(self, index: int, cuboid: Cuboid) -> Scene:
        """The same scene with another cuboid in the place of one."""
        return replace(self, cuboids=(*self.cuboids[:index], cuboid, *self.cuboids[index + 1 :]))

    def scaled(self, width: int) -> Scene:
        """The same scene in a picture of another width in pixels; see `Camera.scaled`."""
        return replace(self, camera=self.camera.scaled(width))

    def without(self, *indices: int) -> Scene:
        """The same scene without some cuboids."""
        return replace(self, cuboids=tuple(c for i, c in enumerate(self.cuboids) if i not in indices))


@dataclass(frozen=True)
class Plane:
    """The plane of the points p with ``normal . p = offset``; the normal has unit length and points up."""

    normal: Vector
    offset: float


def camera_box(camera: TableCamera, cuboid: Cuboid) -> Box:
    """Return a cuboid's box in the camera's frame; its local y points down."""
    box = cuboid.box
    (center,) = camera.seen(np.array([box.center]))
    return Box(vector(center), box.size, rotation_of(np.array(camera.rotation) @ np.array(box.rotation)))


def table_plane(camera: TableCamera) -> Plane:
    """Return the plane of the table's top in the camera's frame."""
    normal = np.array(camera.rotation) @ np.array([0.0, -1.0, 0.0])
    return Plane(vector(normal), float(normal @ np.array(camera.translation)))


def in_picture(camera: TableCamera, cuboid: Cuboid, margin_px: float = 0.0) -> bool:
    """Tell whether all corners are seen, at least ``margin_px`` from the picture's edge."""
    points = corners(cuboid.box)
    if camera.seen(points)[:, 2].min() <= NEAR_M:
        return False
    pixels = camera.project(points)
    upper = np.array([camera.width, camera.height]) - margin_px
    return bool((pixels >= margin_px).all() and (pixels <= upper).all())


def on_table(table: TableTop, cuboid: Cuboid) -> bool:
    """Tell whether the whole footprint is on the table."""
    points = corners(cuboid.box)
    x, z = points[:, 0], points[:, 2]
    inside = x.min() >= table.left and x.max() <= table.right and z.min() >= table.near and z.max() <= table.far
    return bool(inside)


def apart(cuboids: tuple[Cuboid, ...], gap: float = 0.0) -> bool:
    """Tell whether the circles around all footprints are at least ``gap`` metres apart."""
    return all(
        math.dist(one.place, other.place) >= one.radius + other.radius + gap
        for index, one in enumerate(cuboids)
        for other in cuboids[:index]
    )
