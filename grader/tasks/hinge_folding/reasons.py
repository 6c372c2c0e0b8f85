"""Why a folded chain is wrong."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo
from grader.tasks.plans.reasons import PLAN_REASONS, STEP_REASONS, WORD_REASONS

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_ALTERED = FailureMode.ALTERED_PUZZLE
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION

_DRAWN: tuple[ReasonInfo, ...] = (
    ReasonInfo("NO_CHAIN", "A picture shows no piece of the chain.", FailureMode.WRONG_FORM),
    ReasonInfo("SILHOUETTE_ONLY", "Pieces can't be told apart: only their silhouette is shown.", _ALTERED),
    ReasonInfo("SECOND_CHAIN", "A picture shows two chains.", _ALTERED),
    ReasonInfo("PIECE_MISSING", "A piece was not found at its hinge or near it.", _INCOMPLETE),
    ReasonInfo("SOMETHING_DRAWN", "Something is drawn that is no piece of the chain.", _ALTERED),
    ReasonInfo("PIECE_ALTERED", "A piece has another size than the others, or another shape.", _ALTERED),
    ReasonInfo("PIECE_FAINT", "A piece is much fainter than the others.", _ALTERED),
    ReasonInfo("PIECE_SEE_THROUGH", "Two pieces shine through each other.", _ALTERED),
    ReasonInfo("CHAIN_CUT", "Two pieces are not joined at their hinge.", _WRONG),
    ReasonInfo("CHAIN_TURNED", "The first piece is turned.", _WRONG),
    ReasonInfo("HINGE_BETWEEN", "A hinge is turned by an angle that is no multiple of 45 degrees.", _WRONG),
)
"""As a picture."""

_CLIPS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NOT_THE_PUZZLE", "The first frame of a clip does not show the chain as it was given.", _ALTERED),
    ReasonInfo("CHAIN_JUMPED", "In a clip the chain changes from one frame to the next.", _ALTERED),
    ReasonInfo("CROSS_FADE", "In a clip the picture fades into another one.", _ALTERED),
    ReasonInfo("SHOWN_ON_THE_WAY", "In a clip something is drawn, for a time, that is not in the puzzle.", _ALTERED),
    ReasonInfo("NOTHING_MOVES", "No hinge turns, or the first frame shows the answer.", FailureMode.NO_ANSWER),
    ReasonInfo("SOLVED_THEN_UNDONE", "The silhouette is shown at some time, and not at the end.", _INCOMPLETE),
)
"""As a clip."""

_SHARED: tuple[ReasonInfo, ...] = (
    ReasonInfo("UNKNOWN_HINGE", "A hinge is turned that is not in the chain.", _WRONG),
    ReasonInfo("WRONG_SILHOUETTE", "The turns give another silhouette than the right one.", _INCOMPLETE),
)

REASONS = (*WORD_REASONS, *PLAN_REASONS, *_CLIPS, *_DRAWN, *_SHARED, *STEP_REASONS)
"""All of them, in the order of what is looked at."""
