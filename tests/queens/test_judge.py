"""What marks on a board come to: reasons, places and reward."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.queens.queens import BoardFindings, OtherMark, QueenMark
from detectors.queens.remainder.finding import BoardRemainder, BoardRole, BoardThing
from grader.model.verdict import Alignment
from grader.tasks.queens.judge import BoardJudgement, judge_board
from grader.tasks.queens.puzzle import QueensPuzzle
from grader.tasks.queens.settings import QueensSettings

QUEENS = ((0, 1), (1, 3), (2, 0), (3, 2))
REGIONS = ((1, 0, 1, 1), (1, 1, 1, 1), (2, 2, 3, 3), (2, 3, 3, 3))
PUZZLE = QueensPuzzle(4, (160, 160), None, None, None, None, REGIONS, QUEENS, None, np.zeros((160, 160), bool))
ALIGNED = Alignment((160, 160), (1.0, 1.0), (0.0, 0.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "NONE", 1.0, 1.0)
SETTINGS = QueensSettings()
NOTHING = BoardRemainder(told=True)


def marks(*cells: tuple[int, int]) -> tuple[QueenMark, ...]:
    return tuple(QueenMark(row, column, (0.0, 0.0), 10.0, 1.0) for row, column in cells)


def judge(
    *cells, alignment=ALIGNED, beside=False, settings=SETTINGS, puzzle=PUZZLE, left=NOTHING, **more
) -> BoardJudgement:
    found = replace(BoardFindings(marks(*cells), (), False, (), ()), **more)
    return judge_board(puzzle, alignment, found, left, beside, settings)


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
    assert judged.reward == pytest.approx(0.9 * (1 - 1 / 5) * 0.2)  # one more than belong there


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


def test_cells_that_were_painted_and_regions_that_faded():
    painted = replace(NOTHING, painted_cells=((1, 1),), things=(BoardThing(BoardRole.MARK, ((1, 1),)),))
    judged = judge(*QUEENS, left=painted, recolored_cells=((0, 2),))
    # What shows in a painted cell is the paint.
    assert (codes(judged), cells(judged, "REGIONS_ALTERED")) == (["REGIONS_ALTERED"], [(0, 2), (1, 1)])
    assert codes(judge(*QUEENS, left=replace(NOTHING, faded_regions=(2,)))) == ["REGIONS_ALTERED"]


def test_what_is_said_of_altered_regions():
    """Cells, pairs of regions, and regions that faded; of those nothing where there are none."""
    (reason,) = judge(*QUEENS, recolored_cells=((1, 1),), merged_regions=((0, 1),)).reasons
    assert reason.message == "1 cell not in the colour of the region; 1 pair of regions alike."
    (reason,) = judge(*QUEENS, left=replace(NOTHING, faded_regions=(2, 3))).reasons
    assert reason.message == (
        "0 cells not in the colour of the region; 0 pairs of regions alike. 2 regions faded into another one."
    )


def test_a_grid_that_is_gone():
    """More than 0.4 of a cell's side: the cells on both sides are named."""
    assert codes(judge(*QUEENS, left=replace(NOTHING, lines_gone=0.4))) == []
    judged = judge(*QUEENS, left=replace(NOTHING, lines_gone=0.41, broken_lines=((0, 1), (9, 13))))
    assert (codes(judged), judged.reward) == (["GRID_ERASED"], 0.0)
    assert cells(judged, "GRID_ERASED") == [(0, 0), (0, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize(
    ("role", "said"),
    [
        (BoardRole.MARK, "a mark in a cell"),
        (BoardRole.WRITING, "writing over cells"),
        (BoardRole.ON_LINES, "a mark on grid lines"),
        (BoardRole.ON_QUEEN, "a mark over a queen"),
        (BoardRole.NOT_ONE_DISC, "a queen that is not one whole disc"),
    ],
)
def test_what_is_left_over_is_no_queen(role, said):
    judged = judge(*QUEENS, left=replace(NOTHING, things=(BoardThing(role, ((2, 2), (1, 0))),)))
    assert (codes(judged), cells(judged, "MARK_NOT_A_QUEEN")) == (["MARK_NOT_A_QUEEN"], [(1, 0), (2, 2)])
    assert said in judged.reasons[0].message
    assert judged.reward == pytest.approx(0.9 * 0.2 / 2)  # seen in two cells


def test_decoration_is_harmless():
    thing = BoardThing(BoardRole.DECORATION, ((3, 3),))
    assert judge(*QUEENS, left=replace(NOTHING, things=(thing,))).reasons == ()


def test_queens_everywhere_are_more_than_twice_as_many():
    every = [(row, column) for row in range(4) for column in range(4)]
    assert "QUEENS_EVERYWHERE" not in codes(judge(*every[:8]))
    judged = judge(*every[:9])
    assert "QUEENS_EVERYWHERE" in codes(judged)
    assert judged.reward == 0.0


def test_marks_that_are_no_queens():
    ring, border = OtherMark((1.0, 2.0, 3.0, 4.0), "RING"), OtherMark((5.0, 6.0, 7.0, 8.0), "ON_BORDER")
    judged = judge(*QUEENS, others=(ring, border), left=BoardRemainder())
    assert codes(judged) == ["MARK_NOT_A_QUEEN", "QUEEN_ON_BORDER"]
    for code, left in (("QUEEN_ON_BORDER", 5.0), ("MARK_NOT_A_QUEEN", 1.0)):
        (reason,) = [one for one in judged.reasons if one.code == code]
        assert [place.box.left for place in reason.places] == [left]
    # They are no cheat: the placement is right. Two things more than belong there leave a tenth.
    assert judged.reward == pytest.approx(0.9 * 0.2 / 2)


def test_dark_marks_are_explained_where_nothing_is_left_over():
    """A queen's shadow is dark on a dark region. The mark lies in the cell (0, 0), or in (0, 0) and (0, 1)."""
    thing = BoardThing(BoardRole.MARK, ((0, 1),))
    for box, others, code in (
        ((1.0, 2.0, 39.0, 4.0), (), []),
        ((1.0, 2.0, 39.0, 4.0), (thing,), ["MARK_NOT_A_QUEEN"]),
        ((38.0, 2.0, 4.0, 4.0), (thing,), ["MARK_NOT_A_QUEEN"]),
    ):
        judged = judge(*QUEENS, others=(OtherMark(box, "NOT_ROUND"),), left=replace(NOTHING, things=others))
        assert codes(judged) == code
    (reason,) = judged.reasons
    assert reason.places[0].box.left == 38.0


def test_a_legal_placement_passes_though_another_was_given():
    """The mirrored placement breaks no rule of regions that are its own rows."""
    rows = tuple((row,) * 4 for row in range(4))
    puzzle = replace(PUZZLE, regions=rows)
    mirrored = tuple((row, 3 - column) for row, column in QUEENS)
    judged = judge(*mirrored, puzzle=puzzle)
    assert (judged.reasons, judged.legal, judged.coverage) == ((), True, 0.0)
    assert judged.reward == 1.0
