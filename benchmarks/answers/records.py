"""Reads answers of models, the verdicts recorded for them, and the puzzles that they answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TASKS = ("rushhour", "sliding-puzzle", "form-board", "hinge-folding", "paper-fold")
VERDICTS = ("solved", "unsolved", "invalid")


class RecordError(ValueError):
    """A folder or a file that is not as it should be; the message names it and says what to do."""


@dataclass(frozen=True)
class Record:
    """One answer and the verdict recorded for it.

    Attributes
    ----------
    file : name of the file of answers
    task, level, puzzle_id : which puzzle it answers
    text : what the model wrote
    verdict : solved, unsolved or invalid (no answer, or a move against the rules)
    skipping_solves : whether the moves that are possible solve the puzzle by themselves; None if not recorded
    """

    file: str
    task: str
    level: int
    puzzle_id: int
    text: str
    verdict: str
    skipping_solves: bool | None

    @property
    def name(self) -> str:
        """What it is called in print."""
        return f"{self.file} puzzle {self.puzzle_id}"


def read_records(folder: Path) -> tuple[list[Record], dict[str, int]]:
    """All records of a folder that has ``expected_verdicts.json`` and ``responses/``.

    Returns
    -------
    records : list of Record
        Those of tasks that are judged here and that have a verdict.
    others : dict
        How many records there are of what is left out, by why.

    Raises
    ------
    RecordError
        If a file is missing or has another form.
    """
    expected = _load(folder / "expected_verdicts.json")
    texts: dict[str, Mapping[int, str]] = {}
    records: list[Record] = []
    others: dict[str, int] = {}
    for place, entry in enumerate(expected):
        try:
            task, verdict, file = entry["task"], entry["verdict"], entry["file"]
            if task not in TASKS or verdict not in VERDICTS:
                why = f"{task} is not judged yet" if task not in TASKS else f"{task} without a puzzle to judge by"
                others[why] = others.get(why, 0) + 1
                continue
            if file not in texts:
                texts[file] = dict(_texts(folder / "responses" / file))
            skipping = entry.get("detail", {}).get("lenient_skip_invalid_solved")
            text = texts[file][entry["puzzle_id"]]
            records.append(Record(file, task, entry["level"], entry["puzzle_id"], text, verdict, skipping))
        except (KeyError, TypeError) as error:
            raise RecordError(f"{folder / 'expected_verdicts.json'}, entry {place + 1}: there is no {error}") from None
    return records, others


def puzzle_file(puzzles: Path, record: Record) -> Path:
    """Where a puzzle's metadata is in a folder laid out as the public data set."""
    return puzzles / record.task / f"level_{record.level:02d}" / f"puzzle_{record.puzzle_id:04d}" / "metadata.json"


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    for one in _load(path)["responses"]:
        yield one["puzzle_id"], one["raw_text"] or ""


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{path} can't be read: {error.strerror}; is this a folder of answers?") from None
    except ValueError as error:
        raise RecordError(f"{path} is no JSON: {error}") from None
