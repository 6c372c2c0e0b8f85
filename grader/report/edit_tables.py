"""The tables of spatial edits: IC, SA, EL and AC as GSI-Bench has them, by dataset, model and operation.

Means are those of `grader.metrics.spatial_edit_tables.edit_table`. Edits that were measured and not judged, because the
gate could not be looked at, have a table of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.metrics.aggregates import ItemEnd
from grader.metrics.spatial_edit_tables import (
    Figure,
    HumanClass,
    Mean,
    Missing,
    Operation,
    TableRow,
    TableScores,
    edit_table,
    human_class,
)
from grader.report.estimates import Estimate
from grader.report.grouping import Dimensions, Records, has, rows_by
from grader.report.records import Record, Results
from grader.report.tables import Better, Cell, Column, Part, Table, Unit, key_columns

EDITS = "spatial_edit"
"""The task whose verdicts these tables are of."""

_DATASET = "dataset"
_CLASSES = (
    (HumanClass.COMPLETELY, "completely", "completely"),
    (HumanClass.PARTIALLY, "partially", "partially"),
    (HumanClass.NOT_AT_ALL, "not_at_all", "not at all"),
)
_SCALE = "IC, SA, SA x IC, EL, AC and their average are 0 to 100."
_ALL = "(all)"


def edit_tables(results: Results, task: str, records: Records) -> list[Table]:
    """The tables of a task's edits; none where the task is another.

    Parameters
    ----------
    results, task, records : Results, str, list of Record
        The runs, and the task with its items.

    Returns
    -------
    list of Table
        Scores, SA by operation and classes of SA of what was judged, if anything was; then scores of boxes alone of
        what was measured only, if anything was.
    """
    if task != EDITS:
        return []
    judged = [record for record in records if record.is_candidate]
    measured = [record for record in records if record.end is ItemEnd.MEASURED]
    made = []
    if judged:
        made += [_scores(results, judged), _by_operation(results, judged), _classes(results, judged)]
    if measured:
        made.append(_measured(results, measured))
    return made


def operation_of(record: Record) -> Operation | None:
    """What kind of edit a verdict is about, by the figures that it has; None where it has none, as of UNGRADABLE.

    Moves alone have counts, turns the angle that is asked for, and removals what is gone. Of the others, a view has a
    likeness of whole pictures but no locality, which a change of size has with it.
    """
    measures = record.measures
    if not measures.names:
        return None
    for name, operation in (
        ("count_before", Operation.MOVE),
        ("theta_gt_rad", Operation.ROTATE),
        ("wrongly_removed", Operation.REMOVE),
    ):
        if measures.value(name) is not None:
            return operation
    is_view = measures.value("lpips_background") is not None and measures.value("el_ungated") is None
    return Operation.VIEW if is_view else Operation.RESIZE


def scores_of(record: Record, *, ungated: bool = False) -> TableScores | None:
    """A verdict's figures for `edit_table`; None where it has none.

    Parameters
    ----------
    record : Record
    ungated : bool
        Whether IC and SA are those of the boxes alone, and EL and AC those whatever IC is.
    """
    operation = operation_of(record)
    if operation is None:
        return None

    def figure(name: str) -> Figure:
        value = record.measures.value(f"{name}_ungated" if ungated else name)
        # Why a figure is missing is in the verdict; means only leave it out.
        return Figure(None, Missing.NOT_DEFINED) if value is None else Figure(value)

    ic, sa = figure("ic"), figure("sa")
    product = Figure(None, Missing.NOT_DEFINED) if ungated else figure("sa_ic")
    if ungated and ic.value is not None and sa.value is not None:
        product = Figure(ic.value * sa.value)
    return TableScores(operation, ic, sa, figure("el"), figure("ac"), product)


def _dimensions(records: Sequence[Record]) -> Dimensions:
    return Dimensions((*((_DATASET,) if has(records, _DATASET) else ()), "model"))


def _table_rows(records: Sequence[Record], *, ungated: bool = False) -> list[TableScores]:
    return [scores for record in records if (scores := scores_of(record, ungated=ungated)) is not None]


def _scores(results: Results, judged: Records) -> Table:
    dimensions = _dimensions(judged)
    rows = tuple(
        (*key, len(part), _ungradable(part), *_means(edit_table(_table_rows(part)).all))
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
        "Avg is (IC + SA + EL + AC) / 4 of these means.",
        "SA x IC: no edit at all can earn SA, but no IC.",
    )
    return Table(f"{EDITS}_scores", f"{EDITS}: scores", columns, rows, notes, brief=True, task=EDITS)


def _mean_columns(over: str) -> tuple[Column, ...]:
    names = (("ic", "IC"), ("sa", "SA"), ("sa_ic", "SA x IC"), ("el", "EL"), ("ac", "AC"), ("avg", "Avg"))
    return tuple(Column(key, title, Unit.NUMBER, Better.UP, "" if key == "avg" else over) for key, title in names)


def _means(row: TableRow) -> list[Cell]:
    average = Estimate(row.average, row.samples, why="IC, SA, EL or AC has no mean")
    return [*map(_mean, (row.ic, row.sa, row.sa_ic, row.el, row.ac)), average]


def _mean(mean: Mean) -> Estimate:
    return Estimate(mean.value, mean.n, why="" if mean.n else "no verdict has the figure")


def _ungradable(records: Records) -> int:
    return sum(record.end is ItemEnd.UNGRADABLE for record in records)


def _by_operation(results: Results, judged: Records) -> Table:
    dimensions = _dimensions(judged)
    there = {operation_of(record) for record in judged}
    operations = [operation for operation in Operation if operation in there]
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, judged, dimensions).items():
        table = edit_table(_table_rows(part))
        found = dict(table.operations)
        none = Mean(None, 0)
        rows.append(
            (*key, *(_mean(found[one].sa if one in found else none) for one in operations), _mean(table.all.sa))
        )
    columns = (
        *key_columns(dimensions.names),
        *(Column(one.value, one.value, Unit.NUMBER, Better.UP, "n") for one in operations),
        Column("all", "all", Unit.NUMBER, Better.UP, "n"),
    )
    notes = ("SA, 0 to 100, by what was asked for, with the number of edits. Placements are moves.",)
    return Table(
        f"{EDITS}_sa_by_operation", f"{EDITS}: SA by operation", columns, tuple(rows), notes, brief=True, task=EDITS
    )


def _classes(results: Results, judged: Records) -> Table:
    dimensions = _dimensions(judged)
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, judged, dimensions).items():
        values = [value for record in part if (value := record.measures.value("sa")) is not None]
        # Kept within 0 to 1, for results may be of another version.
        count = Counter(human_class(min(1.0, max(0.0, value))) for value in values)
        rows.append((*key, len(values), *(Part(count[one], len(values)) for one, _, _ in _CLASSES)))
    columns = (
        *key_columns(dimensions.names),
        Column("n", "n", Unit.COUNT),
        *(Column(name, title, Unit.COUNT) for _, name, title in _CLASSES),
    )
    notes = (
        "What people would be asked: SA above 0.7 is completely as asked, above 0.1 partially, else not at all "
        "(GSI-Bench, human study).",
    )
    return Table(
        f"{EDITS}_sa_classes", f"{EDITS}: SA in three classes", columns, tuple(rows), notes, brief=True, task=EDITS
    )


def _measured(results: Results, measured: Records) -> Table:
    dimensions = _dimensions(measured)
    rows: list[tuple[Cell, ...]] = []
    for key, part in rows_by(results, measured, dimensions).items():
        table = edit_table(_table_rows(part, ungated=True))
        for name, row in ((_ALL, table.all), *((operation.value, row) for operation, row in table.operations)):
            rows.append((*key, name, row.samples, _mean(row.ic), _mean(row.sa), _mean(row.sa_ic)))
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
    )
    return Table(
        f"{EDITS}_measured", f"{EDITS}: measured, not judged", columns, tuple(rows), notes, brief=True, task=EDITS
    )
