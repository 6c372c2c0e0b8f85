"""Why a plan for a lot is wrong."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo
from grader.tasks.plans.reasons import PLAN_REASONS, STEP_REASONS, WORD_REASONS

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_NONE = FailureMode.NO_ANSWER

_OWN_WORDS: tuple[ReasonInfo, ...] = (
    ReasonInfo("UNKNOWN_VEHICLE", "A move names a vehicle that is not in the lot.", _WRONG),
    ReasonInfo("IMMOVABLE_VEHICLE", "A move names a vehicle that can't move.", _WRONG),
    ReasonInfo("GOAL_NOT_REACHED", "All moves can be made, and the red car is not at the exit.", _INCOMPLETE),
)
"""In words, beside those of all plans."""

_CLIP_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NOT_THE_PUZZLE", "The first frame does not show the puzzle.", _ALTERED),
    ReasonInfo("SCENE_CUT", "The clip cuts to another state of the lot.", _ALTERED),
    ReasonInfo("CROSS_FADE", "The clip dissolves into another state of the lot.", _ALTERED),
    ReasonInfo("SCENE_REPLACED", "The scene is replaced by another one.", _ALTERED),
    ReasonInfo("EXTRA_VEHICLE", "A body appears that is not in the puzzle.", _ALTERED),
    ReasonInfo("SCENE_OVERLAID", "Something is laid or drawn over the scene.", _ALTERED),
    ReasonInfo("VEHICLE_VANISHED", "A vehicle vanishes.", _ALTERED),
    ReasonInfo("EXTRA_EXIT", "An exit appears that is not in the puzzle.", _ALTERED),
    ReasonInfo("EXIT_MOVED", "The exit is no longer at its place.", _ALTERED),
    ReasonInfo("IDENTITY_SWAP", "A vehicle takes on another vehicle's colour.", _ALTERED),
    ReasonInfo("TELEPORT", "A vehicle jumps from one place to another.", _WRONG),
    ReasonInfo("TURNED", "A vehicle turns.", _WRONG),
    ReasonInfo("SIDEWAYS", "A vehicle leaves its axis.", _WRONG),
    ReasonInfo("WALLS_CHANGED", "An obstacle or the border changes.", _ALTERED),
    ReasonInfo("THROUGH_VEHICLE", "A vehicle drives through another body.", _WRONG),
    ReasonInfo("THROUGH_WALL", "A vehicle drives through the side of the lot.", _WRONG),
    ReasonInfo("NOTHING_MOVES", "No vehicle moves.", _NONE),
    ReasonInfo("PLAN_DOES_NOT_SOLVE", "The moves shown, simulated, do not free the red car.", _WRONG),
    ReasonInfo("RED_NOT_AT_EXIT", "The red car is not seen at the exit.", _INCOMPLETE),
)
"""In a clip."""

REASONS = (*WORD_REASONS, *PLAN_REASONS, *_OWN_WORDS, *_CLIP_REASONS, *STEP_REASONS)
"""All of them, in the order of what is looked at."""
