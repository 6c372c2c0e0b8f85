"""Queens boards: each fault is named, placed and paid for."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model.verdict import Outcome, Verdict
from grader.tasks.queens.pictures import METRICS
from grader.tasks.queens.reasons import REASONS
from tests.queens.board_faults import (
    CHEATS,
    EVERY_FAULT,
    FAULTS,
    SIZE,
    N,
    faulty,
    free_cell,
    ids,
    missing,
    queens,
    sample_5,
)
from tests.samples.puzzles import (
    BLACK,
    board_sample,
    codes,
    line,
    metrics,
    places,
    where,
)


@EVERY_FAULT
def test_each_fault_is_named(name: str) -> None:
    verdict, code = faulty(name), FAULTS[name][1]
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    order = [info.code for info in REASONS]
    assert codes(verdict) == sorted(codes(verdict), key=order.index)


@EVERY_FAULT
def test_what_a_fault_earns(name: str) -> None:
    verdict = faulty(name)
    found = metrics(verdict)
    assert verdict.score == found["pass"] == max(0.0, found["coverage"] - found["violation"])
    if CHEATS & set(codes(verdict)):
        assert verdict.reward == 0.0
    else:
        # A fifth is left where one thing more is drawn than belongs there, a tenth where two are.
        marks = [one for one in verdict.reasons if one.code in ("MARK_NOT_A_QUEEN", "QUEEN_ON_BORDER")]
        more = max(0.0, found["queens"] - N) + sum(max(1, len(one.places)) for one in marks)
        share = 0.2 / more if more else 1.0
        assert verdict.reward == pytest.approx(0.9 * verdict.score * share, abs=1e-12)


@EVERY_FAULT
def test_metrics_are_declared_and_within_their_bounds(name: str) -> None:
    found = metrics(faulty(name))
    declared = [info for info in METRICS if not info.on_request]
    assert list(found) == [info.name for info in declared]
    for info in declared:
        assert info.lower_bound <= found[info.name] <= info.upper_bound


def test_every_reason_has_its_case() -> None:
    assert {code for _, code in FAULTS.values()} == {info.code for info in REASONS}


def test_conflicts_are_placed() -> None:
    cell = free_cell(lambda cell: True)
    verdict = faulty("extra")
    same_row = next(queen for queen in queens() if queen[0] == cell[0])
    assert places(verdict, "ROW_CONFLICT") == ids([cell, same_row])
    assert places(verdict, "COLUMN_CONFLICT") == ids([cell, *(queen for queen in queens() if queen[1] == cell[1])])
    assert places(verdict, "WRONG_CELLS") == ids([cell])
    # All n are found, and one of n + 1 is wrong.
    assert verdict.score == pytest.approx(1 - 1 / (N + 1))
    assert metrics(verdict)["queens"] == N + 1


def test_missing_queens_are_placed() -> None:
    verdict = faulty("missing")
    assert codes(verdict) == ["MISSING_QUEENS"]
    assert places(verdict, "MISSING_QUEENS") == ids(queens()[-1:])
    assert verdict.score == pytest.approx((N - 1) / N)
    assert metrics(verdict)["violation_complement"] == pytest.approx(1 / N)


def test_altered_boards_are_placed() -> None:
    assert codes(faulty("recolored")) == ["REGIONS_ALTERED"]
    assert places(faulty("recolored"), "REGIONS_ALTERED") == ids([free_cell(lambda cell: True)])
    assert codes(faulty("gridless")) == ["GRID_ERASED"]
    assert codes(faulty("merged")) == ["REGIONS_ALTERED"]


def test_two_queens_in_a_cell() -> None:
    verdict = faulty("two in a cell")
    assert places(verdict, "TWO_QUEENS_IN_CELL") == ids(queens()[:1])
    # The second one in a cell is wrong: n + 1 queens, 1 wrong.
    assert metrics(verdict)["violation"] == pytest.approx(1 / (N + 1))
    assert metrics(verdict)["coverage"] == 1.0


def boxes(verdict: Verdict, code: str) -> list[tuple[float, float]]:
    (reason,) = [one for one in verdict.reasons if one.code == code]
    return [(place.box.left + place.box.width / 2, place.box.top + place.box.height / 2) for place in reason.places]


def test_marks_that_are_no_queens_are_placed() -> None:
    # A ring as wide as a cell shows at the edge of the cells beside it as well.
    assert places(faulty("ring beside"), "MARK_NOT_A_QUEEN") >= ids([free_cell(lambda cell: True)])
    assert {mark.code for mark in faulty("ring beside").observation.rejected_marks} <= {"RING", "MARK", "WRITING"}
    row, column = next(cell for cell in queens() if cell[1] > 0)
    (middle,) = boxes(faulty("on border"), "QUEEN_ON_BORDER")
    assert np.hypot(*np.subtract(middle, (column * SIZE, (row + 0.5) * SIZE))) < 3
    # Moved by half a cell: that queen is missing, and no other cell has gained one.
    assert places(faulty("on border"), "MISSING_QUEENS") == ids([(row, column)])
    assert faulty("on border").score == pytest.approx((N - 1) / N)


@pytest.mark.parametrize("name", ["rings", "letters", "bars"])
def test_no_solid_disc_no_queen(name: str) -> None:
    verdict = faulty(name)
    assert verdict.observation.queens == ()
    assert {"NO_QUEENS", "MARK_NOT_A_QUEEN"} <= set(codes(verdict))
    # A letter may fall into several marks, and a large one shows at the edge of the cells beside it.
    marks = [mark.box for mark in verdict.observation.rejected_marks]
    cells = {(int((box.top + box.height / 2) / SIZE), int((box.left + box.width / 2) / SIZE)) for box in marks}
    assert cells >= set(queens())
    assert (verdict.score, verdict.reward) == (0.0, 0.0)


@pytest.mark.parametrize("base", ["solution", "missing"])
def test_a_violation_more_is_never_worth_more(base: str) -> None:
    """The one half of the cells is tried on the solution, the other where a queen is missing."""
    board = sample_5()
    picture = {"solution": board.pictures.solution, "missing": missing()}[base]
    best = board.grade(picture)
    for row in range(N):
        for column in range((row + (base == "missing")) % 2, N, 2):
            if (row, column) in queens():
                continue
            verdict = board.grade(board.draw([(row, column)], on=picture))
            assert verdict.outcome is Outcome.FAIL
            assert verdict.score <= best.score
            assert verdict.reward <= best.reward


def test_errors_are_those_of_the_drawing() -> None:
    board = sample_5()
    found = metrics(board.grade(board.pictures.input))
    difference = ((board.pictures.input / 255.0 - board.pictures.solution / 255.0) ** 2).mean(axis=2)
    goal = np.isin(board.pictures.cell_map, list(ids(queens())))
    assert found["mse_in"] == pytest.approx(difference[goal].mean(), rel=1e-9)
    assert found["mse_out"] == 0.0


@pytest.mark.parametrize("profile", ["default", "amaze_code"])
def test_what_can_t_be_measured_says_why(profile: str) -> None:
    board = sample_5()
    verdict = board.grade(board.pictures.solution, profile, solution_image=None)
    assert verdict.outcome is Outcome.PASS
    for name in ("mse_in", "mse_out"):
        (metric,) = [metric for metric in verdict.metrics if metric.name == name]
        assert (metric.value, metric.unavailable_reason) == (None, "the request has no queens.truth.solution_image")


def test_another_board_is_no_answer() -> None:
    verdict = sample_5().grade(board_sample(N, seed=3).pictures.solution)
    assert verdict.outcome is Outcome.FAIL
    assert {"REGIONS_ALTERED", "NOT_THE_PUZZLE"} & set(codes(verdict))
    assert verdict.reward == 0.0


def test_a_line_across_the_board_is_no_queen() -> None:
    board = sample_5()
    picture = line(board.pictures.input, [(10, 10), (230, 180)], 10, BLACK)
    verdict = board.grade(picture)
    assert verdict.observation.queens == ()
    assert verdict.reward == 0.0


def test_discs_on_crossings_of_lines_are_seen() -> None:
    """Discs a quarter of a cell wide on every crossing: no queens, and no grid lines either.

    Drawn with a radius of 8 their fill is 2 (8 - 2 + 0.5) = 13 px wide, 0.27 of a cell of 48.
    """
    sample = board_sample(5)
    inner = range(1, sample.board.n)
    crossings = [(row - 0.5, column - 0.5) for row in inner for column in inner]
    verdict = sample.grade(sample.draw(crossings, sample.pictures.solution, radius_px=8))
    assert codes(verdict) == ["MARK_NOT_A_QUEEN", "QUEEN_ON_BORDER"]
    assert len(verdict.reasons[1].places) == len(crossings)


def test_a_region_as_dark_as_a_queen_is_altered() -> None:
    sample = board_sample(5)
    row, column = sample.board.queens[0]
    inside = np.kron(np.array(sample.board.regions) == sample.board.regions[row][column], np.ones((48, 48))) > 0
    dark = where(sample.pictures.input, inside, (40, 40, 40))
    verdict = sample.grade(sample.draw(sample.board.queens[1:], dark))
    assert codes(verdict)[0] == "REGIONS_ALTERED"
    assert verdict.reward == 0.0
