"""Rates and means of some records, with intervals. Numbers come from `grader.metrics`; here is what they are over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.metrics.bootstrap import Interval, ratio_intervals, wilson_interval
from grader.metrics.passk import Attempts, Shortfall, first_k, unbiased
from grader.report.records import Record


@dataclass(frozen=True)
class Resampling:
    """How intervals are made: bootstrap resamples (0 for no intervals), seed, coverage in (0, 1)."""

    resamples: int = 1000
    seed: int = 0
    level: float = 0.95


@dataclass(frozen=True)
class Estimate:
    """A rate or a mean.

    Attributes
    ----------
    value : None where nothing can be said
    n : what it is over
    interval : None where there is none to give
    why : why there is no value; empty otherwise
    """

    value: float | None
    n: int
    interval: Interval | None = None
    why: str = ""


@dataclass
class Samples:
    """Values of one statistic with the puzzle that each belongs to, gathered one by one.

    Attributes
    ----------
    is_rate : whether a value of 0 or 1 throughout is a share, which gets a Wilson interval
    left_out : why values are missing, with counts
    """

    is_rate: bool
    values: list[float] = field(default_factory=list)
    puzzles: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, puzzle: str, value: float) -> None:
        """Takes a value."""
        self.values.append(value)
        self.puzzles.append(puzzle)

    @property
    def why(self) -> str:
        """Why there is no value, where there is none: the causes, most frequent first."""
        return "; ".join(f"{cause} ({n})" for cause, n in self.left_out.most_common(2)) or "no items"


def estimate(samples: Sequence[Samples], how: Resampling) -> list[Estimate]:
    """Means with intervals that keep the values of a puzzle together. All statistics share their resamples.

    Where all puzzles of a rate are 0, or all are 1, the interval is Wilson's with the puzzles as trials.
    """
    index: dict[str, int] = {}
    places = [[index.setdefault(puzzle, len(index)) for puzzle in one.puzzles] for one in samples]
    numerators, denominators = np.zeros((2, len(index), len(samples)))
    for s, (one, where) in enumerate(zip(samples, places, strict=True)):
        if one.values:
            numerators[:, s] = np.bincount(where, weights=one.values, minlength=len(index))
            denominators[:, s] = np.bincount(where, minlength=len(index))
    intervals: list[Interval | None] = [None] * len(samples)
    if how.resamples and index:
        intervals = ratio_intervals(numerators, denominators, resamples=how.resamples, seed=how.seed, level=how.level)
    made = []
    for s, one in enumerate(samples):
        n = len(one.values)
        if not n:
            made.append(Estimate(None, 0, why=one.why))
            continue
        value, interval = float(numerators[:, s].sum() / n), intervals[s]
        if interval is None and how.resamples and one.is_rate and value in (0.0, 1.0):
            trials = int(np.count_nonzero(denominators[:, s]))
            interval = wilson_interval(trials if value else 0, trials, how.level)
        made.append(Estimate(value, n, interval))
    return made


def pass_samples(records: Iterable[Record]) -> Samples:
    """Whether each candidate passed: PASS, FAIL and UNGRADABLE count, faults do not."""
    return _of_candidates(records, lambda record: record.passed)


def score_pass_samples(records: Iterable[Record]) -> Samples:
    """Whether each candidate has a score of 1."""
    return _of_candidates(records, lambda record: record.scored)


def _of_candidates(records: Iterable[Record], right: Callable[[Record], bool]) -> Samples:
    samples = Samples(is_rate=True)
    for record in records:
        if record.is_candidate:
            samples.add(_cluster(record), float(right(record)))
        elif record.end is not None:
            samples.left_out[record.fault or record.end.value] += 1
        else:
            samples.left_out["no result yet"] += 1
    return samples


def number_samples(records: Iterable[Record], number: Callable[[Record], float | None], why: str) -> Samples:
    """A number of a verdict, such as its score, over the verdicts that have it."""
    samples = Samples(is_rate=False)
    for record in records:
        value = number(record)
        if value is not None:
            samples.add(_cluster(record), value)
        elif record.is_candidate:
            samples.left_out[why] += 1
    return samples


def metric_samples(records: Iterable[Record], name: str) -> Samples:
    """A metric over the verdicts that have it."""
    samples = Samples(is_rate=False)
    for record in records:
        value = record.measures.value(name)
        if value is not None:
            samples.add(_cluster(record), value)
        elif record.is_candidate:
            samples.left_out[record.measures.why_absent(name) or _no_metric(record)] += 1
    return samples


def _no_metric(record: Record) -> str:
    return "UNGRADABLE" if not record.measures.names else "the verdict does not have it"


def _cluster(record: Record) -> str:
    return f"{record.item.task}\n{record.item.puzzle}"


@dataclass(frozen=True)
class PuzzleAttempts:
    """A model's attempts at one puzzle, as the outcome says and as the score says."""

    puzzle: str
    by_outcome: Attempts
    by_score: Attempts


def gather_attempts(records: Iterable[Record]) -> list[PuzzleAttempts]:
    """Groups records by model, task and puzzle, in their order, which is that of the manifest."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.model, _cluster(record)), []).append(record)
    return [
        PuzzleAttempts(
            puzzle,
            Attempts.gather((one.item.attempt, one.attempt_end(by_score=False)) for one in group),
            Attempts.gather((one.item.attempt, one.attempt_end(by_score=True)) for one in group),
        )
        for (_, puzzle), group in groups.items()
    ]


def attempt_samples(groups: Iterable[PuzzleAttempts], statistic: str, k: int, *, by_score: bool) -> Samples:
    """``any``, ``mean`` or ``unbiased`` of k attempts, one value a puzzle and model."""
    samples = Samples(is_rate=True)
    for group in groups:
        attempts = group.by_score if by_score else group.by_outcome
        value: float | Shortfall
        if statistic == "unbiased":
            value = unbiased(attempts, k)
        else:
            first = first_k(attempts, k)
            if isinstance(first, Shortfall):
                value = first
            else:
                value = float(any(first)) if statistic == "any" else sum(first) / k
        if isinstance(value, Shortfall):
            samples.left_out[value.value.replace(" k ", f" {k} ")] += 1
        else:
            samples.add(group.puzzle, value)
    return samples
