"""Folded sheets, checked: labels for words; folds, punches and pictures of the sheet for drawn answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from detectors.paper_fold.closer.config import CreaseConfig
from detectors.paper_fold.closer.creases import CreaseStrips, strips_of
from detectors.paper_fold.plausible import edges_seen, punched
from detectors.paper_fold.sheet import BareSheet, read_sheet
from grader.alignment.template import Template, make_template
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.labels import check_labels
from grader.tasks.paper_fold.model import PaperFoldInput, SheetFrame
from grader.tasks.paper_fold.settings import PaperFoldSettings
from puzzles.paper_fold.patterns import spacing
from puzzles.paper_fold.rules import MOST_FOLDS, MOST_PUNCHES, Fold, FoldedSheet, Point, creases, fold_all, unfold

_FOLDS, _PUNCHES = "paper_fold.puzzle.folds", "paper_fold.puzzle.punches"
_FARTHEST = 4.0  # not a threshold: farther off than any line that folds the sheet, or place on it
_SHEETS, _FRAME, _RADIUS = "paper_fold.puzzle.sheets", "paper_fold.puzzle.frame", "paper_fold.puzzle.hole_radius"


@dataclass(frozen=True, eq=False)
class SheetState:
    """The sheet after some folds.

    Attributes
    ----------
    number : how many folds
    sheet : its picture without holes, understood
    template : what candidates are aligned with
    holes : where its holes are, in pixels of the picture
    radius : of a hole, in pixels
    """

    number: int
    sheet: BareSheet
    template: Template
    holes: tuple[Point, ...]
    radius: float
    _strips: dict[int, CreaseStrips] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture."""
        return self.sheet.size

    def strips(self, width: int, config: CreaseConfig) -> CreaseStrips:
        """What is looked at along creases in views of so many pixels across; kept, since all candidates need it."""
        found = self._strips.get(width)
        if found is None:
            found = self._strips[width] = strips_of(self.sheet, width / self.sheet.size[0], config)
        return found


@dataclass(frozen=True, eq=False)
class FoldedPuzzle:
    """A sheet that was checked: the labels of the patterns and of the right one, and its states that have a picture."""

    labels: str
    solution: str
    states: tuple[SheetState, ...] = ()
    folds: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """That of the sheet's pictures; of words none is asked."""
        return self.states[0].size if self.states else (1, 1)


def prepare_paper_fold(
    task: PaperFoldInput, settings: PaperFoldSettings, limits: MediaLimits, candidate: CandidateKind
) -> FoldedPuzzle:
    """Checks a sheet; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    drawn = candidate is not CandidateKind.TEXT
    if task.labels or task.solution or not drawn:
        check_labels(inputs, "paper_fold.puzzle.labels", task.labels)
        if not task.solution:
            inputs.fault("paper_fold.truth.label", "MISSING", "give the label of the right pattern")
        elif task.solution not in task.labels:
            text = f"{task.solution[:20]!r} is none of paper_fold.puzzle.labels"
            inputs.fault("paper_fold.truth.label", "MISMATCH", text)
    labels = "".join(task.labels)
    if not drawn:
        inputs.check()
        return FoldedPuzzle(labels, task.solution)
    geometry = _geometry(inputs, task, settings)
    pictures = _pictures(inputs, task, candidate)
    inputs.check()
    frame = inputs.checked(task.frame)
    _check_frame(inputs, frame, pictures[0], task.hole_radius, settings)
    inputs.check()
    states = tuple(
        _state(number, picture, frame, task.hole_radius, inputs.checked(geometry), settings)
        for number, picture in enumerate(pictures)
    )
    _check_sheets(inputs, states, pictures, settings)
    inputs.check()
    return FoldedPuzzle(labels, task.solution, states, len(task.folds))


@dataclass(frozen=True)
class _Geometry:
    """Folds that can be made, the sheet after each, and where its holes are then."""

    folds: tuple[Fold, ...]
    sheets: tuple[FoldedSheet, ...]
    holes: tuple[tuple[Point, ...], ...]

    @cached_property
    def creases(self) -> tuple[tuple[tuple[Point, Point], ...], ...]:
        """Where creases may show on the sheet after each number of folds."""
        return tuple(creases(self.sheets, self.folds, number) for number in range(len(self.sheets)))


def _geometry(inputs: Inputs, task: PaperFoldInput, settings: PaperFoldSettings) -> _Geometry | None:
    folds = tuple(one for one in task.folds if one is not None)
    bounds = settings.limits
    if not folds or len(folds) != len(task.folds) or len(folds) > MOST_FOLDS:
        if not task.folds or len(task.folds) > MOST_FOLDS:
            reason = "OUT_OF_RANGE" if task.folds else "MISSING"
            inputs.fault(_FOLDS, reason, f"there are {len(task.folds)}; drawn answers need 1 to {MOST_FOLDS} folds")
        for place, one in enumerate(task.folds):
            if one is None:
                inputs.fault(f"{_FOLDS}[{place}].line", "MISSING", "say along which line")
        return None
    if not 1 <= len(task.punches) <= MOST_PUNCHES:
        reason = "OUT_OF_RANGE" if task.punches else "MISSING"
        inputs.fault(_PUNCHES, reason, f"there are {len(task.punches)}; give 1 to {MOST_PUNCHES}")
        return None
    if not bounds.least_radius <= task.hole_radius <= bounds.most_radius:
        text = f"it is {task.hole_radius:g}; give {bounds.least_radius} to {bounds.most_radius} sides of the sheet"
        inputs.fault(_RADIUS, "OUT_OF_RANGE", text)
        return None
    near = f"give finite numbers, at most {_FARTHEST:g} sides of the sheet"
    for place, one in enumerate(folds):
        if not abs(one.offset) <= _FARTHEST:
            inputs.fault(f"{_FOLDS}[{place}].offset", "OUT_OF_RANGE", f"it is {one.offset:g}; {near}")
            return None
    if not all(abs(part) <= _FARTHEST for punch in task.punches for part in punch):
        inputs.fault(_PUNCHES, "OUT_OF_RANGE", f"a place lies far off the sheet; {near}")
        return None
    try:
        sheets = fold_all(folds)
    except ValueError as error:
        inputs.fault(_FOLDS, "MISMATCH", f"they can't be made: {error}")
        return None
    for place, away in enumerate(sheets[-1].clearances(task.punches)):
        if away < bounds.clear * task.hole_radius:
            text = f"it lies off the folded sheet, or less than {bounds.clear:g} radii from an edge or a crease"
            inputs.fault(f"{_PUNCHES}[{place}]", "OUT_OF_RANGE", text)
    holes = unfold(sheets, folds, task.punches)
    if spacing(holes[0]) < bounds.apart * task.hole_radius:
        inputs.fault(_PUNCHES, "MISMATCH", "holes of the unfolded sheet touch, so that they can't be told apart")
    return _Geometry(folds, sheets, holes)


def _pictures(inputs: Inputs, task: PaperFoldInput, candidate: CandidateKind) -> list[NDArray[np.uint8]]:
    """The pictures of the sheet that a candidate of this kind needs."""
    needed = {CandidateKind.IMAGE: 1, CandidateKind.FRAMES: len(task.folds)}.get(candidate, len(task.folds) + 1)
    if len(task.sheets) < max(1, needed) or len(task.sheets) > len(task.folds) + 1:
        reason = "OUT_OF_RANGE" if task.sheets else "MISSING"
        text = f"there are {len(task.sheets)}; give the sheet without holes: flat, after the first fold, and so on"
        inputs.fault(_SHEETS, reason, f"{text}, {needed} to {len(task.folds) + 1} pictures")
        return []
    if task.frame is None:
        inputs.fault(_FRAME, "MISSING", "say where the flat sheet lies in the pictures")
    used = task.sheets if candidate is not CandidateKind.IMAGE else task.sheets[:1]
    read = [inputs.picture(f"{_SHEETS}[{place}]", data) for place, data in enumerate(used)]
    found = [one for one in read if one is not None]
    for place, picture in enumerate(read):
        if picture is not None and found:
            inputs.same_size(f"{_SHEETS}[{place}]", picture, found[0])
    return found


def _check_frame(
    inputs: Inputs, frame: SheetFrame, picture: NDArray[np.uint8], radius: float, settings: PaperFoldSettings
) -> None:
    height, width = picture.shape[:2]
    left, top, side = frame.left_px, frame.top_px, frame.side_px
    finite = all(map(math.isfinite, (left, top, side)))
    if not finite or side <= 0 or min(left, top) < 0 or left + side > width or top + side > height:
        inputs.fault(_FRAME, "OUT_OF_RANGE", f"it does not lie within the pictures of {width}x{height} pixels")
    elif radius * side < settings.limits.least_radius_px:
        text = f"a hole's radius is {radius * side:.1f} pixels there; it has to be at least"
        inputs.fault(_SHEETS, "OUT_OF_RANGE", f"{text} {settings.limits.least_radius_px:g}")


def _check_sheets(
    inputs: Inputs, states: Sequence[SheetState], pictures: Sequence[NDArray[np.uint8]], settings: PaperFoldSettings
) -> None:
    """Whether each picture shows the sheet as it is after its folds, and not punched; what no picture shows is not."""
    config = settings.sheet.plausible
    flat: list[bool | None] = []
    for number, (state, picture) in enumerate(zip(states, pictures, strict=True)):
        outline = [(x * state.sheet.factor, y * state.sheet.factor) for x, y in state.sheet.outline]
        edges = edges_seen(picture, outline, config)
        flat = flat or edges
        if any(flat) and any(seen is False for seen in edges):
            folds = f"{number} fold{'s' if number != 1 else ''}" if number else "no fold"
            text = f"it does not show the sheet after {folds}: an edge of it is not where it should be"
            inputs.fault(f"{_SHEETS}[{number}]", "MISMATCH", text)
        elif punched(picture, outline, state.holes, state.radius, config):
            inputs.fault(f"{_SHEETS}[{number}]", "MISMATCH", "it shows holes; give the sheet without them")


def _state(
    number: int,
    picture: NDArray[np.uint8],
    frame: SheetFrame,
    radius: float,
    geometry: _Geometry,
    settings: PaperFoldSettings,
) -> SheetState:
    def placed(points: Sequence[Point]) -> list[Point]:
        low = frame.top_px + frame.side_px
        return [(frame.left_px + frame.side_px * x, low - frame.side_px * y) for x, y in points]

    outline = [(x, y) for x, y in shapely.get_coordinates(geometry.sheets[number].silhouette)[:-1].tolist()]
    lines = [placed(ends) for ends in geometry.creases[number]]
    sheet = read_sheet(
        picture,
        placed(outline),
        radius * frame.side_px,
        [(one, other) for one, other in lines],
        settings.sheet,
    )
    template = make_template(picture, settings.alignment)
    return SheetState(number, sheet, template, tuple(placed(geometry.holes[number])), radius * frame.side_px)
