"""What a run folder says of its items: where its manifest is, and what each line of that says beside the puzzle."""

from __future__ import annotations

import hashlib
import math
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.json_fields import is_blank, parse_json
from grader.runs.folder import RESULTS_NAME, RUN_NAME, RunError
from grader.runs.selection import EVERYTHING, Selection, Subject, read_selections, union
from grader.v1 import service_pb2

NOT_SAID = "(not said)"
"""Stands for a task, a model or a tag that an item does not have."""

TASK_FIELDS = {
    name: field.name
    for field in service_pb2.GradeRequest.DESCRIPTOR.oneofs_by_name["task"].fields
    for name in (field.name, field.json_name)
}
"""A task's field in a manifest, in both spellings that the proto's JSON form allows, to its name."""


@dataclass(frozen=True, slots=True)
class Item:
    """What a manifest says of one item.

    Attributes
    ----------
    line : its line in the manifest, from 1
    request_id, task, model : as the request has them; model is empty where it is not said
    puzzle : puzzle_id; the request_id where that is not said, so that the item is a puzzle of its own
    attempt : from 1; 0 where it is not said
    tags : (name, value), by name
    offset : where its line begins in the manifest
    """

    line: int
    request_id: str
    task: str
    puzzle: str
    model: str
    attempt: int
    tags: tuple[tuple[str, str], ...]
    offset: int


@dataclass(frozen=True)
class RunFiles:
    """A run folder that was graded, with the manifest that it graded, and what of that it was to grade."""

    folder: Path
    manifest: Path
    selections: tuple[Selection, ...] = ()

    @property
    def results(self) -> Path:
        """Its results.jsonl."""
        return self.folder / RESULTS_NAME


def find_run(folder: Path, manifests: Sequence[Path] = ()) -> RunFiles:
    """Finds the files of a run.

    Parameters
    ----------
    folder : Path
        What ``grader grade`` wrote.
    manifests : sequence of Path
        Where its manifest may be now, if it was moved; known by its digest.

    Raises
    ------
    RunError
        If it is no run folder, or its manifest is not there or was changed.
    OSError
        If a file can't be read.
    """
    if folder.name == RESULTS_NAME and folder.is_file():
        raise RunError(f"{folder} is a file; name its folder, {folder.parent}")
    pasted = shlex.quote(str(folder))
    if not folder.is_dir():
        raise RunError(f"there is no folder {folder}; `grader grade MANIFEST --run {pasted}` makes one")
    missing = [name for name in (RUN_NAME, RESULTS_NAME) if not (folder / name).is_file()]
    if missing:
        raise RunError(
            f"{folder} is no run folder: it has no {' and no '.join(missing)}; "
            f"`grader grade MANIFEST --run {pasted}` writes them"
        )
    path = folder / RUN_NAME
    try:
        said = parse_json(path.read_bytes())
        digest, place = str(said["manifest_digest"]), folder / str(said["manifest"])
        selections = read_selections(said)
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{path} can't be read ({error}); grade into a new folder") from error
    for candidate in (place, *manifests):
        if candidate.is_file() and _digest(candidate) == digest:
            return RunFiles(folder, candidate, selections)
    state = "was changed since" if place.is_file() else "is not there"
    raise RunError(
        f"{folder}: its manifest {place} {state}, and models, attempts and tags are in it; "
        "give the manifest that was graded with --manifest"
    )


def asked_for(run: RunFiles, items: Collection[Item]) -> bytearray:
    """A 1 for each item that a run was to grade (--only, --limit)."""
    said = [
        Subject(item.request_id, item.puzzle, item.model, item.task, item.attempt, dict(item.tags)) for item in items
    ]
    return union([one.marks(said, len(said)) for one in run.selections or (EVERYTHING,)])


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_items(
    manifest: Path, advance: Callable[[int], object] = lambda _: None, share: Callable[[Any], Any] = lambda value: value
) -> Iterator[Item]:
    """Reads the items of a manifest, line by line.

    Parameters
    ----------
    manifest : Path
    advance : callable
        Is told the bytes of each line.
    share : callable
        Gives one object for all equal ones, so that memory does not grow with what lines have in common.

    Raises
    ------
    RunError
        Naming the line that is no request.
    OSError
        If the file can't be read.
    """
    offset = 0
    with manifest.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            advance(len(line))
            begin, offset = offset, offset + len(line)
            if is_blank(line):
                continue
            try:
                item = _item_of(parse_json(line), number, begin, share)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RunError(f"{manifest}:{number}: this line is no request ({error})") from error
            yield item


def _item_of(said: Mapping[str, Any], number: int, offset: int, share: Callable[[Any], Any]) -> Item:
    """A request's words for tables. The proto's JSON form allows two spellings of a field, and numbers as text."""

    def text(name: str, other: str) -> str:
        return str(said.get(name) or said.get(other) or "")

    request_id = text("requestId", "request_id")
    if not request_id:
        raise ValueError("request_id is missing")
    attempt = int(said.get("attempt") or 0)
    if attempt < 0:
        raise ValueError(f"attempt is {attempt}; attempts are numbered from 1, and 0 means not said")
    tasks = [TASK_FIELDS[name] for name in said if name in TASK_FIELDS]
    tags = tuple(sorted((str(name), str(value)) for name, value in (said.get("tags") or {}).items()))
    return Item(
        line=number,
        request_id=request_id,
        task=share(tasks[0]) if tasks else NOT_SAID,
        puzzle=share(text("puzzleId", "puzzle_id") or request_id),
        model=share(text("model", "model")),
        attempt=attempt,
        tags=share(tags),
        offset=offset,
    )


@dataclass(frozen=True)
class ResultLine:
    """A line of results.jsonl: its number from 1, where it begins, and what it holds."""

    number: int
    offset: int
    said: Mapping[str, Any]


def read_results(results: Path, advance: Callable[[int], object] = lambda _: None) -> Iterator[ResultLine | None]:
    """Reads results line by line; None stands for a last line that is half written, which counts as not there.

    Raises
    ------
    RunError
        Naming the line that is no JSON object.
    OSError
        If the file can't be read.
    """
    offset = 0
    with results.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            advance(len(line))
            if not line.endswith(b"\n"):  # the run was killed, or is at work
                yield None
                return
            try:
                said = parse_json(line)
            except ValueError as error:
                raise broken_line(results, number, error) from error
            if not isinstance(said, dict):
                raise broken_line(results, number, "it is no object")
            yield ResultLine(number, offset, said)
            offset += len(line)


def broken_line(results: Path, number: int, why: object) -> RunError:
    """The error for a line that is no result."""
    return RunError(f"{results}:{number}: this line is no result ({why}); grade into a new folder")


def finite(value: object) -> float | None:
    """A number of a verdict; None where it is absent.

    Raises
    ------
    ValueError
        If it is something else, or not finite.
    """
    if value is None or (type(value) is float and math.isfinite(value)):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def share_of(value: object) -> float | None:
    """A score or reward, 0 to 1; None where it is absent.

    Raises
    ------
    ValueError
        If it is something else.
    """
    number = finite(value)
    if number is not None and not 0.0 <= number <= 1.0:
        raise ValueError(f"{value!r} is no number from 0 to 1")
    return number
