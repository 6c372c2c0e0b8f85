"""The results of a run on disk: one line of JSON a case, appended, safe against a kill at any moment."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

RESULTS_NAME = "results.jsonl"
IDENTITY_NAME = "identity.txt"
_COMMIT_S = 0.5
ERROR = "ERROR"
"""The outcome of a case on which the grader raised an exception or died."""


class ResultsError(Exception):
    """A folder that can't be used as asked; the message says what to do."""


@dataclass(frozen=True)
class Result:
    """What was expected of a case and what was said.

    Attributes
    ----------
    case, task, kind, scale, look, plan, nuisances : what the case is; kind is the geometry or ``board``
    expected : PASS or FAIL, by construction
    got : PASS, FAIL, UNGRADABLE, or ERROR
    expected_coverage, expected_violation : by construction
    coverage, violation : as graded; ``None`` where not available
    reasons : codes, gravest first
    reward : as graded; ``None`` on ERROR
    alignment, quality : method and agreement, of the alignment
    build_ms, grade_ms : milliseconds; of an instance's first case with its making and preparing
    error : what was raised, on ERROR
    """

    case: str
    task: str
    kind: str
    scale: int
    look: str
    plan: str
    nuisances: tuple[str, ...]
    expected: str
    got: str
    expected_coverage: float
    expected_violation: float
    coverage: float | None = None
    violation: float | None = None
    reasons: tuple[str, ...] = ()
    reward: float | None = None
    alignment: str = ""
    quality: float | None = None
    build_ms: float = 0.0
    grade_ms: float = 0.0
    error: str = ""

    @property
    def right(self) -> bool:
        """Whether the outcome is the expected one."""
        return self.got == self.expected

    @property
    def false_pass(self) -> bool:
        """A wrong answer that passed."""
        return self.expected == "FAIL" and self.got == "PASS"

    @property
    def false_fail(self) -> bool:
        """A right answer that did not pass."""
        return self.expected == "PASS" and self.got != "PASS"

    @property
    def coverage_error(self) -> float | None:
        """Distance of the graded coverage from the true one."""
        return None if self.coverage is None else abs(self.coverage - self.expected_coverage)

    @property
    def violation_error(self) -> float | None:
        """Distance of the graded violation from the true one."""
        return None if self.violation is None else abs(self.violation - self.expected_violation)


Record = TypeVar("Record")
"""A frozen dataclass of plain values and tuples of them."""


def read_results(path: Path) -> Iterator[Result]:
    """The results in a file; a torn last line is left out. ResultsError where a line is no result."""
    return read_records(path, Result)


def read_records(path: Path, kind: type[Record]) -> Iterator[Record]:
    """The records of a kind in a file, as `read_results`."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                values = json.loads(line)
                if set(values) - names:
                    raise ValueError(f"unknown fields {sorted(set(values) - names)}")
                yield kind(**{name: tuple(one) if isinstance(one, list) else one for name, one in values.items()})
            except (ValueError, KeyError, TypeError) as error:
                raise ResultsError(f"{path}:{number}: this line is no result ({error}); give a new --out") from error


class RecordsFile(Generic[Record]):
    """A file of records that is appended to. Use it in a ``with`` block.

    Parameters
    ----------
    folder : is made where it is not there
    identity : what graded; a folder that was begun by another is refused
    kind : of the records
    key : the field by which records are told apart

    Raises
    ------
    ResultsError
        If the folder belongs to another identity or holds what is no result.
    """

    def __init__(self, folder: Path, identity: str, kind: type[Record], key: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        mark, self.path = folder / IDENTITY_NAME, folder / RESULTS_NAME
        if mark.exists() and mark.read_text() != identity:
            raise ResultsError(f"{folder} was begun with other code; give a new --out, or remove it")
        if self.path.exists():
            kept = list(read_records(self.path, kind))
            with self.path.open("rb") as lines:
                whole = sum(len(line) for line in lines if line.endswith(b"\n"))
            os.truncate(self.path, whole)
        else:
            kept = []
        mark.write_text(identity)
        self._key = key
        self.done: dict[Any, Record] = {getattr(one, key): one for one in kept}
        self._file = self.path.open("ab")
        self._committed = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._commit()
        self._file.close()

    def add(self, records: Iterable[Record]) -> None:
        """Appends records in whole lines."""
        for record in records:
            self._file.write(json.dumps(asdict(record)).encode() + b"\n")  # type: ignore[call-overload]
            self.done[getattr(record, self._key)] = record
        if time.monotonic() - self._committed >= _COMMIT_S:
            self._commit()

    def _commit(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._committed = time.monotonic()


class ResultsFile(RecordsFile[Result]):
    """The results of the benchmark of accuracy, by case."""

    def __init__(self, folder: Path, identity: str) -> None:
        super().__init__(folder, identity, Result, "case")
