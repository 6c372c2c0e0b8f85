"""What is asked of a jigsaw puzzle: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.jobs import TaskInput
from grader.model.observations import Observation, SceneEvent
from grader.model.places import PixelBox
from puzzles.jigsaw.kinds import Order, PieceChange, QuestionKind


@dataclass(frozen=True)
class AnomalyTruth:
    """What is wrong with a picture: the letter of the changed piece, and how; empty and None where nothing is."""

    position: str = ""
    change: PieceChange | None = None


@dataclass(frozen=True)
class JigsawInput(TaskInput):
    """A question and its answer.

    Attributes
    ----------
    kind : what is asked; None where it is missing
    options : the orders that an order restoration offers
    truth : a letter, an order, or what is wrong with a picture; None where it is missing
    pieces : the pictures of the four pieces, for drawn orders; None for one that is missing
    """

    kind: QuestionKind | None
    options: tuple[Order, ...]
    truth: str | Order | AnomalyTruth | None
    pieces: tuple[bytes | None, ...] = ()


@dataclass(frozen=True)
class QuarterObservation:
    """What lies in a quarter of a picture.

    Attributes
    ----------
    piece : the number of the piece that is most like it, from 1; 0 if none is
    rotation_deg : by how much it lies turned, counter-clockwise, a multiple of 90
    mirrored : whether it was mirrored left and right before
    likeness, detail : correlations with the piece, and of the fine structure of both
    shift, rough : by how many levels of 255 it is lighter or darker than all together, and how far its finest structure
        is off the piece's
    displaced : by how much of a side it is off the place, or the size, that the other pieces have
    altered_share : largest coherent share of it that the piece, as it was given, does not explain
    box : where it was found, in pixels of the candidate
    """

    piece: int
    rotation_deg: int
    mirrored: bool
    likeness: float
    detail: float
    shift: float
    rough: float
    displaced: float
    altered_share: float
    box: PixelBox


@dataclass(frozen=True)
class AssemblyObservation(Observation):
    """What lies in the four quarters of a picture, of the last one of a series, of the frame of a clip that counts.

    Attributes
    ----------
    quarters : top left, top right, bottom left, bottom right
    events : in clips, what changes without anything that moves
    """

    quarters: tuple[QuarterObservation, ...]
    events: tuple[SceneEvent, ...] = ()
