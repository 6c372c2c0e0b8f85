"""Reads files of written answers: the public results, files that say themselves what they are, and lines of one's own.

The public layout is ``responses/<model>/<strategy>/<task>/level_0N/responses_<n>.json``, whose entries name a
``puzzle_dir`` and hold an ``output_text``. Other files say model, strategy, task and level in fields, and their entries
have a ``puzzle_id`` and a ``raw_text``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.lines import LINE_SUFFIXES
from grader.importers.common.walking import files_below
from grader.importers.mentisoculi.instances import MentisInstance
from grader.importers.mentisoculi.lines import PuzzleNames, holds_answers, read_lines
from grader.importers.mentisoculi.names import (
    MentisTask,
    attempts_of,
    in_order,
    level_of,
    number_of,
    puzzle_id_of,
    task_of,
)
from grader.importers.mentisoculi.sheets import TEXT_FIELDS, Answer, AnswerSheet, Sitting, answer_of
from grader.model.json_fields import JsonObject, load_object


@dataclass(frozen=True)
class Sheets:
    """All that was read; ``skipped`` counts the answers to tasks that can't be graded, by the task's name."""

    sheets: tuple[AnswerSheet, ...]
    skipped: tuple[tuple[str, int], ...]


def read_answers(source: Path, instances: Sequence[MentisInstance], model: str, strategy: str) -> Sheets:
    """Reads a file of answers, or all files below a folder.

    Parameters
    ----------
    source : Path
        A file in JSON, or with an answer a line (JSON Lines or CSV, see `grader.importers.mentisoculi.lines`); or a
        folder of such files, of which those with other lines are passed over.
    instances : sequence of Instance
        The puzzles that lines may name.
    model, strategy : str
        For files that do not say them.

    Raises
    ------
    ImportFormatError
        If a file is broken, does not say what it is about, or contradicts its path, or a puzzle is answered twice in
        one file.
    """
    files = [source] if source.is_file() else _files(source) if source.is_dir() else []
    if not files:
        raise ImportFormatError(
            f"there are no answers at {source}; name a .json, .jsonl or .csv file, or a folder that holds some"
        )
    sheets: list[AnswerSheet] = []
    skipped: Counter[str] = Counter()
    names = PuzzleNames(instances)
    for file in files:
        if file.suffix.lower() in LINE_SUFFIXES:
            sheets += read_lines(file, names, model, strategy)
            continue
        try:
            read = _sheet(file, load_object(file.read_bytes(), str(file), lone_surrogates=True), model, strategy)
        except ValueError as error:
            raise ImportFormatError(f"{error}; name a file or folder of MentisOculi's answers") from error
        if isinstance(read, AnswerSheet):
            sheets.append(read)
        else:
            skipped[read[0]] += read[1]
    return Sheets(_with_attempts(sheets), tuple(sorted(skipped.items())))


def _files(folder: Path) -> list[Path]:
    found = [path for path in files_below(folder) if path.suffix == ".json" or holds_answers(path)]
    return in_order(found)


def _public_names(folder: Path, record: JsonObject) -> tuple[str, str] | None:
    """Model and strategy, where the folders of a file of the public layout name them.

    They do where they stand below a folder `responses`, or where the model's is called as the file says.
    """
    strategy, home = folder.parent.parent, folder.parent.parent.parent
    said = record.text("model").rpartition("/")[2] if record.has("model") else ""
    return (home.name, strategy.name) if home.parent.name == "responses" or home.name == said else None


def _sheet(file: Path, record: JsonObject, model: str, strategy: str) -> AnswerSheet | tuple[str, int]:
    """One file's answers; for a task that can't be graded, its name and how many answers there are."""
    path = file.resolve()
    folder = path.parent
    in_level = level_of(folder.name)
    public = in_level is not None and path.stem.startswith("responses")
    entries = record.children("responses")
    task_name = record.text("task") if record.has("task") or not public else folder.parent.name
    task = task_of(task_name)
    if task is None:
        return task_name, len(entries)
    if public:
        _agree(record, "task", task, task_of(folder.parent.name), "its path")
    names = _public_names(folder, record) if public else None
    if names is not None:
        # Not as the file says: two folders may hold answers of one model, by its provider's name, with other settings.
        model, strategy = names
    else:
        model = record.text("model") if record.has("model") else model
        strategy = record.text("strategy") if record.has("strategy") else strategy
    level = record.whole("level") if record.has("level") or in_level is None else in_level
    if public:
        _agree(record, "level", level, in_level, "its path")
    if entries and not any(entry.has(field) for entry in entries for field in TEXT_FIELDS):
        raise record.fault("responses", f"have no {' and no '.join(TEXT_FIELDS)} in any entry")
    answers: dict[str, Answer] = {}
    for entry in entries:
        puzzle_id = puzzle_id_of(task, level, _number(entry, task, level))
        if puzzle_id in answers:
            raise entry.fault("", f"is a second answer to {puzzle_id}; put it into a file of its own")
        answers[puzzle_id] = answer_of(entry, puzzle_id)
    return AnswerSheet(file, file.stem, model, strategy, task, level, 0, tuple(answers.values()))


def _agree(record: JsonObject, field: str, said: object, wanted: object, by: str) -> None:
    if said != wanted:
        raise record.fault(field, f"is not what {by} says; put the file where it belongs")


def _number(entry: JsonObject, task: MentisTask, level: int) -> int:
    """The puzzle that an entry is about."""
    if entry.has("puzzle_id") or not entry.has("puzzle_dir"):
        number = entry.whole_or_text("puzzle_id")
        if isinstance(number, int):
            return number
        found = number_of(number if not number.isdecimal() else f"puzzle_{number}")
        if found is None:
            raise entry.fault("puzzle_id", f"must be such as 5 or puzzle_0005, not {number!r}")
        return found
    folder = PurePosixPath(entry.text("puzzle_dir"))
    found, in_level = number_of(folder.name), level_of(folder.parent.name)
    home = folder.parent.parent
    of_task = task_of(home.parent.name if home.name == "output" else home.name)
    if found is None:
        raise entry.fault("puzzle_dir", f"must end in such as level_03/puzzle_0005, not {str(folder)[-60:]!r}")
    if in_level not in (None, level) or of_task not in (None, task):
        raise entry.fault("puzzle_dir", f"is of another level or task: {str(folder)[-60:]!r}")
    return found


def _with_attempts(sheets: Sequence[AnswerSheet]) -> tuple[AnswerSheet, ...]:
    """Numbers the attempts of models whose files answer a puzzle more than once; otherwise files are parts of one."""
    sittings: dict[Sitting, list[int]] = defaultdict(list)
    for place, sheet in enumerate(sheets):
        sittings[sheet.sitting].append(place)
    numbered = list(sheets)
    for places in sittings.values():
        times = Counter(answer.puzzle_id for place in places for answer in sheets[place].answers)
        said = any(sheets[place].attempt for place in places)
        if said or not times or max(times.values()) == 1:
            continue
        # A level in a file's name is not the number of an attempt.
        rests = [("", re.sub(r".*level[_-]?[0-9]+", "", sheets[place].file.stem)) for place in places]
        for place, attempt in zip(places, attempts_of(rests), strict=True):
            numbered[place] = replace(sheets[place], attempt=attempt)
    return tuple(numbered)
