"""Reads the puzzles of plans out of manifests, and says how often random moves and blind sweeps solve them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from grader.contract.requests import job_from_proto
from grader.model.errors import InvalidRequestError
from grader.model.json_fields import parse_json
from grader.output.progress import progress_of
from grader.report.data.records import Record, Results
from grader.runs.items import TASK_FIELDS
from grader.tasks.common.chance import ChanceLevel, Sweeps, Walk
from grader.tasks.registry import find_task, list_tasks, task_for
from grader.v1 import service_pb2

_PLANS = {task.name for task in list_tasks() if task.chance is not None}
_PLAN_FIELDS = {key: name for key, name in TASK_FIELDS.items() if name in _PLANS}


def walks_of(task: str) -> tuple[Walk, ...]:
    """The walks of a task, the one that the published levels are by first; none for a task that is no plan."""
    known = find_task(task)
    return () if known is None or known.chance is None else known.chance.walks


def sweeps_of(task: str) -> Sweeps[Any] | None:
    """The plans of a task that look at nothing; None for a task that is no plan."""
    known = find_task(task)
    return None if known is None or known.chance is None else known.chance.sweeps


@dataclass(frozen=True)
class Chances:
    """Chance levels of puzzles, by the number of the puzzle; those of wrong requests are not there.

    Attributes
    ----------
    levels : of walks
    swept : of each sweep, whether it has been at the goal
    """

    levels: Mapping[int, tuple[ChanceLevel, ...]] = field(default_factory=dict)
    swept: Mapping[int, tuple[bool, ...]] = field(default_factory=dict)

    def of(self, cluster: int) -> tuple[ChanceLevel, ...]:
        """The levels of a puzzle; empty where they are not known."""
        return self.levels.get(cluster, ())


def read_chances(results: Results, *, progress: bool = False) -> Chances:
    """Works out the chance levels of every puzzle that takes a plan, each once.

    Parameters
    ----------
    results : Results
    progress : bool
        Whether to show on stderr how far it is.

    Raises
    ------
    OSError
        If a manifest can't be read.
    """
    first: dict[int, Record] = {}
    for record in results.records:
        if walks_of(record.item.task):
            first.setdefault(record.cluster, record)
    levels: dict[int, tuple[ChanceLevel, ...]] = {}
    swept: dict[int, tuple[bool, ...]] = {}
    known: dict[bytes, tuple[tuple[ChanceLevel, ...], tuple[bool, ...]]] = {}
    with progress_of("chance", len(first), "puzzle", show=progress) as bar:
        for record, line in _lines(results, first.values()):
            request = _puzzle_of(line)
            key = request.SerializeToString(deterministic=True)
            if key not in known:
                known[key] = _levels(request)
            levels[record.cluster], swept[record.cluster] = known[key]
            bar.update()
    return Chances(levels, swept)


def _lines(results: Results, records: Iterable[Record]) -> Iterator[tuple[Record, bytes]]:
    """The manifest's line of each record."""
    wanted: dict[Path, dict[int, Record]] = defaultdict(dict)
    for record in records:
        wanted[results.runs[record.run].manifest][record.item.line] = record
    for manifest, by_line in wanted.items():
        with manifest.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if number in by_line:
                    yield by_line[number], line


def _puzzle_of(line: bytes) -> service_pb2.GradeRequest:
    """A request with the puzzle of a line, and nothing of the candidate."""
    said = parse_json(line)
    puzzle = {_PLAN_FIELDS[name]: value for name, value in said.items() if name in _PLAN_FIELDS}
    request = service_pb2.GradeRequest()
    json_format.ParseDict(puzzle, request, ignore_unknown_fields=True)
    request.request_id, request.text = "chance", ""
    return request


def _levels(request: service_pb2.GradeRequest) -> tuple[tuple[ChanceLevel, ...], tuple[bool, ...]]:
    try:
        puzzle = job_from_proto(request, lambda *_: b"").task
        chance = task_for(puzzle).chance
        if chance is None:
            return (), ()
        return chance.levels(puzzle), () if chance.sweeps is None else chance.sweeps.solved(puzzle)
    except InvalidRequestError:  # its items ended with a status that says so
        return (), ()
