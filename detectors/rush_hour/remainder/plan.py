"""Where each thing of a lot lies in a small picture, pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.config.remainder import LotLabelConfig, LotMixingConfig, LotRemainderConfig
from detectors.rush_hour.findings import Flags, Floats, FrameBox
from detectors.rush_hour.remainder.placing import BodyOutline, settled
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side, Vehicle

FLOOR, OUT, SHARED = -1, -2, -3
"""Owners of pixels that no body has: the floor, what lies outside of the lot, and what several bodies overlap in."""

Window = tuple[slice, slice]
_SAMPLES = 3000  # not a threshold: of so many pixels a median is known well


@dataclass(frozen=True, eq=False)
class BodyPlan:
    """Where one body lies.

    Attributes
    ----------
    window : the part of the picture around it
    depth : how far inside of its edge each pixel of the window is, in pixels; negative outside
    sign : where its sign may be
    letter : and where a letter in it
    """

    window: Window
    depth: NDArray[np.float32]
    sign: Flags
    letter: Flags


@dataclass(frozen=True, eq=False)
class LotPlan:
    """Where everything of a lot lies in a small picture.

    Attributes
    ----------
    bodies : of the vehicles in the lot's order, then the obstacles
    owner : (h, w) whose each pixel is: a body's place among them, `FLOOR`, `OUT` or `SHARED`
    edge : (h, w) float32, how far the nearest edge of anything is, in pixels
    inside : (h, w) float32, how far inside of the sides each pixel is, in pixels; negative outside
    rails : for each vehicle where its rail may be, as flat positions; none without
    exits : (h, w) where an exit's bar may be
    order, begins : flat positions of the pixels inside, one square unit after another, and where each unit begins
    units : which square unit each of these is, row by row
    unit : pixels of a unit of the lot
    """

    bodies: tuple[BodyPlan, ...]
    owner: NDArray[np.int16]
    edge: NDArray[np.float32]
    inside: NDArray[np.float32]
    rails: tuple[NDArray[np.intp], ...]
    exits: Flags
    order: NDArray[np.intp]
    begins: NDArray[np.intp]
    units: NDArray[np.intp]
    unit: float


class LotPlanner:
    """Makes plans of one lot; what stays where it is is drawn once a view."""

    def __init__(self, lot: Lot, config: LotRemainderConfig) -> None:
        self._lot, self._config = lot, config
        self._view: CameraView | None = None
        self._still: LotPlan | None = None

    def cut(self, view: CameraView, shape: tuple[int, ...]) -> tuple[Window, CameraView]:
        """The part of a small picture of a shape (h, w, ...) that shows the lot and what is close by, and its view."""
        corners = np.array([[x, y] for x in (0.0, self._lot.width) for y in (0.0, self._lot.height)])
        places, margin = view.to_small(corners), self._config.around * view.unit
        left, top = (max(0, int(np.floor(value - margin))) for value in places.min(axis=0))
        right, bottom = (int(np.ceil(value + margin)) + 1 for value in places.max(axis=0))
        window = (slice(top, min(bottom, shape[0])), slice(left, min(right, shape[1])))
        cut = FrameBox(
            view.cut.left + round(left / view.scale[0]), view.cut.top + round(top / view.scale[1]),
            view.cut.right, view.cut.bottom,
        )  # fmt: skip
        return window, replace(view, shift=view.shift - np.array([left, top]), cut=cut)

    def plan(self, lab: NDArray[np.float32], view: CameraView, places: Sequence[Pose]) -> LotPlan:
        """Plans a small picture, (h, w, 3) in the colours of `seen`, in which each vehicle is at about a place."""
        shape = (lab.shape[0], lab.shape[1])
        if self._still is None or self._view is not view or self._still.owner.shape != shape:
            self._view, self._still = view, self._standing(view, shape)
        still = self._still
        owner, edge = still.owner.copy(), still.edge.copy()
        placing = self._config.placing
        on_floor = lab[still.owner == FLOOR]
        floor = np.median(on_floor[:: max(1, len(on_floor) // _SAMPLES)], axis=0).astype(np.float32)
        bodies = [
            _body(view, shape, body, settled(lab, floor, view, body, at, placing), self._config)
            for body, at in zip(self._lot.bodies, [*places, *(one.pose for one in self._lot.obstacles)], strict=True)
        ]
        for number, body in enumerate(bodies):
            held = body.depth > 0
            part = owner[body.window]
            part[held] = np.where((part[held] == FLOOR) | (part[held] == OUT), number, SHARED)
            np.minimum(edge[body.window], np.abs(body.depth), out=edge[body.window])
        return LotPlan(
            tuple(bodies),
            owner,
            edge,
            still.inside,
            still.rails,
            still.exits,
            still.order,
            still.begins,
            still.units,
            view.unit,
        )

    def _standing(self, view: CameraView, shape: tuple[int, int]) -> LotPlan:
        lot, mixing = self._lot, self._config.mixing
        points = _points(view, (slice(0, shape[0]), slice(0, shape[1])))
        x, y = points[..., 0], points[..., 1]
        within = np.minimum(np.minimum(x, lot.width - x), np.minimum(y, lot.height - y))
        inside = np.asarray(within * view.unit, np.float32)
        owner = np.where(inside > 0, FLOOR, OUT).astype(np.int16)
        exits = np.zeros(shape, np.uint8)
        for opening in lot.exits:
            cv2.fillConvexPoly(exits, np.rint(view.to_small(_bar(opening, lot, mixing))).astype(np.int32), 1)
        half = mixing.rail + mixing.rail_px / view.unit
        rails = tuple(
            np.flatnonzero(np.abs((y - v.pose.y) * v.axis[0] - (x - v.pose.x) * v.axis[1]) <= half * v.movable)
            for v in lot.vehicles
        )
        held = np.flatnonzero(inside > 0)
        cells = (np.floor(y) * np.ceil(lot.width) + np.floor(x)).astype(np.intp).ravel()[held]
        order = np.argsort(cells, kind="stable")
        begins = np.flatnonzero(np.diff(cells[order], prepend=-1))
        units = cells[order][begins]
        return LotPlan((), owner, np.abs(inside), inside, rails, exits > 0, held[order], begins, units, view.unit)


def _bar(opening: Exit, lot: Lot, mixing: LotMixingConfig) -> Floats:
    """The corners of where an exit's bar may be, and beyond the side."""
    along = np.array([opening.start - mixing.exit_along, opening.end + mixing.exit_along])[[0, 1, 1, 0]]
    across = np.array([mixing.exit_across, -1.0])[[0, 0, 1, 1]]
    if opening.side in (Side.RIGHT, Side.TOP):
        across = (lot.width if opening.side is Side.RIGHT else lot.height) - across
    upright = opening.side in (Side.LEFT, Side.RIGHT)
    return np.stack([across, along] if upright else [along, across], axis=-1)


def _points(view: CameraView, window: Window) -> Floats:
    rows, columns = np.arange(window[0].start, window[0].stop), np.arange(window[1].start, window[1].stop)
    grid = np.stack(np.broadcast_arrays(columns[None, :], rows[:, None]), axis=-1).astype(np.float64)
    return view.to_lot(grid)


def _body(
    view: CameraView, shape: tuple[int, int], body: Vehicle | Obstacle, outline: BodyOutline, config: LotRemainderConfig
) -> BodyPlan:
    at = outline.at
    cos, sin = np.cos(at.theta), np.sin(at.theta)
    far = float(np.hypot(body.length, body.width)) / 2 + 1.0 / 2
    middle = view.to_small(np.array([at.x, at.y]))
    size = far * view.unit
    window = tuple(
        slice(max(0, int(middle[axis] - size)), max(0, min(shape[1 - axis], int(middle[axis] + size) + 1)))
        for axis in (1, 0)
    )
    box: Window = (window[0], window[1])
    points = _points(view, box)
    x, y = points[..., 0] - at.x, points[..., 1] - at.y
    along, across = cos * x + sin * y, cos * y - sin * x
    depth = np.minimum(outline.length / 2 - np.abs(along), outline.width / 2 - np.abs(across)) * view.unit
    sign = np.zeros(depth.shape, bool)
    letter = np.hypot(along, across) <= config.label.letter + 1.0 / view.unit
    if isinstance(body, Vehicle):
        ahead = cos * body.axis[0] + sin * body.axis[1] > 0
        sign = _sign(along if ahead else -along, across, body.width, 1.0 / view.unit, config.label)
    return BodyPlan(box, np.asarray(depth, np.float32), sign, letter)


def _sign(along: Floats, across: Floats, width: float, pixel: float, config: LotLabelConfig) -> Flags:
    """Where a disc may be, and an arrow ahead of it; a pixel around is theirs."""
    radius = min(config.radius, config.radius_share * width) + pixel
    # The arrow narrows from the disc's middle to its tip.
    tip = config.arrow * radius / config.radius
    wide = config.arrow_half * (1.0 - along / tip) + config.radius - config.arrow_half
    arrow = (along > 0) & (along < tip) & (np.abs(across) < np.minimum(radius, wide))
    return np.asarray((np.hypot(along, across) <= radius) | arrow)
