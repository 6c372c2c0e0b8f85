"""Rates and means of some records, with intervals. Numbers come from `grader.metrics`; here is what they are over."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grader.metrics.runs.aggregates import NO_VERDICT
from grader.metrics.runs.bootstrap import (
    Interval,
    percentile_interval,
    ratio_intervals,
    resampled_sums,
    wilson_interval,
)
from grader.metrics.runs.passk import AttemptEnd, Attempts, Shortfall, first_k, unbiased
from grader.report.data.records import Record


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
    clusters: list[int] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, cluster: int, value: float) -> None:
        """Takes a value."""
        self.values.append(value)
        self.clusters.append(cluster)

    @property
    def why(self) -> str:
        """Why there is no value, where there is none: the causes, most frequent first."""
        return "; ".join(f"{cause} ({n})" for cause, n in self.left_out.most_common(2)) or "no items"


def estimate(samples: Sequence[Samples], how: Resampling) -> list[Estimate]:
    """Means with intervals that keep the values of a puzzle together. All statistics share their resamples.

    Where all puzzles of a rate are 0, or all are 1, the interval is Wilson's with the puzzles as trials.
    """
    if not samples:
        return []
    numerators, denominators = _sums(samples)
    intervals: list[Interval | None] = [None] * len(samples)
    if how.resamples and len(numerators):
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


def _sums(samples: Sequence[Samples]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of values and how many there are, (C, S) each, of each puzzle that has a value of any statistic."""
    # Puzzles in the order of their numbers, so that the same items give the same resamples.
    clusters = np.unique(np.concatenate([np.array(one.clusters, np.int64) for one in samples]))
    numerators, denominators = np.zeros((2, len(clusters), len(samples)))
    for s, one in enumerate(samples):
        if one.values:
            where = np.searchsorted(clusters, one.clusters)
            numerators[:, s] = np.bincount(where, weights=one.values, minlength=len(clusters))
            denominators[:, s] = np.bincount(where, minlength=len(clusters))
    return numerators, denominators


def mean_of_means(samples: Sequence[Samples], how: Resampling) -> Estimate:
    """The mean of several means, each over what it has; over as many as the mean that has fewest.

    Its interval comes from the resamples that `estimate` takes of the same statistics; those in which one of them has
    no value are left out.
    """
    lacking = next((one for one in samples if not one.values), None)
    if lacking is not None or not samples:
        return Estimate(None, 0, why="no items" if lacking is None else lacking.why)
    numerators, denominators = _sums(samples)
    value = math.fsum(numerators.sum(axis=0) / denominators.sum(axis=0)) / len(samples)
    n = min(len(one.values) for one in samples)
    interval = None
    if how.resamples and len(numerators) > 1:
        drawn = resampled_sums(
            np.concatenate([numerators, denominators], axis=1), resamples=how.resamples, seed=how.seed
        )
        counts = drawn[:, len(samples) :]
        there = (counts > 0).all(axis=1)
        means = (drawn[there, : len(samples)] / counts[there]).mean(axis=1)
        if len(means) and bool((means != means[0]).any()):
            interval = percentile_interval(means, how.level)
    return Estimate(value, n, interval)


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
            samples.add(record.cluster, float(right(record)))
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
            samples.add(record.cluster, value)
        elif record.is_candidate:
            samples.left_out[why] += 1
    return samples


def metric_samples(records: Iterable[Record], name: str) -> Samples:
    """A metric over the verdicts that have it."""
    samples = Samples(is_rate=False)
    # Verdicts share their tuples of names, so a name is looked up once for each tuple; most reports have one or two.
    places: dict[int, int | None] = {}
    values, clusters = samples.values, samples.clusters
    for record in records:
        measures = record.measures
        names = measures.names
        if (known := id(names)) not in places:
            places[known] = names.index(name) if name in names else None
        place = places[known]
        value = None if place is None else measures.values[place]
        if value is not None:
            values.append(value)
            clusters.append(record.cluster)
        elif record.is_candidate:
            samples.left_out[why_no_metric(record, name)] += 1
    return samples


def why_no_metric(record: Record, name: str) -> str:
    """Why a record has no value of a metric, in words for people."""
    if record.end is None:
        return "no result yet"
    if record.end in NO_VERDICT:
        return record.fault or record.end.value
    said = record.measures.why_absent(name)
    return said or ("UNGRADABLE" if not record.measures.names else "the verdict does not have it")


@dataclass(frozen=True)
class PuzzleAttempts:
    """A model's attempts at one puzzle, as the outcome says and as the score says."""

    cluster: int
    by_outcome: Attempts
    by_score: Attempts


Ends = tuple[tuple[int, AttemptEnd], ...]


def gather_attempts(records: Iterable[Record]) -> list[PuzzleAttempts]:
    """Groups records by model, task and puzzle, in their order, which is that of the manifest.

    Puzzles whose attempts ended alike share their `Attempts`, for there are few ways to end.
    """
    groups: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        groups.setdefault((record.model, record.cluster), []).append(record)
    known: dict[Ends, Attempts] = {}

    def gathered(group: list[Record], by_score: bool) -> Attempts:
        ends = tuple([(one.item.attempt, one.attempt_end(by_score=by_score)) for one in group])
        if ends not in known:
            known[ends] = Attempts.gather(ends)
        return known[ends]

    return [
        PuzzleAttempts(cluster, gathered(group, False), gathered(group, True)) for (_, cluster), group in groups.items()
    ]


@dataclass(frozen=True)
class PassAtK:
    """One sense of pass@k: ``any``, ``mean`` or ``unbiased`` of k attempts, by the outcome or by a score of 1."""

    kind: str
    k: int
    by_score: bool = False

    def of(self, attempts: Attempts) -> float | Shortfall:
        """Its value for one puzzle, or why there is none."""
        if self.kind == "unbiased":
            return unbiased(attempts, self.k)
        first = first_k(attempts, self.k)
        if isinstance(first, Shortfall):
            return first
        return float(any(first)) if self.kind == "any" else sum(first) / self.k


def attempt_samples(groups: Iterable[PuzzleAttempts], sense: PassAtK) -> Samples:
    """One value a puzzle and model."""
    samples = Samples(is_rate=True)
    # By identity, because equal attempts are one object and comparing them is slow.
    known: dict[int, float | Shortfall] = {}
    for group in groups:
        attempts = group.by_score if sense.by_score else group.by_outcome
        value = known.get(id(attempts))
        if value is None:
            value = known[id(attempts)] = sense.of(attempts)
        if isinstance(value, Shortfall):
            samples.left_out[value.value.replace(" k ", f" {sense.k} ")] += 1
        else:
            samples.add(group.cluster, value)
    return samples
