"""Why an answer to a grid maze can fail."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo
from grader.tasks.maze.reasons import PICTURE_REASONS
from grader.tasks.plans.reasons import WORD_REASONS

_WRONG = FailureMode.CONSTRAINT_VIOLATION

_OWN: tuple[ReasonInfo, ...] = (
    ReasonInfo(
        "ANSWER_CUT_OFF",
        "The text ends within a thought or within its answer, as at a limit of tokens.",
        FailureMode.NO_ANSWER,
    ),
    *WORD_REASONS,
    ReasonInfo("CLAIMS_REACHABLE", "The goal is said to be reachable, and no path leads there.", _WRONG),
    ReasonInfo(
        "CLAIMS_UNREACHABLE", "The goal is said to be unreachable, and it is not.", FailureMode.INCOMPLETE_SOLUTION
    ),
    ReasonInfo(
        "ANSWER_CONTRADICTS_ITSELF",
        "A path or a length is given of a goal that is said to be unreachable.",
        FailureMode.WRONG_FORM,
    ),
    ReasonInfo("ENTERS_WALL", "A step leads into a wall.", _WRONG),
    ReasonInfo("ENTERS_TRAP", "A step leads into a trap.", _WRONG),
    ReasonInfo("LEAVES_GRID", "A step leads out of the grid.", _WRONG),
    ReasonInfo("GOAL_NOT_REACHED", "The path does not end at the goal.", FailureMode.INCOMPLETE_SOLUTION),
    ReasonInfo("NOT_SHORTEST", "The path reaches the goal, and is longer than need be.", _WRONG),
    ReasonInfo("WRONG_LENGTH", "The length that is said is not that of a shortest path.", _WRONG),
)
_KNOWN = frozenset(reason.code for reason in _OWN)
REASONS = (*_OWN, *(reason for reason in PICTURE_REASONS if reason.code not in _KNOWN))
"""All of them, each once: of words and of what is drawn, then those of drawn mazes of any kind."""
