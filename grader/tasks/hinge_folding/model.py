"""What is asked of a chain of pieces, and seen of it: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.model.observations import Observation
from puzzles.hinge_folding.chain import HingeShape


@dataclass(frozen=True)
class HingeTurnInput:
    """A hinge, a capital letter, and by how many degrees all to the right of it is turned, counter-clockwise."""

    hinge: str
    angle_deg: int


@dataclass(frozen=True)
class ChainPlaceInput:
    """Where a chain is in a picture: pixels of a unit, and the centre of the first piece in pixels."""

    unit_px: float
    x_px: float
    y_px: float


@dataclass(frozen=True)
class HingeFoldingInput(TaskInput):
    """A chain and its silhouette.

    Attributes
    ----------
    shapes : the pieces from left to right, None for one whose shape is not said
    turns : turns that give the silhouette
    image : the picture that the model was given; needed for what is drawn, as is where the chain is in it
    place : None where it is missing
    """

    shapes: tuple[HingeShape | None, ...]
    turns: tuple[HingeTurnInput, ...]
    image: bytes | None = field(default=None, metadata={"path": "hinge_folding.puzzle.image"})
    place: ChainPlaceInput | None = None


@dataclass(frozen=True)
class ChainPieceSeen:
    """A piece of a chain: whether it was found; its corners in pixels; its size; the share of it that is bare."""

    found: bool
    corners: tuple[tuple[float, float], ...]
    size: float
    bare_share: float


@dataclass(frozen=True)
class ChainHingeSeen:
    """A hinge: its letter; its angle in degrees and the gap of its joints in units, None where a piece is missing."""

    hinge: str
    angle_deg: float | None
    gap_units: float | None


@dataclass(frozen=True)
class ChainObservation(Observation):
    """A folded chain as seen: its pieces in order, and its hinges."""

    pieces: tuple[ChainPieceSeen, ...]
    hinges: tuple[ChainHingeSeen, ...]
