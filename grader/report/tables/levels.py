"""The table of plans: accuracy by level beside missing answers and the level of chance."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.metrics.runs.aggregates import ItemEnd
from grader.metrics.runs.bootstrap import wilson_interval
from grader.report.data.chances import Chances, sweeps_of, walks_of
from grader.report.data.estimates import Estimate, Resampling, estimate, pass_samples
from grader.report.data.grouping import Dimensions, Records, has, rows_by
from grader.report.data.records import Results
from grader.report.tables.table import Better, Cell, Column, Table, Unit, key_columns
from grader.tasks.common.chance import Sweeps, Walk

_LEVELS = ("level", "kind")
"""Tags that divide the puzzles of a task; the first that an item has."""
_STRATEGY = "strategy"
_NO_ANSWER = (
    "ANSWER_MISSING",
    "ANSWER_CUT_OFF",
    "ANSWER_EMPTY",
    "ANSWER_REFUSED",
    "ANSWER_UNREADABLE",
    "ANSWER_AMBIGUOUS",
)


def level_table(results: Results, task: str, records: Records, chances: Chances, how: Resampling) -> Table:
    """Accuracy for each level and model, and each strategy where there are several.

    Parameters
    ----------
    results, task, records : Results, str, list of Record
        The runs, and the task with its items.
    chances : Chances
        Of the puzzles.
    how : Resampling
        How intervals are made.
    """
    level_tag = next((name for name in _LEVELS if has(records, name)), _LEVELS[0])
    several = len({record.tag(_STRATEGY) for record in records}) > 1
    dimensions = Dimensions((level_tag, "model", *((_STRATEGY,) if several else ())))
    walks = walks_of(task)
    by_level = rows_by(results, records, Dimensions((level_tag,)))
    expected = {level: [_chance(part, walk, chances) for walk in walks] for (level,), part in by_level.items()}
    sweeps = sweeps_of(task)
    best = {} if sweeps is None else {level: _best_sweep(part, chances) for (level,), part in by_level.items()}
    # Reasons that were never given are left out, or the table would be too wide.
    given = [code for code in _NO_ANSWER if any(record.codes[:1] == (code,) for record in records)]
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, records, dimensions).items():
        candidates = [record for record in part if record.is_candidate]
        gravest = Counter(record.codes[0] for record in candidates if record.codes)
        rows.append(
            (
                *key,
                len(candidates),
                sum(record.passed for record in candidates),
                _accuracy(part, how),
                sum(gravest[code] for code in _NO_ANSWER),
                *(gravest[code] for code in given),
                sum(record.end is ItemEnd.UNGRADABLE for record in candidates),
                *expected[key[0]],
                *([best[key[0]][0]] if best else []),
            )
        )
    columns = (
        *key_columns(dimensions.names),
        Column("n", "n", Unit.COUNT),
        Column("passed", "PASS", Unit.COUNT, Better.UP),
        Column("accuracy", "accuracy", Unit.PERCENT, Better.UP, "n"),
        Column("no_answer", "no answer", Unit.COUNT, Better.DOWN),
        *(Column(code.lower(), code.removeprefix("ANSWER_").lower(), Unit.COUNT, Better.DOWN) for code in given),
        Column("ungradable", "UNGRADABLE", Unit.COUNT, Better.DOWN),
        *(Column(f"chance_{walk.key}", walk.title, Unit.PERCENT) for walk in walks),
        *([Column(sweeps.walk.key, sweeps.walk.title, Unit.PERCENT)] if sweeps is not None else []),
    )
    return Table(
        f"{task}_accuracy_by_{level_tag}",
        f"{task}: accuracy by {level_tag}",
        columns,
        tuple(rows),
        (*_notes(records, walks, chances), *(_sweep_notes(sweeps, best) if sweeps is not None else ())),
        brief=True,
        task=task,
    )


def _accuracy(records: Records, how: Resampling) -> Estimate:
    """The pass rate, with Wilson's interval where each puzzle has one candidate; otherwise they are no free trials."""
    samples = pass_samples(records)
    (found,) = estimate([samples], how)
    if found.value is None or not how.resamples or len(set(samples.clusters)) < len(samples.clusters):
        return found
    return replace(found, interval=wilson_interval(round(sum(samples.values)), found.n, how.level))


def _chance(records: Records, walk: Walk, chances: Chances) -> Estimate:
    """The mean over the puzzles of a level, each once, whichever models tried them."""
    found: dict[int, float] = {}
    for record in records:
        for level in chances.of(record.cluster):
            if level.walk is walk:
                found[record.cluster] = level.probability
    if not found:
        return Estimate(None, 0, why="the puzzles can't be read from the manifest")
    return Estimate(math.fsum(found[cluster] for cluster in sorted(found)) / len(found), len(found))


def _best_sweep(records: Records, chances: Chances) -> tuple[Estimate, int | None]:
    """The share of a level's puzzles, each once, that the best sweep solves, and the number of that sweep."""
    found = {record.cluster: chances.swept[record.cluster] for record in records if chances.swept.get(record.cluster)}
    if not found:
        return Estimate(None, 0, why="the puzzles can't be read from the manifest"), None
    counts = [sum(solved) for solved in zip(*found.values(), strict=True)]
    best = max(range(len(counts)), key=lambda place: (counts[place], -place))
    return Estimate(counts[best] / len(found), len(found)), best


def _sweep_notes(sweeps: Sweeps[Any], best: Mapping[str, tuple[Estimate, int | None]]) -> list[str]:
    named = [f"{level}: {sweeps.names[place]}" for level, (_, place) in best.items() if place is not None]
    said = f" The best by level: {'; '.join(named)}." if named else ""
    return [f"{sweeps.walk.title}: {sweeps.walk.meaning}{said}"]


def _notes(records: Records, walks: Sequence[Walk], chances: Chances) -> list[str]:
    notes = [
        "n: all candidates. No answer: it is missing, empty, refused or unreadable. It counts as wrong, and so does "
        "UNGRADABLE.",
        "Intervals are Wilson's where each puzzle has one candidate; otherwise puzzles are resampled.",
        *(f"{walk.title}: {walk.meaning}" for walk in walks),
        "A walk succeeds once it has been at the goal; chance is the mean over the level's puzzles, each once.",
    ]
    sampled: defaultdict[Walk, set[int]] = defaultdict(set)
    for record in records:
        for level in chances.of(record.cluster):
            if not level.exact:
                sampled[level.walk].add(record.cluster)
    notes += [f"{walk.title}: estimated from random walks for {len(found)} puzzles." for walk, found in sampled.items()]
    return notes
