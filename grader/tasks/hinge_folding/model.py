"""What is asked of a chain of pieces: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.jobs import TaskInput
from puzzles.hinge_folding.chain import HingeShape


@dataclass(frozen=True)
class HingeTurnInput:
    """A hinge, a capital letter, and by how many degrees all to the right of it is turned, counter-clockwise."""

    hinge: str
    angle_deg: int


@dataclass(frozen=True)
class HingeFoldingInput(TaskInput):
    """The pieces from left to right, None for one whose shape is not said, and turns that give the silhouette."""

    shapes: tuple[HingeShape | None, ...]
    turns: tuple[HingeTurnInput, ...]
