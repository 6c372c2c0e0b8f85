"""Of which task a puzzle's record is, and what imports the answers to such puzzles."""

from __future__ import annotations

import enum
import shlex
from pathlib import Path

from grader.model.json_fields import JsonObject, load_object


class RecordKind(enum.Enum):
    """A task, by the name that people give its puzzles."""

    MAZE = "mazes"
    QUEENS = "Queens boards"
    FLOOR = "mazes without cells"
    RUSH_HOUR = "rush-hour lots"
    FORM_BOARD = "form boards"
    HINGE_FOLDING = "chains on hinges"
    PAPER_FOLD = "paper folds"
    SLIDING = "sliding puzzles"
    GRID_MAZE = "grid mazes"
    EDIT = "edits of scenes"


RECORD_KEYS = {
    "maze_config": RecordKind.MAZE,
    "regions": RecordKind.QUEENS,
    "floor": RecordKind.FLOOR,
    "board": RecordKind.RUSH_HOUR,
    "solution_pieces": RecordKind.FORM_BOARD,
    "shape_chain": RecordKind.HINGE_FOLDING,
    "fold_types": RecordKind.PAPER_FOLD,
    "grid_size": RecordKind.SLIDING,
    "text_grid": RecordKind.GRID_MAZE,
    "camera_intrinsics": RecordKind.EDIT,
}
"""By the first of these that a record has it is told to be of a task."""
_READERS = {
    RecordKind.MAZE: ("amaze", "--outputs OUTPUTS"),
    RecordKind.QUEENS: ("amaze", "--outputs OUTPUTS"),
    RecordKind.EDIT: ("tabletop", "--outputs OUTPUTS"),
    RecordKind.GRID_MAZE: ("mazebench", "--answers ANSWERS"),
}
"""The import of a task's puzzles; all others are MentisOculi's."""


def kind_of(record: JsonObject) -> RecordKind | None:
    """Of which task a record is; None where it is no record of a puzzle."""
    return next((kind for key, kind in RECORD_KEYS.items() if record.has(key)), None)


def what_else_is_there(source: Path) -> str:
    """What puzzles lie in a folder that an import found none of its own in, and what imports those, for a message.

    They lie where ``grader make`` puts them, or in folders of the source itself. Empty where there are none.
    """
    places = (source / "instances", source)
    records = [path for place in places for path in sorted(place.glob("*/metadata.json"))]
    found = list(dict.fromkeys(kind for path in records if (kind := _kind_at(path)) is not None))
    if not found:
        return ""
    hints = dict.fromkeys(_how_imported(kind, source) for kind in found)
    return f"; it holds {' and '.join(kind.value for kind in found)}: {', '.join(hints)}"


def _kind_at(path: Path) -> RecordKind | None:
    try:
        return kind_of(load_object(path.read_bytes(), str(path)))
    except ValueError:
        return None


def _how_imported(kind: RecordKind, source: Path) -> str:
    if kind is RecordKind.FLOOR:
        return "their answers are put in a manifest by hand, as docs/tasks/maze.md says"
    form, answers = _READERS.get(kind, ("mentisoculi", "--answers ANSWERS"))
    more = " (or --pictures, --clips, --steps)" if form == "mentisoculi" else ""
    return f"`grader import {form} {shlex.quote(str(source))} {answers} --manifest MANIFEST`{more} reads them"
