"""Reads run folders into records. Lines are read one by one; of each only what tables need is kept."""

from __future__ import annotations

import hashlib
import math
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from grader.metrics.runs.aggregates import NO_VERDICT, ItemEnd, item_end
from grader.model.failure import FailureMode
from grader.model.json_fields import parse_json
from grader.output.progress import progress_of
from grader.report.data.failure_modes import main_mode
from grader.report.data.records import NOT_SAID, Item, Measures, Record, ReportError, Results, Run
from grader.runs.folder import RESULTS_NAME, RUN_NAME
from grader.runs.selection import EVERYTHING, Selection, Subject, read_selections, union
from grader.v1 import service_pb2

_TASK_FIELDS = {
    name: field.name
    for field in service_pb2.GradeRequest.DESCRIPTOR.oneofs_by_name["task"].fields
    for name in (field.name, field.json_name)
}

_PICTURE = "spatial_edit.puzzle.image"
"""The field whose digest says which edits are of one picture."""

T = TypeVar("T")


class _Shared:
    """Gives one object for all equal ones, because most lines say the same; and numbers puzzles."""

    def __init__(self) -> None:
        self._seen: dict[Any, Any] = {}
        self._clusters: dict[tuple[str, str], int] = {}

    def cluster(self, item: Item) -> int:
        """The number of an item's task and puzzle."""
        return self._clusters.setdefault((item.task, item.puzzle), len(self._clusters))

    def __call__(self, value: T) -> T:
        found: T = self._seen.setdefault(value, value)
        return found


@dataclass(frozen=True)
class _RunFile:
    """What run.json says, and where the manifest is."""

    folder: Path
    manifest: Path
    digest: str
    selections: tuple[Selection, ...]


def read_runs(folders: Sequence[Path], manifests: Sequence[Path] = (), *, progress: bool = False) -> Results:
    """Reads runs with their manifests.

    Parameters
    ----------
    folders : sequence of Path
        Folders that ``grader grade`` wrote.
    manifests : sequence of Path
        Where manifests are now, if they are not where the runs found them; told apart by their digests.
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    ReportError
        If a folder is no run folder, is given twice, holds a line that is no result, or its manifest is not there or
        was changed.
    OSError
        If a file can't be read.
    """
    resolved = [folder.resolve() for folder in folders]
    twice = [str(folder) for folder, times in Counter(resolved).items() if times > 1]
    if twice:
        raise ReportError(f"{', '.join(twice)} is given more than once; name each run once")
    found = [_open(folder, manifests) for folder in folders]
    size = sum(one.manifest.stat().st_size + (one.folder / RESULTS_NAME).stat().st_size for one in found)
    names = _names(folders, resolved)
    runs: list[Run] = []
    records: list[Record] = []
    share = _Shared()
    with progress_of("read", size, "B", show=progress) as bar:
        for index, (one, name) in enumerate(zip(found, names, strict=True)):
            items = _read_manifest(one, share, bar.update)
            unnamed = NOT_SAID if len(folders) == 1 else f"{NOT_SAID}: {name}"
            run, ended = _read_results(one, name, index, items, unnamed, share, bar.update)
            runs.append(run)
            records += ended
    return Results(tuple(runs), tuple(records))


def _names(folders: Sequence[Path], resolved: Sequence[Path]) -> list[str]:
    times = Counter(folder.name for folder in resolved)
    return [
        full.name if times[full.name] == 1 and full.name else str(given)
        for given, full in zip(folders, resolved, strict=True)
    ]


def _open(folder: Path, manifests: Sequence[Path]) -> _RunFile:
    if folder.name == RESULTS_NAME and folder.is_file():
        raise ReportError(f"{folder} is a file; name its folder, {folder.parent}")
    if not folder.is_dir():
        pasted = shlex.quote(str(folder))
        raise ReportError(f"there is no folder {folder}; `grader grade MANIFEST --run {pasted}` makes one")
    missing = [name for name in (RUN_NAME, RESULTS_NAME) if not (folder / name).is_file()]
    if missing:
        raise ReportError(
            f"{folder} is no run folder: it has no {' and no '.join(missing)}; "
            f"`grader grade MANIFEST --run {shlex.quote(str(folder))}` writes them"
        )
    path = folder / RUN_NAME
    try:
        said = parse_json(path.read_bytes())
        digest, place = str(said["manifest_digest"]), folder / str(said["manifest"])
        selections = read_selections(said)
    except (ValueError, KeyError, TypeError) as error:
        raise ReportError(f"{path} can't be read ({error}); grade into a new folder") from error
    candidates = [place, *manifests]
    for candidate in candidates:
        if candidate.is_file() and _digest(candidate) == digest:
            return _RunFile(folder, candidate, digest, selections)
    state = "was changed since" if place.is_file() else "is not there"
    raise ReportError(
        f"{folder}: its manifest {place} {state}, and models, attempts and tags are in it; "
        "give the manifest that was graded with --manifest"
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_manifest(run: _RunFile, share: _Shared, advance: Callable[[int], object]) -> dict[str, Item]:
    items: dict[str, Item] = {}
    offset = 0
    with run.manifest.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            advance(len(line))
            begin, offset = offset, offset + len(line)
            if not line.strip():
                continue
            try:
                item = _item_of(parse_json(line), number, begin, share)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ReportError(f"{run.manifest}:{number}: this line is no request ({error})") from error
            items[item.request_id] = item
            # Numbered here and not as results come, whose order is not fixed: intervals depend on it.
            share.cluster(item)
    return items


def _item_of(said: Mapping[str, Any], number: int, offset: int, share: _Shared) -> Item:
    """A request's words for tables. The proto's JSON form allows two spellings of a field, and numbers as text."""

    def text(name: str, other: str) -> str:
        return str(said.get(name) or said.get(other) or "")

    request_id = text("requestId", "request_id")
    if not request_id:
        raise ValueError("request_id is missing")
    attempt = int(said.get("attempt") or 0)
    if attempt < 0:
        raise ValueError(f"attempt is {attempt}; attempts are numbered from 1, and 0 means not said")
    tasks = [_TASK_FIELDS[name] for name in said if name in _TASK_FIELDS]
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


def _read_results(
    run: _RunFile,
    name: str,
    index: int,
    items: dict[str, Item],
    unnamed: str,
    share: _Shared,
    advance: Callable[[int], object],
) -> tuple[Run, list[Record]]:
    path = run.folder / RESULTS_NAME
    found: dict[str, Record] = {}
    torn, repeated, offset = False, 0, 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            advance(len(line))
            if not line.endswith(b"\n"):  # half written: the run was killed, or is at work
                torn = True
                break
            try:
                said = parse_json(line)
                item = items.get(said["requestId"])
                if item is None:
                    raise ReportError(f"{path}:{number}: the manifest has no item {said['requestId']!r}")
                record = record_of(
                    said, Record(index, item, share.cluster(item), item.model or unnamed, None), offset, share
                )
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ReportError(
                    f"{path}:{number}: this line is no result ({error}); grade into a new folder"
                ) from error
            offset += len(line)
            if item.request_id in found:
                repeated += 1
            else:
                found[item.request_id] = record
    asked = _asked_for(run.selections, items)
    ordered = [
        found.get(item.request_id) or Record(index, item, share.cluster(item), item.model or unnamed, None)
        for item, selected in zip(items.values(), asked, strict=True)
        if selected or item.request_id in found
    ]
    return Run(name, run.folder, run.manifest, torn, repeated, len(items) - len(ordered)), ordered


def _asked_for(selections: Sequence[Selection], items: Mapping[str, Item]) -> bytearray:
    """A 1 for each item that a run was to grade."""
    said = [
        Subject(item.request_id, item.puzzle, item.model, item.task, item.attempt, dict(item.tags))
        for item in items.values()
    ]
    return union([one.marks(said, len(said)) for one in selections or (EVERYTHING,)])


def record_of(
    said: Mapping[str, Any],
    empty: Record,
    offset: int,
    share: Callable[[Any], Any] = lambda value: value,
) -> Record:
    """Cuts a GradeBatchResponse in JSON form down to what a report needs.

    Parameters
    ----------
    said : mapping
        The line.
    empty : Record
        Its item, without a result.
    offset : int
        Where the line begins.
    share : callable, optional
        Gives one object for all equal ones, so that memory does not grow with what lines have in common.

    Raises
    ------
    ValueError, KeyError, TypeError, AttributeError
        If it is none, or holds a number that is not finite.
    """
    end = item_end(said)
    if end in NO_VERDICT:
        fault = str(said["status"].get("reason") or f"code {said['status'].get('code')}")
        return replace(empty, end=end, fault=share(fault), offset=offset)
    verdict = said["verdict"]
    metrics = verdict.get("metrics") or []
    made = verdict.get("provenance") or {}
    codes: tuple[str, ...] = share(tuple(str(reason["code"]) for reason in verdict.get("reasons") or []))
    return replace(
        empty,
        end=end,
        score=_number(verdict.get("score")),
        reward=_number(verdict.get("reward")),
        measures=Measures(
            names=share(tuple(str(metric["name"]) for metric in metrics)),
            values=tuple(_number(metric.get("value")) for metric in metrics),
            absent=share(tuple(str(metric.get("unavailableReason") or "") for metric in metrics)),
        ),
        codes=codes,
        mode=_mode(empty, codes) if end in (ItemEnd.FAIL, ItemEnd.UNGRADABLE) else None,
        confidence=_confidence(verdict),
        made_by=share(
            f"grader {made.get('graderVersion', '?')}, profile {made.get('profile', '?')} "
            f"({str(made.get('profileDigest', '?'))[:12]})"
        ),
        picture=share(str((made.get("inputSha256") or {}).get(_PICTURE, ""))),
        offset=offset,
    )


def _mode(record: Record, codes: Iterable[str]) -> FailureMode:
    """How it failed; an answer that is missing is none, and no picture that can't be read."""
    return FailureMode.NO_ANSWER if record.missing else main_mode(codes)


def _number(value: object) -> float | None:
    if value is None or (type(value) is float and math.isfinite(value)):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def _confidence(verdict: Mapping[str, Any]) -> float | None:
    """That of the observation, or the least of its parts; where nothing has one, the quality of the alignment."""
    for kind in (verdict.get("observation") or {}).values():
        if "confidence" in kind:
            return _share(kind["confidence"])
        parts: Iterable[Any] = (part for parts in kind.values() if isinstance(parts, list) for part in parts)
        sure = [part["confidence"] for part in parts if isinstance(part, dict) and "confidence" in part]
        if sure:
            return min(_share(one) for one in sure)
    quality = (verdict.get("alignment") or {}).get("quality")
    return None if quality is None else _share(quality)


def _share(value: object) -> float:
    number = _number(value)
    if number is None:
        raise ValueError("a confidence is missing")
    return min(1.0, max(0.0, number))
