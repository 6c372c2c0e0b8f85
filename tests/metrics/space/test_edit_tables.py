"""The gate, locality, appearance, means and human classes; what was not measured is not available, never 0."""

from __future__ import annotations

import math

import pytest

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_rules import GSI_BENCH_CODE
from grader.metrics.space.edit_tables import (
    Background,
    Dataset,
    EditFigure,
    EditKind,
    Gate,
    GateState,
    HumanClass,
    Mean,
    MissingPart,
    edit_score,
    edit_table,
    human_class,
    locality_gate,
    table_scores,
)
from grader.metrics.space.edit_types import Detection
from grader.metrics.space.edits import score_move, score_remove, score_resize, score_rotate, score_view
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import from_axis

BOX = OrientedBox((0, 0, 2), (0.3, 0.3, 0.3))
GOAL = OrientedBox((0.5, 0, 2), (0.3, 0.3, 0.3))
MOVED = score_move("cup", BOX, GOAL, [Detection("cup", BOX)], [Detection("cup", GOAL)])
STAYED = score_move("cup", BOX, GOAL, [Detection("cup", BOX)], [Detection("cup", BOX)])
# SA is f(1.5) = 0.848 although nothing changed.
KEPT_SIZE = score_resize("cup", BOX, OrientedBox((0, 0, 2), (0.45, 0.45, 0.45)), [Detection("cup", BOX)])
ALIKE = Background(ssim=0.9, lpips=0.1)
GATE_OPEN = EditFigure(None, MissingPart.GATE_NOT_AVAILABLE)


@pytest.mark.parametrize(
    ("ssim", "lpips", "real", "syn"),
    [
        (0.61, 0.29, "PASSED", "PASSED"),
        (0.61, 0.31, "PASSED", "FAILED"),
        (0.59, 0.29, "PASSED", "FAILED"),
        (0.59, 0.31, "FAILED", "FAILED"),
        # Both bounds are strict.
        (0.60, 0.30, "FAILED", "FAILED"),
        (0.61, 0.30, "PASSED", "FAILED"),
        (0.60, 0.29, "PASSED", "FAILED"),
        # One alone decides where the other can't change the end.
        (0.61, None, "PASSED", "NOT_AVAILABLE"),
        (0.59, None, "NOT_AVAILABLE", "FAILED"),
        (None, 0.29, "PASSED", "NOT_AVAILABLE"),
        (None, 0.31, "NOT_AVAILABLE", "FAILED"),
    ],
)
def test_the_gate(ssim: float | None, lpips: float | None, real: str, syn: str) -> None:
    background = Background(ssim, lpips)
    assert locality_gate(Dataset.REAL, background).state.value == real
    assert locality_gate(Dataset.SYN, background).state.value == syn


def test_a_gate_that_is_not_available_says_why() -> None:
    assert locality_gate(Dataset.REAL, None) == Gate(GateState.NOT_AVAILABLE, MissingPart.NO_PICTURES)
    assert locality_gate(Dataset.SYN, Background(0.9, None)) == Gate(GateState.NOT_AVAILABLE, MissingPart.NO_LPIPS)
    assert locality_gate(Dataset.SYN, Background(None, 0.1)) == Gate(GateState.NOT_AVAILABLE, MissingPart.NO_SSIM)


@pytest.mark.parametrize("dataset", list(Dataset))
def test_without_background_the_gate_fails(dataset: Dataset) -> None:
    """And is flagged; EL does not apply. The public code lets it pass on photographs, with an LPIPS of 0."""
    empty = Background(None, None, empty=True)
    found = edit_score(MOVED, dataset, empty, rating=8)
    assert found.gate == Gate(GateState.FAILED, MissingPart.NO_BACKGROUND)
    assert (found.scores.ic, found.scores.sa, found.scores.ac) == (EditFigure(0.0), EditFigure(0.0), EditFigure(0.0))
    assert found.scores.el == EditFigure(None, MissingPart.NO_BACKGROUND)
    code = locality_gate(dataset, empty, GSI_BENCH_CODE).state
    assert code is (GateState.PASSED if dataset is Dataset.REAL else GateState.FAILED)


def test_a_good_edit() -> None:
    """EL = 100 (1 - 0.1), AC = 10 x 8."""
    found = edit_score(MOVED, Dataset.SYN, ALIKE, rating=8)
    assert found.gate == Gate(GateState.PASSED)
    assert (found.scores.operation, found.scores.ic, found.scores.ac) == (
        EditKind.MOVE,
        EditFigure(1.0),
        EditFigure(80.0),
    )
    assert found.scores.sa.value == found.scores.sa_ic.value == MOVED.sa
    assert found.scores.el.value == pytest.approx(90, abs=1e-12)
    assert (found.ic_ungated, found.sa_ungated) == (1.0, MOVED.sa)


def test_a_failed_gate_leaves_nothing_but_the_ungated_figures() -> None:
    found = edit_score(MOVED, Dataset.SYN, Background(0.9, 0.35), rating=8)
    scores = found.scores
    assert [figure.value for figure in (scores.ic, scores.sa, scores.el, scores.ac, scores.sa_ic)] == [0.0] * 5
    assert (found.ic_ungated, found.sa_ungated, found.ac_ungated) == (1.0, MOVED.sa, EditFigure(80.0))
    assert found.el_ungated.value == pytest.approx(65, abs=1e-12)


def test_an_edit_that_does_nothing_keeps_its_accuracy_alone() -> None:
    """IC = 0 does not zero SA; it does EL, AC and SA x IC."""
    scores = edit_score(KEPT_SIZE, Dataset.REAL, ALIKE, rating=10).scores
    assert scores.sa.value == pytest.approx(math.exp(-(math.log(1.5) ** 2)), abs=1e-12)
    assert (scores.ic, scores.el, scores.ac, scores.sa_ic) == (EditFigure(0.0),) * 4


def test_boxes_without_pictures() -> None:
    """The gate is not available, so neither is what it decides, whichever way the boxes go."""
    for measures, ic in ((MOVED, 1.0), (STAYED, 0.0)):
        found = edit_score(measures, Dataset.REAL, rating=8)
        assert found.gate.state is GateState.NOT_AVAILABLE
        assert (found.scores.ic, found.scores.sa, found.scores.sa_ic, found.scores.ac) == (GATE_OPEN,) * 4
        assert found.scores.el == EditFigure(None, MissingPart.NO_PICTURES)
        assert (found.ic_ungated, found.sa_ungated) == (ic, measures.sa)


def test_what_was_not_measured_is_not_available() -> None:
    """Even where IC is 0: a missing rating or LPIPS is never 0."""
    for measures in (MOVED, STAYED):
        found = edit_score(measures, Dataset.REAL, Background(0.9, None)).scores
        assert (found.ac, found.el) == (EditFigure(None, MissingPart.NO_RATING), EditFigure(None, MissingPart.NO_LPIPS))
        assert found.ic.value is not None


def test_a_view_has_neither_gate_nor_locality() -> None:
    """Its AC stands where IC is 0."""
    found = edit_score(score_view(0.2, 0.6), Dataset.SYN, rating=7)
    assert found.gate == Gate(GateState.NOT_APPLIED)
    scores = found.scores
    assert (scores.ic, scores.ac, scores.el) == (
        EditFigure(0.0),
        EditFigure(70.0),
        EditFigure(None, MissingPart.NOT_DEFINED),
    )
    assert scores.sa.value == pytest.approx(0.5 * 0.2 + 0.5 * 0.4, abs=1e-12)


def test_locality_stays_within_0_to_100() -> None:
    """LPIPS can exceed 1."""
    assert edit_score(MOVED, Dataset.REAL, Background(0.9, 1.2)).scores.el == EditFigure(0.0)


def test_means_are_over_what_is_available() -> None:
    """IC 100 (1 + 1 + 0) / 3; SA and EL of three; AC of two: (80 + 0) / 2; and the average of these four."""
    edits = [
        edit_score(MOVED, Dataset.REAL, ALIKE, rating=8).scores,
        edit_score(MOVED, Dataset.REAL, Background(0.7, 0.2)).scores,
        edit_score(KEPT_SIZE, Dataset.REAL, ALIKE, rating=10).scores,
        edit_score(MOVED, Dataset.REAL).scores,
    ]
    table = edit_table(edits)
    assert table.all.samples == 4
    assert table.all.ic == Mean(pytest.approx(200 / 3, abs=1e-12), 3)
    sa = 100 * (2 * MOVED.sa + KEPT_SIZE.sa) / 3
    assert table.all.sa == Mean(pytest.approx(sa, abs=1e-12), 3)
    assert table.all.sa_ic == Mean(pytest.approx(200 * MOVED.sa / 3, abs=1e-12), 3)
    assert table.all.el == Mean(pytest.approx((90 + 80 + 0) / 3, abs=1e-12), 3)
    assert table.all.ac == Mean(40.0, 2)
    assert table.all.average == pytest.approx((200 / 3 + sa + 170 / 3 + 40) / 4, abs=1e-12)
    assert edit_table(edits[::-1]) == table


def test_rows_by_operation() -> None:
    removed = score_remove(BOX, [Detection("cup", BOX), Detection("cup", GOAL)], [])
    edits = [edit_score(one, Dataset.REAL, ALIKE, 5).scores for one in (removed, MOVED, score_view(0.8, 0.2), MOVED)]
    rows = dict(edit_table(edits).operations)
    assert list(rows) == [EditKind.MOVE, EditKind.REMOVE, EditKind.VIEW]
    assert (rows[EditKind.REMOVE].sa, rows[EditKind.MOVE].samples) == (Mean(pytest.approx(70, abs=1e-12), 1), 2)
    # A view has no EL, so its row has no average of four.
    assert (rows[EditKind.VIEW].el, rows[EditKind.VIEW].average) == (Mean(None, 0), None)


def test_an_empty_table() -> None:
    table = edit_table([])
    assert (table.all.ic, table.all.average, table.operations) == (Mean(None, 0), None, ())


def test_where_the_camera_turned_a_turn_is_worth_nothing() -> None:
    """IC and SA are 0, and EL and AC with IC; the ungated figures say what the boxes came to. Moves are left alone."""
    turn = OrientedBox((0, 0, 2), (0.3, 0.3, 0.3), from_axis("y", 0.5).tolist())
    turned = score_rotate("cup", BOX, turn, [Detection("cup", turn)])
    found = edit_score(turned, Dataset.REAL, ALIKE, rating=8, camera_turned=True)
    scores = found.scores
    assert [figure.value for figure in (scores.ic, scores.sa, scores.el, scores.ac, scores.sa_ic)] == [0.0] * 5
    assert (found.ic_ungated, found.sa_ungated) == (1.0, pytest.approx(1.0))
    assert edit_score(MOVED, Dataset.REAL, ALIKE, rating=8, camera_turned=True).scores.sa.value == MOVED.sa


def test_without_ratings_there_is_no_average() -> None:
    table = edit_table([edit_score(MOVED, Dataset.REAL, ALIKE).scores])
    assert (table.all.ac, table.all.average) == (Mean(None, 0), None)


def test_the_public_code_needs_a_rating() -> None:
    """Without one, or with 0, everything is 0; so is SA. With one it stays where IC is 0."""
    el = EditFigure(90.0)
    for rating in (None, 0.0):
        scores = table_scores(EditKind.MOVE, EditFigure(1.0), EditFigure(0.8), el, rating, GSI_BENCH_CODE)
        assert (scores.ic, scores.sa, scores.el, scores.ac) == (EditFigure(0.0),) * 4
    assert table_scores(EditKind.MOVE, EditFigure(0.0), EditFigure(0.8), el, 5.0, GSI_BENCH_CODE).sa == EditFigure(0.8)


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0.0, 0), (0.1, 0), (0.1000001, 1), (0.7, 1), (0.7000001, 2), (1.0, 2)],
)
def test_human_classes(score: float, expected: int) -> None:
    assert human_class(score) is HumanClass(expected)


def test_wrong_numbers_are_named() -> None:
    faults = [
        (lambda: human_class(70.0), "score", GeometryFault.OUT_OF_RANGE),
        (lambda: human_class(math.nan), "score", GeometryFault.NOT_FINITE),
        (lambda: edit_score(MOVED, Dataset.REAL, ALIKE, rating=11), "rating", GeometryFault.OUT_OF_RANGE),
        (lambda: edit_score(MOVED, Dataset.REAL, ALIKE, rating=math.nan), "rating", GeometryFault.NOT_FINITE),
        (lambda: Background(math.nan, 0.1), "ssim", GeometryFault.NOT_FINITE),
        (lambda: Background(0.5, -0.1), "lpips", GeometryFault.OUT_OF_RANGE),
    ]
    for make, field, reason in faults:
        with pytest.raises(GeometryError) as caught:
            make()
        assert (caught.value.field, caught.value.reason) == (field, reason)
    for value, missing in ((math.nan, None), (None, None), (1.0, MissingPart.NO_RATING)):
        with pytest.raises(ValueError, match="a figure"):
            EditFigure(value, missing)
