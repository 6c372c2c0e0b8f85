"""How often random moves free the red car, as a report asks for it."""

from __future__ import annotations

import pytest

from grader.model.errors import InvalidRequestError
from grader.tasks.rush_hour.chance import CHANCE
from grader.tasks.rush_hour.model import ExitInput, RectangleInput, RushHourInput, VehicleInput
from puzzles.rush_hour.lot import Side


def lot(label: str = "R") -> RushHourInput:
    """The red car alone, at the left edge; the exit is on the right."""
    body = RectangleInput(x=1.0, y=5.0, theta_rad=0.0, length=2.0, width=1.0)
    car = VehicleInput(label=label, color_hex="", body=body, forward_reversed=False, fixed=False)
    return RushHourInput(10.0, 10.0, (ExitInput(Side.RIGHT, 4.4, 5.6),), (car,), ())


def test_levels_are_of_moves_that_move_and_of_all():
    """Only forward moves it, and frees it at once; of all moves backward is half, and six in a row are 1 / 64."""
    assert [walk.key for walk in CHANCE.walks] == ["six_that_move", "six_of_all"]
    found = CHANCE.levels(lot())
    assert [level.walk for level in found] == list(CHANCE.walks)
    assert [level.probability for level in found] == pytest.approx([1.0, 1.0 - 0.5**6])
    assert [level.exact for level in found] == [True, True]


def test_what_is_no_lot_is_refused():
    with pytest.raises(InvalidRequestError) as raised:
        CHANCE.levels(lot("A"))
    assert [(one.field, one.reason) for one in raised.value.violations] == [("rush_hour.puzzle.vehicles", "MISSING")]
