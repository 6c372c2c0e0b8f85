"""Moves bodies to where their edges lie in a small picture, by less than they are measured to.

A vehicle is measured to a twentieth of a unit, and obstacles stand where the border puts them. What is left of a
picture is compared to a part of a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.rush_hour.config.remainder import LotPlacingConfig
from detectors.rush_hour.findings import Floats
from detectors.rush_hour.place import placed
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Obstacle, Pose, Vehicle


@dataclass(frozen=True)
class BodyOutline:
    """Where a body lies as it is drawn: its middle and direction, and its sides in units of the lot."""

    at: Pose
    length: float
    width: float


def settled(
    lab: NDArray[np.float32], floor: NDArray[np.float32], view: CameraView, body: Vehicle | Obstacle, at: Pose,
    config: LotPlacingConfig,
) -> BodyOutline:  # fmt: skip
    """Returns the outline near a body's at which its edges are seen best, each side by itself.

    Parameters
    ----------
    lab : (h, w, 3) float32
        The small picture in the colours of `seen`.
    floor : (3,) float32
        The floor's colour: a body ends, with its outline, where that begins.
    view : CameraView
    body : Vehicle or Obstacle
    at : Pose
        As it was measured.
    config : LotPlacingConfig
    """
    unit, half = view.unit, (body.length / 2, body.width / 2)
    around = np.linspace(-1.0, 1.0, config.points + 2)[1:-1]
    steps = np.arange(-config.steps, config.steps + 1) * config.step_px / unit
    steps = steps[np.argsort(np.abs(steps), kind="stable")]
    across = np.concatenate([steps - config.inside_px / unit, steps + config.outside_px / unit])
    sides = []
    for axis in (0, 1):
        for sign in (1.0, -1.0):
            points = np.empty((len(across), config.points, 2))
            points[..., axis] = sign * (half[axis] + across[:, None])
            points[..., 1 - axis] = half[1 - axis] * around[None, :]
            sides.append(points)
    spots = np.stack(sides)
    shown = _shown(lab, view, placed(spots.reshape(-1, 2), at.x, at.y, at.theta)).reshape(*spots.shape[:3], 3)
    off = np.minimum(np.sqrt(channel_sums((shown - floor) ** 2)), config.told).mean(axis=2)
    scores = off[:, : len(steps)] - off[:, len(steps) :]
    # Of places that are about as good the nearest one counts.
    good = scores >= scores.max(axis=1, keepdims=True) - config.as_good * config.told
    front, back, left, right = (float(steps[number]) for number in good.argmax(axis=1))
    middle = placed(np.array([[(front - back) / 2, (left - right) / 2]]), at.x, at.y, at.theta)[0]
    pose = Pose(float(middle[0]), float(middle[1]), at.theta)
    return BodyOutline(pose, body.length + front + back, body.width + left + right)


def _shown(lab: NDArray[np.float32], view: CameraView, points: Floats) -> NDArray[np.float32]:
    """The colours at points (P, 2) of the lot, the nearest pixels'."""
    at = np.rint(view.to_small(points)).astype(np.intp)
    height, width = lab.shape[:2]
    return lab[np.clip(at[:, 1], 0, height - 1), np.clip(at[:, 0], 0, width - 1)]
