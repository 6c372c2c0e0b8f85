"""Checks a lot that a request describes, and makes it ready for judging."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from grader.media.pictures import MediaLimits
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.rush_hour.model import ExitInput, RectangleInput, RushHourInput, VehicleInput
from grader.tasks.rush_hour.progress import least_moves_in_lot
from grader.tasks.rush_hour.settings import RushHourSettings
from puzzles.rush_hour.lot import RED_LABEL, Exit, Lot, Obstacle, Pose, Vehicle

_LABEL = re.compile(r"[A-Z]")
_NO_COLOR = "#808080"

T = TypeVar("T")


@dataclass(frozen=True)
class LotPuzzle:
    """A lot that was checked.

    Attributes
    ----------
    lot : Lot
    least_moves : the least number of moves that solve it; None if it takes too many states to say
    """

    lot: Lot
    least_moves: int | None

    @property
    def size(self) -> tuple[int, int]:
        """It has no picture."""
        return 1, 1


def prepare_lot(task: RushHourInput, settings: RushHourSettings, limits: MediaLimits, kind: CandidateKind) -> LotPuzzle:
    """Checks a lot and solves it; raises InvalidRequestError naming every wrong field."""
    lot = read_lot(task, limits, kind)
    return LotPuzzle(lot, least_moves_in_lot(lot, settings.plan.most_states))


def read_lot(task: RushHourInput, limits: MediaLimits, kind: CandidateKind) -> Lot:
    """The lot that a request describes; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    where = "rush_hour.puzzle"
    exits = [made for place, one in enumerate(task.exits) for made in _exit(inputs, f"{where}.exits[{place}]", one)]
    vehicles = [
        made
        for place, one in enumerate(task.vehicles)
        for made in _vehicle(inputs, f"{where}.vehicles[{place}]", one, kind)
    ]
    obstacles = [
        made
        for place, one in enumerate(task.obstacles)
        for made in _obstacle(inputs, f"{where}.obstacles[{place}]", f"obstacle {place + 1}", one)
    ]
    _check_all(inputs, where, task)
    inputs.check()
    try:
        return Lot(task.width, task.height, tuple(exits), tuple(vehicles), tuple(obstacles))
    except ValueError as error:
        raise InvalidRequestError(FieldViolation(where, "OUT_OF_RANGE", str(error))) from error


def _check_all(inputs: Inputs, where: str, task: RushHourInput) -> None:
    """Notes what is missing or double among exits and labels."""
    if not task.exits:
        inputs.fault(f"{where}.exits", "MISSING", "a lot has at least one exit; give its side, start and end")
    first: dict[str, int] = {}
    for place, vehicle in enumerate(task.vehicles):
        other = first.setdefault(vehicle.label, place)
        if other != place and _LABEL.fullmatch(vehicle.label):
            text = f"{vehicle.label} is the label of vehicles[{other}] too; each vehicle has one of its own"
            inputs.fault(f"{where}.vehicles[{place}].label", "MISMATCH", text)
    if RED_LABEL not in first:
        text = f"none has the label {RED_LABEL}, which is the red car's; give it to the car that is to leave"
        inputs.fault(f"{where}.vehicles", "MISSING", text)


def _exit(inputs: Inputs, field: str, given: ExitInput) -> list[Exit]:
    side = given.side
    if side is None:
        inputs.fault(f"{field}.side", "MISSING", "say on which side of the lot the exit is")
        return []
    return _made(inputs, field, lambda: Exit(side, given.start, given.end))


def _obstacle(inputs: Inputs, field: str, name: str, given: RectangleInput) -> list[Obstacle]:
    return _made(inputs, field, lambda: Obstacle(name, given.length, given.width, _pose(given)))


def _vehicle(inputs: Inputs, field: str, given: VehicleInput, kind: CandidateKind) -> list[Vehicle]:
    if not _LABEL.fullmatch(given.label):
        text = f"it is {given.label!r}; answers name vehicles by a letter from A to Z, R for the red car"
        inputs.fault(f"{field}.label", "OUT_OF_RANGE", text)
        return []
    if not given.color_hex and kind is not CandidateKind.TEXT:
        inputs.fault(f"{field}.color_hex", "MISSING", "give its colour as #RRGGBB; it is found by it in pictures")
        return []
    sign = -1.0 if given.forward_reversed else 1.0
    theta = given.body.theta_rad
    axis = (sign * math.cos(theta), sign * math.sin(theta)) if math.isfinite(theta) else (1.0, 0.0)
    return _made(
        inputs,
        field,
        lambda: Vehicle(
            given.label,
            given.label,
            given.body.length,
            given.body.width,
            _pose(given.body),
            axis,
            not given.fixed,
            given.color_hex or _NO_COLOR,  # words are judged without colours
        ),
    )


def _pose(body: RectangleInput) -> Pose:
    return Pose(body.x, body.y, body.theta_rad)


def _made(inputs: Inputs, field: str, make: Callable[[], T]) -> list[T]:
    """What is made, in a list; an empty one where the field's values do not fit, which is noted."""
    try:
        return [make()]
    except ValueError as error:
        inputs.fault(field, "OUT_OF_RANGE", str(error))
        return []
