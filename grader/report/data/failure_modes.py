"""Which failure mode each reason code stands for. The one place where that is said.

The first two modes are those of AMAZE [1]_; the rest are ends that a person keeps apart from them.

References
----------
.. [1] "Probing Visual Planning in Image Editing Models" (AMAZE), section 3.5: constraint violation and incomplete
   solution.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from grader.media.pictures import MediaReason


class FailureMode(enum.Enum):
    """How a candidate failed, in words for tables. The order is that of columns and colours."""

    CONSTRAINT_VIOLATION = "constraint violation"
    INCOMPLETE_SOLUTION = "incomplete solution"
    ALTERED_PUZZLE = "altered puzzle"
    WRONG_FORM = "wrong form"
    NO_ANSWER = "no answer"
    UNREADABLE = "unreadable file"
    UNKNOWN = "unknown code"

    @property
    def meaning(self) -> str:
        """A sentence for people."""
        return _MEANINGS[self]


_MEANINGS = {
    FailureMode.CONSTRAINT_VIOLATION: "A rule is broken: through a wall, off the right way, queens in conflict, a move "
    "that can't be made.",
    FailureMode.INCOMPLETE_SOLUTION: "Part of the answer is missing: a gap, an end or a goal not reached, too few "
    "queens.",
    FailureMode.ALTERED_PUZZLE: "The puzzle itself was changed, covered, or is another one.",
    FailureMode.WRONG_FORM: "Something was drawn or written, but not in the form that was asked for.",
    FailureMode.NO_ANSWER: "The puzzle came back with no answer drawn, or nothing that is one was written.",
    FailureMode.UNREADABLE: "The candidate does not decode or is over a limit (UNGRADABLE).",
    FailureMode.UNKNOWN: "A code that this version of the report does not know.",
}

_CODES: dict[FailureMode, tuple[str, ...]] = {
    FailureMode.CONSTRAINT_VIOLATION: (
        "WALL_CROSSED",
        "SHORTCUT",
        "OUTSIDE_MAZE",
        "SIDE_BRANCH",
        "STRAY_STROKES",
        "TWO_QUEENS_IN_CELL",
        "ROW_CONFLICT",
        "COLUMN_CONFLICT",
        "REGION_CONFLICT",
        "QUEENS_TOUCH",
        "EXTRA_QUEENS",
        "WRONG_CELLS",
        "UNKNOWN_VEHICLE",
        "IMMOVABLE_VEHICLE",
        "OFF_THE_GRID",
        "TELEPORT",
        "TURNED",
        "SIDEWAYS",
        "THROUGH_VEHICLE",
        "PLAN_DOES_NOT_SOLVE",
        "TILES_SWAPPED",
        "TILE_TELEPORT",
        "TILES_AT_ONCE",
        "MOVE_HIDDEN",
        "STEP_ILLEGAL",
        "STEP_MISSING",
        "PATH_JUMPS",
        "JUMP",
        "MARKER_CROSSED_WALL",
        "MARKER_LEFT_MAZE",
        "MARKER_NOT_AT_START",
        "WRONG_DIRECTION",
        "NOT_NEARER",
        "PLACE_NOT_CONFIRMED",
        "NOT_A_NEW_PLACE",
        "SCORE_TOO_LOW",
        "VIEW_DIFFERS",
        "TARGET_NOT_SOLID",
        "COUNT_DIFFERS",
        "TURNED_BESIDES",
        "RESIZED_BESIDES",
        "TARGET_ELSEWHERE",
        "TARGET_ALTERED",
        "OTHERS_REMOVED",
    ),
    FailureMode.INCOMPLETE_SOLUTION: (
        "TARGET_MISSING",
        "START_NOT_REACHED",
        "GOAL_NOT_REACHED",
        "PATH_BROKEN",
        "CELLS_MISSED",
        "MISSING_QUEENS",
        "RED_NOT_AT_EXIT",
        "TARGET_NOT_REACHED",
        "SOLVED_THEN_UNDONE",
        "GOAL_NOT_SHOWN",
        "GOAL_LEFT",
        "PATH_ERASED",
    ),
    FailureMode.ALTERED_PUZZLE: (
        "NOT_THE_PUZZLE",
        "OTHER_DRAWINGS",
        "PUZZLE_REPLACED",
        "WALLS_ERASED",
        "BACKGROUND_CHANGED",
        "LOOK_CHANGED",
        "VIEWPOINT_CHANGED",
        "OBJECTS_ADDED",
        "MARKS_ADDED",
        "NO_BACKGROUND",
        "WALLS_ADDED",
        "WALLS_PAINTED",
        "CELLS_COVERED",
        "CUT_OFF",
        "MARKER_ERASED",
        "MARKER_MOVED",
        "MARKER_ADDED",
        "EXTERIOR_PAINTED",
        "BOARD_COVERED",
        "REGIONS_ALTERED",
        "GRID_ERASED",
        "SCENE_CUT",
        "CROSS_FADE",
        "SCENE_REPLACED",
        "SCENE_OVERLAID",
        "SCENE_CHANGED",
        "EXTRA_VEHICLE",
        "VEHICLE_VANISHED",
        "IDENTITY_SWAP",
        "EXTRA_EXIT",
        "EXIT_MOVED",
        "WALLS_CHANGED",
        "MARKERS_CHANGED",
        "BOARD_CHANGED",
        "BLANK_FILLED",
        "DUPLICATE_TILE",
        "FOREIGN_TILE",
        "STEP_ALTERED",
    ),
    FailureMode.WRONG_FORM: (
        "FLOODED",
        "TEXTURE",
        "CELLS_FILLED",
        "DOTS",
        "WRONG_COLOR",
        "FOREIGN_STROKES",
        "INK_SPILLED",
        "QUEENS_EVERYWHERE",
        "MARK_NOT_A_QUEEN",
        "QUEEN_ON_BORDER",
        "ANSWER_UNREADABLE",
        "PLAN_TOO_LONG",
        "PATH_APPEARS_AT_ONCE",
        "MARKERS_MANY",
        "STEP_UNREADABLE",
    ),
    FailureMode.NO_ANSWER: (
        "BARELY_MOVED",
        "NOT_TURNED",
        "NOT_RESIZED",
        "STILL_THERE",
        "STILL_SEEN",
        "NOT_CLEARED",
        "TARGET_ELSEWHERE",
        "NOTHING_DRAWN",
        "NO_QUEENS",
        "ANSWER_MISSING",
        "ANSWER_EMPTY",
        "ANSWER_REFUSED",
        "NOTHING_MOVES",
        "NO_IMAGES",
    ),
    FailureMode.UNREADABLE: tuple(reason.value for reason in MediaReason),
}

_MODES = {code: mode for mode, codes in _CODES.items() for code in codes}


def mode_of(code: str) -> FailureMode:
    """The mode of a reason code; UNKNOWN for a code of another version."""
    return _MODES.get(code, FailureMode.UNKNOWN)


def main_mode(codes: Iterable[str]) -> FailureMode:
    """The mode of a candidate that did not pass: that of its gravest reason, which stands first."""
    return next((mode_of(code) for code in codes), FailureMode.UNKNOWN)
