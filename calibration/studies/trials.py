"""Reads trials: what one person answered to one puzzle, whether that is right, and in what time."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.labels import CalibrationError
from grader.model.wording import first_few
from grader.report.data.records import Record
from grader.runs.items import NOT_SAID

COLUMNS = ("person", "group", "task", "puzzle_id", "level", "right", "request_id", "time_s")
EVERYBODY = "people"
"""The group of those of whom none is said."""
_RIGHT = {"yes": True, "right": True, "true": True, "1": True, "no": False, "wrong": False, "false": False, "0": False}


@dataclass(frozen=True)
class Trial:
    """What one person did with one puzzle.

    Attributes
    ----------
    person, group : who, and of which group
    task, puzzle, level : what was asked; the level says how hard it is
    right : whether the answer is right; one that was not given is not
    time_s : from when the puzzle was shown to the answer; None where none was given
    """

    person: str
    group: str
    task: str
    puzzle: str
    level: str
    right: bool
    time_s: float | None

    def right_within(self, budget_s: float | None) -> bool:
        """Whether a right answer came in less than a time; None for any time."""
        return self.right and (budget_s is None or (self.time_s is not None and self.time_s < budget_s))


def read_trials(
    files: Sequence[Path], records: Mapping[str, Record], levels: Sequence[str]
) -> tuple[tuple[Trial, ...], frozenset[str]]:
    """Reads CSV files of trials.

    Parameters
    ----------
    files : sequence of Path
        Each has the columns ``person`` and ``time_s``, and either ``right`` with ``task``, or ``request_id``.
    records : mapping
        Verdicts by request_id, for answers that were graded.
    levels : sequence of str
        Tags of graded answers that may say the level; the first that is there counts.

    Returns
    -------
    tuple of Trial, frozenset of str
        The trials, and the request_ids of those that were graded.

    Raises
    ------
    CalibrationError
        Naming file, line and field.
    OSError
        If a file can't be read.
    """
    found: list[Trial] = []
    graded: dict[str, str] = {}
    for file in files:
        for place, row in _rows(file):
            request_id = row["request_id"]
            if request_id in graded:
                raise CalibrationError(f"{place}: request_id {request_id!r} is in {graded[request_id]} too")
            if request_id:
                graded[request_id] = place
            found.append(_trial(row, place, records.get(request_id), levels))
    if not found:
        raise CalibrationError(f"{first_few([str(file) for file in files])}: there are no trials")
    return tuple(found), frozenset(graded)


def _rows(file: Path) -> list[tuple[str, dict[str, str]]]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CalibrationError(f"{file} is not UTF-8 ({error}); export it again") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        used = [name for name in names if name in COLUMNS]
        lacking = {"person", "time_s"} - set(used) or ({"right"} - set(used) if "request_id" not in used else set())
        if lacking or len(set(used)) < len(used):
            raise CalibrationError(
                f"{file}:1: needs person, time_s, and right (with task) or request_id, each once; it has "
                f"{first_few(names)}"
            )
        found = []
        for cells in reader:
            place = f"{file}:{reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                raise CalibrationError(f"{place}: has {len(cells)} cells, not {len(names)} as the first line")
            said = dict(zip(names, (cell.strip() for cell in cells), strict=True))
            found.append((place, {name: said.get(name, "") for name in COLUMNS}))
    except csv.Error as error:
        raise CalibrationError(f"{file}:{reader.line_num}: is no CSV ({error}); export it again") from error
    return found


def _trial(row: Mapping[str, str], place: str, record: Record | None, levels: Sequence[str]) -> Trial:
    if not row["person"]:
        raise CalibrationError(f"{place}: person is empty")
    time_s = _time(row["time_s"], place)
    if not row["request_id"]:
        if not row["task"]:
            raise CalibrationError(f"{place}: task is empty")
        right = _RIGHT.get(row["right"].lower()) if row["right"] else (False if time_s is None else None)
        if right is None:
            raise CalibrationError(
                f"{place}: right is {row['right']!r}; write yes or no, or leave it and time_s empty where no answer "
                "was given"
            )
        level, puzzle = row["level"] or NOT_SAID, row["puzzle_id"] or place
        task = row["task"]
    else:
        if row["right"]:
            raise CalibrationError(f"{place}: right and request_id both say how it ended; give one of them")
        if record is None or not record.is_candidate:
            raise CalibrationError(
                f"{place}: request_id {row['request_id']!r} is not in the runs with a verdict; name its run with --run"
            )
        right, task = record.passed, row["task"] or record.item.task
        puzzle, level = row["puzzle_id"] or record.item.puzzle, row["level"] or level_of_record(record, levels)
    if right and time_s is None:
        raise CalibrationError(f"{place}: time_s is empty, and the answer is right; say how long it took")
    return Trial(row["person"], row["group"] or EVERYBODY, task, puzzle, level, right, time_s)


def _time(text: str, place: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise CalibrationError(f"{place}: time_s is {text!r}; give seconds, 0 or more")
    return value


def level_of_record(record: Record, levels: Sequence[str]) -> str:
    """The level of a graded candidate, by the first of some tags that it has."""
    return next((value for name in levels if (value := record.tag(name)) is not None), NOT_SAID)
