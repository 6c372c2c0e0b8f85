"""Tables of a report as the page's template shows them: every cell in text, with what the script sorts by."""

from __future__ import annotations

from dataclasses import dataclass

from grader.report.data.estimates import Estimate
from grader.report.tables.table import Cell, Column, Part, Table, Unit, absences, number_text, row_texts


@dataclass(frozen=True)
class CellView:
    """A cell: its text, what is in small print below, the number that it is sorted by, its side, colour and tip."""

    text: str
    small: str = ""
    value: str = ""
    side: str = "text"
    heat: int | None = None
    tip: str = ""


@dataclass(frozen=True)
class ColumnView:
    """A column: what it is called, and whether it has text or numbers."""

    heading: str
    side: str


@dataclass(frozen=True)
class TableView:
    """A table."""

    key: str
    task: str
    heading: str
    short: str
    columns: tuple[ColumnView, ...]
    rows: tuple[tuple[CellView, ...], ...]
    notes: tuple[str, ...]


def view(table: Table) -> TableView:
    """A table as it is shown."""
    rows = tuple(
        tuple(
            _cell(cell, column, text, heat=table.heat)
            for cell, column, text in zip(row, table.columns, row_texts(table, row), strict=True)
        )
        for row in table.rows
    )
    return TableView(
        key=table.key,
        task=table.task,
        heading=table.heading,
        short=table.title.removeprefix(f"{table.task}: "),
        columns=tuple(
            ColumnView(column.heading, "text" if column.unit is Unit.TEXT else "number") for column in table.columns
        ),
        rows=rows,
        notes=(*table.notes, *absences(table)),
    )


def _cell(cell: Cell, column: Column, text: str, *, heat: bool) -> CellView:
    if isinstance(cell, Estimate):
        if cell.value is None:
            return CellView("-", value="-1", side="number", tip=cell.why)
        shown = number_text(cell.value, column.unit)
        share = round(100 * min(1.0, max(0.0, cell.value))) if heat else None
        return CellView(shown, text.removeprefix(shown).strip(), f"{cell.value:.6g}", "number", share)
    if isinstance(cell, Part):
        share_text = f"{100 * cell.count / cell.of:.1f} %" if cell.of else ""
        return CellView(str(cell.count), share_text, str(cell.count), "number")
    if isinstance(cell, int):
        return CellView(str(cell), value=str(cell), side="number")
    return CellView(text)
