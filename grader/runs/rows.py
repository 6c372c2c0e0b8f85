"""A run as one flat row a candidate: what was asked, by whom, what came of it, each metric in a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.metrics.runs.aggregates import NO_VERDICT, item_end
from grader.runs.items import Item, asked_for, broken_line, find_run, finite, read_items, read_results, share_of

Row = dict[str, str | int | float | None]

TAG, METRIC = "tag.", "metric."
"""What the columns of tags and of metrics begin with."""

NO_RESULT = "NO_RESULT"
"""The status of an item that has no result yet."""

_ASKED = ("request_id", "puzzle_id", "task", "model", "attempt")
_JUDGED = ("outcome", "score", "reward")
_SAID = ("reason", "message", "codes", "notes", "status", "status_message")


def run_rows(folder: Path, manifests: Sequence[Path] = ()) -> list[Row]:
    """Reads a run as one row a candidate, in the order of the manifest; all rows have the same columns in one order.

    Items that the run was not to grade (``--only``, ``--limit``) have none.

    Parameters
    ----------
    folder : Path
        A run folder, as ``grader grade`` writes it.
    manifests : sequence of Path
        Where its manifest may be now, if it was moved.

    Returns
    -------
    list of dict
        ``request_id``, ``puzzle_id`` (the request_id where none was said), ``task``, ``model``, ``attempt``;
        ``tag.NAME`` for each tag; ``outcome``, ``score``, ``reward``; ``metric.NAME`` for each metric; ``reason`` and
        ``message`` of the first reason, ``codes`` of all and ``notes``, divided by spaces; ``status`` and
        ``status_message`` of an item that ended without a verdict. What is not there is None; without codes or notes
        these are empty texts.

    Raises
    ------
    RunError
        If it is no run folder, a line is broken, or its manifest is not there or was changed.
    OSError
        If a file can't be read.
    """
    found = list(flat_rows(folder, manifests))
    names = columns(found)
    return [{name: row.get(name) for name in names} for row in found]


def columns(rows: Iterable[Row]) -> list[str]:
    """Names the columns of rows: fixed ones in their places, tags by name, metrics in the order in which they came.

    Examples
    --------
    >>> columns([{"request_id": "a", "metric.b": 1.0, "tag.z": "1"}, {"tag.a": "2", "metric.a": 0.5}])
    ['request_id', 'tag.a', 'tag.z', 'metric.b', 'metric.a']
    """
    seen: dict[str, None] = {}
    for row in rows:
        seen.update(dict.fromkeys(row))
    tags = sorted(name for name in seen if name.startswith(TAG))
    metrics = [name for name in seen if name.startswith(METRIC)]
    known = {*_ASKED, *_JUDGED, *_SAID, *tags, *metrics}
    ordered = (*(name for name in seen if name not in known), *_ASKED, *tags, *_JUDGED, *metrics, *_SAID)
    return [name for name in ordered if name in seen]


def flat_rows(folder: Path, manifests: Sequence[Path] = ()) -> Iterator[Row]:
    """Reads a run as rows, each with the columns that its own item has; see `run_rows`."""
    run = find_run(folder, manifests)
    items = {item.request_id: item for item in read_items(run.manifest)}
    ended: dict[str, Row] = {}
    for line in read_results(run.results):
        if line is None:
            break
        try:
            request_id = str(line.said["requestId"])
            if request_id not in items:
                raise ValueError(f"the manifest has no item {request_id!r}")
            # Of two lines about an item the first counts, as in reports.
            if request_id not in ended:
                ended[request_id] = _end_of(line.said)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise broken_line(run.results, line.number, error) from error
    none = _no_verdict(NO_RESULT, "it has no result yet; run the same `grader grade` again")
    for item, selected in zip(items.values(), asked_for(run, items.values()), strict=True):
        if selected or item.request_id in ended:
            yield _asked(item) | ended.get(item.request_id, none)


def _asked(item: Item) -> Row:
    return {
        "request_id": item.request_id,
        "puzzle_id": item.puzzle,
        "task": item.task,
        "model": item.model or None,
        "attempt": item.attempt or None,
        **{f"{TAG}{name}": value for name, value in item.tags},
    }


def _end_of(said: Mapping[str, Any]) -> Row:
    """What came of an item, from its GradeBatchResponse in JSON form."""
    end = item_end(said)
    if end in NO_VERDICT:
        status = said["status"]
        return _no_verdict(str(status.get("reason") or f"code {status.get('code')}"), str(status.get("message") or ""))
    verdict = said["verdict"]
    reasons = verdict.get("reasons") or []
    first = reasons[0] if reasons else {}
    return {
        "outcome": end.value,
        "score": share_of(verdict.get("score")),
        "reward": share_of(verdict.get("reward")),
        **{f"{METRIC}{one['name']}": finite(one.get("value")) for one in verdict.get("metrics") or []},
        "reason": str(first["code"]) if first else None,
        "message": str(first.get("message") or "") if first else None,
        "codes": _joined(reasons),
        "notes": _joined(verdict.get("notes") or []),
        "status": None,
        "status_message": None,
    }


def _no_verdict(status: str, message: str) -> Row:
    empty: Row = dict.fromkeys((*_JUDGED, *_SAID))
    return empty | {"codes": "", "notes": "", "status": status, "status_message": message}


def _joined(coded: Iterable[Mapping[str, Any]]) -> str:
    return " ".join(str(one["code"]) for one in coded)
