"""Which kinds of questions, and which models, go together: correlations of accuracies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from grader.metrics.runs.correlation import pearson, spearman
from grader.report.data.estimates import Estimate
from grader.report.tables.table import Cell, Column, Table, Unit

Coefficient = Callable[[Sequence[float], Sequence[float]], "float | None"]
COEFFICIENTS: Final[tuple[tuple[str, str, Coefficient], ...]] = (
    ("pearson", "Pearson", pearson),
    ("spearman", "Spearman", spearman),
)
_LEAST: Final = 3
_MOST_MODELS: Final = 30


def correlation_tables(
    task: str, kinds: Mapping[str, str], columns: Mapping[str, Sequence[float | None]], models: Sequence[str]
) -> list[Table]:
    """How far accuracies go together: of each two kinds over the models, and of each two models over the kinds.

    Parameters
    ----------
    task : str
    kinds : mapping
        Titles by kind.
    columns : mapping
        By kind, the accuracy of each model; None where there is none.
    models : sequence of str
        Their names, in the order of the columns.

    Returns
    -------
    list of Table
        Pearson's and Spearman's coefficients; nothing where there are fewer than three models, or kinds.
    """
    asked = [kind for kind in kinds if sum(value is not None for value in columns[kind]) >= _LEAST]
    tables = []
    if len(asked) > 1:
        series = {kinds[kind]: columns[kind] for kind in asked}
        tables += correlation_matrices(
            f"{task}_kinds", f"{task}: how far kinds of questions go together", series, "models", task
        )
    shown = list(range(min(len(models), _MOST_MODELS)))
    if len(kinds) >= _LEAST and len(shown) > 1:
        rows = {models[place]: [columns[kind][place] for kind in kinds] for place in shown}
        rows = {name: values for name, values in rows.items() if sum(one is not None for one in values) >= _LEAST}
        if len(rows) > 1:
            tables += correlation_matrices(
                f"{task}_models", f"{task}: how far models go together", rows, "kinds of questions", task
            )
    return tables


def correlation_matrices(
    key: str, title: str, series: Mapping[str, Sequence[float | None]], over: str, task: str = ""
) -> list[Table]:
    """Pearson's and Spearman's coefficients of each two series, each over the places where both have a value.

    Parameters
    ----------
    key, title : str
        Of the tables.
    series : mapping
        By name; all are equally long.
    over : str
        What their places are, for people.
    task : str, optional
        That the tables are about.
    """
    made = []
    for name, called, coefficient in COEFFICIENTS:
        rows: list[tuple[Cell, ...]] = [
            (one, *(together(series[one], series[other], coefficient, over) for other in series)) for one in series
        ]
        columns = (Column("name", ""), *(Column(other, other, Unit.NUMBER) for other in series))
        notes = (f"{called}'s coefficient over {over}; -1 to 1.",)
        made.append(Table(f"{key}_{name}", f"{title} ({called})", columns, tuple(rows), notes, task=task, heat=True))
    return made


def together(
    one: Sequence[float | None], other: Sequence[float | None], coefficient: Coefficient, over: str
) -> Estimate:
    """How far two series go together, over the places where both have a value."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    value = coefficient([a for a, _ in pairs], [b for _, b in pairs])
    why = f"fewer than {_LEAST} {over}, or all alike" if value is None else ""
    return Estimate(value, len(pairs), why=why)
