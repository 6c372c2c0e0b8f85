"""Why a maze can fail."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.tasks.common.declarations import ReasonInfo

_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_FORM = FailureMode.WRONG_FORM
_NONE = FailureMode.NO_ANSWER

PICTURE_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("NOT_THE_PUZZLE", "The picture has nothing in common with the puzzle, at any size or place.", _ALTERED),
    ReasonInfo(
        "OTHER_DRAWINGS", "Beside the puzzle there are other drawings; which one is the answer can't be told.", _ALTERED
    ),
    ReasonInfo("FLOODED", "Most cells are filled with the path's colour.", _FORM),
    ReasonInfo("TEXTURE", "The path's colour covers the maze as a pattern or as noise.", _FORM),
    ReasonInfo("PUZZLE_REPLACED", "Many walls vanished and many passages closed: this is another maze.", _ALTERED),
    ReasonInfo("WALLS_ERASED", "Walls of the puzzle are gone.", _ALTERED),
    ReasonInfo("WALLS_ADDED", "There are walls or dark marks that the puzzle does not have.", _ALTERED),
    ReasonInfo("CELLS_COVERED", "Cells are painted over in grey or black.", _ALTERED),
    ReasonInfo("CUT_OFF", "Part of the maze is not in the picture.", _ALTERED),
    ReasonInfo("MARKER_ERASED", "The start or the goal marker is gone.", _ALTERED),
    ReasonInfo("MARKER_MOVED", "A marker is gone from its place, and one like it stands elsewhere.", _ALTERED),
    ReasonInfo("MARKER_ADDED", "There is a marker that the puzzle does not have.", _ALTERED),
    ReasonInfo("EXTERIOR_PAINTED", "What lies outside the maze was painted in the path's colour.", _ALTERED),
    ReasonInfo("CELLS_FILLED", "Whole cells are filled where a line was asked for.", _FORM),
    ReasonInfo("NOTHING_DRAWN", "No path is drawn.", _NONE),
    ReasonInfo("DOTS", "There are dots of the path's colour, but no line.", _FORM),
    ReasonInfo("WRONG_COLOR", "The path is drawn in another colour than the one asked for.", _FORM),
    ReasonInfo("FOREIGN_STROKES", "Beside the path there are strokes in another colour.", _FORM),
    ReasonInfo("WALL_CROSSED", "The path passes through a wall.", _WRONG),
    ReasonInfo("SHORTCUT", "A stroke joins two cells of the right path through a wall.", _WRONG),
    ReasonInfo("OUTSIDE_MAZE", "The path leaves the maze.", _WRONG),
    ReasonInfo("WALLS_PAINTED", "Walls are painted over, or have another colour than the rest.", _ALTERED),
    ReasonInfo("START_NOT_REACHED", "The path does not begin at the start marker.", _INCOMPLETE),
    ReasonInfo("GOAL_NOT_REACHED", "The path does not arrive at the goal marker.", _INCOMPLETE),
    ReasonInfo("PATH_BROKEN", "There is a gap in the path.", _INCOMPLETE),
    ReasonInfo("CELLS_MISSED", "Cells of the right path are not visited.", _INCOMPLETE),
    ReasonInfo("INK_SPILLED", "The path's colour covers part of cells that the path does not visit.", _FORM),
    ReasonInfo("SIDE_BRANCH", "The path has branches into cells that are not on the right path.", _WRONG),
    ReasonInfo("STRAY_STROKES", "There are strokes apart from the path in cells that are not on it.", _WRONG),
)
"""Why a picture can fail, gravest first."""

CLIP_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("SCENE_CHANGED", "For some frames the clip shows something else than the puzzle.", _ALTERED),
    ReasonInfo("WALLS_CHANGED", "Walls of the puzzle are gone for some frames, even if they come back.", _ALTERED),
    ReasonInfo("MARKERS_CHANGED", "The start or the goal is gone for some frames, even if it comes back.", _ALTERED),
    ReasonInfo("MARKERS_MANY", "More than one marker moves or stands in the maze.", _FORM),
    ReasonInfo(
        "PATH_APPEARS_AT_ONCE", "The path, or a long piece of it, was not drawn but appears, by cut or fade.", _FORM
    ),
    ReasonInfo("PATH_JUMPS", "The path goes on at a place that it had not come to.", _WRONG),
    ReasonInfo("PATH_ERASED", "The path was taken away again.", _INCOMPLETE),
    ReasonInfo(
        "JUMP", "The marker is at another place from one frame to the next, without passing what lies between.", _WRONG
    ),
    ReasonInfo("MARKER_CROSSED_WALL", "The marker passes through a wall.", _WRONG),
    ReasonInfo("MARKER_LEFT_MAZE", "The marker leaves the maze.", _WRONG),
    ReasonInfo("MARKER_NOT_AT_START", "The marker does not begin at the start.", _WRONG),
    ReasonInfo("GOAL_NOT_REACHED", "The marker never comes to the goal.", _INCOMPLETE),
    ReasonInfo("GOAL_LEFT", "The marker comes to the goal and leaves it again.", _INCOMPLETE),
)
"""Why a clip can fail, beside the reasons of its pictures, gravest first."""

_KNOWN = frozenset(reason.code for reason in PICTURE_REASONS)
REASONS = (*PICTURE_REASONS, *(reason for reason in CLIP_REASONS if reason.code not in _KNOWN))
"""All of them, each once."""
