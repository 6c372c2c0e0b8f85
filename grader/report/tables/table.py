"""A typed table, and how its cells read."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.report.data.estimates import Estimate


class Unit(enum.Enum):
    """What a column's numbers are. PERCENT: fractions of 1 that people read as per cent."""

    TEXT = ""
    COUNT = "count"
    PERCENT = "%"
    NUMBER = "number"


class Better(enum.Enum):
    """Which way a number is better, as an arrow."""

    UP = "↑"
    DOWN = "↓"
    NEITHER = ""


@dataclass(frozen=True)
class Part:
    """A count with what it is a part of."""

    count: int
    of: int


_LARGE, _HUGE = 1e4, 1e9
"""Numbers that are written whole: no power of ten, and not too long."""

Cell = str | int | Estimate | Part


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes
    ----------
    key, title : for machines, for people
    unit : of its numbers
    better : which way is better
    over : key of the column with the count that its estimates are over; cells say n where it differs, or where there is
        no such column
    """

    key: str
    title: str
    unit: Unit = Unit.TEXT
    better: Better = Better.NEITHER
    over: str = ""

    @property
    def heading(self) -> str:
        """Title with arrow."""
        # A hard space: an arrow alone on a line would belong to nothing.
        return f"{self.title}\N{NO-BREAK SPACE}{self.better.value}" if self.better.value else self.title


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    key : name for files; unique in a report
    title : for people
    columns, rows : each row has one cell a column
    notes : sentences that belong below it
    brief : whether the terminal shows it too
    task : the task that it is about; empty where it is about all
    heat : whether a page colours its cells by their values
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    brief: bool = False
    task: str = ""
    heat: bool = False

    @property
    def heading(self) -> str:
        """Title, saying what is in per cent."""
        units = {column.unit for column in self.columns if column.unit is not Unit.TEXT}
        if Unit.PERCENT not in units:
            return self.title
        return f"{self.title} (%)" if units == {Unit.PERCENT} else f"{self.title} (rates and means in %)"


def key_columns(names: Iterable[str]) -> tuple[Column, ...]:
    """The columns that say what a row is about."""
    return tuple(Column(name, name) for name in names)


def number_text(value: float, unit: Unit) -> str:
    """A number as people read it: per cent with two digits after the point, others with four significant, or whole."""
    if unit is Unit.PERCENT:
        return f"{100 * value:.2f}"
    return f"{value:,.0f}" if _LARGE <= abs(value) < _HUGE else f"{value:.4g}"


def cell_text(cell: Cell, column: Column, *, base: int | None = None) -> str:
    """A cell in one line.

    Parameters
    ----------
    cell, column : Cell, Column
        The cell and its column.
    base : int, optional
        What the column is over in this row; n is shown where it differs.

    Examples
    --------
    >>> cell_text(Estimate(0.5, 7), Column("a", "a", Unit.PERCENT), base=8)
    '50.00 n=7'
    """
    if isinstance(cell, Part):
        return f"{cell.count}" + (f" ({100 * cell.count / cell.of:.1f} %)" if cell.of else "")
    if not isinstance(cell, Estimate):
        return str(cell)
    if cell.value is None:
        return "-"
    text = number_text(cell.value, column.unit)
    if cell.interval is not None:
        text += f" [{number_text(cell.interval.low, column.unit)}, {number_text(cell.interval.high, column.unit)}]"
    return text if base is None or cell.n == base else f"{text} n={cell.n}"


def row_texts(table: Table, row: tuple[Cell, ...]) -> list[str]:
    """The cells of a row, each in one line."""
    counts = {column.key: cell for cell, column in zip(row, table.columns, strict=True) if isinstance(cell, int)}
    return [
        cell_text(cell, column, base=counts.get(column.over, -1) if column.over else None)
        for cell, column in zip(row, table.columns, strict=True)
    ]


def absences(table: Table, lead: str = '"-" in') -> tuple[str, ...]:
    """Why cells show "-": one sentence for each column and cause, which begins with ``lead``."""
    causes: dict[str, list[str]] = {}
    for row in table.rows:
        for cell, column in zip(row, table.columns, strict=True):
            if isinstance(cell, Estimate) and cell.value is None:
                titles = causes.setdefault(cell.why, [])
                if column.title not in titles:
                    titles.append(column.title)
    # In a matrix the columns are values, and which of them are empty is plain to see.
    return tuple(
        f'"-": {why}.' if table.heat else f"{lead} {', '.join(titles)}: {why}." for why, titles in causes.items()
    )


def split_empty(table: Table) -> tuple[Table, Table]:
    """A table without the columns in which nothing can be said in any row, and one of these; a matrix stays whole."""
    empty = [
        bool(table.rows) and not table.heat and all(_is_empty(row[at]) for row in table.rows)
        for at in range(len(table.columns))
    ]
    full, rest = (_columns(table, [at for at, one in enumerate(empty) if one is wanted]) for wanted in (False, True))
    return full, rest


def _is_empty(cell: Cell) -> bool:
    return isinstance(cell, Estimate) and cell.value is None


def _columns(table: Table, places: Sequence[int]) -> Table:
    return replace(
        table,
        columns=tuple(table.columns[at] for at in places),
        rows=tuple(tuple(row[at] for at in places) for row in table.rows),
    )
