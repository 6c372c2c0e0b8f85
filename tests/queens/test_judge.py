"""What marks on a board come to: reasons, places and reward."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.queens.queens import BoardFindings, OtherMark, QueenMark
from grader.model.verdict import Alignment
from grader.tasks.queens.judge import BoardJudgement, judge_board
from grader.tasks.queens.puzzle import QueensPuzzle
from grader.tasks.queens.settings import QueensSettings

QUEENS = ((0, 1), (1, 3), (2, 0), (3, 2))
REGIONS = ((1, 0, 1, 1), (1, 1, 1, 1), (2, 2, 3, 3), (2, 3, 3, 3))
PUZZLE = QueensPuzzle(4, (160, 160), None, None, None, REGIONS, QUEENS, None, np.zeros((160, 160), bool))
ALIGNED = Alignment((160, 160), (1.0, 1.0), (0.0, 0.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "NONE", 1.0, 1.0)
SETTINGS = QueensSettings()


def marks(*cells: tuple[int, int]) -> tuple[QueenMark, ...]:
    return tuple(QueenMark(row, column, (0.0, 0.0), 10.0, 1.0) for row, column in cells)


def judge(*cells, alignment=ALIGNED, beside=False, settings=SETTINGS, puzzle=PUZZLE, **more) -> BoardJudgement:
    found = replace(BoardFindings(marks(*cells), (), False, (), (), 1.0), **more)
    return judge_board(puzzle, alignment, found, beside, settings)


def codes(judged: BoardJudgement) -> list[str]:
    return [reason.code for reason in judged.reasons]


def cells(judged: BoardJudgement, code: str) -> list[tuple[int, int]]:
    (reason,) = [one for one in judged.reasons if one.code == code]
    return [(place.cell.row, place.cell.column) for place in reason.places]


def test_the_right_placement_passes():
    judged = judge(*QUEENS)
    assert judged == BoardJudgement((), 1.0, 0.0, True, 0, (), (), 1.0)
    assert PUZZLE.cell(2, 3).id == 11


def test_an_empty_board():
    judged = judge()
    assert (codes(judged), judged.reward, judged.legal, judged.missed) == (["NO_QUEENS"], 0.0, False, QUEENS)


def test_a_missing_queen():
    """Three of four, none wrong: 0.9 x 3 / 4."""
    judged = judge(*QUEENS[:3])
    assert codes(judged) == ["MISSING_QUEENS"]
    assert cells(judged, "MISSING_QUEENS") == [(3, 2)]
    assert (judged.coverage, judged.violation, judged.missed) == (0.75, 0.0, ((3, 2),))
    assert judged.reward == pytest.approx(0.9 * 0.75)


def test_a_queen_too_many_breaks_rules():
    """(3, 0) is in a row with (3, 2), in a column with (2, 0) and touches it; its region is that of (2, 0)."""
    judged = judge(*QUEENS, (3, 0))
    assert codes(judged) == [
        "ROW_CONFLICT",
        "COLUMN_CONFLICT",
        "REGION_CONFLICT",
        "QUEENS_TOUCH",
        "EXTRA_QUEENS",
        "WRONG_CELLS",
    ]
    assert cells(judged, "WRONG_CELLS") == [(3, 0)]
    assert cells(judged, "ROW_CONFLICT") == [(3, 0), (3, 2)]
    assert cells(judged, "COLUMN_CONFLICT") == [(2, 0), (3, 0)]
    assert cells(judged, "QUEENS_TOUCH") == [(2, 0), (3, 0)]
    assert judged.wrong == ((3, 0),)
    # Coverage 1, violation 1 of 5.
    assert judged.reward == pytest.approx(0.9 * (1 - 1 / 5))


def test_two_queens_in_a_cell():
    judged = judge(*QUEENS, QUEENS[0])
    assert "TWO_QUEENS_IN_CELL" in codes(judged)
    assert cells(judged, "TWO_QUEENS_IN_CELL") == [(0, 1)]
    assert not judged.legal


def test_a_board_that_is_covered_or_another():
    assert codes(judge(*QUEENS, covered=True)) == ["BOARD_COVERED"]
    assert judge(*QUEENS, covered=True).reward == 0.0
    judged = judge(*QUEENS, alignment=replace(ALIGNED, method="FAILED"))
    assert (codes(judged), judged.reward) == (["NOT_THE_PUZZLE"], 0.0)
    judged = judge(*QUEENS, beside=True)
    assert (codes(judged), judged.reward) == (["OTHER_DRAWINGS"], 0.0)


def test_regions_that_were_altered():
    judged = judge(*QUEENS, recolored_cells=((1, 1),))
    assert (codes(judged), cells(judged, "REGIONS_ALTERED"), judged.reward) == (["REGIONS_ALTERED"], [(1, 1)], 0.0)
    assert codes(judge(*QUEENS, merged_regions=((0, 1),))) == ["REGIONS_ALTERED"]


def test_a_grid_that_is_gone():
    assert codes(judge(*QUEENS, grid_kept=0.7)) == []
    judged = judge(*QUEENS, grid_kept=0.69)
    assert (codes(judged), judged.reward) == (["GRID_ERASED"], 0.0)


def test_queens_everywhere_are_more_than_twice_as_many():
    every = [(row, column) for row in range(4) for column in range(4)]
    assert "QUEENS_EVERYWHERE" not in codes(judge(*every[:8]))
    judged = judge(*every[:9])
    assert "QUEENS_EVERYWHERE" in codes(judged)
    assert judged.reward == 0.0


def test_marks_that_are_no_queens():
    ring, border = OtherMark((1.0, 2.0, 3.0, 4.0), "RING"), OtherMark((5.0, 6.0, 7.0, 8.0), "ON_BORDER")
    judged = judge(*QUEENS, others=(ring, border))
    assert codes(judged) == ["MARK_NOT_A_QUEEN", "QUEEN_ON_BORDER"]
    for code, left in (("QUEEN_ON_BORDER", 5.0), ("MARK_NOT_A_QUEEN", 1.0)):
        (reason,) = [one for one in judged.reasons if one.code == code]
        assert [place.box.left for place in reason.places] == [left]
    # They are no cheat: the placement is right, and earns what a failure can.
    assert judged.reward == pytest.approx(0.9)


def test_a_legal_placement_passes_though_another_was_given():
    """The mirrored placement breaks no rule of regions that are its own rows."""
    rows = tuple((row,) * 4 for row in range(4))
    puzzle = replace(PUZZLE, regions=rows)
    mirrored = tuple((row, 3 - column) for row, column in QUEENS)
    judged = judge(*mirrored, puzzle=puzzle)
    assert (judged.reasons, judged.legal, judged.coverage) == ((), True, 0.0)
    assert judged.reward == 1.0
