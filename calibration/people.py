"""How far people agree, with each other and with themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from calibration.labels import PeopleLabels, PersonLabel, Question
from calibration.statistics.raters import (
    Distance,
    best_agreement,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
    weighted_kappa,
)
from calibration.statistics.undefined import Floats, Indices, OfTable, Undefined, estimate_rows
from grader.metrics.runs.agreement import cohens_kappa
from grader.report.data.estimates import Estimate, Resampling
from grader.report.tables.table import Better, Cell, Column, Part, Table, Unit

_MOST_PEOPLE = 10
"""Each two of more of them would take long to resample."""

NO_NAME = "(not said)"
_NO_PAIRS = Undefined("no candidate has both labels")


def square(pairs: Floats, size: int) -> Floats:
    """Counts of (first class, second class)."""
    table = np.zeros((size, size))
    np.add.at(table, (pairs[:, 0].astype(np.intp), pairs[:, 1].astype(np.intp)), 1.0)
    return table


def pairs_kappa(pairs: Floats, size: int) -> float | Undefined:
    """Cohen's kappa, with why there is none."""
    if not len(pairs):
        return _NO_PAIRS
    found = cohens_kappa(square(pairs, size))
    return Undefined("all labels are in one and the same class") if found is None else found


def share_equal(pairs: Floats) -> float | Undefined:
    """The share of pairs whose classes are equal."""
    return float((pairs[:, 0] == pairs[:, 1]).mean()) if len(pairs) else _NO_PAIRS


def _weighted(pairs: Floats, size: int, power: int) -> float | Undefined:
    return weighted_kappa(square(pairs, size), power) if len(pairs) else _NO_PAIRS


def _ac1(pairs: Floats, size: int) -> float | Undefined:
    classes = pairs.astype(np.intp)
    return gwet_ac1(np.eye(size)[classes[:, 0]] + np.eye(size)[classes[:, 1]])


def _mean(values: Floats) -> float:
    return float(values.mean())


def people_tables(people: PeopleLabels, clusters: dict[str, int], how: Resampling) -> list[Table]:
    """All that labels alone say.

    Parameters
    ----------
    people : PeopleLabels
        Labels of candidates of the run.
    clusters : dict
        The puzzle of each of these candidates.
    how : Resampling
        How intervals are made.
    """
    told = [one for one in people.first if one.request_id in clusters]
    tables = [_together(people, told, clusters, how), _raters(people, told, clusters, how)]
    if len({one.rater for one in told}) > 1:
        tables.append(_pairs(people.question, told, clusters, how))
    return tables


def class_counts(told: Sequence[PersonLabel], question: Question) -> Floats:
    """How many labels of each class a candidate has: a row a candidate, in the order in which they are named."""
    row = {name: at for at, name in enumerate(dict.fromkeys(one.request_id for one in told))}
    counts = np.zeros((len(row), len(question.classes)))
    for one in told:
        if one.level is not None:
            counts[row[one.request_id], one.level] += 1
    return counts


def _together(people: PeopleLabels, told: Sequence[PersonLabel], clusters: dict[str, int], how: Resampling) -> Table:
    ids = list(dict.fromkeys(one.request_id for one in told))
    size = len(people.question.classes)
    counts = class_counts(told, people.question)
    puzzles = np.array([clusters[name] for name in ids], np.intp)
    values = np.arange(size, dtype=np.float64)

    def of(statistic: OfTable) -> Estimate:
        return estimate_rows(statistic, counts, puzzles, how)

    distances = [Distance.NOMINAL] if people.question is Question.RIGHT else list(Distance)
    alphas: list[tuple[Column, Cell]] = [
        (
            Column(f"alpha_{one.value}", f"alpha, {one.value}", Unit.NUMBER, Better.UP),
            of(partial(krippendorff_alpha, values=values, distance=one)),
        )
        for one in distances
    ]
    cells: list[tuple[Column, Cell]] = [
        (Column("raters", "people", Unit.COUNT), len({one.rater for one in told})),
        (Column("candidates", "candidates", Unit.COUNT), len(ids)),
        (Column("several", "with several labels", Unit.COUNT), int((counts.sum(axis=1) > 1).sum())),
        (Column("unsure", "can't tell", Unit.COUNT), Part(sum(one.level is None for one in told), len(told))),
        (Column("percent", "equal pairs", Unit.PERCENT, Better.UP), of(percent_agreement)),
        *alphas,
        (Column("ac1", "AC1", Unit.NUMBER, Better.UP), of(gwet_ac1)),
        (Column("best", "best a grader can reach", Unit.PERCENT), of(best_agreement)),
    ]
    columns, row_cells = zip(*cells, strict=True)
    notes = ('A label "can\'t tell" counts in no other column. Pairs are of labels of one candidate.',)
    return Table("people", "People among themselves", columns, (row_cells,), notes, brief=True)


def _raters(people: PeopleLabels, told: Sequence[PersonLabel], clusters: dict[str, int], how: Resampling) -> Table:
    """Who said what how often, and whether they said the same when asked again."""
    first = {(one.request_id, one.rater): one for one in told}
    columns = (
        Column("rater", "person"),
        Column("labels", "labels", Unit.COUNT),
        Column("unsure", "can't tell", Unit.COUNT),
        *(Column(name, name.replace("_", " "), Unit.COUNT) for name in people.question.classes),
        Column("again", "asked again", Unit.COUNT),
        Column("consistency", "said the same", Unit.PERCENT, Better.UP, over="again"),
    )
    names = sorted({one.rater for one in told})
    rows: list[tuple[Cell, ...]] = []
    everybody: tuple[str | None, ...] = (None,)
    for name in (*names, *everybody) if len(names) > 1 else names:
        own = [one for one in told if name is None or one.rater == name]
        given = [one.level for one in own if one.level is not None]
        # "Can't tell" and then a class is not the same.
        again = [
            (one, float(one.level == first[one.request_id, one.rater].level))
            for one in people.again
            if (name is None or one.rater == name) and one.request_id in clusters
        ]
        puzzles = np.array([clusters[one.request_id] for one, _ in again], np.intp)
        consistency = estimate_rows(_mean, np.array([value for _, value in again]), puzzles, how)
        if not again:
            consistency = Estimate(None, 0, why="nobody was asked about one candidate twice")
        rows.append(
            (
                "(all)" if name is None else name or NO_NAME,
                len(own),
                Part(len(own) - len(given), len(own)),
                *(Part(given.count(level), len(given)) for level in range(len(people.question.classes))),
                len(again),
                consistency,
            )
        )
    return Table("people_each", "Each person", columns, tuple(rows), brief=True)


def _pairs(question: Question, told: Iterable[PersonLabel], clusters: dict[str, int], how: Resampling) -> Table:
    by_rater: dict[str, dict[str, int]] = {}
    for label in told:
        if label.level is not None:
            by_rater.setdefault(label.rater, {})[label.request_id] = label.level
    size = len(question.classes)
    levels = question is Question.LEVELS
    weighted = (Column("kappa_linear", "kappa, linear", Unit.NUMBER, Better.UP),
                Column("kappa_quadratic", "kappa, quadratic", Unit.NUMBER, Better.UP))  # fmt: skip
    columns = (
        Column("one", "person"),
        Column("other", "other"),
        Column("n", "candidates of both", Unit.COUNT),
        Column("percent", "equal", Unit.PERCENT, Better.UP, over="n"),
        Column("kappa", "Cohen's kappa", Unit.NUMBER, Better.UP, over="n"),
        *(weighted if levels else ()),
        Column("ac1", "AC1", Unit.NUMBER, Better.UP, over="n"),
    )
    statistics: list[OfTable] = [share_equal, partial(pairs_kappa, size=size)]
    if levels:
        statistics += [partial(_weighted, size=size, power=power) for power in (1, 2)]
    statistics.append(partial(_ac1, size=size))
    many = len(by_rater) > _MOST_PEOPLE
    how = Resampling(0, how.seed, how.level) if many else how
    notes = (f"Of more than {_MOST_PEOPLE} people no intervals are made here.",) if many else ()
    rows: list[tuple[Cell, ...]] = []
    for one, other in combinations(sorted(by_rater), 2):
        both = [name for name in by_rater[one] if name in by_rater[other]]
        pairs = np.array([(by_rater[one][name], by_rater[other][name]) for name in both], np.float64).reshape(-1, 2)
        puzzles: Indices = np.array([clusters[name] for name in both], np.intp)
        found = [estimate_rows(statistic, pairs, puzzles, how) for statistic in statistics]
        rows.append((one or NO_NAME, other or NO_NAME, len(both), *found))
    return Table("people_pairs", "Each two people", columns, tuple(rows), notes)
