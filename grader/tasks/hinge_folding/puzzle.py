"""Checks a chain of pieces that a request describes, and makes it ready for judging."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.hinge_folding.model import HingeFoldingInput
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from puzzles.hinge_folding.chain import FULL_TURN, MOST_PIECES, HingeShape

_STEP_DEG = 45  # not a threshold: what the contract allows


@dataclass(frozen=True)
class HingeChain:
    """A chain that was checked: its pieces, and the angle of each hinge that gives the silhouette, in radians."""

    shapes: tuple[HingeShape, ...]
    target: tuple[float, ...]

    @property
    def size(self) -> tuple[int, int]:
        """It has no picture."""
        return (1, 1)

    @property
    def hinges(self) -> str:
        """The labels of the hinges."""
        return hinge_labels(len(self.shapes))


def hinge_labels(pieces: int) -> str:
    """The labels of the hinges of so many pieces."""
    return "".join(chr(ord("A") + number) for number in range(pieces - 1))


def angles_of(turns: Iterable[tuple[str, int]], hinges: str) -> tuple[float, ...]:
    """What turns in degrees come to for each hinge, in radians, 0 to 2 pi; KeyError for another hinge."""
    sums = dict.fromkeys(hinges, 0)
    for hinge, degrees in turns:
        sums[hinge] += degrees
    return tuple(math.radians(degrees) % FULL_TURN for degrees in sums.values())


def prepare_hinges(
    task: HingeFoldingInput, _settings: HingeFoldingSettings, limits: MediaLimits, _kind: CandidateKind
) -> HingeChain:
    """Checks a chain; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    shapes = tuple(shape for shape in task.shapes if shape is not None)
    unsaid = next((place for place, shape in enumerate(task.shapes) if shape is None), None)
    if not 2 <= len(task.shapes) <= MOST_PIECES:
        text = f"there are {len(task.shapes)} pieces; give 2 to {MOST_PIECES}"
        inputs.fault("hinge_folding.puzzle.shapes", "OUT_OF_RANGE" if task.shapes else "MISSING", text)
    elif unsaid is not None:
        inputs.fault(f"hinge_folding.puzzle.shapes[{unsaid}]", "MISSING", "say which shape this piece has")
    hinges = hinge_labels(len(task.shapes))
    if not task.turns:
        inputs.fault("hinge_folding.truth.turns", "MISSING", "give the turns that give the silhouette")
    for place, turn in enumerate(task.turns):
        field = f"hinge_folding.truth.turns[{place}]"
        if len(turn.hinge) != 1 or turn.hinge not in hinges:
            text = f"{turn.hinge[:20]!r} is no hinge of this chain, whose hinges are {', '.join(hinges)}"
            inputs.fault(f"{field}.hinge", "OUT_OF_RANGE", text)
        if turn.angle_deg % _STEP_DEG:
            inputs.fault(f"{field}.angle_deg", "OUT_OF_RANGE", f"{turn.angle_deg} is no multiple of {_STEP_DEG}")
    inputs.check()
    return HingeChain(shapes, angles_of(((turn.hinge, turn.angle_deg) for turn in task.turns), hinges))
