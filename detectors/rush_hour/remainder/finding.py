"""From a small picture of a lot and the places of its vehicles to what is drawn on it that belongs to neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.compression import without_compression
from detectors.common.residual.mixing import channel_maxima, lengths, seen
from detectors.common.residual.windows import Averaged, averages
from detectors.rush_hour.config.remainder import LotRemainderConfig
from detectors.rush_hour.findings import DrawnThing, Flags, FrameBox
from detectors.rush_hour.place import Picture
from detectors.rush_hour.remainder.field import LotResidual, lot_residual
from detectors.rush_hour.remainder.plan import FLOOR, LotPlan, LotPlanner
from detectors.rush_hour.tracks import fill_way
from detectors.rush_hour.vehicles import VehicleShape
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Lot, Pose

_OF_A_LINE = 0.3  # not a threshold: of a line a pixel wide a dot's window has a third


@dataclass(frozen=True, eq=False)
class LotLook:
    """What is drawn on a lot in one picture.

    Attributes
    ----------
    things : one a vehicle, and one for all else, the plainest first
    units : (U,) in which square units of the lot, row by row, something shows that lies over no vehicle
    """

    things: tuple[DrawnThing, ...]
    units: Flags


class LotRemainderFinder:
    """Finds what is left in pictures of one lot."""

    def __init__(
        self, lot: Lot, config: LotRemainderConfig, shapes: Sequence[VehicleShape], *, clip: bool = False
    ) -> None:
        # What a codec leaves of moving bodies is plainer than what is just seen in a picture.
        self._least = config.in_clips if clip else 1.0
        self._planner, self._config, self._shapes = LotPlanner(lot, config), config, shapes
        self._labels = [vehicle.label for vehicle in lot.vehicles]
        self._units = int(np.ceil(lot.width)) * int(np.ceil(lot.height))
        self._view: CameraView | None = None
        self._cut: tuple[tuple[slice, slice], CameraView] | None = None
        self._last: tuple[Picture, CameraView, NDArray[np.uint8]] | None = None

    def is_new(self, picture: Picture, view: CameraView, ways: Sequence[Sequence[Pose]]) -> bool:
        """Tells whether a picture shows anything that the one before did not, beside vehicles on their way."""
        if self._last is None or self._last[1] is not view or self._last[0].shape != picture.shape:
            return True
        before, _, unknown = self._last
        changed = channel_maxima(cv2.blur(cv2.absdiff(picture, before), (3, 3)))
        changed[(unknown > 0) | (self._on_their_way(picture.shape, view, ways) > 0)] = 0
        return bool(changed.max() > self._config.new_levels)

    def _on_their_way(
        self, shape: tuple[int, ...], view: CameraView, ways: Sequence[Sequence[Pose]]
    ) -> NDArray[np.uint8]:
        unknown = np.zeros(shape[:2], np.uint8)
        for vehicle, way in zip(self._shapes, ways, strict=True):
            if max(abs(a.x - b.x) + abs(a.y - b.y) for a in way for b in way) > self._config.on_way:
                fill_way(unknown, view, vehicle, way, 1, self._config.beside_way)
        return unknown

    def find(self, picture: Picture, view: CameraView, ways: Sequence[Sequence[Pose]]) -> LotLook:
        """Looks at a small picture in which each vehicle is at about a place, or on a way through several.

        Where a vehicle is on its way, nothing is told.
        """
        if self._cut is None or self._view is not view:
            self._view, self._cut = view, self._planner.cut(view, picture.shape)
        unknown = self._on_their_way(picture.shape, view, ways)
        self._last = (picture, view, unknown)
        window, view = self._cut
        lab = seen(np.ascontiguousarray(picture[window]))
        plan = self._planner.plan(lab, view, [way[len(way) // 2] for way in ways])
        residual = lot_residual(lab, plan, unknown[window] > 0, self._config)
        plain = plainness(residual, plan, self._config)
        if (plain >= self._least).any():
            left = _uncompressed(picture[window], residual, plan, view, self._config)
            plain = plain if left is None else plainness(left, plan, self._config)
        return self._look(plain, plan, view)

    def _look(self, plain: NDArray[np.float32], plan: LotPlan, view: CameraView) -> LotLook:
        shown = plain >= self._least
        aside = shown & ((plan.owner == FLOOR) | (plan.owner >= len(self._labels)))
        things = []
        for place, label in enumerate((*self._labels, "")):
            own = shown & (plan.owner == place) if label else aside
            if own.any():
                things.append(DrawnThing(label, _box(own, view), float(plain[own].max())))
        units = np.zeros(self._units, bool)
        if len(plan.begins):
            units[plan.units] = np.logical_or.reduceat(aside.ravel()[plan.order], plan.begins)
        return LotLook(tuple(sorted(things, key=lambda one: (-one.plainness, one.label))), units)


def _uncompressed(
    picture: Picture, residual: LotResidual, plan: LotPlan, view: CameraView, config: LotRemainderConfig
) -> LotResidual | None:
    """A residual less what compression leaves of the lot and its vehicles, as the picture shows them; None without."""
    explained = picture.copy()
    left = residual.usable & (lengths(residual.values) > config.mixing.least)
    for owner in range(FLOOR, len(plan.bodies)):
        own = residual.usable & (plan.owner == owner)
        if own.any():
            explained[left & own] = np.median(picture[own & ~left if (own & ~left).any() else own], axis=0).round()
    neighbours = np.ones((3, 3), np.uint8)
    steps = channel_maxima(cv2.morphologyEx(explained, cv2.MORPH_GRADIENT, neighbours))
    values = without_compression(
        residual.values,
        residual.usable,
        explained,
        steps > config.step_levels,
        float(1.0 / view.scale.mean()),
        config.compression,
    )
    return None if values is None else LotResidual(values, residual.usable)


def _box(where: Flags, view: CameraView) -> FrameBox:
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    left, top = int(columns[0]), int(rows[0])
    return view.frame_box((left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top))


def plainness(residual: LotResidual, plan: LotPlan, config: LotRemainderConfig) -> NDArray[np.float32]:
    """(h, w), how many times as plain as what is just seen is what is left around each pixel."""
    found = np.zeros(plan.owner.shape, np.float32)
    if not len(plan.begins):
        return found
    strongest, on_body = np.inf, plan.owner > FLOOR
    bodies = on_body.astype(np.float32)
    for averaged in averages(residual.values, residual.usable, plan.unit, config.windows):
        window = averaged.window
        if window is config.windows.line and strongest < _OF_A_LINE * window.visible:
            break
        most = np.maximum.reduceat(averaged.contrast.ravel()[plan.order], plan.begins)
        floor = max(averaged.just_seen(most), window.visible)
        # Most units are floor; bodies have edges and signs, around which compression leaves more, also in windows whose
        # middles lie beside them.
        more = max(0.0, _noise_on_bodies(averaged, plan, config) - floor)
        least = floor + more * np.where(on_body, np.float32(1.0), cv2.blur(bodies, (window.side_px(plan.unit),) * 2))
        np.maximum(found, averaged.contrast / least, out=found)
        if window is config.windows.dot:
            strongest = float(most.max())
    return found


def _noise_on_bodies(averaged: Averaged, plan: LotPlan, config: LotRemainderConfig) -> float:
    """The contrast up to which something on a body may be noise, as the middle one of all bodies has it."""
    most = [averaged.contrast[one.window][one.depth > 0].max(initial=0.0) for one in plan.bodies]
    usual = float(np.median(most)) if most else 0.0
    return averaged.window.tail * min(usual, config.usual * averaged.window.visible)
