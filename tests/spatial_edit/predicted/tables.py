"""A small table with boxes, drawn as flat colours under a lamp: what a picture of it shows is known exactly."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from detectors.spatial_edit.boxes.findings import BoxView, FoundBox, TablePlane
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.prediction import SceneBefore, StandingBox, scene_before
from detectors.spatial_edit.predicted.rays import NOTHING, Shade, normal_of, seen_surfaces

WIDTH, HEIGHT = 160, 120
VIEW = BoxView(160.0, 160.0, 80.0, 60.0, WIDTH, HEIGHT)
TILT = math.radians(40.0)
"""The camera looks down by this."""
UP = np.array([0.0, -math.cos(TILT), -math.sin(TILT)])
AWAY = np.array([0.0, -math.sin(TILT), math.cos(TILT)])
RIGHT = np.array([1.0, 0.0, 0.0])
PLANE = TablePlane(tuple(UP.tolist()), -0.6)
LAMP = np.array([0.5, 0.0, 0.0]) + 0.8 * UP + 0.2 * AWAY
LAMP = LAMP / np.linalg.norm(LAMP)
TABLE, RED, BLUE = (150, 140, 130), (200, 40, 40), (40, 60, 200)
CONFIG = PredictedConfig()
_AMBIENT, _LIT = 0.35, 0.65


def box(right: float, away: float, yaw: float = 0.0, size=(0.1, 0.1, 0.1)) -> FoundBox:
    """A box that stands on the table, so far to the right of the picture's middle, and away from it."""
    middle = np.array([0.0, 0.0, 1.0]) * 0.6 / math.sin(TILT)
    center = middle + right * RIGHT + away * AWAY + size[1] / 2 * UP
    level = np.stack([RIGHT, -UP, AWAY], axis=1)
    turned = level @ Rotation.from_euler("y", yaw).as_matrix()
    return FoundBox(tuple(center.tolist()), size, tuple(map(tuple, turned.tolist())))


def drawn(boxes: list[FoundBox], paints: list[tuple[int, int, int]], lamp: np.ndarray = LAMP) -> np.ndarray:
    """The picture, (H, W, 3) uint8 RGB, of boxes in these paints."""
    surfaces = seen_surfaces(VIEW, boxes, PLANE)
    hidden = Shade.of(surfaces.points, boxes).hidden(lamp)
    light = _AMBIENT + np.where(hidden, 0.0, _LIT * float(UP @ lamp))
    color = np.broadcast_to(np.array(TABLE) / 255.0, (HEIGHT, WIDTH, 3)).copy() ** 2.2
    for index, (one, paint) in enumerate(zip(boxes, paints, strict=True)):
        mine = surfaces.box == index
        color[mine] = (np.array(paint) / 255.0) ** 2.2
        for face in range(6):
            facing = max(0.0, float(normal_of(one, face) @ lamp))
            at = mine & (surfaces.face == face)
            light[at] = _AMBIENT + np.where(hidden[at] | (facing == 0.0), 0.0, _LIT * facing)
    return np.clip(np.rint(255 * (color * light[..., None]) ** (1 / 2.2)), 0, 255).astype(np.uint8)


OLD, STAYS, NEW = box(-0.1, 0.0, 0.3), box(0.12, 0.05, 0.8), box(-0.02, -0.12, 0.3)
BEFORE = drawn([OLD, STAYS], [RED, BLUE])
AFTER = drawn([NEW, STAYS], [RED, BLUE])
STANDING = (StandingBox(NEW, 0, stays=False), StandingBox(STAYS, 1, stays=True))


def looked_at(picture: np.ndarray = BEFORE) -> SceneBefore:
    return scene_before(picture, VIEW, PLANE, (OLD, STAYS), CONFIG)


def place_of(index: int, boxes: list[FoundBox]) -> np.ndarray:
    """Where a box is seen, (H, W) bool; `NOTHING` for where none is."""
    return seen_surfaces(VIEW, boxes, PLANE).box == index


GROUND = place_of(NOTHING, [OLD, STAYS]) & place_of(NOTHING, [NEW, STAYS])
