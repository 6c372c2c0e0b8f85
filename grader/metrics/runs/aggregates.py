"""Rates over a run. Rates are over all candidates; faults of the caller and of the grader, and what could not be graded
because something is not installed, are counted apart."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.errors import GraderError
from grader.model.json_fields import parse_json

# Of google.rpc.Code. Results are read as plain JSON, so that a run can be counted without the contract's messages.
_OK = 0
_INVALID_ARGUMENT = 3
_RESOURCE_EXHAUSTED = 8
_FAILED_PRECONDITION = 9
_MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"


class ResultsError(GraderError):
    """A results file that can't be read."""


class ItemEnd(enum.Enum):
    """How one item of a run ended: with an outcome, or by whose fault without one."""

    PASS = "PASS"
    FAIL = "FAIL"
    UNGRADABLE = "UNGRADABLE"
    MEASURED = "MEASURED"
    CALLER_ERROR = "CALLER_ERROR"
    MISSING_PRECONDITION = "MISSING_PRECONDITION"
    GRADER_FAILURE = "GRADER_FAILURE"


NO_VERDICT = (ItemEnd.CALLER_ERROR, ItemEnd.MISSING_PRECONDITION, ItemEnd.GRADER_FAILURE)
"""Ends without a verdict: they say nothing about the candidate."""

GRADED_ANEW = (ItemEnd.MISSING_PRECONDITION, ItemEnd.GRADER_FAILURE)
"""Ends that are no last word: a run that is resumed tries them again."""


@dataclass(frozen=True)
class RunSummary:
    """Counts of a run.

    Attributes
    ----------
    total : all items that have an answer
    graded : items with a verdict on a decoded candidate: PASS, FAIL or MEASURED
    passed, failed, ungradable, measured : items by outcome
    caller_errors : items whose request was wrong or too large
    missing_preconditions : items that need what is not installed where they were graded, such as LPIPS
    grader_failures : items that the grader failed on; they say nothing about the candidate
    candidates : what the pass rate is over: PASS, FAIL and UNGRADABLE
    pass_rate : passed / candidates; ``None`` where there is no candidate
    """

    total: int
    graded: int
    passed: int
    failed: int
    ungradable: int
    measured: int
    caller_errors: int
    missing_preconditions: int
    grader_failures: int
    candidates: int
    pass_rate: float | None


def status_end(code: int, reason: str) -> ItemEnd:
    """Says whose fault a status that is not OK is.

    Parameters
    ----------
    code : int
        A google.rpc.Code other than 0.
    reason : str
        The stable reason beside it.

    Examples
    --------
    >>> status_end(3, "INVALID_FIELD")
    <ItemEnd.CALLER_ERROR: 'CALLER_ERROR'>
    >>> status_end(9, "MEASURE_UNAVAILABLE")
    <ItemEnd.MISSING_PRECONDITION: 'MISSING_PRECONDITION'>
    >>> status_end(14, "WORKER_DIED")
    <ItemEnd.GRADER_FAILURE: 'GRADER_FAILURE'>
    """
    if code == _FAILED_PRECONDITION:
        return ItemEnd.MISSING_PRECONDITION
    too_large = code == _RESOURCE_EXHAUSTED and reason == _MESSAGE_TOO_LARGE
    return ItemEnd.CALLER_ERROR if code == _INVALID_ARGUMENT or too_large else ItemEnd.GRADER_FAILURE


def item_end(item: Mapping[str, Any]) -> ItemEnd:
    """Says how an item ended, from its GradeBatchResponse in JSON form.

    Raises
    ------
    ValueError, KeyError, AttributeError, TypeError
        If it is no GradeBatchResponse, or has an outcome that does not end an item.

    Examples
    --------
    >>> item_end({"requestId": "a", "status": {}, "verdict": {"outcome": "OUTCOME_PASS"}})
    <ItemEnd.PASS: 'PASS'>
    """
    status = item.get("status", {})
    code = int(status.get("code", _OK))
    if code == _OK:
        return ItemEnd(item["verdict"]["outcome"].removeprefix("OUTCOME_"))
    return status_end(code, status.get("reason", ""))


def summarize_ends(ends: Iterable[ItemEnd]) -> RunSummary:
    """Counts how items ended.

    Examples
    --------
    >>> summary = summarize_ends([ItemEnd.PASS, ItemEnd.FAIL, ItemEnd.UNGRADABLE, ItemEnd.GRADER_FAILURE])
    >>> summary.total, summary.candidates, round(summary.pass_rate, 4)
    (4, 3, 0.3333)
    """
    count = Counter(ends)
    candidates = count[ItemEnd.PASS] + count[ItemEnd.FAIL] + count[ItemEnd.UNGRADABLE]
    return RunSummary(
        total=count.total(),
        graded=count[ItemEnd.PASS] + count[ItemEnd.FAIL] + count[ItemEnd.MEASURED],
        passed=count[ItemEnd.PASS],
        failed=count[ItemEnd.FAIL],
        ungradable=count[ItemEnd.UNGRADABLE],
        measured=count[ItemEnd.MEASURED],
        caller_errors=count[ItemEnd.CALLER_ERROR],
        missing_preconditions=count[ItemEnd.MISSING_PRECONDITION],
        grader_failures=count[ItemEnd.GRADER_FAILURE],
        candidates=candidates,
        pass_rate=count[ItemEnd.PASS] / candidates if candidates else None,
    )


@dataclass(frozen=True)
class ItemFault:
    """An item without a verdict: its request_id, and what its status says."""

    request_id: str
    message: str


Takes = Callable[[str], bool]
"""Which request_ids count."""


def _all(_: str) -> bool:
    return True


def _items(results_path: Path, takes: Takes) -> Iterator[tuple[Mapping[str, Any], ItemEnd]]:
    with results_path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                item = parse_json(line)
                end = item_end(item)
                taken = takes(str(item.get("requestId", "")))
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise ResultsError(f"{results_path}:{number}: this line is no GradeBatchResponse in JSON") from error
            if taken:
                yield item, end


def summarize(results_path: Path, takes: Takes = _all) -> RunSummary:
    """Counts a results.jsonl, or the lines in it about the requests that count. Its length does not matter.

    Raises
    ------
    ResultsError
        Naming the line that is no result.
    """
    return summarize_ends(end for _, end in _items(results_path, takes))


def first_faults(results_path: Path, end: ItemEnd, most: int, takes: Takes = _all) -> tuple[ItemFault, ...]:
    """The first items of a results.jsonl that ended in one way, in the order of its lines.

    Raises
    ------
    ResultsError
        Naming the line that is no result.
    """
    found: list[ItemFault] = []
    for item, ended in _items(results_path, takes):
        if ended is end:
            found.append(ItemFault(str(item.get("requestId", "")), str(item.get("status", {}).get("message", ""))))
            if len(found) == most:
                break
    return tuple(found)


def fault_messages(results_path: Path, end: ItemEnd, takes: Takes = _all) -> tuple[tuple[str, int], ...]:
    """What the statuses of items that ended in one way say, each message once with its count, most frequent first.

    Raises
    ------
    ResultsError
        Naming the line that is no result.
    """
    said = Counter(
        str(item.get("status", {}).get("message", "")) for item, ended in _items(results_path, takes) if ended is end
    )
    return tuple(sorted(said.items(), key=lambda one: (-one[1], one[0])))
