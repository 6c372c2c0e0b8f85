"""Pictures of tables: exact face polygons, a z-buffer, Lambert's law, and shadows of a lamp with some extent.

Light is added up in linear RGB; cuboids are drawn with several samples to a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture
from puzzles.tabletop.grain import camera_noise, sample, texture
from puzzles.tabletop.scene import Cuboid, Light, Scene, TableCamera
from puzzles.tabletop.shadows import lamp_directions, outline, shadow
from puzzles.tabletop.solids import FACE_CORNERS, corners

_SUB_BITS = 4  # fractional bits of the polygons that OpenCV fills
_TABLE_TEXELS_PER_M = 300.0
_FACE_TEXELS_PER_M = 900.0
_FACE_GRAIN = 0.07  # largest change of a face's brightness, as a share
_AWAY = -1  # owner of a pixel that shows no cuboid
# A cuboid stands on the table, so light from all sides comes to an upright face from above only in part.
_UPRIGHT_AMBIENT = 0.8
_UNIT_STEPS = np.arange(256) / 255.0
_LINEAR = np.where(_UNIT_STEPS <= 0.04045, _UNIT_STEPS / 12.92, ((_UNIT_STEPS + 0.055) / 1.055) ** 2.4)

Owners = NDArray[np.int16]


@dataclass(frozen=True)
class _Face:
    """A face in the table's frame: its cuboid's index, corners (4, 3), outward normal, linear RGB, texture."""

    owner: int
    points: FloatArray
    normal: FloatArray
    paint: FloatArray
    texture_seed: int


@dataclass(frozen=True)
class _Patch:
    """The samples of a face: the first as (x, y), where they are in the picture, which are inside, and 1 / depth."""

    origin: tuple[int, int]
    window: tuple[slice, slice]
    inside: NDArray[np.bool_]
    nearness: FloatArray


@dataclass
class _Canvas:
    """Samples of the picture, which faces are drawn into: linear RGB, 1 / depth, and whose they are."""

    color: NDArray[np.float32]
    nearness: NDArray[np.float32]
    owner: Owners


def render_scene(scene: Scene, supersample: int = 3) -> Picture:
    """Return a picture of a scene, shape (height, width, 3), uint8 RGB; the same to the byte for the same scene.

    Parameters
    ----------
    scene
        What to draw.
    supersample
        Samples to a pixel along each side, at least 1.
    """
    return _rendered(scene, supersample).copy()


# Several edits begin with one scene, and wrong results of an edit often end with it.
@lru_cache(maxsize=8)
def _rendered(scene: Scene, supersample: int) -> Picture:
    canvas = _draw(scene, supersample)
    camera = scene.camera
    linear = cv2.resize(canvas.color, (camera.width, camera.height), interpolation=cv2.INTER_AREA)
    curve = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-6) ** (1 / 2.4) - 0.055)
    noise = camera_noise(camera.height, camera.width, scene.noise, scene.noise_seed)
    return np.clip(np.rint(curve * 255 + noise), 0, 255).astype(np.uint8)


def owners(scene: Scene) -> Owners:
    """Return the index of the cuboid that each pixel shows in its middle, -1 where it shows none: (height, width)."""
    return _owners(scene)[0]


def visible_shares(scene: Scene) -> tuple[float, ...]:
    """Return for each cuboid the share of its pixels that no other hides; 0 if it has none in the picture."""
    shown, alone = _owners(scene)
    counts = np.bincount(shown[shown >= 0], minlength=len(scene.cuboids))
    return tuple(int(count) / all_ if all_ else 0.0 for count, all_ in zip(counts, alone, strict=True))


def _owners(scene: Scene) -> tuple[Owners, list[int]]:
    """Whose each pixel is, and how many pixels each cuboid would have by itself."""
    canvas = _Canvas(*_empty(scene.camera, 1))
    alone = [0] * len(scene.cuboids)
    for face in _faces(scene):
        patch = _patch(canvas, scene.camera, face, 1)
        if patch is not None:
            # Faces of one cuboid do not hide each other.
            alone[face.owner] += int(patch.inside.sum())
            _show(canvas, face, patch)
    return canvas.owner, alone


def _empty(camera: TableCamera, scale: int) -> tuple[NDArray[np.float32], NDArray[np.float32], Owners]:
    shape = (camera.height * scale, camera.width * scale)
    return np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32), np.full(shape, _AWAY, np.int16)


def _draw(scene: Scene, scale: int) -> _Canvas:
    canvas = _Canvas(*_empty(scene.camera, scale))
    canvas.color = _ground(scene).repeat(scale, axis=0).repeat(scale, axis=1)
    for face in _faces(scene):
        patch = _patch(canvas, scene.camera, face, scale)
        if patch is not None:
            nearest = _show(canvas, face, patch)
            if nearest.any():
                canvas.color[patch.window][nearest] = _shade(scene, face, patch, nearest, scale)
    return canvas


def _linear(color: Color) -> FloatArray:
    return np.asarray(_LINEAR[list(color)], np.float64)


def _ground(scene: Scene) -> NDArray[np.float32]:
    """The table and what is beside it, without cuboids but with their shadows: (height, width, 3), linear RGB."""
    camera, table, light = scene.camera, scene.table, scene.light
    columns = (np.arange(camera.width, dtype=np.float32) + np.float32(0.5 - camera.width / 2)) / camera.focal_px
    rows = (np.arange(camera.height, dtype=np.float32) + np.float32(0.5 - camera.height / 2)) / camera.focal_px
    turn, eye = np.array(camera.rotation), camera.eye
    # The ray's direction in the table's frame, one axis after the other.
    x, y, z = (columns[None, :] * turn[0, i] + rows[:, None] * turn[1, i] + turn[2, i] for i in range(3))
    reach = -eye[1] / np.maximum(y, 1e-3)  # rays above the horizon go on to the floor's colour
    across, away = eye[0] + reach * x, eye[2] + reach * z
    # How far inside the table, in pixels across its edge, so that the edge is smooth.
    inside = np.minimum.reduce([across - table.left, table.right - across, away - table.near, table.far - away])
    step = np.maximum(np.hypot(*np.gradient(inside)), 1e-6)
    share = np.clip(inside / step + 0.5, 0, 1)[..., None] * (y > 1e-3)[..., None]
    lit = _lit_share(scene, light, camera.height, camera.width)[..., None]
    facing = max(0.0, -light.direction[1])
    texels = _TABLE_TEXELS_PER_M
    # Stretched along x like wood.
    grain = 1 + table.grain * sample(texture(table.texture_seed), across * (texels / 4), away * texels)[..., None]
    top = _linear(table.color) * grain * (np.array(light.ambient) + facing * lit * np.array(light.strength))
    floor = _linear(table.floor_color) * (0.75 + 0.25 * np.linspace(0, 1, camera.height)[:, None, None])
    return np.asarray(share * top + (1 - share) * floor, np.float32)


def _lit_share(scene: Scene, light: Light, height: int, width: int) -> NDArray[np.float32]:
    """The share of the lamp that each pixel of the table's top sees."""
    up = np.array([0.0, -1.0, 0.0])
    directions = lamp_directions(light)
    total = np.zeros((height, width), np.float32)
    for toward in directions:
        dark = np.zeros((height, width), np.uint8)
        for cuboid in scene.cuboids:
            _fill(dark, outline(scene.camera, shadow(cuboid.box, up, 0.0, toward)), 1, (0, 0))
        total += dark
    return np.asarray(1 - total / (255 * len(directions)), np.float32)


def _fill(mask: NDArray[np.uint8], polygon: FloatArray, scale: int, origin: tuple[int, int]) -> None:
    """Fill a convex polygon of picture pixels with 255, smoothly; the mask's first sample is ``origin`` (x, y)."""
    if len(polygon) >= 3:
        # OpenCV has a pixel's middle at whole numbers.
        points = (polygon * scale - np.array(origin) - 0.5) * (1 << _SUB_BITS)
        cv2.fillConvexPoly(mask, np.rint(points).astype(np.int32), 255, cv2.LINE_AA, _SUB_BITS)


def _faces(scene: Scene) -> list[_Face]:
    """All faces that are turned to the camera."""
    found = []
    eye = scene.camera.eye
    for owner, cuboid in enumerate(scene.cuboids):
        found.extend(_faces_of(owner, cuboid, eye))
    return found


def _faces_of(owner: int, cuboid: Cuboid, eye: FloatArray) -> list[_Face]:
    points = corners(cuboid.box)
    middle = np.array(cuboid.box.center)
    found = []
    for side, indices in enumerate(FACE_CORNERS):
        face = points[list(indices)]
        normal = face.mean(axis=0) - middle
        normal = normal / np.linalg.norm(normal)
        if normal @ (eye - face[0]) > 0:
            seed = cuboid.texture_seed * len(FACE_CORNERS) + side
            found.append(_Face(owner, face, normal, _linear(cuboid.color), seed))
    return found


def _patch(canvas: _Canvas, camera: TableCamera, face: _Face, scale: int) -> _Patch | None:
    """The samples of a face; ``None`` if it is outside of the picture."""
    pixels = camera.project(face.points) * scale
    height, width = canvas.owner.shape
    left, top = np.clip(np.floor(pixels.min(axis=0)), 0, (width, height)).astype(int)
    right, bottom = np.clip(np.ceil(pixels.max(axis=0)) + 1, 0, (width, height)).astype(int)
    if left >= right or top >= bottom:
        return None
    x = np.arange(left, right) + 0.5
    y = np.arange(top, bottom)[:, None] + 0.5
    inside = np.ones((bottom - top, right - left), bool)
    turn = np.sign(_cross(pixels[1] - pixels[0], pixels[2] - pixels[1]))
    for start, end in zip(pixels, np.roll(pixels, -1, axis=0), strict=True):
        along = end - start
        inside &= turn * (along[0] * (y - start[1]) - along[1] * (x - start[0])) >= 0
    # 1 / depth is linear over the picture: n . ray / (n . point).
    normal = np.array(camera.rotation) @ face.normal
    focal = camera.focal_px * scale
    rays = normal[0] * (x - width / 2) / focal + normal[1] * (y - height / 2) / focal + normal[2]
    nearness = rays / float(normal @ camera.seen(face.points[:1])[0])
    return _Patch((left, top), (slice(top, bottom), slice(left, right)), inside, nearness)


def _show(canvas: _Canvas, face: _Face, patch: _Patch) -> NDArray[np.bool_]:
    """Note depth and owner of the samples that nothing nearer hides; return which these are."""
    nearest: NDArray[np.bool_] = patch.inside & (patch.nearness > canvas.nearness[patch.window])
    canvas.nearness[patch.window][nearest] = patch.nearness[nearest]
    canvas.owner[patch.window][nearest] = face.owner
    return nearest


def _cross(one: FloatArray, other: FloatArray) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def _shade(scene: Scene, face: _Face, patch: _Patch, shown: NDArray[np.bool_], scale: int) -> NDArray[np.float32]:
    """The colours (n, 3), linear RGB, of the samples of a face that are ``shown``."""
    light = scene.light
    directions = lamp_directions(light)
    offset = float(face.normal @ face.points[0])
    lit = np.zeros(int(shown.sum()), np.float32)
    for toward in directions:
        facing = float(face.normal @ toward)
        if facing <= 0:
            continue
        dark = np.zeros(shown.shape, np.uint8)
        for index, cuboid in enumerate(scene.cuboids):
            if index != face.owner:
                polygon = outline(scene.camera, shadow(cuboid.box, face.normal, offset, toward))
                _fill(dark, polygon, scale, patch.origin)
        lit += np.float32(facing / len(directions)) * (1 - dark[shown] / np.float32(255))
    around = np.array(light.ambient) * (1.0 if face.normal[1] < -0.5 else _UPRIGHT_AMBIENT)
    grain = 1 + _FACE_GRAIN * _face_grain(scene.camera, face, patch, shown, scale)
    light_in = around + lit[:, None] * np.array(light.strength)
    return np.asarray(face.paint * grain[:, None] * light_in, np.float32)


def _face_grain(
    camera: TableCamera, face: _Face, patch: _Patch, shown: NDArray[np.bool_], scale: int
) -> NDArray[np.float32]:
    """The texture, fixed to the face, at the samples that are ``shown``."""
    rows, columns = np.nonzero(shown)
    depth = 1 / patch.nearness[shown]
    focal = camera.focal_px * scale
    seen = np.stack(
        [
            (columns + patch.origin[0] + 0.5 - camera.width * scale / 2) / focal * depth,
            (rows + patch.origin[1] + 0.5 - camera.height * scale / 2) / focal * depth,
            depth,
        ],
        axis=1,
    )
    corner, *rest = camera.seen(face.points)
    sides = [rest[0] - corner, rest[2] - corner]
    u, v = (((seen - corner) @ (side / np.linalg.norm(side))) * _FACE_TEXELS_PER_M for side in sides)
    return sample(texture(face.texture_seed), u, v)
