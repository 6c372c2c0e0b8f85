"""What is seen of a plan, whatever puzzle it is for: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.answers.result import Reading, Span
from grader.model.observations import Observation
from grader.model.places import TimeSpan


@dataclass(frozen=True)
class PlanReading:
    """A plan in words in one reading.

    Attributes
    ----------
    reading : which
    answered : whether there is a plan in the text
    moves : as they were understood, such as ``A forward`` or ``up`` (of the blank)
    solved : whether they solve the puzzle
    message : what simulating them came to
    spans : where each of the moves stands in the text, in characters
    unread : where what could not be read stands; None if nothing was in the way
    """

    reading: Reading
    answered: bool
    moves: tuple[str, ...]
    solved: bool
    message: str
    spans: tuple[Span, ...] = ()
    unread: Span | None = None


@dataclass(frozen=True)
class PlanObservation(Observation):
    """A plan in words, in every reading."""

    readings: tuple[PlanReading, ...]


@dataclass(frozen=True)
class ShownMove:
    """A move that a clip shows.

    Attributes
    ----------
    move : such as ``A forward``, or ``up`` (of the blank)
    span : when
    distance : units of the lot, or cells
    complete : whether it went as far as the rules say
    """

    move: str
    span: TimeSpan
    distance: float
    complete: bool


@dataclass(frozen=True)
class TrackPoint:
    """One point of a track: seconds; centre in units of the lot (y up), or column and row; angle in radians."""

    time_s: float
    x: float
    y: float
    theta_rad: float = 0.0


@dataclass(frozen=True)
class Track:
    """Where a vehicle (its label) or a tile (its number) is over time; straight between the points."""

    object: str
    points: tuple[TrackPoint, ...]


@dataclass(frozen=True)
class VehicleSeen:
    """A vehicle in a picture: its label, its centre in units of the lot, the angle of its length in radians."""

    label: str
    x: float
    y: float
    theta_rad: float


@dataclass(frozen=True)
class StepSeen:
    """One picture of a series.

    Attributes
    ----------
    moves : what leads here from the picture before; empty if it shows the same state
    legal : whether exactly one legal, complete move leads here
    faults : what is wrong with it, as codes
    tiles : as seen, row by row; empty for lots
    vehicles : as seen; empty for sliding puzzles
    hinges_deg : by how many degrees each hinge is turned; empty but for chains
    """

    moves: tuple[str, ...]
    legal: bool
    faults: tuple[str, ...]
    tiles: tuple[int, ...] = ()
    vehicles: tuple[VehicleSeen, ...] = ()
    hinges_deg: tuple[float, ...] = ()


@dataclass(frozen=True)
class StepsObservation(Observation):
    """What was seen in a series of pictures, and the moves that the model's own words name."""

    steps: tuple[StepSeen, ...]
    moves_in_words: tuple[str, ...]
