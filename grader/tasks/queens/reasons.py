"""Why a board can fail."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_FORM = FailureMode.WRONG_FORM
_NONE = FailureMode.NO_ANSWER

REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NOT_THE_PUZZLE", "The picture has nothing in common with the board, at any size or place.", _ALTERED),
    ReasonInfo(
        "OTHER_DRAWINGS", "Beside the puzzle there are other drawings; which one is the answer can't be told.", _ALTERED
    ),
    ReasonInfo("BOARD_COVERED", "Most of the board is dark.", _ALTERED),
    ReasonInfo("QUEENS_EVERYWHERE", "There are more than twice as many queens as the board can hold.", _FORM),
    ReasonInfo(
        "REGIONS_ALTERED",
        "Cells or regions have another colour than they had, or regions can't be told apart.",
        _ALTERED,
    ),
    ReasonInfo("GRID_ERASED", "Grid lines are gone or have faded.", _ALTERED),
    ReasonInfo("NO_QUEENS", "No queen is drawn.", _NONE),
    ReasonInfo(
        "MARK_NOT_A_QUEEN",
        "There is a mark that is no solid dark disc: a ring, a letter, a blot, something over a queen, a second disc.",
        _FORM,
    ),
    ReasonInfo("QUEEN_ON_BORDER", "A disc lies across the border of cells, so that it stands in none.", _FORM),
    ReasonInfo("TWO_QUEENS_IN_CELL", "A cell holds two queens.", _WRONG),
    ReasonInfo("ROW_CONFLICT", "Two queens stand in one row.", _WRONG),
    ReasonInfo("COLUMN_CONFLICT", "Two queens stand in one column.", _WRONG),
    ReasonInfo("REGION_CONFLICT", "Two queens stand in one region.", _WRONG),
    ReasonInfo("QUEENS_TOUCH", "Two queens touch, by an edge or a corner of their cells.", _WRONG),
    ReasonInfo("EXTRA_QUEENS", "There are more queens than the board has rows.", _WRONG),
    ReasonInfo("MISSING_QUEENS", "There are fewer queens than the board has rows.", _INCOMPLETE),
    ReasonInfo("WRONG_CELLS", "Queens stand in cells where the solution has none.", _WRONG),
)
"""Gravest first."""
