"""How often random moves free the red car, as a report asks for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.errors import InvalidRequestError
from grader.tasks.rush_hour.chance import CHANCE
from grader.tasks.rush_hour.model import ExitInput, RectangleInput, RushHourInput, VehicleInput
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.lot import Side
from puzzles.rush_hour.plans.sweeps import SWEEPS, sweep


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


def test_a_dozen_sweeps_are_made_and_nothing_is_looked_at_but_labels_sizes_and_the_way_out():
    assert len(SWEEPS) == len(set(SWEEPS)) == len(CHANCE.sweeps.names) == 12
    made = generate_lot(3, 1).lot
    labels = sorted(vehicle.label for vehicle in made.vehicles if vehicle.label != "R")
    moves = [str(move) for move in sweep(made, "all forward, red", 30)]
    assert moves[:-1] == [f"{label} forward" for label in labels]
    assert moves[-1] in ("R forward", "R backward")
    emptied = replace(made, obstacles=())
    for name in SWEEPS:
        assert sweep(made, name, 25) == sweep(emptied, name, 25)
        assert len(sweep(made, name, 4)) <= 4
    assert len(sweep(made, "round robin", 25)) == 25


def test_sweeps_free_a_red_car_that_nothing_stops():
    stopping = [name for name, solved in zip(SWEEPS, CHANCE.sweeps.solved(lot()), strict=True) if not solved]
    assert set(stopping) <= {"at random"}  # which may draw the way back each time
    with pytest.raises(InvalidRequestError):
        CHANCE.sweeps.solved(lot("A"))
