"""How often people and models succeed, at any time and within a budget of time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.studies.trials import Trial, level_of_record
from grader.metrics.runs.bootstrap import wilson_interval
from grader.report.data.estimates import Estimate, Resampling, Samples, estimate
from grader.report.data.grouping import natural
from grader.report.data.records import Record

_MOST_BUDGETS, _MOST_CUTOFFS = 12, 6


@dataclass(frozen=True, order=True)
class Setting:
    """A task at one level."""

    task: str
    level: str


@dataclass(frozen=True)
class Solver:
    """A group of people, or a model.

    Attributes
    ----------
    name : for tables
    is_person : whether it is a group of people
    """

    name: str
    is_person: bool


@dataclass(frozen=True)
class SuccessRates:
    """What a solver did in one setting.

    Attributes
    ----------
    rate : at any time; of a model, over its candidates
    within : by budget; None of a model whose time is not known
    times : how long right answers took, of people
    """

    rate: Estimate
    within: tuple[Estimate, ...] | None
    times: tuple[float, ...]


Successes = Mapping[Setting, Mapping[Solver, SuccessRates]]
Budgets = Mapping[Setting, tuple[float, ...]]
"""Budgets of time in seconds, rising."""


def budgets_of(trials: Iterable[Trial]) -> tuple[float, ...]:
    """Round budgets of time in equal steps that end at or beyond the longest answer."""
    longest = max((one.time_s for one in trials if one.time_s is not None), default=0.0)
    if longest <= 0.0:
        return (1.0,)
    rough = longest / _MOST_BUDGETS
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(part * scale for part in (1.0, 2.0, 2.5, 5.0, 10.0) if part * scale >= rough * (1 - 1e-9))
    # One more step where an answer took as long as the last budget: in less than it nobody gave that one.
    return tuple(step * at for at in range(1, math.floor(longest / step + 1e-9) + 2))


def cutoffs_of(budgets: Sequence[float]) -> tuple[int, ...]:
    """The places of a few budgets, evenly spread, the last among them."""
    every = math.ceil(len(budgets) / _MOST_CUTOFFS)
    return tuple(range(len(budgets) - 1, -1, -every))[::-1]


def successes(
    trials: Sequence[Trial],
    models: Sequence[Record],
    levels: Sequence[str],
    budgets: Sequence[float],
    seconds: Mapping[str, float],
    how: Resampling,
) -> tuple[dict[Setting, dict[Solver, SuccessRates]], dict[Setting, tuple[float, ...]]]:
    """Works out all rates; settings and solvers in natural order, people first. With the budgets of each setting.

    Parameters
    ----------
    trials : sequence of Trial
        Of people.
    models : sequence of Record
        Candidates of models.
    levels : sequence of str
        Tags that may say the level of a candidate.
    budgets : sequence of float
        Of time, rising; where there are none, round ones up to the longest answer of each setting.
    seconds : mapping
        What a candidate takes, by model.
    how : Resampling
        How intervals are made.
    """
    people: dict[Setting, dict[str, list[Trial]]] = {}
    for trial in trials:
        people.setdefault(Setting(trial.task, trial.level), {}).setdefault(trial.group, []).append(trial)
    asked: dict[Setting, dict[str, list[Record]]] = {}
    for record in models:
        if record.is_candidate:
            setting = Setting(record.item.task, level_of_record(record, levels))
            asked.setdefault(setting, {}).setdefault(record.model, []).append(record)
    found: dict[Setting, dict[Solver, SuccessRates]] = {}
    within: dict[Setting, tuple[float, ...]] = {}
    for setting in sorted({*people, *asked}, key=lambda one: (natural(one.task), natural(one.level))):
        groups, candidates = people.get(setting, {}), asked.get(setting, {})
        own = within[setting] = tuple(budgets) or budgets_of(one for some in groups.values() for one in some)
        found[setting] = {
            **{Solver(name, True): _of_people(groups[name], own, how) for name in sorted(groups, key=natural)},
            **{
                Solver(name, False): _of_model(candidates[name], own, seconds.get(name), how)
                for name in sorted(candidates, key=natural)
            },
        }
    return found, within


def people_rates(trials: Sequence[Trial], budgets: Sequence[float | None], how: Resampling) -> list[Estimate]:
    """Success within each budget, None for any time: the share of trials that are answered right in less.

    Intervals draw whole people; where there is one person, whole puzzles. Where each of them has one trial, they are
    Wilson's, for a bootstrap of a few says little.
    """
    several = len({one.person for one in trials}) > 1
    names = {name: at for at, name in enumerate(dict.fromkeys(_cluster(one, several) for one in trials))}
    samples = []
    for budget in budgets:
        one = Samples(is_rate=True)
        for trial in trials:
            one.add(names[_cluster(trial, several)], float(trial.right_within(budget)))
        samples.append(one)
    return estimates(samples, how)


def estimates(samples: Sequence[Samples], how: Resampling) -> list[Estimate]:
    """Rates with their intervals: Wilson's where each person or puzzle has one value, else by a bootstrap of these."""
    found = []
    for one, made in zip(samples, estimate(samples, how), strict=True):
        n = len(one.values)
        if how.resamples and n and len(set(one.clusters)) == n:
            made = replace(made, interval=wilson_interval(round(sum(one.values)), n, how.level))
        found.append(made)
    return found


def _cluster(trial: Trial, by_person: bool) -> str:
    return trial.person if by_person else trial.puzzle


def _of_people(trials: Sequence[Trial], budgets: Sequence[float], how: Resampling) -> SuccessRates:
    rate, *within = people_rates(trials, [None, *budgets], how)
    times = tuple(one.time_s for one in trials if one.right and one.time_s is not None)
    return SuccessRates(rate, tuple(within), times)


def _of_model(
    records: Sequence[Record], budgets: Sequence[float], seconds: float | None, how: Resampling
) -> SuccessRates:
    every = Samples(is_rate=True)
    attempts: dict[int, list[tuple[int, bool]]] = {}
    for record in records:
        every.add(record.cluster, float(record.passed))
        attempts.setdefault(record.cluster, []).append((record.item.attempt, record.passed))
    rate = estimates([every], how)[0]
    if seconds is None:
        return SuccessRates(rate, None, ())
    ordered = {
        cluster: [passed for _, passed in sorted(one, key=lambda two: two[0])] for cluster, one in attempts.items()
    }
    return SuccessRates(rate, tuple(_within(ordered, budget, seconds, how) for budget in budgets), ())


def _within(attempts: Mapping[int, Sequence[bool]], budget: float, seconds: float, how: Resampling) -> Estimate:
    """The share of puzzles of which a candidate passes that is made within a budget; each takes as long."""
    # A budget is a multiple of a candidate's time but for rounding.
    count = math.floor(budget / seconds + 1e-9)
    fewest = min(len(one) for one in attempts.values())
    if count > fewest:
        # Puzzles with fewer attempts can't just be left out: those would be the ones that passed early.
        return Estimate(None, len(attempts), why=f"{count} candidates fit, and there are {fewest} of a puzzle")
    samples = Samples(is_rate=True)
    for cluster, passed in attempts.items():
        samples.add(cluster, float(any(passed[:count])))
    return estimates([samples], how)[0]


def median(times: Sequence[float]) -> float | None:
    """The middle of some times; None of none."""
    return float(np.median(np.array(times))) if times else None
