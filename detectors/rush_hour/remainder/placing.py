"""Moves bodies to where their edges lie in a small picture, by less than they are measured to.

A vehicle is measured to a twentieth of a unit, and obstacles stand where the border puts them. What is left of a
picture is compared to a part of a pixel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.rush_hour.config.remainder import LotPlacingConfig
from detectors.rush_hour.findings import Floats
from detectors.rush_hour.place import placed
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Obstacle, Pose, Vehicle


def settled(
    lab: NDArray[np.float32], view: CameraView, body: Vehicle | Obstacle, at: Pose, config: LotPlacingConfig
) -> Pose:
    """Returns the place near a body's at which its edges are seen best.

    Parameters
    ----------
    lab : (h, w, 3) float32
        The small picture in the colours of `seen`.
    view : CameraView
    body : Vehicle or Obstacle
    at : Pose
        As it was measured.
    config : LotPlacingConfig
    """
    unit = view.unit
    inner = _ring(body, -config.inside_px / unit, config)
    outer = _ring(body, config.outside_px / unit, config)
    color = np.median(_shown(lab, view, placed(inner, at.x, at.y, at.theta)), axis=0)
    steps = np.arange(-config.steps, config.steps + 1) * config.step_px / unit
    ways = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    ways = ways[np.argsort(np.hypot(ways[:, 0], ways[:, 1]), kind="stable")]
    scores = np.zeros(len(ways))
    for ring, sign in ((inner, -1.0), (outer, 1.0)):
        spots = (ring[None, :, :] + ways[:, None, :]).reshape(-1, 2)
        shown = _shown(lab, view, placed(spots, at.x, at.y, at.theta))
        off = np.minimum(np.sqrt(channel_sums((shown - color).astype(np.float32) ** 2)), config.told)
        scores += sign * off.reshape(len(ways), -1).mean(axis=1)
    # Of places that are about as good the nearest one counts.
    best = int(np.flatnonzero(scores >= scores.max() - config.as_good * config.told)[0])
    spot = placed(ways[best : best + 1], at.x, at.y, at.theta)[0]
    return Pose(float(spot[0]), float(spot[1]), at.theta)


def _ring(body: Vehicle | Obstacle, beyond: float, config: LotPlacingConfig) -> Floats:
    """Points along the outline of a body that is larger by a length on each side."""
    long, wide = body.length / 2 + beyond, body.width / 2 + beyond
    along = np.linspace(-long, long, config.points)
    across = np.linspace(-wide, wide, config.points)
    sides = [np.stack([along, np.full(config.points, s * wide)], axis=-1) for s in (-1, 1)]
    ends = [np.stack([np.full(config.points, s * long), across], axis=-1) for s in (-1, 1)]
    return np.concatenate([*sides, *ends])


def _shown(lab: NDArray[np.float32], view: CameraView, points: Floats) -> NDArray[np.float32]:
    """The colours at points (P, 2) of the lot, the nearest pixels'."""
    at = np.rint(view.to_small(points)).astype(np.intp)
    height, width = lab.shape[:2]
    return lab[np.clip(at[:, 1], 0, height - 1), np.clip(at[:, 0], 0, width - 1)]
