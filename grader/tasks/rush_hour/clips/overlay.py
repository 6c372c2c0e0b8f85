"""What was seen in a frame of a lot: vehicles where they are, their ways so far, and what is wrong at that time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.findings import FrameBox, LotFindings
from grader.drawing.canvas import BLUE, GREEN, GREY, VERMILION, Canvas, line, tag
from grader.media.frames import Frame
from puzzles.rush_hour.contact import rectangle
from puzzles.rush_hour.lot import Lot, Vehicle

_LEAST_WAY = 0.3
"""Units of the lot that a vehicle has gone at least, to have its way drawn."""


def draw_lot(frame: Frame, lot: Lot, found: LotFindings) -> Canvas:
    """The frame with what was seen in it.

    Parameters
    ----------
    frame : Frame
    lot : Lot
    found : LotFindings
        Of the clip that the frame is of.
    """
    canvas = frame.pixels.copy()
    at = frame.index
    if at >= len(found.camera) or not found.tracks:
        return canvas
    camera = found.camera[at].reshape(2, 3)
    unit = float(np.hypot(camera[0, 0], camera[1, 0]))
    width, size = max(1.5, unit / 18.0), max(11, round(unit / 3.0))
    corners = np.array([[0.0, 0.0], [lot.width, 0.0], [lot.width, lot.height], [0.0, lot.height]])
    line(canvas, _drawn(camera, corners), GREY, width, closed=True, casing=1.0)
    for vehicle, track in zip(lot.vehicles, found.tracks, strict=True):
        color = GREEN if vehicle is lot.red else BLUE
        way = np.stack([track.x[: at + 1], track.y[: at + 1]], axis=1)
        if np.hypot(*(way.max(axis=0) - way.min(axis=0))) > _LEAST_WAY:
            line(canvas, _drawn(camera, way), color, width, casing=1.0)
        outline = _outline(vehicle, float(track.x[at]), float(track.y[at]), float(track.theta[at]))
        line(canvas, _drawn(camera, outline), color if track.seen[at] else GREY, width, closed=True, casing=1.0)
        tag(canvas, _drawn(camera, outline[:1])[0], vehicle.label, color if track.seen[at] else GREY, size)
    for event in found.events:
        if event.first <= at <= event.last:
            box = event.box or FrameBox(0, 0, canvas.shape[1], canvas.shape[0])
            line(canvas, _corners(box), VERMILION, 1.5 * width, closed=True, casing=1.0)
            text = f"{event.kind.value} {event.label}".strip()
            tag(canvas, np.array([(box.left + box.right) / 2.0, box.top + size]), text, VERMILION, size)
    return canvas


def _outline(vehicle: Vehicle, x: float, y: float, theta: float) -> NDArray[np.float64]:
    return np.asarray(rectangle(x, y, theta, vehicle.length, vehicle.width), np.float64)


def _drawn(camera: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (N, 2) of the lot in pixels of the frame."""
    return np.asarray(points @ camera[:, :2].T + camera[:, 2], np.float64)


def _corners(box: FrameBox) -> NDArray[np.float64]:
    return np.array(
        [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]], np.float64
    )
