"""Finds the puzzles of MentisOculi in a folder, and makes tasks of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.kinds import what_else_is_there
from grader.importers.common.walking import files_below
from grader.importers.mentisoculi.messages import MentisMessage, lot_message, tiles_message
from grader.importers.mentisoculi.names import (
    MentisTask,
    flat_id_of,
    in_order,
    level_of,
    made_name,
    number_of,
    puzzle_id_of,
    task_of,
)
from grader.importers.mentisoculi.records import read_rush_hour, read_sliding
from grader.importers.mentisoculi.shapes import PaperFoldRecord, read_form_board, read_hinges, read_paper_fold
from grader.media.pictures import MediaError, decode_image

_RECORD = "metadata.json"
_SHAPES = {
    MentisTask.FORM_BOARD: read_form_board,
    MentisTask.HINGE_FOLDING: read_hinges,
    MentisTask.PAPER_FOLD: read_paper_fold,
}
*_FIRST, _LAST = (task.value for task in MentisTask)
_NAMED = ", ".join(_FIRST)
_MADE = "instances"
"""The folder into which ``grader make`` writes puzzles."""
_INSIDE = "output"
"""A folder that the public data set has between a task's folder and its levels."""


@dataclass(frozen=True)
class MentisInstance:
    """A puzzle on disk.

    Attributes
    ----------
    puzzle_id : its name in requests and tables
    task : which task it is of
    level, number : its place in the data set; None where it is in no level
    record : its JSON file
    """

    puzzle_id: str
    task: MentisTask
    level: int | None
    number: int | None
    record: Path


@dataclass(frozen=True)
class FoundPuzzles:
    """What a folder holds.

    Attributes
    ----------
    instances : the puzzles that can be graded, in natural order of their names
    skipped : (name of the task's folder, number of its puzzles) for tasks that can't
    """

    instances: tuple[MentisInstance, ...]
    skipped: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ReadTask:
    """A puzzle as a message.

    Attributes
    ----------
    message : the puzzle
    picture : the file that shows it, None where the message says all that is needed
    sheets : of a paper fold, the files that show the sheet without holes
    """

    message: MentisMessage
    picture: Path | None
    sheets: tuple[Path, ...] = ()


def find_instances(source: Path) -> FoundPuzzles:
    """Finds the puzzles below a folder.

    Puzzles lie at ``<task>/level_0N/puzzle_NNNN/metadata.json``, with or without a folder ``output`` below the task's,
    at ``<task>/level_0N/puzzle_NNNN.json``, or, in no level, at ``<task>/<name>/metadata.json``. Those that ``grader
    make`` wrote lie at ``instances/rush-hour-<level>-<number>/metadata.json`` and the like. The source
    may also be a folder within one of these.

    Raises
    ------
    ImportFormatError
        If there is none, or two have one name.
    """
    if not source.is_dir():
        raise ImportFormatError(f"there is no folder {source}; name the folder that holds {_NAMED} or {_LAST}")
    found: dict[str, MentisInstance] = {}
    skipped: Counter[str] = Counter()
    for record in in_order([path for path in files_below(source.resolve()) if path.suffix == ".json"]):
        placed = _place(record)
        if placed is None:
            continue
        if isinstance(placed, str):
            skipped[placed] += 1
            continue
        other = found.setdefault(placed.puzzle_id, placed)
        if other is not placed:
            raise ImportFormatError(
                f"{record}: {placed.puzzle_id} is in {other.record} too; name a folder that holds one of them"
            )
    if not found:
        raise ImportFormatError(
            f"{source} holds no puzzle of {_NAMED} or {_LAST}; name the folder that holds "
            "rushhour/level_01/puzzle_0001/metadata.json or the like"
            + (f" ({', '.join(sorted(skipped))} can't be graded)" if skipped else "")
            + what_else_is_there(source)
        )
    return FoundPuzzles(tuple(found.values()), tuple(sorted(skipped.items())))


def _place(record: Path) -> MentisInstance | str | None:
    """What a path says of a record: a puzzle, the name of another task, or nothing."""
    if record.name == _RECORD:
        name, above = record.parent.name, record.parent.parent
    else:
        name, above = record.stem, record.parent
    level, number = level_of(above.name), number_of(name)
    if level is not None and number is not None:
        home = above.parent.parent if above.parent.name == _INSIDE else above.parent
        task = task_of(home.name)
        if task is None:
            return home.name
        return MentisInstance(puzzle_id_of(task, level, number), task, level, number, record)
    if record.name != _RECORD:
        return None
    made = made_name(name) if above.name == _MADE else None
    if made is not None:
        return MentisInstance(flat_id_of(made[0], name), made[0], made[1], None, record)
    task = task_of(above.name)
    return None if task is None else MentisInstance(flat_id_of(task, name), task, None, None, record)


def read_task(instance: MentisInstance, *, with_picture: bool) -> ReadTask:
    """Reads a puzzle.

    Parameters
    ----------
    instance : Instance
    with_picture : bool
        Whether the picture of a puzzle is needed, as those of sliding puzzles and chains are for what is drawn.

    Raises
    ------
    ImportFormatError
        If the record is broken or says that it is another puzzle, or the picture is missing or does not decode.
    """
    try:
        if instance.task is MentisTask.RUSH_HOUR:
            lot = read_rush_hour(instance.record)
            if instance.level is not None:
                _agree(instance, "level", lot.level, instance.level)
            if instance.number is not None:
                _agree(instance, "puzzle_id", lot.puzzle_id, instance.number)
            return ReadTask(lot_message(lot.lot), None)
        if instance.task in _SHAPES:
            shapes = _SHAPES[instance.task](instance.record)
            if instance.number is not None:
                said = shapes.puzzle_id
                _agree(instance, "puzzle_id", number_of(said) if isinstance(said, str) else said, instance.number)
            picture = _picture(instance, "combined_image", shapes.picture) if with_picture and shapes.picture else None
            return ReadTask(shapes.message, picture, shapes.sheets if isinstance(shapes, PaperFoldRecord) else ())
        tiles = read_sliding(instance.record)
    except ValueError as error:
        raise ImportFormatError(f"{error}; fetch the record again") from error
    if instance.number is not None:
        _agree(instance, "puzzle_id", tiles.puzzle_id, instance.number)
    picture = _picture(instance, "initial_image", tiles.initial_image) if with_picture else None
    return ReadTask(tiles_message(tiles.puzzle), picture)


def _agree(instance: MentisInstance, field: str, said: object, wanted: object) -> None:
    if said != wanted:
        raise ImportFormatError(
            f"{instance.record}: {field} is {said!r}, its path says {wanted!r}; put the record where it belongs"
        )


def _picture(instance: MentisInstance, field: str, name: str) -> Path:
    if not name or Path(name).name != name:
        raise ImportFormatError(
            f"{instance.record}: {field} is {name!r}; clips and step pictures need it to be the name of a file "
            "beside the record"
        )
    picture = instance.record.with_name(name)
    try:
        decode_image(picture.read_bytes())
    except FileNotFoundError as error:
        raise ImportFormatError(
            f"{picture} is missing; clips and step pictures of this puzzle are judged by the picture that "
            f"{field} of {instance.record.name} names: fetch it"
        ) from error
    except MediaError as error:
        raise ImportFormatError(f"{picture}: the picture of the puzzle is unusable: {error}") from error
    return picture
