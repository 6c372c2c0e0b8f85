"""Why a plan for a sliding puzzle is wrong."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo
from grader.tasks.plans.reasons import PLAN_REASONS, STEP_REASONS, WORD_REASONS

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_NONE = FailureMode.NO_ANSWER

_OWN_WORDS: tuple[ReasonInfo, ...] = (
    ReasonInfo("OFF_THE_GRID", "A move leads the blank off the board.", _WRONG),
    ReasonInfo("GOAL_NOT_REACHED", "All moves can be made, and the tiles are not in their places.", _INCOMPLETE),
)
"""In words, beside those of all plans."""

_CLIP_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NOT_THE_PUZZLE", "The first frame does not show the puzzle.", _ALTERED),
    ReasonInfo("SCENE_CUT", "The clip cuts to another arrangement.", _ALTERED),
    ReasonInfo("CROSS_FADE", "One picture fades into another.", _ALTERED),
    ReasonInfo("SCENE_REPLACED", "Most of the board no longer shows the puzzle.", _ALTERED),
    ReasonInfo("TILES_SWAPPED", "Two tiles change places; the blank is not involved.", _WRONG),
    ReasonInfo("TILE_TELEPORT", "A tile that does not touch the blank takes its place.", _WRONG),
    ReasonInfo("BLANK_FILLED", "The blank is filled without a tile moving there.", _ALTERED),
    ReasonInfo("DUPLICATE_TILE", "A tile turns into a copy of another one.", _ALTERED),
    ReasonInfo("FOREIGN_TILE", "A tile turns into something that is no tile of this puzzle.", _ALTERED),
    ReasonInfo("BOARD_CHANGED", "The board changes its size or place too much.", _ALTERED),
    ReasonInfo("SCENE_OVERLAID", "Something is drawn over the board.", _ALTERED),
    ReasonInfo("TILES_AT_ONCE", "Tiles change places across each other.", _WRONG),
    ReasonInfo("MOVE_HIDDEN", "A tile changes its place while the board shows something else.", _WRONG),
    ReasonInfo("NOTHING_MOVES", "No tile makes a move.", _NONE),
    ReasonInfo("SOLVED_THEN_UNDONE", "The target is reached and then left again.", _INCOMPLETE),
    ReasonInfo("TARGET_NOT_REACHED", "The last frame does not show the target.", _INCOMPLETE),
)
"""In a clip."""

REASONS = (*WORD_REASONS, *PLAN_REASONS, *_OWN_WORDS, *_CLIP_REASONS, *STEP_REASONS)
"""All of them, in the order of what is looked at."""
