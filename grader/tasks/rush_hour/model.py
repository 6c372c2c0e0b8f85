"""What is asked and seen of a lot: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.jobs import TaskInput
from grader.model.observations import Observation, SceneEvent
from grader.tasks.plans.model import ShownMove, Track
from puzzles.rush_hour.lot import Side


@dataclass(frozen=True)
class RectangleInput:
    """A rectangle in a lot: sides in units of the lot, centre, and angle of the length in radians."""

    length: float
    width: float
    x: float
    y: float
    theta_rad: float


@dataclass(frozen=True)
class VehicleInput:
    """A vehicle of a lot; see ``grader.v1.LotVehicle``."""

    label: str
    body: RectangleInput
    forward_reversed: bool
    fixed: bool
    color_hex: str


@dataclass(frozen=True)
class ExitInput:
    """An opening in a side of a lot; ``side`` is None where the request does not say it."""

    side: Side | None
    start: float
    end: float


@dataclass(frozen=True)
class RushHourInput(TaskInput):
    """A lot. Its rules are its truth."""

    width: float
    height: float
    exits: tuple[ExitInput, ...]
    vehicles: tuple[VehicleInput, ...]
    obstacles: tuple[RectangleInput, ...]


@dataclass(frozen=True)
class LotObservation(Observation):
    """What was seen of a lot in a clip."""

    moves: tuple[ShownMove, ...]
    tracks: tuple[Track, ...]
    events: tuple[SceneEvent, ...]
