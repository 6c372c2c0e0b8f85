"""How light the faces of a box are that is elsewhere: its paint, by Lambert's law under the lamp that is told.

Light comes from the lamp, by the cosine, and from all sides, of which upright faces get another share than those that
lie level. Both shares are the same for all boxes of a picture; so the picture before tells them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import FoundBox, TablePlane
from detectors.spatial_edit.predicted.config import FaceLightConfig, ShadowConfig
from detectors.spatial_edit.predicted.lamp import Lamp
from detectors.spatial_edit.predicted.rays import Flags, Floats, Surfaces, normal_of
from detectors.spatial_edit.predicted.shadows import Shaded, points_of

_DARK = 1e-3  # not a threshold: guards a logarithm
_UPRIGHT = 0.5  # not a threshold: between the cosines of upright faces and of level ones, 0 and 1

Normal = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LitFace:
    """A face of a box: its outward normal, (3,), and its brightness, linear, where no shadow lies on it."""

    normal: Normal
    brightness: float


@dataclass(frozen=True, eq=False)
class FaceLight:
    """What light comes to faces, in units of that which comes from all sides to a level one.

    Attributes
    ----------
    lamp : where the lamp is
    up : (3,) the table's normal
    strength : the lamp's light on a face that is turned to it
    upright : light from all sides on an upright face
    worst : by which logarithm a face is off at most in the picture that this was told from
    """

    lamp: Lamp
    up: Normal
    strength: float
    upright: float
    worst: float

    def on(self, normal: Normal, toward: Normal) -> float:
        """Returns the light on a face, from a lamp in this direction."""
        around = 1.0 if float((normal * self.up).sum()) > _UPRIGHT else self.upright
        return around + self.strength * max(0.0, float((normal * toward).sum()))


@dataclass(frozen=True)
class FaceRange:
    """How bright a face is: at least and at most, and by which factor either may be off."""

    low: float
    high: float
    factor: float

    @property
    def middle(self) -> float:
        """The brightness that is expected."""
        return math.sqrt(self.low * self.high)

    def clipped(self, brightness: float) -> float:
        """Returns the nearest brightness that may be."""
        return min(max(brightness, self.low / self.factor), self.high * self.factor)

    def allows(self, brightness: float, factor: float) -> bool:
        """Tells whether a brightness may be, off by its own factor or by another one."""
        most = max(self.factor, factor)
        return self.low / most <= brightness <= self.high * most


def sides_of(
    brightness: Floats, surfaces: Surfaces, index: int, box: FoundBox, shaded: Shaded, config: FaceLightConfig
) -> tuple[LitFace, ...]:
    """Returns those faces of a box of which enough is seen outside of shadows."""
    found = []
    for face in np.unique(surfaces.face[surfaces.box == index]).tolist():
        lit = inside_of((surfaces.box == index) & (surfaces.face == face), config) & ~shaded.some
        if np.count_nonzero(lit) >= config.least_px:
            found.append(LitFace(normal_of(box, face), max(float(np.median(brightness[lit])), _DARK)))
    return tuple(found)


def inside_of(face: Flags, config: FaceLightConfig) -> Flags:
    """Keeps the pixels of a face that its edge is not smeared into."""
    near = np.ones((2 * config.edge_px + 1,) * 2, np.uint8)
    return np.asarray(cv2.erode(face.astype(np.uint8), near) > 0)


def find_face_light(
    sides: Sequence[Sequence[LitFace]], lamp: Lamp | None, plane: TablePlane, config: FaceLightConfig
) -> FaceLight | None:
    """Tells the light on faces.

    The ratios of the faces of each box, whose paint is not known, are fitted; so is the share of light that shadows on
    the table leave, and an upright face mostly gets a certain share of what comes from all sides.

    Parameters
    ----------
    sides : sequence of sequence of LitFace
        Of each box.
    lamp : Lamp or None
    plane : TablePlane
    config : FaceLightConfig

    Returns
    -------
    FaceLight or None
        None without a lamp.
    """
    if lamp is None:
        return None
    up = np.array(plane.normal)
    strengths = np.geomspace(config.least_strength, config.most_strength, config.strengths)
    uprights = np.linspace(config.least_upright, config.most_upright, config.uprights)
    strength, upright = (one.ravel() for one in np.meshgrid(strengths, uprights, indexing="ij"))
    level = max(float((up * lamp.toward).sum()), _DARK)
    by_shadow = max((1.0 / lamp.shadow - 1.0) / level, _DARK)
    cost = (np.log(strength / by_shadow) / config.shadow_off) ** 2
    cost += ((upright - config.upright) / config.upright_off) ** 2
    worst = np.zeros_like(cost)
    for box in sides:
        logs = np.array([_logs(side, lamp.toward, up, strength, upright) for side in box])
        if len(logs):
            off = logs - logs.mean(axis=0)
            cost += ((off / config.face_off) ** 2).sum(axis=0)
            worst = np.maximum(worst, np.abs(off).max(axis=0))
    best = int(cost.argmin())
    return FaceLight(lamp, up, float(strength[best]), float(upright[best]), float(worst[best]))


def _logs(side: LitFace, toward: Normal, up: Normal, strength: Normal, upright: Normal) -> Normal:
    """Returns the logarithm of a face's paint under each light."""
    level = float((side.normal * up).sum()) > _UPRIGHT
    light = (1.0 if level else upright) + strength * max(0.0, float((side.normal * toward).sum()))
    return np.asarray(math.log(side.brightness) - np.log(light))


def range_of(
    normal: Normal, sides: Sequence[LitFace], light: FaceLight | None, config: ShadowConfig, faces: FaceLightConfig
) -> FaceRange | None:
    """Returns how bright a face of this normal is, from faces of the same paint; None where there are none."""
    if not sides:
        return None
    nearest = max(sides, key=lambda side: float((side.normal * normal).sum()))
    if float((nearest.normal * normal).sum()) > math.cos(config.same_rad):
        return FaceRange(nearest.brightness, nearest.brightness, config.same)
    if light is None:
        return FaceRange(nearest.brightness, nearest.brightness, config.turned**2)
    # Of a lamp that is a little elsewhere, faces along its light get much more or less.
    found = []
    for toward in points_of(light.lamp, faces.lamp_rad):
        paint = np.mean([math.log(side.brightness / light.on(side.normal, toward)) for side in sides])
        found.append(math.exp(float(paint)) * light.on(normal, toward))
    return FaceRange(min(found), max(found), faces.factor * math.exp(light.worst))
