"""From a small picture of a lot and the places of its vehicles to what is drawn on it that belongs to neither."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import seen
from detectors.common.residual.windows import averages
from detectors.rush_hour.config.remainder import LotRemainderConfig
from detectors.rush_hour.findings import DrawnThing
from detectors.rush_hour.place import Picture
from detectors.rush_hour.remainder.field import LotResidual, lot_residual
from detectors.rush_hour.remainder.plan import FLOOR, LotPlan, LotPlanner
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Lot, Pose


class LotRemainderFinder:
    """Finds what is left in pictures of one lot."""

    def __init__(self, lot: Lot, config: LotRemainderConfig) -> None:
        self._planner, self._config = LotPlanner(lot, config), config
        self._labels = [vehicle.label for vehicle in lot.vehicles]

    def find(self, picture: Picture, view: CameraView, places: Sequence[Pose]) -> tuple[DrawnThing, ...]:
        """Looks at a small picture in which each vehicle is at about a place; the plainest thing first."""
        lab = seen(picture)
        plan = self._planner.plan(lab, view, places)
        residual = lot_residual(lab, plan, self._config)
        plain = plainness(residual, plan, self._config)
        found = []
        for body in range(FLOOR, len(plan.bodies)):
            own = (plan.owner == body) & (plain >= 1.0)
            if own.any():
                rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
                left, top = int(columns[0]), int(rows[0])
                box = view.frame_box((left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top))
                label = self._labels[body] if 0 <= body < len(self._labels) else ""
                found.append(DrawnThing(label, box, float(plain[own].max())))
        return tuple(sorted(found, key=lambda one: (-one.plainness, one.label)))


def plainness(residual: LotResidual, plan: LotPlan, config: LotRemainderConfig) -> NDArray[np.float32]:
    """(h, w), how many times as plain as what is just seen is what is left around each pixel."""
    inside = plan.cells >= 0
    cells = plan.cells[inside]
    found = np.zeros(plan.owner.shape, np.float32)
    for averaged in averages(residual.values, residual.usable, plan.unit, config.windows):
        most = np.zeros(int(cells.max()) + 1)
        np.maximum.at(most, cells, averaged.contrast[inside])
        least = max(averaged.just_seen(most), averaged.window.visible)
        np.maximum(found, averaged.contrast / np.float32(least), out=found)
    return found
