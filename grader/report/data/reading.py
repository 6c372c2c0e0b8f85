"""Reads run folders into records. Lines are read one by one; of each only what tables need is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from grader.metrics.runs.aggregates import NO_VERDICT, ItemEnd, item_end
from grader.model.failure import FailureMode
from grader.output.progress import progress_of
from grader.report.data.failure_modes import main_mode
from grader.report.data.records import MetricValues, Record, ReportError, Results, Run
from grader.runs.items import (
    NOT_SAID,
    Item,
    RunFiles,
    asked_for,
    broken_line,
    find_run,
    finite,
    read_items,
    read_results,
    share_of,
)

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
        If a folder is given twice.
    RunError
        If a folder is no run folder, holds a line that is no result, or its manifest is not there or was changed.
    OSError
        If a file can't be read.
    """
    resolved = [folder.resolve() for folder in folders]
    twice = [str(folder) for folder, times in Counter(resolved).items() if times > 1]
    if twice:
        raise ReportError(f"{', '.join(twice)} is given more than once; name each run once")
    found = [find_run(folder, manifests) for folder in folders]
    size = sum(one.manifest.stat().st_size + one.results.stat().st_size for one in found)
    names = _names(folders, resolved)
    runs: list[Run] = []
    records: list[Record] = []
    share = _Shared()
    with progress_of("read", size, "B", show=progress) as bar:
        for index, (one, name) in enumerate(zip(found, names, strict=True)):
            items = {item.request_id: item for item in read_items(one.manifest, bar.update, share)}
            for item in items.values():
                # Numbered here and not as results come, whose order is not fixed: intervals depend on it.
                share.cluster(item)
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


def _read_results(
    run: RunFiles,
    name: str,
    index: int,
    items: dict[str, Item],
    unnamed: str,
    share: _Shared,
    advance: Callable[[int], object],
) -> tuple[Run, list[Record]]:
    found: dict[str, Record] = {}
    torn, repeated = False, 0
    for line in read_results(run.results, advance):
        if line is None:
            torn = True
            break
        try:
            item = items.get(line.said["requestId"])
            if item is None:
                raise ValueError(f"the manifest has no item {line.said['requestId']!r}")
            empty = Record(index, item, share.cluster(item), item.model or unnamed, None)
            record = record_of(line.said, empty, line.offset, share)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise broken_line(run.results, line.number, error) from error
        if item.request_id in found:
            repeated += 1
        else:
            found[item.request_id] = record
    ordered = [
        found.get(item.request_id) or Record(index, item, share.cluster(item), item.model or unnamed, None)
        for item, selected in zip(items.values(), asked_for(run, items.values()), strict=True)
        if selected or item.request_id in found
    ]
    return Run(name, run.folder, run.manifest, torn, repeated, len(items) - len(ordered)), ordered


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
        score=share_of(verdict.get("score")),
        reward=share_of(verdict.get("reward")),
        measures=MetricValues(
            names=share(tuple(str(metric["name"]) for metric in metrics)),
            values=tuple(finite(metric.get("value")) for metric in metrics),
            absent=share(tuple(str(metric.get("unavailableReason") or "") for metric in metrics)),
        ),
        codes=codes,
        mode=_mode(empty, codes) if end in (ItemEnd.FAIL, ItemEnd.UNGRADABLE) else None,
        confidence=_confidence(verdict),
        quality=_quality(verdict),
        notes=share(tuple(str(note["code"]) for note in verdict.get("notes") or [])),
        split=_split(verdict),
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


def _confidence(verdict: Mapping[str, Any]) -> float | None:
    """That of the observation, or the least of its parts; where nothing has one, the quality of the alignment."""
    for kind in (verdict.get("observation") or {}).values():
        if "confidence" in kind:
            return _share(kind["confidence"])
        parts: Iterable[Any] = (part for parts in kind.values() if isinstance(parts, list) for part in parts)
        sure = [part["confidence"] for part in parts if isinstance(part, dict) and "confidence" in part]
        if sure:
            return min(_share(one) for one in sure)
    return _quality(verdict)


def _quality(verdict: Mapping[str, Any]) -> float | None:
    quality = (verdict.get("alignment") or {}).get("quality")
    return None if quality is None else _share(quality)


def _split(verdict: Mapping[str, Any]) -> bool:
    """Whether the readings of a text came to different ends."""
    readings = ((verdict.get("observation") or {}).get("plan") or {}).get("readings") or []
    return len({(bool(one.get("answered")), bool(one.get("solved"))) for one in readings}) > 1


def _share(value: object) -> float:
    number = finite(value)
    if number is None:
        raise ValueError("a confidence is missing")
    return min(1.0, max(0.0, number))
