"""Reads answers to grid mazes with what they took: JSON Lines or CSV, a line an answer, or JSON with a list of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.lines import LINE_SUFFIXES, attempt_of, entries_of
from grader.importers.common.walking import files_below
from grader.importers.mentisoculi.sheets import REASON_FIELDS, TEXT_FIELDS, Answer, answer_of
from grader.model.json_fields import JsonObject, load_object, shown

_NAMES = ("maze", "puzzle", "puzzle_id", "name")
_LISTS = ("results", "responses", "answers")
_TOTALS = ("total_tokens", "tokens")
_PARTS = (("thinking_tokens", "reasoning_tokens", "thoughts_token_count"), ("output_tokens",))
_LATENCIES = {"latency_s": 1.0, "latency": 1.0, "latency_ms": 0.001}
_CUT = ("cut_off", "truncated")
_LIMIT = re.compile(r"length|max|token|limit|truncat|incomplete", re.IGNORECASE)
_TRUE = (True, "true", "True", "yes", "1", 1)
_WRITE = 'write a line an answer, such as {"maze": "gen_maze_001", "model": "mine", "attempt": 1, "text": "..."}'


@dataclass(frozen=True)
class MazeReply:
    """What a model answered to a maze.

    Attributes
    ----------
    file : where it stands
    model, condition : who answered, and what was shown, such as ``image`` or ``text_grid``; empty where it is not said
    attempt : from 1; 0 where it is not said
    answer : the name of the maze, and what was written
    tokens : of thinking and output together; None where they are not said
    latency_s : seconds; None where they are not said
    reason : why the model stopped, in its service's words; empty where it is not said
    cut_off : whether it stopped at a limit
    place : the file and the line, or the entry, that messages name
    """

    file: Path
    model: str
    condition: str
    attempt: int
    answer: Answer
    tokens: int | None = None
    latency_s: float | None = None
    reason: str = ""
    cut_off: bool = False
    place: str = ""


def read_replies(source: Path, model: str, condition: str) -> tuple[MazeReply, ...]:
    """Reads a file of answers, or all files below a folder.

    Parameters
    ----------
    source : Path
        A file, or a folder of files.
    model, condition : str
        For answers that do not say them.

    Raises
    ------
    ImportFormatError
        Naming the file and line that can't be read, or has no maze or no text.
    """
    files = [source] if source.is_file() else _files(source) if source.is_dir() else []
    if not files:
        raise ImportFormatError(f"there are no answers at {source}; name a .jsonl, .csv or .json file, or a folder")
    made = []
    for file in files:
        try:
            made += [_reply(file, entry, said, model, condition) for entry, said in _entries(file)]
        except ValueError as error:
            raise ImportFormatError(f"{error}; {_WRITE}") from error
    return tuple(made)


def _files(folder: Path) -> list[Path]:
    return [path for path in files_below(folder) if path.suffix.lower() in (*LINE_SUFFIXES, ".json")]


def _entries(file: Path) -> Iterator[tuple[JsonObject, JsonObject | None]]:
    """The entries of a file, each with what the file says of all of them."""
    if file.suffix.lower() in LINE_SUFFIXES:
        yield from ((entry, None) for entry in entries_of(file))
        return
    whole = load_object(file.read_bytes(), str(file), lone_surrogates=True)
    name = next((one for one in _LISTS if whole.has(one)), None)
    if name is None:
        raise whole.fault(_LISTS[0], "is missing: a list of answers")
    yield from ((entry, whole) for entry in whole.children(name))


def _reply(file: Path, entry: JsonObject, said: JsonObject | None, model: str, condition: str) -> MazeReply:
    field = _there(entry, _NAMES)
    if field is None:
        raise entry.fault(_NAMES[0], "is missing")
    if not any(entry.has(one) for one in TEXT_FIELDS):
        raise entry.fault("text", "is missing; it is null where the model gave none")
    name = PurePosixPath(entry.text(field)).name.removesuffix(".png")
    reason = _text(entry, None, _there(entry, REASON_FIELDS) or "", "")
    cut = _LIMIT.search(reason) is not None or any(entry.content.get(one) in _TRUE for one in _CUT)
    return MazeReply(
        file,
        _text(entry, said, "model", model),
        _text(entry, said, "condition", condition),
        attempt_of(entry),
        answer_of(entry, name),
        _tokens(entry),
        _latency(entry),
        reason,
        cut,
        ": ".join(part for part in (entry.file, entry.path) if part),
    )


def _there(entry: JsonObject, fields: Sequence[str]) -> str | None:
    """The first of several fields that has a value."""
    return next((one for one in fields if entry.content.get(one) is not None), None)


def _text(entry: JsonObject, said: JsonObject | None, field: str, otherwise: str) -> str:
    """A text of an entry, else of its file, else another."""
    for place in (entry, said):
        if place is not None and place.content.get(field):
            return place.text(field)
    return otherwise


def _tokens(entry: JsonObject) -> int | None:
    total = _there(entry, _TOTALS)
    if total is not None:
        return round(_number(entry, total))
    parts = [field for fields in _PARTS if (field := _there(entry, fields)) is not None]
    return sum(round(_number(entry, field)) for field in parts) if parts else None


def _latency(entry: JsonObject) -> float | None:
    field = _there(entry, tuple(_LATENCIES))
    return None if field is None else _LATENCIES[field] * _number(entry, field)


def _number(entry: JsonObject, field: str) -> float:
    """A number that is not negative; CSV has it as text."""
    value = entry.content[field]
    if isinstance(value, str) and re.fullmatch(r"\d{1,15}(?:\.\d{1,9})?", value.strip()):
        return float(value)
    number = entry.number(field) if not isinstance(value, str) else -1.0
    if number < 0:
        raise entry.fault(field, f"must be a number from 0, not {shown(value)}")
    return number
