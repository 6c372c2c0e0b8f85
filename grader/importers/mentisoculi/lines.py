"""Reads answers that stand a line each, as one writes them oneself: JSON Lines or CSV, with puzzle and text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.lines import LINE_SUFFIXES, attempt_of, entries_of
from grader.importers.mentisoculi.instances import MentisInstance
from grader.importers.mentisoculi.names import MentisTask, name_in
from grader.importers.mentisoculi.sheets import TEXT_FIELDS, Answer, AnswerSheet, answer_of
from grader.model.json_fields import JsonObject, shown
from grader.model.wording import first_few

_PUZZLE_FIELDS = ("puzzle", "puzzle_id")
_WRITE = 'write a line an answer, such as {"puzzle": "rush-hour-3-1", "model": "mine", "attempt": 1, "text": "..."}'


class PuzzleNames:
    """Finds the puzzle that a name means: its id in tables, its path, or its folder's name where that is the only one.

    Parameters
    ----------
    instances : sequence of Instance
        The puzzles that there are.
    """

    def __init__(self, instances: Sequence[MentisInstance]) -> None:
        self._by_id = {one.puzzle_id: one for one in instances}
        self._flat = [one.puzzle_id for one in instances if one.number is None]
        self._by_end: dict[str, list[MentisInstance]] = defaultdict(list)
        for one in instances:
            self._by_end[one.puzzle_id.rpartition("/")[2]].append(one)

    def find(self, name: str) -> MentisInstance | None:
        """The puzzle of a name; None where there is none. Raises ValueError where it may be several."""
        if name in self._by_id:
            return self._by_id[name]
        path = PurePosixPath(name)
        found = self._by_end.get(path.name, [])
        named = name_in(path, self._flat)
        if named is not None and not named.rest:
            return self._by_id.get(named.puzzle_id)
        if len(found) > 1 and path.name == name:
            raise ValueError(f"may be {first_few([one.puzzle_id for one in found])}; write one of these")
        return found[0] if len(found) == 1 and path.name == name else None


def holds_answers(path: Path) -> bool:
    """Whether a file has answers a line each, by its suffix and its first line: others may lie in the same folder."""
    if path.suffix.lower() not in LINE_SUFFIXES:
        return False
    with path.open("rb") as file:
        first = file.readline().decode("utf-8-sig", "replace")
    return any(f'"{name}"' in first or name in first.strip().split(",") for name in _PUZZLE_FIELDS)


def read_lines(file: Path, names: PuzzleNames, model: str, strategy: str) -> list[AnswerSheet]:
    """Reads a file, a sheet for each model, strategy, task, level and attempt.

    Parameters
    ----------
    file : Path
        With ``puzzle`` and ``text`` in each line, and perhaps ``model``, ``strategy``, ``attempt`` and
        ``finish_reason``.
    names : PuzzleNames
    model, strategy : str
        For lines that do not say them.

    Raises
    ------
    ImportFormatError
        Naming the line that lacks a field, is about a puzzle that has an answer, or says attempts where others do not.
    """
    sheets: dict[tuple[str, str, MentisTask | None, int | None, int], dict[str, Answer]] = defaultdict(dict)
    numbered: dict[tuple[str, str, MentisTask | None, int | None], bool] = {}
    try:
        for entry in entries_of(file):
            _check(entry)
            said = next((one for one in _PUZZLE_FIELDS if entry.has(one)), _PUZZLE_FIELDS[0])
            name = entry.text(said)
            try:
                instance = names.find(name)
            except ValueError as error:
                raise entry.fault(said, f"is {shown(name)} and {error}") from error
            sitting = (
                entry.text("model") if entry.content.get("model") else model,
                entry.text("strategy") if entry.content.get("strategy") else strategy,
                None if instance is None else instance.task,
                None if instance is None else instance.level,
            )
            attempt = attempt_of(entry)
            if instance is not None and numbered.setdefault(sitting, bool(attempt)) != bool(attempt):
                raise entry.fault("attempt", "is said in some lines of a model and not in others; say it in all")
            puzzle_id = name if instance is None else instance.puzzle_id
            answers = sheets[(*sitting, attempt)]
            if puzzle_id in answers:
                raise entry.fault("", f"is a second answer to {puzzle_id}; say which attempt each is")
            answers[puzzle_id] = answer_of(entry, puzzle_id)
    except ValueError as error:
        raise ImportFormatError(f"{error}; {_WRITE}") from error
    return [
        AnswerSheet(
            file,
            file.stem if not attempt else f"{file.stem}/attempt_{attempt}",
            by,
            how,
            task,
            level,
            attempt,
            tuple(answers.values()),
        )
        for (by, how, task, level, attempt), answers in sheets.items()
    ]


def _check(entry: JsonObject) -> None:
    if not any(entry.content.get(field) is not None for field in _PUZZLE_FIELDS):
        raise entry.fault(_PUZZLE_FIELDS[0], "is missing")
    if not any(entry.has(field) for field in TEXT_FIELDS):
        raise entry.fault("text", "is missing; it is null where the model gave none")
