"""Small pictures of lots for stage tests: classes of pixels painted by place, with all sizes known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.colors import FIRST_VEHICLE, FLOOR
from detectors.rush_hour.findings import FrameBox
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Lot, Pose

Labels = NDArray[np.uint8]
OWN = FIRST_VEHICLE


def view_of(lot: Lot, unit: float = 20.0, margin: float = 1.0) -> tuple[CameraView, tuple[int, int]]:
    """A lot in a picture of its own, ``unit`` pixels a unit with ``margin`` units around; and the picture's shape.

    The lot's corner (0, 0) is at column margin * unit - 0.5 and row (height + margin) * unit - 0.5, so that sides run
    between pixels.
    """
    wide, high = round((lot.width + 2 * margin) * unit), round((lot.height + 2 * margin) * unit)
    shift = np.array([margin * unit - 0.5, (lot.height + margin) * unit - 0.5])
    view = CameraView(np.array([[unit, 0.0], [0.0, -unit]]), shift, FrameBox(0, 0, wide, high), np.ones(2))
    return view, (high, wide)


def floor(shape: tuple[int, int]) -> Labels:
    return np.full(shape, FLOOR, np.uint8)


def inside(view: CameraView, shape: tuple[int, ...], pose: Pose, length: float, width: float) -> NDArray[np.bool_]:
    """Which pixels' middles lie within a rectangle of the lot."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    points = view.to_lot(np.stack([columns, rows], axis=-1).astype(np.float64)) - np.array([pose.x, pose.y])
    along = points[..., 0] * np.cos(pose.theta) + points[..., 1] * np.sin(pose.theta)
    across = points[..., 1] * np.cos(pose.theta) - points[..., 0] * np.sin(pose.theta)
    return (np.abs(along) <= length / 2) & (np.abs(across) <= width / 2)


def paint(labels: Labels, view: CameraView, pose: Pose, length: float, width: float, kind: int) -> Labels:
    """The same picture with a rectangle in it."""
    painted = labels.copy()
    painted[inside(view, labels.shape, pose, length, width)] = kind
    return painted


def classes(*kinds: int) -> NDArray[np.bool_]:
    """A vehicle's pixels may have these classes."""
    own = np.zeros(256, bool)
    own[list(kinds)] = True
    return own
