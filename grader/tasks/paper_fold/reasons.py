"""Why a picture of an unfolded sheet can fail, and what of it is measured."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.plans.reasons import STEP_REASONS, WORD_REASONS

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_ALTERED = FailureMode.ALTERED_PUZZLE
_FORM = FailureMode.WRONG_FORM

SHEET_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NOT_THE_PUZZLE", "The picture does not show the sheet, at any size or place.", _ALTERED),
    ReasonInfo(
        "OTHER_DRAWINGS", "Beside the sheet there are other drawings; which is the answer can't be told.", _ALTERED
    ),
    ReasonInfo("SHEET_ALTERED", "The sheet is folded, torn, of another shape, or painted anew.", _ALTERED),
    ReasonInfo("HOLES_EVERYWHERE", "There are more than twice as many holes as belong there.", _FORM),
    ReasonInfo("NO_HOLES", "The sheet has no hole.", FailureMode.NO_ANSWER),
    ReasonInfo(
        "MARK_NOT_A_HOLE", "Something is drawn on the sheet that is no hole: half of one, a faint one, a letter.", _FORM
    ),
    ReasonInfo("HOLE_OUTSIDE", "A hole is drawn beside the sheet.", _FORM),
    ReasonInfo("HOLE_SIZE", "A hole is much larger or smaller than the others have to be.", _FORM),
    ReasonInfo("HOLES_MISPLACED", "A hole lies beside the place where it belongs.", _WRONG),
    ReasonInfo("HOLES_EXTRA", "There are holes where none belong.", _WRONG),
    ReasonInfo("HOLES_MISSING", "There is no hole where one belongs.", FailureMode.INCOMPLETE_SOLUTION),
)
"""Of a picture, gravest first."""

CLIP_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("SHEET_JUMPED", "In a clip a part of the picture changes from one frame to the next.", _ALTERED),
    ReasonInfo("CROSS_FADE", "In a clip a part of the picture fades into another one.", _ALTERED),
    ReasonInfo(
        "NOTHING_MOVES",
        "In a clip nothing is unfolded, or the first frame shows the unfolded sheet.",
        FailureMode.NO_ANSWER,
    ),
    ReasonInfo(
        "SOLVED_THEN_UNDONE",
        "A clip shows the unfolded sheet at some time, and not at its end.",
        FailureMode.INCOMPLETE_SOLUTION,
    ),
)
"""Of how a clip comes to its last frame."""

REASONS: tuple[ReasonInfo, ...] = (
    *CLIP_REASONS,
    *SHEET_REASONS,
    *STEP_REASONS,
    *WORD_REASONS,
    ReasonInfo("WRONG_PATTERN", "Another pattern is named than the right one.", _WRONG),
)
"""All, gravest first."""

_DRAWN = (CandidateKind.IMAGE, CandidateKind.VIDEO, CandidateKind.FRAMES)

SHEET_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        "hole_precision",
        "Share of the drawn holes that are where one belongs; 0 if none is drawn.",
        "1",
        True,
        0.0,
        1.0,
        _DRAWN,
    ),
    MetricInfo("hole_recall", "Share of the holes that belong there and are drawn.", "1", True, 0.0, 1.0, _DRAWN),
    MetricInfo(
        "sheet_iou",
        "Area of the sheet that is as it was, over that and all that was changed.",
        "1",
        True,
        0.0,
        1.0,
        _DRAWN,
    ),
    MetricInfo("holes", "Holes drawn.", "count", True, 0.0, 1e6, _DRAWN),
)
"""Of a picture; of a series those of its last one."""
