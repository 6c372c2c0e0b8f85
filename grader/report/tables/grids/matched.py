"""Mazes that differ in one thing, beside each other: text or picture, traps, a border. McNemar's exact test tells."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from grader.metrics.runs.bootstrap import Interval
from grader.metrics.runs.paired import difference_intervals, mcnemar_exact
from grader.model.tags import CONDITION_TAG
from grader.report.data.apart import bare_model
from grader.report.data.estimates import Estimate, Resampling
from grader.report.data.grouping import Records, natural
from grader.report.data.pairs import first_attempts
from grader.report.tables.table import Better, Cell, Column, Table, Unit, key_columns

_PAIR = "pair"
_THINGS = ("traps", "border")
"""Tags in which two mazes of a pair differ."""


@dataclass(frozen=True)
class MatchedMazes:
    """One comparison: which, and by pair whether each of its two sides was solved at the first attempt."""

    thing: str
    first: str
    second: str
    ends: tuple[tuple[bool, bool], ...]


def sat(records: Records) -> dict[tuple[str, str], Records]:
    """Records of each model and condition, in natural order; the condition is empty where it is not said."""
    rows: dict[tuple[str, str], Records] = defaultdict(list)
    for record in records:
        rows[bare_model(record), record.tag(CONDITION_TAG) or ""].append(record)
    return dict(sorted(rows.items(), key=lambda row: tuple(natural(part) for part in row[0])))


def sitting_columns() -> tuple[Column, ...]:
    """The columns that say which model and condition a row is about."""
    return key_columns(("model", CONDITION_TAG))


def matched_table(task: str, records: Records, how: Resampling) -> Table | None:
    """The table of matched pairs, for each model and condition; None where there are none."""
    rows: list[tuple[Cell, ...]] = []
    by_model: dict[str, dict[str, Records]] = defaultdict(dict)
    for (model, condition), some in sat(records).items():
        by_model[model][condition] = some
    for model, within in by_model.items():
        for condition, some in within.items():
            rows += [(model, condition, *_cells(one, how)) for one in _mazes(some)]
        rows += [(model, "(both)", *_cells(one, how)) for one in _shown(within)]
    if not rows:
        return None
    columns = (
        *sitting_columns(),
        Column("thing", "what differs"),
        Column("pairs", "pairs", Unit.COUNT),
        Column("first", "first solved", Unit.PERCENT, Better.UP),
        Column("second", "second solved", Unit.PERCENT, Better.UP),
        Column("difference", "second - first", Unit.PERCENT),
        Column("only_first", "only first", Unit.COUNT),
        Column("only_second", "only second", Unit.COUNT),
        Column("both", "both", Unit.COUNT),
        Column("neither", "neither", Unit.COUNT),
        Column("p", "p", Unit.NUMBER),
    )
    notes = (
        "Pairs are mazes of one group and seed that differ in traps or border, and the same maze shown in two ways; by "
        "whose first attempt solved it. Mazes that have no partner in a run are left out.",
        "p is McNemar's exact test on the pairs that only one side solved; intervals draw whole pairs.",
    )
    return Table(f"{task}_matched", f"{task}: matched pairs", columns, tuple(rows), notes, brief=True, task=task)


def _mazes(records: Records) -> Iterator[MatchedMazes]:
    """Pairs of mazes that differ in one thing."""
    solved = first_attempts(records)
    for thing in _THINGS:
        sides: dict[str, dict[str, bool]] = defaultdict(dict)
        for record in records:
            pair, value = record.tag(_PAIR), record.tag(thing)
            if pair is not None and value is not None and record.cluster in solved:
                sides[pair].setdefault(value, solved[record.cluster])
        yield from _matched(thing, sides)


def _shown(by_condition: Mapping[str, Records]) -> Iterator[MatchedMazes]:
    """The same mazes under two conditions."""
    sides: dict[str, dict[str, bool]] = defaultdict(dict)
    for condition, records in by_condition.items():
        for cluster, solved in first_attempts(records).items():
            sides[str(cluster)][condition] = solved
    yield from _matched(CONDITION_TAG, sides)


def _order(value: str) -> tuple[bool, object]:
    """What lacks a thing comes first."""
    return value != "without", natural(value)


def _matched(thing: str, sides: Mapping[str, Mapping[str, bool]]) -> Iterator[MatchedMazes]:
    """Comparisons of each two values that occur together, from pairs with what each value came to."""
    found: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for pair in sorted(sides, key=natural):
        values = sorted(sides[pair], key=_order)
        for place, first in enumerate(values):
            for second in values[place + 1 :]:
                found[first, second].append((sides[pair][first], sides[pair][second]))
    for (first, second), ends in sorted(found.items()):
        yield MatchedMazes(thing, first, second, tuple(ends))


def _cells(one: MatchedMazes, how: Resampling) -> tuple[Cell, ...]:
    n = len(one.ends)
    firsts, seconds = ([ends[side] for ends in one.ends] for side in (0, 1))
    apart = np.array([[float(second) - float(first)] for first, second in one.ends])
    interval: Interval | None = None
    if how.resamples:
        there = np.ones_like(apart, dtype=np.bool_)
        (interval,) = difference_intervals(apart, there, resamples=how.resamples, seed=how.seed, level=how.level)
    counts = [one.ends.count(ends) for ends in ((True, False), (False, True), (True, True), (False, False))]
    return (
        f"{one.thing}: {one.first} / {one.second}",
        n,
        Estimate(sum(firsts) / n, n),
        Estimate(sum(seconds) / n, n),
        Estimate(math.fsum(apart[:, 0]) / n, n, interval),
        *counts,
        Estimate(mcnemar_exact(counts[0], counts[1]), counts[0] + counts[1]),
    )
