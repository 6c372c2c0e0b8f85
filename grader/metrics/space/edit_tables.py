"""From the scores of edits to those of the tables: the gate, locality, appearance, means, and the classes of people.

A figure is a value, or not available with a reason; it is never NaN, and what is not available is never 0.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, sections 2 and 4.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.metrics.space.edit_rules import SEED_RULES, EditRules
from grader.metrics.space.edit_types import MoveScore, RemoveScore, ResizeScore, RotateScore, ViewScore
from grader.metrics.space.edits import check_similarity
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault

EditMeasures = MoveScore | RotateScore | ResizeScore | RemoveScore | ViewScore


class EditKind(enum.Enum):
    """What an edit does. Placements are moves."""

    MOVE = "move"
    ROTATE = "rotate"
    RESIZE = "resize"
    REMOVE = "remove"
    VIEW = "view"


class Dataset(enum.Enum):
    """Which gate holds: photographs pass by SSIM or LPIPS, simulated pictures by both."""

    REAL = "GSI-Real"
    SYN = "GSI-Syn"


class MissingPart(enum.Enum):
    """Why a figure is not available; the values are stable."""

    NO_PICTURES = "NO_PICTURES"
    NO_SSIM = "NO_SSIM"
    NO_LPIPS = "NO_LPIPS"
    NO_BACKGROUND = "NO_BACKGROUND"
    NO_RATING = "NO_RATING"
    GATE_NOT_AVAILABLE = "GATE_NOT_AVAILABLE"
    NOT_DEFINED = "NOT_DEFINED"


@dataclass(frozen=True)
class EditFigure:
    """A finite value, or the reason why there is none."""

    value: float | None
    missing: MissingPart | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.missing is None):
            raise ValueError("a figure has either a value or a reason why it has none")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"a figure is finite, not {self.value}")


@dataclass(frozen=True)
class Background:
    """How alike the original and the edited picture are outside of the edited object's boxes.

    Attributes
    ----------
    ssim : -1 to 1; None if it was not measured
    lpips : from 0; None if it was not measured
    empty : whether the boxes leave no background, so that neither can be measured

    Raises
    ------
    GeometryError
        NOT_FINITE or OUT_OF_RANGE, naming ``ssim`` or ``lpips``.
    """

    ssim: float | None
    lpips: float | None
    empty: bool = False

    def __post_init__(self) -> None:
        check_similarity(self.ssim, self.lpips)


class GateState(enum.Enum):
    """How the gate ends. NOT_APPLIED is for views, which have none."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    NOT_AVAILABLE = "NOT_AVAILABLE"
    NOT_APPLIED = "NOT_APPLIED"


@dataclass(frozen=True)
class Gate:
    """The end of the gate; why it is not available, or NO_BACKGROUND where it failed for that."""

    state: GateState
    missing: MissingPart | None = None


@dataclass(frozen=True)
class TableScores:
    """One edit as the tables have it. IC, SA and their product are 0 to 1, EL and AC 0 to 100."""

    operation: EditKind
    ic: EditFigure
    sa: EditFigure
    el: EditFigure
    ac: EditFigure
    sa_ic: EditFigure


@dataclass(frozen=True)
class EditScore:
    """All of one edit.

    Attributes
    ----------
    scores : after the gate, as the tables have them
    gate : how the gate ended
    ic_ungated, sa_ungated : 0 or 1, and 0 to 1, from the boxes alone
    el_ungated, ac_ungated : 0 to 100, whatever IC is
    measures : every figure on the way to IC and SA
    """

    scores: TableScores
    gate: Gate
    ic_ungated: float
    sa_ungated: float
    el_ungated: EditFigure
    ac_ungated: EditFigure
    measures: EditMeasures


def locality_gate(dataset: Dataset, background: Background | None, rules: EditRules = SEED_RULES) -> Gate:
    """Says whether an edit left the background as it was: SSIM > 0.6 or LPIPS < 0.3; on simulated pictures, and.

    Parameters
    ----------
    dataset : Dataset
    background : Background or None
        None where there are no pictures; then the gate is not available. It is not either where one of the two was not
        measured and the other does not decide.
    """
    if background is None:
        return Gate(GateState.NOT_AVAILABLE, MissingPart.NO_PICTURES)
    if background.empty and not rules.empty_background_passes:
        return Gate(GateState.FAILED, MissingPart.NO_BACKGROUND)
    if background.empty:
        alike: tuple[bool | None, bool | None] = (False, True)
    else:
        alike = (
            None if background.ssim is None else background.ssim > rules.gate_ssim,
            None if background.lpips is None else background.lpips < rules.gate_lpips,
        )
    decides = dataset is Dataset.REAL
    if decides in alike:
        return Gate(GateState.PASSED if decides else GateState.FAILED)
    if None in alike:
        return Gate(GateState.NOT_AVAILABLE, MissingPart.NO_LPIPS if alike[1] is None else MissingPart.NO_SSIM)
    return Gate(GateState.FAILED if decides else GateState.PASSED)


def edit_score(
    measures: EditMeasures,
    dataset: Dataset,
    background: Background | None = None,
    rating: float | None = None,
    rules: EditRules = SEED_RULES,
    camera_turned: bool = False,
) -> EditScore:
    """Puts together what the boxes, the pictures and a judge of appearance say.

    Parameters
    ----------
    measures : MoveScore, RotateScore, ResizeScore, RemoveScore or ViewScore
    dataset : Dataset
        Whose gate holds.
    background : Background or None
        None where there are no pictures; a view needs none.
    rating : float or None
        Of appearance, 0 to 10; None where there is none.
    camera_turned : bool
        Whether the camera turned; then a turn of the object has no IC and no SA, and stays in all means.

    Raises
    ------
    GeometryError
        NOT_FINITE or OUT_OF_RANGE, naming ``rating``.
    """
    operation = operation_of(measures)
    if operation is EditKind.VIEW:
        gate, ungated_el = Gate(GateState.NOT_APPLIED), EditFigure(None, MissingPart.NOT_DEFINED)
    else:
        gate, ungated_el = locality_gate(dataset, background, rules), _locality(background, rules)
    ic, sa = EditFigure(1.0 if measures.ic else 0.0), EditFigure(measures.sa)
    if gate.state is GateState.FAILED:
        ic = sa = EditFigure(0.0)
    elif gate.state is GateState.NOT_AVAILABLE:
        ic = sa = EditFigure(None, MissingPart.GATE_NOT_AVAILABLE)
    elif camera_turned and operation is EditKind.ROTATE:
        ic = sa = EditFigure(0.0)
    return EditScore(
        scores=table_scores(operation, ic, sa, ungated_el, rating, rules),
        gate=gate,
        ic_ungated=1.0 if measures.ic else 0.0,
        sa_ungated=measures.sa,
        el_ungated=ungated_el,
        ac_ungated=_appearance(rating),
        measures=measures,
    )


def operation_of(measures: EditMeasures) -> EditKind:
    """The operation that was measured."""
    if isinstance(measures, MoveScore):
        return EditKind.MOVE
    if isinstance(measures, RotateScore):
        return EditKind.ROTATE
    if isinstance(measures, ResizeScore):
        return EditKind.RESIZE
    return EditKind.REMOVE if isinstance(measures, RemoveScore) else EditKind.VIEW


def locality(lpips: float) -> float:
    """EL before IC is looked at: 100 (1 - LPIPS), kept within 0 to 100."""
    return 100.0 * min(1.0, max(0.0, 1.0 - lpips))


def _locality(background: Background | None, rules: EditRules) -> EditFigure:
    if background is None:
        return EditFigure(None, MissingPart.NO_PICTURES)
    if background.empty:
        return EditFigure(100.0) if rules.empty_background_passes else EditFigure(None, MissingPart.NO_BACKGROUND)
    return (
        EditFigure(None, MissingPart.NO_LPIPS) if background.lpips is None else EditFigure(locality(background.lpips))
    )


def _appearance(rating: float | None) -> EditFigure:
    if rating is None:
        return EditFigure(None, MissingPart.NO_RATING)
    if not math.isfinite(rating):
        raise GeometryError("rating", GeometryFault.NOT_FINITE, "it is not finite; give 0 to 10")
    if not 0.0 <= rating <= 10.0:
        raise GeometryError("rating", GeometryFault.OUT_OF_RANGE, f"it is {rating:g}; give 0 to 10")
    return EditFigure(10.0 * rating)


def table_scores(
    operation: EditKind,
    ic: EditFigure,
    sa: EditFigure,
    el: EditFigure,
    rating: float | None,
    rules: EditRules = SEED_RULES,
) -> TableScores:
    """The scores of one edit for the tables: EL and AC are 0 where IC is 0, a view's AC excepted.

    Parameters
    ----------
    operation : Operation
    ic, sa : Figure
        After the gate, 0 to 1.
    el : Figure
        100 (1 - LPIPS) of the background.
    rating : float or None
        Of appearance, 0 to 10. AC is 10 times that.
    """
    ac = _appearance(rating)
    if rules.appearance_required and not ac.value:
        zero = EditFigure(0.0)
        return TableScores(operation, zero, zero, zero, zero, zero)
    if operation is EditKind.VIEW:
        return TableScores(operation, ic, sa, el, ac, _product(ic, sa))
    return TableScores(operation, ic, sa, _where(ic, el), _where(ic, ac), _product(ic, sa))


def _where(ic: EditFigure, figure: EditFigure) -> EditFigure:
    """A figure that is 0 unless IC holds; what was not measured stays not available."""
    if figure.value is None:
        return figure
    if ic.value is None:
        return EditFigure(None, ic.missing)
    return figure if ic.value else EditFigure(0.0)


def _product(ic: EditFigure, sa: EditFigure) -> EditFigure:
    if ic.value is None or sa.value is None:
        return ic if ic.value is None else sa
    return EditFigure(ic.value * sa.value)


@dataclass(frozen=True)
class Mean:
    """A mean over the edits that have a figure, 0 to 100, and how many these are; None where there are none."""

    value: float | None
    n: int


@dataclass(frozen=True)
class TableRow:
    """Means of edits, 0 to 100, and how many edits there are. ``average`` is (IC + SA + EL + AC) / 4, or None."""

    samples: int
    ic: Mean
    sa: Mean
    el: Mean
    ac: Mean
    sa_ic: Mean
    average: float | None


@dataclass(frozen=True)
class EditTable:
    """Means over all edits, and by operation in the order of `EditKind`, those that occur."""

    all: TableRow
    operations: tuple[tuple[EditKind, TableRow], ...]


def edit_table(edits: Iterable[TableScores]) -> EditTable:
    """Takes means over edits. They do not depend on the order of the edits.

    Examples
    --------
    >>> zero, one = Figure(0.0), Figure(1.0)
    >>> none = Figure(None, Missing.NO_RATING)
    >>> table = edit_table([table_scores(Operation.MOVE, ic, one, none, None) for ic in (zero, one)])
    >>> table.all.ic, table.all.sa, table.all.ac
    (Mean(value=50.0, n=2), Mean(value=100.0, n=2), Mean(value=None, n=0))
    """
    found = tuple(edits)
    by_operation = [(op, [one for one in found if one.operation is op]) for op in EditKind]
    return EditTable(_row(found), tuple((op, _row(ones)) for op, ones in by_operation if ones))


def _row(edits: Sequence[TableScores]) -> TableRow:
    ic, sa = _mean([one.ic for one in edits], 100.0), _mean([one.sa for one in edits], 100.0)
    el, ac = _mean([one.el for one in edits], 1.0), _mean([one.ac for one in edits], 1.0)
    four = [mean.value for mean in (ic, sa, el, ac) if mean.value is not None]
    average = math.fsum(four) / 4 if len(four) == 4 else None
    return TableRow(len(edits), ic, sa, el, ac, _mean([one.sa_ic for one in edits], 100.0), average)


def _mean(figures: Sequence[EditFigure], scale: float) -> Mean:
    values = [figure.value for figure in figures if figure.value is not None]
    return Mean(scale * math.fsum(values) / len(values) if values else None, len(values))


class HumanClass(enum.IntEnum):
    """How consistent an edit is, as people were asked."""

    NOT_AT_ALL = 0
    PARTIALLY = 1
    COMPLETELY = 2


def human_class(score: float, rules: EditRules = SEED_RULES) -> HumanClass:
    """The class of a score in 0 to 1 [1]_, section 4: above 0.7 completely, above 0.1 partially. EL and AC: over 100.

    Raises
    ------
    GeometryError
        NOT_FINITE or OUT_OF_RANGE, naming ``score``.
    """
    if not math.isfinite(score):
        raise GeometryError("score", GeometryFault.NOT_FINITE, "it is not finite; give 0 to 1")
    if not 0.0 <= score <= 1.0:
        raise GeometryError("score", GeometryFault.OUT_OF_RANGE, f"it is {score:g}; give 0 to 1")
    if score > rules.human_complete:
        return HumanClass.COMPLETELY
    return HumanClass.PARTIALLY if score > rules.human_partial else HumanClass.NOT_AT_ALL
