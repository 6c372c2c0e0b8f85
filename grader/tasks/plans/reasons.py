"""Why a plan is wrong, whatever puzzle it is for."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_FORM = FailureMode.WRONG_FORM
_NONE = FailureMode.NO_ANSWER

PLAN_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("PLAN_TOO_LONG", "The plan has more than 5 x the least number of moves + 10.", _FORM),
)
"""However it is given."""

WORD_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("ANSWER_MISSING", "Nothing in the text looks like an answer, or the text is empty.", _NONE),
    ReasonInfo("ANSWER_EMPTY", "There is an answer without content.", _NONE),
    ReasonInfo("ANSWER_REFUSED", "The answer says that none is given, such as 'unknown'.", _NONE),
    ReasonInfo("ANSWER_AMBIGUOUS", "There are several answers that differ, and none of them is chosen.", _FORM),
    ReasonInfo("ANSWER_UNREADABLE", "There is an answer, and it can't be read as what the task asks for.", _FORM),
)
"""In words."""

STEP_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NO_IMAGES", "The series holds no picture.", _NONE),
    ReasonInfo("STEP_UNREADABLE", "A picture does not decode, or does not show the puzzle.", _FORM),
    ReasonInfo("STEP_MISSING", "A picture shows several moves at once.", _WRONG),
    ReasonInfo(
        "STEP_ILLEGAL", "A picture shows a move that the rules do not allow, or one that is not complete.", _WRONG
    ),
    ReasonInfo("STEP_ALTERED", "A picture shows something that is not in the puzzle, or lacks something.", _ALTERED),
    ReasonInfo(
        "GOAL_NOT_SHOWN", "Every picture follows from the one before, and the last does not show the goal.", _INCOMPLETE
    ),
)
"""As a picture after every move."""
