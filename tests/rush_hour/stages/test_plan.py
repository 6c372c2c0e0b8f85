"""Which body a pixel of a lot's small picture is expected to show."""

from __future__ import annotations

import math

import numpy as np

from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.remainder.plan import FLOOR, SHARED, LotPlanner
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, TEAL, vehicle
from tests.rush_hour.stages.small_pictures import inside, view_of

LOT = Lot(
    8.0, 6.0, (Exit(Side.RIGHT, 3.2, 4.8),),
    (
        vehicle("R", 2.0, 4.0, 0.0, RED), vehicle("A", 6.0, 3.0, math.pi / 2, BLUE), vehicle("B", 3.0, 1.0, 0.0, TEAL),
    ),
    (),
)  # fmt: skip


def test_what_two_bodies_cover_belongs_to_neither():
    """R drives under A, which covers 1 to 1.9 of its 2 units."""
    view, shape = view_of(LOT)
    places = [Pose(5.5, 3.0), *(one.pose for one in LOT.vehicles[1:])]
    plan = LotPlanner(LOT, LOT_CONFIG.remainder).plan(np.zeros((*shape, 3), np.float32), view, places)
    red, other, apart = (
        inside(view, shape, at, one.length - 0.1, one.width - 0.1) for at, one in zip(places, LOT.vehicles, strict=True)
    )
    around = inside(view, shape, places[0], 2.1, 1.0)
    assert set(plan.owner[red & other].tolist()) == {SHARED}
    beside = inside(view, shape, LOT.vehicles[1].pose, 2.1, 1.0)
    assert set(plan.owner[red & ~beside].tolist()) == {0}
    assert set(plan.owner[other & ~around].tolist()) == {1}
    assert set(plan.owner[apart].tolist()) == {2}
    assert plan.owner[tuple(np.rint(view.to_small(np.array([[2.0, 4.0]]))[0][::-1]).astype(int))] == FLOOR


def test_a_rail_may_be_drawn_in_whole_pixels_around_its_axis():
    """0.07 units and 1.5 pixels to either side of y = 4, of pixels that lie at whole numbers."""
    view, shape = view_of(LOT)
    plan = LotPlanner(LOT, LOT_CONFIG.remainder).plan(
        np.zeros((*shape, 3), np.float32), view, [one.pose for one in LOT.vehicles]
    )
    rows = np.unique(plan.rails[0] // shape[1])
    axis = float(view.to_small(np.array([[2.0, 4.0]]))[0][1])
    expected = [row for row in range(shape[0]) if abs(row - axis) <= 0.07 * view.unit + 1.5]
    assert rows.tolist() == expected
