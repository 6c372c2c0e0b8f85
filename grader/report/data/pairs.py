"""Models beside one another: who is ahead, by how much at the same puzzles, and which ranks can be told apart."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.metrics.runs.aggregates import ItemEnd
from grader.metrics.runs.paired import difference_intervals, holm, mcnemar_exact
from grader.metrics.runs.passk import first_k
from grader.report.data.estimates import Estimate, Resampling, estimate, gather_attempts, number_samples, pass_samples
from grader.report.data.records import Record

MOST_MODELS = 40
"""Pairs grow with the square of models; of more, only the first ones by rank are compared."""


@dataclass(frozen=True)
class Pair:
    """Two models at the puzzles that both tried.

    Attributes
    ----------
    first, second : names
    puzzles : that both have candidates of
    first_rate, second_rate : their pass rates there, each puzzle weighing the same
    difference : the first's minus the second's
    only_first, only_second, both, neither : puzzles by whose first attempt passed, where both have one
    chance : of the exact McNemar test on these counts
    adjusted : the same after Holm, for all pairs of the task
    """

    first: str
    second: str
    puzzles: int
    first_rate: Estimate
    second_rate: Estimate
    difference: Estimate
    only_first: int
    only_second: int
    both: int
    neither: int
    chance: float
    adjusted: float

    def ahead(self, level: float) -> str:
        """The model that is ahead for certain; empty where they can't be told apart."""
        value, interval = self.difference.value, self.difference.interval
        if value is None:
            return ""
        told = self.chance < 1.0 - level if interval is None else interval.low > 0.0 or interval.high < 0.0
        return (self.first if value > 0 else self.second) if told and value else ""


@dataclass(frozen=True)
class Rank:
    """A model's place.

    Attributes
    ----------
    model : its name
    low, high : the best and the worst rank that pairs leave open
    rate, reward : over its candidates
    passed, candidates, puzzles, ungradable, missing : counts; missing answers are among the candidates, and never among
        those that are ungradable
    """

    model: str
    low: int
    high: int
    rate: Estimate
    reward: Estimate
    passed: int
    candidates: int
    puzzles: int
    ungradable: int
    missing: int


def by_model(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Candidates of each model; the model with the highest pass rate first, then by name."""
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.is_candidate:
            found[record.model].append(record)

    def order(item: tuple[str, list[Record]]) -> tuple[float, str]:
        return -sum(record.passed for record in item[1]) / len(item[1]), item[0]

    return dict(sorted(found.items(), key=order))


def compare(models: Mapping[str, Sequence[Record]], how: Resampling) -> list[Pair]:
    """Compares each two models at the puzzles that both tried; all differences come from the same resamples."""
    names = list(models)[:MOST_MODELS]
    clusters = sorted({record.cluster for name in names for record in models[name]})
    places = {cluster: place for place, cluster in enumerate(clusters)}
    sums, tried = np.zeros((2, len(clusters), len(names)))
    firsts: list[dict[int, bool]] = []
    for column, name in enumerate(names):
        for record in models[name]:
            sums[places[record.cluster], column] += record.passed
            tried[places[record.cluster], column] += 1
        firsts.append(first_attempts(models[name]))
    rates = sums / np.maximum(tried, 1)
    pairs = list(itertools.combinations(range(len(names)), 2))
    if not pairs:
        return []
    there = np.stack([(tried[:, a] > 0) & (tried[:, b] > 0) for a, b in pairs], axis=1)
    differences = np.stack([rates[:, a] - rates[:, b] for a, b in pairs], axis=1)
    intervals = (
        difference_intervals(differences, there, resamples=how.resamples, seed=how.seed, level=how.level)
        if how.resamples
        else [None] * len(pairs)
    )
    counts = [_wins(firsts[a], firsts[b]) for a, b in pairs]
    chances = [mcnemar_exact(only_first, only_second) for only_first, only_second, _, _ in counts]
    made = []
    for at, ((a, b), count, adjusted) in enumerate(zip(pairs, counts, holm(chances), strict=True)):
        n = int(there[:, at].sum())
        chosen = there[:, at]
        first, second = (
            Estimate(math.fsum(rates[chosen, one]) / n if n else None, n, why="no puzzle in common") for one in (a, b)
        )
        apart = Estimate(math.fsum(differences[chosen, at]) / n if n else None, n, intervals[at], "no puzzle in common")
        made.append(Pair(names[a], names[b], n, first, second, apart, *count, chances[at], adjusted))
    return made


def first_attempts(records: Sequence[Record]) -> dict[int, bool]:
    """Whether the first attempt at a puzzle passed, by the puzzle's number; where that is known."""
    found = {}
    for group in gather_attempts(records):
        end = first_k(group.by_outcome, 1)
        if isinstance(end, tuple):
            found[group.cluster] = end[0]
    return found


def _wins(first: Mapping[int, bool], second: Mapping[int, bool]) -> tuple[int, int, int, int]:
    both = [(passed, second[cluster]) for cluster, passed in first.items() if cluster in second]
    return (both.count((True, False)), both.count((False, True)), both.count((True, True)), both.count((False, False)))


def rank(models: Mapping[str, Sequence[Record]], pairs: Sequence[Pair], how: Resampling) -> list[Rank]:
    """Ranks models, in their order. A rank is a range: models that pairs don't tell apart may change places."""
    ahead: defaultdict[str, int] = defaultdict(int)
    behind: defaultdict[str, int] = defaultdict(int)
    for pair in pairs:
        if winner := pair.ahead(how.level):
            ahead[winner] += 1
            behind[pair.second if winner == pair.first else pair.first] += 1
    made = []
    for name, records in models.items():
        rate, reward = estimate(
            [pass_samples(records), number_samples(records, lambda record: record.reward, "no reward")], how
        )
        made.append(
            Rank(
                model=name,
                low=1 + behind[name],
                high=len(models) - ahead[name],
                rate=rate,
                reward=reward,
                passed=sum(record.passed for record in records),
                candidates=len(records),
                puzzles=len({record.cluster for record in records}),
                ungradable=sum(record.end is ItemEnd.UNGRADABLE and not record.missing for record in records),
                missing=sum(record.missing for record in records),
            )
        )
    return made
