"""Counts of results as tables with Wilson intervals, and the verdict on the targets."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.results import ERROR, Result
from grader.metrics.runs.bootstrap import wilson_interval


@dataclass(frozen=True)
class Share:
    """Hits of a count, with their interval."""

    hits: int
    count: int

    @property
    def value(self) -> float | None:
        """The share, or ``None`` of nothing."""
        return self.hits / self.count if self.count else None

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson 95 % interval; (0, 1) where nothing was counted."""
        if not self.count:
            return 0.0, 1.0
        bounds = wilson_interval(self.hits, self.count)
        return bounds.low, bounds.high

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        low, high = self.interval
        return f"{100 * self.value:.2f} [{100 * low:.2f}, {100 * high:.2f}]"


@dataclass(frozen=True)
class Mean:
    """Mean of the numbers that are there, with how many they are."""

    value: float | None
    count: int

    def __str__(self) -> str:
        return "-" if self.value is None else f"{self.value:.4f} ({self.count})"


def mean(numbers: Iterable[float | None]) -> Mean:
    """The mean of numbers, those left out that are ``None``."""
    there = [number for number in numbers if number is not None]
    return Mean(sum(there) / len(there) if there else None, len(there))


@dataclass(frozen=True)
class Row:
    """One row of a table. False passes are shares of wrong answers, false fails of right ones."""

    name: str
    count: int
    accuracy: Share
    false_pass: Share
    false_fail: Share
    coverage_error: Mean
    violation_error: Mean
    ungradable: Share
    errors: int


def row(name: str, results: list[Result]) -> Row:
    """Counts some results."""
    wrong, right = ([one for one in results if one.expected == end] for end in ("FAIL", "PASS"))
    return Row(
        name,
        len(results),
        Share(sum(one.right for one in results), len(results)),
        Share(sum(one.false_pass for one in wrong), len(wrong)),
        Share(sum(one.false_fail for one in right), len(right)),
        mean(one.coverage_error for one in results),
        mean(one.violation_error for one in results),
        Share(sum(one.got == "UNGRADABLE" for one in results), len(results)),
        sum(one.got == ERROR for one in results),
    )


@dataclass(frozen=True)
class Table:
    """Rows under a heading."""

    title: str
    rows: tuple[Row, ...]


def _nuisance_names(result: Result) -> tuple[str, ...]:
    if not result.nuisances:
        return ("clean",)
    return result.nuisances if len(result.nuisances) == 1 else ()


_GROUPS: tuple[tuple[str, Callable[[Result], tuple[str, ...]]], ...] = (
    ("Task", lambda one: (one.task,)),
    ("Geometry", lambda one: (one.kind,)),
    ("Geometry and scale", lambda one: (f"{one.kind} {one.scale:02d}",)),
    ("Look", lambda one: (f"{one.task} {one.look}",)),
    ("Plan", lambda one: (f"{one.task} {one.plan}",)),
    ("Number of nuisances", lambda one: (f"{one.task} {len(one.nuisances)}",)),
    ("Single nuisance, mazes", lambda one: _nuisance_names(one) if one.task == "maze" else ()),
    ("Single nuisance, boards", lambda one: _nuisance_names(one) if one.task == "queens" else ()),
    (
        "Nuisance in any pair",
        lambda one: tuple(f"{one.task} {name}" for name in one.nuisances) if len(one.nuisances) > 1 else (),
    ),
)


def tables(results: list[Result]) -> tuple[Table, ...]:
    """Results grouped in every way; a result may be in several rows of the last table."""
    found = []
    for title, names in _GROUPS:
        groups: dict[str, list[Result]] = defaultdict(list)
        for result in results:
            for name in names(result):
                groups[name].append(result)
        found.append(Table(title, tuple(row(name, groups[name]) for name in sorted(groups))))
    return tuple(found)


@dataclass(frozen=True)
class Target:
    """What a task has to reach: least accuracy, most false passes, most mean errors, and least candidates."""

    task: str
    accuracy: float
    false_pass: float = 0.001
    mean_error: float = 0.01


TARGETS = (Target("maze", 0.995), Target("queens", 0.998))
LEAST_CANDIDATES = 20_000


def judged(results: list[Result]) -> tuple[str, ...]:
    """One line a target that says what was reached; a missed target begins with MISSED."""
    lines = []
    for target in TARGETS:
        group = [one for one in results if one.task == target.task]
        if not group:
            continue
        counts = row(target.task, group)
        for what, got, bound, good in (
            ("outcome accuracy", counts.accuracy.value, target.accuracy, _at_least),
            ("false passes", counts.false_pass.value, target.false_pass, _at_most),
            ("mean coverage error", counts.coverage_error.value, target.mean_error, _at_most),
            ("mean violation error", counts.violation_error.value, target.mean_error, _at_most),
        ):
            if got is None:
                lines.append(f"UNKNOWN {target.task}: {what}: nothing was counted")
                continue
            word = "reached" if good(got, bound) else "MISSED "
            sign = ">=" if good is _at_least else "<="
            lines.append(f"{word} {target.task}: {what} {got:.5f}, asked {sign} {bound}")
    enough = "enough" if len(results) >= LEAST_CANDIDATES else "too few for a claim"
    lines.append(f"{len(results)} candidates: {enough} (a claim needs {LEAST_CANDIDATES})")
    return tuple(lines)


def _at_least(got: float, bound: float) -> bool:
    return got >= bound


def _at_most(got: float, bound: float) -> bool:
    return got <= bound


_HEADINGS = (
    "n",
    "accuracy %",
    "false pass %",
    "false fail %",
    "coverage error (n)",
    "violation error (n)",
    "ungradable %",
    "errors",
)


def _cells(one: Row) -> tuple[str, ...]:
    return (
        str(one.count),
        str(one.accuracy),
        str(one.false_pass),
        str(one.false_fail),
        str(one.coverage_error),
        str(one.violation_error),
        str(one.ungradable),
        str(one.errors),
    )


def markdown(found: tuple[Table, ...], lines: tuple[str, ...]) -> str:
    """The tables as a page; shares are per cent with Wilson 95 % intervals."""
    parts = ["# Accuracy", "", *(f"- {line}" for line in lines), ""]
    for table in found:
        parts += [f"## {table.title}", "", "| | " + " | ".join(_HEADINGS) + " |", "|---|" + "---|" * len(_HEADINGS)]
        parts += [f"| {one.name} | " + " | ".join(_cells(one)) + " |" for one in table.rows]
        parts.append("")
    return "\n".join(parts)


def write_csv(path: Path, found: tuple[Table, ...]) -> None:
    """All rows of all tables in one file, with plain numbers."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        shares = [f"{name}{end}" for name in ("accuracy", "false_pass", "false_fail") for end in ("", "_low", "_high")]
        means = ["coverage_error", "coverage_n", "violation_error", "violation_n"]
        writer.writerow(["table", "name", "n", *shares, "wrong_n", "right_n", *means, "ungradable", "errors"])
        for table in found:
            for one in table.rows:
                numbers: list[float | int | None] = []
                for share in (one.accuracy, one.false_pass, one.false_fail):
                    numbers += [share.value, *(share.interval if share.count else (None, None))]
                numbers += [one.false_pass.count, one.false_fail.count, one.coverage_error.value]
                numbers += [one.coverage_error.count, one.violation_error.value, one.violation_error.count]
                writer.writerow([table.title, one.name, one.count, *numbers, one.ungradable.hits, one.errors])
