"""Checks a chain of pieces that a request describes, and makes it ready for judging."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.colors import GivenLook
from detectors.hinge_folding.finding import given_look
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.hinge_folding.model import HingeFoldingInput
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from puzzles.hinge_folding.chain import FULL_TURN, MOST_PIECES, HingeShape, reach_of

_STEP_DEG = 45  # not a threshold: what the contract allows
_LEAST_UNIT_PX = 8  # not a threshold: what the contract allows


@dataclass(frozen=True, eq=False)
class HingeChain:
    """A chain that was checked.

    Attributes
    ----------
    shapes : its pieces
    target : the angle of each hinge that gives the silhouette, in radians
    given : the picture that the model was given; None where the candidate is words
    """

    shapes: tuple[HingeShape, ...]
    target: tuple[float, ...]
    given: GivenLook | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels."""
        if self.given is None:
            return (1, 1)
        return self.given.picture.shape[1], self.given.picture.shape[0]

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
    task: HingeFoldingInput, settings: HingeFoldingSettings, limits: MediaLimits, kind: CandidateKind
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
    for number, turn in enumerate(task.turns):
        field = f"hinge_folding.truth.turns[{number}]"
        if len(turn.hinge) != 1 or turn.hinge not in hinges:
            text = f"{turn.hinge[:20]!r} is no hinge of this chain, whose hinges are {', '.join(hinges)}"
            inputs.fault(f"{field}.hinge", "OUT_OF_RANGE", text)
        if turn.angle_deg % _STEP_DEG:
            inputs.fault(f"{field}.angle_deg", "OUT_OF_RANGE", f"{turn.angle_deg} is no multiple of {_STEP_DEG}")
    drawn = kind is not CandidateKind.TEXT
    picture = inputs.picture("hinge_folding.puzzle.image", task.image, required=drawn) if drawn else None
    if drawn:
        _check_place(inputs, task, picture)
    inputs.check()
    target = angles_of(((turn.hinge, turn.angle_deg) for turn in task.turns), hinges)
    if picture is None or task.place is None:
        return HingeChain(shapes, target)
    place, reach = task.place, reach_of(shapes) + settings.drawn.corner
    given = given_look(picture, shapes, place.unit_px, place.x_px, place.y_px, reach, settings.chain)
    unseen = [at for at, seen in enumerate(given.contrasts) if abs(seen).max() < settings.chain.scan.least_contrast]
    if unseen:
        text = f"piece {unseen[0] + 1} is not seen where hinge_folding.puzzle.place says that the chain is"
        inputs.fault("hinge_folding.puzzle.image", "MISMATCH", text)
    inputs.check()
    return HingeChain(shapes, target, given)


def _check_place(inputs: Inputs, task: HingeFoldingInput, picture: NDArray[np.uint8] | None) -> None:
    place, field = task.place, "hinge_folding.puzzle.place"
    if place is None:
        inputs.fault(field, "MISSING", "say where the chain is in the picture, for what is drawn")
        return
    most = math.inf if picture is None else max(picture.shape[:2])
    if not (math.isfinite(place.unit_px) and _LEAST_UNIT_PX <= place.unit_px <= most):
        text = f"it is {place.unit_px:g}; give {_LEAST_UNIT_PX} or more, and no more than the picture's longer side"
        inputs.fault(f"{field}.unit_px", "OUT_OF_RANGE", text)
    for name, value, side in (("x_px", place.x_px, 1), ("y_px", place.y_px, 0)):
        if not math.isfinite(value) or (picture is not None and not 0 <= value <= picture.shape[side]):
            inputs.fault(f"{field}.{name}", "OUT_OF_RANGE", f"{value:g} is outside of the picture")
