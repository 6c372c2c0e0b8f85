"""Compares what was seen on a sheet with where its holes belong. No pixels here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from detectors.paper_fold.finding import SheetFindings
from detectors.paper_fold.holes import BlotKind, Disc
from grader.metrics.cells import pass_score
from grader.model.places import PixelBox, Place
from grader.model.verdict import Reason
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.paper_fold.reasons import SHEET_REASONS
from grader.tasks.paper_fold.settings import HoleRules
from puzzles.paper_fold.rules import Point

CHEATS = frozenset({"NOT_THE_PUZZLE", "OTHER_DRAWINGS", "SHEET_ALTERED", "HOLES_EVERYWHERE", "NO_HOLES"})
"""Reasons that leave no reward: the sheet was altered, or the drawing is no answer."""
SHEET_CHANGES = frozenset({"NOT_THE_PUZZLE", "OTHER_DRAWINGS", "SHEET_ALTERED"})
"""Reasons of a sheet that is not as it was."""
_SPOILT = frozenset({"MARK_NOT_A_HOLE", "HOLE_OUTSIDE", "HOLE_SIZE"})
"""Reasons that take half of the reward: something is drawn that is no hole."""


@dataclass(frozen=True)
class SheetJudgement:
    """What the comparison says.

    Attributes
    ----------
    reasons : why it fails, gravest first
    right, wrong : drawn holes that are where one belongs, and all others
    missing : places without a hole
    moved : pairs of a drawn hole and the place beside it where it belongs
    precision, recall, whole : the metrics, 0 to 1
    reward : 0 to 1
    """

    reasons: tuple[Reason, ...]
    right: tuple[Disc, ...]
    wrong: tuple[Disc, ...]
    missing: tuple[Point, ...]
    moved: tuple[tuple[Disc, Point], ...]
    precision: float
    recall: float
    whole: float
    reward: float

    @property
    def score(self) -> float:
        """max(0, recall - (1 - precision))."""
        return pass_score(self.recall, 1.0 - self.precision if self.right or self.wrong else 0.0)


def judge_sheet(
    found: SheetFindings | None,
    holes: Sequence[Point],
    radius: float,
    rules: HoleRules,
    *,
    beside: bool = False,
) -> SheetJudgement:
    """Judges the findings of a detector.

    Parameters
    ----------
    found : SheetFindings or None
        None where the picture does not show the sheet.
    holes : sequence of (x, y)
        Where holes belong, in pixels of the puzzle's picture.
    radius : float
        Of a hole, in the same.
    rules : HoleRules
    beside : bool
        Whether other drawings lie beside the sheet.
    """
    if found is None:
        reason = Reason("NOT_THE_PUZZLE", "The picture does not show the sheet, at any size or place tried.")
        return SheetJudgement((reason,), (), (), tuple(holes), (), 0.0, 0.0, 0.0, 0.0)
    drawn = [one for one in found.discs if not one.outside]
    pairs = match(drawn, holes, rules.near * radius)
    taken = {hole for _, hole in pairs}
    at_place = [drawn[disc] for disc, _ in pairs]
    right = tuple(one for one in at_place if one.fits)
    wrong = tuple(one for one in drawn if one not in right)
    stray = [one for one in drawn if one not in at_place]
    missing = tuple(hole for place, hole in enumerate(holes) if place not in taken)
    near = match(stray, missing, rules.misplaced * radius)
    moved = tuple((stray[disc], missing[hole]) for disc, hole in near)
    reasons = [*_sheet_reasons(found, len(holes), len(drawn), rules)]
    if beside:
        reasons.append(Reason("OTHER_DRAWINGS", "Beside the sheet the picture shows other drawings."))
    sizes = [one for one in drawn if not one.fits]
    if sizes:
        text = f"{count(len(sizes), 'hole')} of another size; the first {sizes[0].radius / radius:.2f} times as large."
        reasons.append(Reason("HOLE_SIZE", text, tuple(map(_place, sizes))))
    if moved:
        text = f"{count(len(moved), 'hole')} beside the place where it belongs."
        reasons.append(Reason("HOLES_MISPLACED", text, tuple(_place(one) for one, _ in moved)))
    extra = [one for at, one in enumerate(stray) if at not in {disc for disc, _ in near}]
    if extra:
        text = f"{count(len(extra), 'hole')} where none belongs."
        reasons.append(Reason("HOLES_EXTRA", text, tuple(map(_place, extra))))
    gone = [hole for at, hole in enumerate(missing) if at not in {place for _, place in near}]
    if gone:
        text = f"{count(len(gone), 'hole')} of {len(holes)} missing."
        reasons.append(Reason("HOLES_MISSING", text, tuple(Place(box=_around(hole, radius)) for hole in gone)))
    rank = {info.code: place for place, info in enumerate(SHEET_REASONS)}
    ordered = tuple(sorted(reasons, key=lambda reason: rank[reason.code]))
    precision = len(right) / len(drawn) if drawn else 0.0
    recall = len(right) / len(holes)
    reward = 1.0
    if ordered:
        codes = {reason.code for reason in ordered}
        reward = 0.0 if codes & CHEATS else FAILED_REWARD * pass_score(recall, 1.0 - precision)
        reward *= 0.5 if codes & _SPOILT else 1.0
    return SheetJudgement(ordered, right, wrong, missing, moved, precision, recall, found.whole, reward)


def match(discs: Sequence[Disc], places: Sequence[Point], most: float) -> list[tuple[int, int]]:
    """Pairs discs with places one to one, the nearest first, up to a distance."""
    near = sorted(
        (math.dist(disc.center, place), at, of)
        for at, disc in enumerate(discs)
        for of, place in enumerate(places)
        if math.dist(disc.center, place) <= most
    )
    pairs: list[tuple[int, int]] = []
    for _, at, of in near:
        if all(at != one and of != other for one, other in pairs):
            pairs.append((at, of))
    return pairs


def _sheet_reasons(found: SheetFindings, wanted: int, drawn: int, rules: HoleRules) -> list[Reason]:
    reasons = []
    torn = [one for one in found.blots if one.kind is BlotKind.TORN]
    if found.repainted or torn or found.whole < rules.whole:
        what = "has another colour" if found.repainted else f"is not as it was: {100 * found.whole:.0f} % of it is"
        places = tuple(Place(box=PixelBox(*one.box)) for one in torn)
        reasons.append(Reason("SHEET_ALTERED", f"The sheet {what}.", places))
    if drawn > rules.everywhere * wanted:
        reasons.append(Reason("HOLES_EVERYWHERE", f"There are {drawn} holes where {wanted} belong."))
    if not drawn:
        reasons.append(Reason("NO_HOLES", "The sheet has no hole."))
    marks = [one for one in found.blots if one.kind is not BlotKind.TORN]
    if marks:
        faint = sum(one.kind is BlotKind.FAINT for one in marks)
        none = "is no hole" if len(marks) == 1 else "are no holes"
        text = f"{count(len(marks), 'mark')} on the sheet that {none}" + (f", {faint} of them faint." if faint else ".")
        reasons.append(Reason("MARK_NOT_A_HOLE", text, tuple(Place(box=PixelBox(*one.box)) for one in marks)))
    outside = [one for one in found.discs if one.outside]
    if outside:
        text = f"{count(len(outside), 'hole')} beside the sheet."
        reasons.append(Reason("HOLE_OUTSIDE", text, tuple(map(_place, outside))))
    return reasons


def _place(disc: Disc) -> Place:
    return Place(box=_around(disc.center, disc.radius))


def _around(point: Point, radius: float) -> PixelBox:
    return PixelBox(point[0] - radius, point[1] - radius, 2 * radius, 2 * radius)
