"""The tables of spatial edits: IC, SA, EL and AC as GSI-Bench has them, by dataset, model and operation.

Edits that were measured and not judged, because the gate could not be looked at, have a table of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.metrics.runs.aggregates import ItemEnd
from grader.metrics.space.edit_tables import EditKind
from grader.report.data.estimates import Resampling
from grader.report.data.grouping import Dimensions, Records, has, rows_by
from grader.report.data.labels import NO_LABELS, Labels
from grader.report.data.records import Record, Results
from grader.report.tables.edit_people import agreement_tables, class_table
from grader.report.tables.edit_scores import EditMeans, edit_means, operation_of, sa_by_operation
from grader.report.tables.table import Better, Cell, Column, Table, Unit, key_columns

EDITS = "spatial_edit"
"""The task whose verdicts these tables are of."""

_DATASET = "dataset"
_SCALE = "IC, SA, SA x IC, EL, AC and their average are 0 to 100."
_INTERVALS = "Intervals keep all edits of a picture together."
_ALL = "(all)"


def edit_tables(
    results: Results, task: str, records: Records, how: Resampling, labels: Labels = NO_LABELS
) -> list[Table]:
    """The tables of a task's edits; none where the task is another.

    Parameters
    ----------
    results, task, records : Results, str, list of Record
        The runs, and the task with its items.
    how : Resampling
        How intervals are made.
    labels : Labels, optional
        What people said.

    Returns
    -------
    list of Table
        Scores, SA by operation and classes of what was judged, if anything was; agreement with people, where there are
        labels; then scores of boxes alone of what was measured only, if anything was.
    """
    if task != EDITS:
        return []
    judged = [record for record in records if record.is_candidate]
    measured = [record for record in records if record.end is ItemEnd.MEASURED]
    made = []
    if judged:
        made += [_scores(results, judged, how), _by_operation(results, judged, how)]
        made.append(class_table(results, EDITS, judged, _dimensions(judged)))
    made += agreement_tables(results, EDITS, records, _dimensions(records), labels, how)
    if measured:
        made.append(_measured(results, measured, how))
    return made


def _dimensions(records: Sequence[Record]) -> Dimensions:
    return Dimensions((*((_DATASET,) if has(records, _DATASET) else ()), "model"))


def _scores(results: Results, judged: Records, how: Resampling) -> Table:
    dimensions = _dimensions(judged)
    rows = tuple(
        (*key, len(part), _ungradable(part), *_means(edit_means(part, how)))
        for key, part in rows_by(results, judged, dimensions).items()
    )
    columns = (
        *key_columns(dimensions.names),
        Column("candidates", "candidates", Unit.COUNT),
        Column("ungradable", "UNGRADABLE", Unit.COUNT),
        *_mean_columns("candidates"),
    )
    notes = (
        f"{_SCALE} Means are over the candidates that have the figure; views have no EL, and AC needs a rating. "
        "Avg is (IC + SA + EL + AC) / 4 of these means, with the n of the one that is over fewest.",
        "SA x IC: no edit at all can earn SA, but no IC.",
        _INTERVALS,
    )
    return Table(f"{EDITS}_scores", f"{EDITS}: scores", columns, rows, notes, brief=True, task=EDITS)


def _mean_columns(over: str) -> tuple[Column, ...]:
    names = (("ic", "IC"), ("sa", "SA"), ("sa_ic", "SA x IC"), ("el", "EL"), ("ac", "AC"), ("avg", "Avg"))
    return tuple(Column(key, title, Unit.NUMBER, Better.UP, over) for key, title in names)


def _means(means: EditMeans) -> list[Cell]:
    return [means.ic, means.sa, means.sa_ic, means.el, means.ac, means.average]


def _ungradable(records: Records) -> int:
    return sum(record.end is ItemEnd.UNGRADABLE for record in records)


def _by_operation(results: Results, judged: Records, how: Resampling) -> Table:
    dimensions = _dimensions(judged)
    there = {operation_of(record) for record in judged}
    operations = [operation for operation in EditKind if operation in there]
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, judged, dimensions).items():
        found, every = sa_by_operation(part, operations, how)
        rows.append((*key, *found, every))
    columns = (
        *key_columns(dimensions.names),
        *(Column(one.value, one.value, Unit.NUMBER, Better.UP, "n") for one in operations),
        Column("all", "all", Unit.NUMBER, Better.UP, "n"),
    )
    notes = ("SA, 0 to 100, by what was asked for, with the number of edits. Placements are moves.", _INTERVALS)
    return Table(
        f"{EDITS}_sa_by_operation", f"{EDITS}: SA by operation", columns, tuple(rows), notes, brief=True, task=EDITS
    )


def _measured(results: Results, measured: Records, how: Resampling) -> Table:
    dimensions = _dimensions(measured)
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, measured, dimensions).items():
        by_operation = [(one.value, [record for record in part if operation_of(record) is one]) for one in EditKind]
        for name, some in ((_ALL, part), *by_operation):
            if some:
                means = edit_means(some, how, ungated=True)
                rows.append((*key, name, means.samples, means.ic, means.sa, means.sa_ic))
    columns = (
        *key_columns(dimensions.names),
        Column("operation", "operation"),
        Column("measured", "MEASURED", Unit.COUNT),
        Column("ic_ungated", "IC (boxes alone)", Unit.NUMBER, Better.UP, "measured"),
        Column("sa_ungated", "SA (boxes alone)", Unit.NUMBER, Better.UP, "measured"),
        Column("sa_ic_ungated", "SA x IC (boxes alone)", Unit.NUMBER, Better.UP, "measured"),
    )
    notes = (
        "These edits lack a picture, so the gate could not be looked at. They have no score, have neither passed nor "
        "failed, and are in no other table of scores.",
        "Figures are 0 to 100.",
        _INTERVALS,
    )
    return Table(
        f"{EDITS}_measured", f"{EDITS}: measured, not judged", columns, tuple(rows), notes, brief=True, task=EDITS
    )
