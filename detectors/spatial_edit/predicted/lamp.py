"""Where the light comes from: the lamp whose shadows fit best to where the table is dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.ground import fit_ground
from detectors.spatial_edit.boxes.findings import FoundBox, TablePlane
from detectors.spatial_edit.predicted.config import LampConfig
from detectors.spatial_edit.predicted.rays import NOTHING, Flags, Floats, Shade, Surfaces, near_boxes

_DARK = 1e-4  # not a threshold: guards a logarithm


@dataclass(frozen=True, eq=False)
class Lamp:
    """A lamp.

    Attributes
    ----------
    toward : (3,) direction from the table to it
    shadow : share of the light that its shadows leave on the table
    fit : correlation of its shadows with the dark
    """

    toward: NDArray[np.float64]
    shadow: float
    fit: float


def find_lamp(
    brightness: Floats,
    surfaces: Surfaces,
    table: Flags,
    boxes: Sequence[FoundBox],
    plane: TablePlane,
    config: LampConfig,
) -> Lamp | None:
    """Tells where the lamp is.

    Parameters
    ----------
    brightness : (H, W) float32
        Linear, of the picture before.
    surfaces : Surfaces
        What that picture shows.
    table : (H, W) bool
        Where the table lies in it.
    boxes : sequence of FoundBox
        In it.
    plane : TablePlane
    config : LampConfig

    Returns
    -------
    Lamp or None
        None where no shadows fit.
    """
    bare = table & (surfaces.box == NOTHING)
    lamps = (_lamp_near(brightness, bare, surfaces.ground, boxes, plane, near, config) for near in config.near)
    return next((lamp for lamp in lamps if lamp is not None), None)


def _lamp_near(
    brightness: Floats,
    bare: Flags,
    points: Floats,
    boxes: Sequence[FoundBox],
    plane: TablePlane,
    near: float,
    config: LampConfig,
) -> Lamp | None:
    step = max(1, math.ceil(max(brightness.shape) / config.most_px))
    table = bare[::step, ::step].copy()
    ground = points[::step, ::step]
    table &= near_boxes(ground, boxes, near)
    if not table.any():
        return None
    logs = np.log(np.maximum(brightness[::step, ::step], _DARK))
    even = fit_ground(np.repeat(logs[..., None], 3, axis=2), np.flatnonzero(table), config.ground)
    deep = even.surface[..., 0] - logs
    # What is far darker or lighter is no table.
    table &= np.abs(deep) < config.deepest
    if not table.any():
        return None
    dark = np.asarray(deep[table], np.float64)
    shade = Shade.of(ground[table], boxes)
    right, away, up = _axes(plane)

    def fit(height: float, way: float) -> float:
        toward = _direction(right, away, up, height, way)
        return correlation(shade.hidden(toward), dark)

    heights = np.linspace(config.low_rad, config.high_rad, config.heights)
    ways = np.linspace(0.0, 2.0 * math.pi, config.ways, endpoint=False)
    best = max((fit(height, way), height, way) for height in heights.tolist() for way in ways.tolist())
    up_step, side_step = (heights[1] - heights[0]) / 2, (ways[1] - ways[0]) / 2  # not a threshold: halves
    for _ in range(4):  # not a threshold: halves of halves
        around = [(best[1] + i * up_step, best[2] + j * side_step) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        best = max([best, *((fit(height, way), height, way) for height, way in around)])
        up_step, side_step = up_step / 2, side_step / 2
    if best[0] < config.least_fit:
        return None
    toward = _direction(right, away, up, best[1], best[2])
    shaded = shade.hidden(toward)
    shadow = math.exp(-float(np.median(dark[shaded]) - np.median(dark[~shaded])))
    return Lamp(toward, shadow, best[0]) if shadow <= config.faintest else None


def _axes(plane: TablePlane) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    up = np.array(plane.normal)
    away = np.array([0.0, 0.0, 1.0]) - up[2] * up
    away = away / max(float(np.linalg.norm(away)), _DARK)
    return np.cross(up, away), away, up


def _direction(
    right: NDArray[np.float64], away: NDArray[np.float64], up: NDArray[np.float64], height: float, way: float
) -> NDArray[np.float64]:
    level = math.cos(way) * right + math.sin(way) * away
    return np.asarray(math.cos(height) * level + math.sin(height) * up)


def correlation(shaded: NDArray[np.bool_] | NDArray[np.float64], dark: NDArray[np.float64]) -> float:
    """Returns the correlation of shadows with the dark, (n,) both; 0 where all or nothing is shaded."""
    if not len(dark):
        return 0.0
    shares = np.asarray(shaded, np.float64)
    spread = float(shares.std()) * max(float(dark.std()), _DARK)
    if spread == 0.0:
        return 0.0
    return float(((shares - shares.mean()) * dark).mean()) / spread
