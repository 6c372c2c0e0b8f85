"""Writes tables as text for a terminal, CSV, markdown and JSON. Fractions are per cent for people only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from grader.report.data.estimates import Estimate
from grader.report.tables.sheets import csv_text
from grader.report.tables.table import Cell, Column, Part, Table, Unit, absences, row_texts, split_empty

_PIPE_WIDTH = 140


def print_report(tables: Sequence[Table], notes: Sequence[str], form: str) -> None:
    """Prints tables to stdout as ``text``, ``csv``, ``markdown`` or ``json``; text has the brief tables only."""
    match form:
        case "csv":
            print(to_csv_stream(tables), end="")
        case "markdown":
            print(to_markdown(tables, notes), end="")
        case "json":
            print(to_json(tables, notes), end="")
        case _:
            console = Console()
            # A pipe has no width of its own, and tables squeezed into 80 columns can't be read.
            print_tables(tables, notes, console if console.is_terminal else Console(width=_PIPE_WIDTH))


def print_tables(tables: Iterable[Table], notes: Sequence[str], console: Console) -> None:
    """Prints the brief tables, with what has to be known before them, without columns in which nothing can be said."""
    for note in notes:
        console.print(f"[yellow]note:[/] {escape(note)}", highlight=False)
    for table in tables:
        if not table.brief:
            continue
        full, empty = split_empty(table)
        shown = RichTable(title=escape(table.heading), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
        for column in full.columns:
            shown.add_column(escape(column.heading), justify="left" if column.unit is Unit.TEXT else "right")
        for row in full.rows:
            # Text, not markup: what models and tags are called is not to be read as style.
            shown.add_row(*(Text(_stacked(text)) for text in row_texts(full, row)))
        console.print(shown)
        for note in (*table.notes, *absences(full), *absences(empty, "Not shown:")):
            console.print(f"  {escape(note)}", highlight=False, style="dim")


def _stacked(text: str) -> str:
    """An interval on a line of its own, or tables would be too wide."""
    return text.replace(" [", "\n[", 1)


def to_markdown(tables: Iterable[Table], notes: Sequence[str] = ()) -> str:
    """All tables in markdown."""
    parts = ["# Report\n"]
    parts += [f"- {_markdown_text(note)}" for note in notes]
    for table in tables:
        parts.append(f"\n## {_markdown_text(table.heading)}\n")
        parts.append(_markdown_row(column.heading for column in table.columns))
        parts.append("|" + "|".join("---" if column.unit is Unit.TEXT else "---:" for column in table.columns) + "|")
        parts += [_markdown_row(row_texts(table, row)) for row in table.rows]
        parts += ["", *(f"- {_markdown_text(note)}" for note in (*table.notes, *absences(table)))]
    return "\n".join(parts) + "\n"


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_markdown_text(cell) for cell in cells) + " |"


def _markdown_text(text: str) -> str:
    one_line = " ".join(text.split())
    for mark, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        one_line = one_line.replace(mark, safe)
    return one_line


def to_csv(table: Table) -> str:
    """One table as CSV: fractions of 1 at full precision; an estimate is four columns, NAME, NAME_low, _high and _n."""
    kinds = [_kind(table, index) for index in range(len(table.columns))]
    heads: list[str] = []
    for column, kind in zip(table.columns, kinds, strict=True):
        heads.append(column.key)
        heads += [f"{column.key}_{part}" for part in _PARTS.get(kind, ())]
    return csv_text(heads, ([value for cell in row for value in _csv_values(cell)] for row in table.rows))


_PARTS: dict[type, tuple[str, ...]] = {Estimate: ("low", "high", "n"), Part: ("of",)}


def _kind(table: Table, index: int) -> type:
    return type(table.rows[0][index]) if table.rows else str


def _csv_values(cell: Cell) -> list[str | int | float]:
    """A value that is not there is an empty field."""
    if isinstance(cell, Part):
        return [cell.count, cell.of]
    if not isinstance(cell, Estimate):
        return [cell]
    bounds = ("", "") if cell.interval is None else (cell.interval.low, cell.interval.high)
    return ["" if cell.value is None else cell.value, *bounds, cell.n]


def to_csv_stream(tables: Iterable[Table]) -> str:
    """All tables as CSV, each after a line ``# key`` and before an empty one."""
    return "\n".join(f"# {table.key}\n{to_csv(table)}" for table in tables)


def to_json(tables: Iterable[Table], notes: Sequence[str] = ()) -> str:
    """All tables as JSON: fractions of 1 at full precision, null with the reason where there is no value."""
    content = {
        "notes": list(notes),
        "tables": [
            {
                "key": table.key,
                "title": table.title,
                "columns": [_json_column(column) for column in table.columns],
                "rows": [[_json_cell(cell) for cell in row] for row in table.rows],
                "notes": list(table.notes),
            }
            for table in tables
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _json_column(column: Column) -> dict[str, str]:
    unit = "1" if column.unit is Unit.PERCENT else column.unit.value
    return {"key": column.key, "title": column.title, "unit": unit, "better": column.better.name.lower()}


def _json_cell(cell: Cell) -> Any:
    if isinstance(cell, Part):
        return {"count": cell.count, "of": cell.of}
    if not isinstance(cell, Estimate):
        return cell
    made: dict[str, Any] = {"value": cell.value, "n": cell.n}
    if cell.interval is not None:
        made |= {"low": cell.interval.low, "high": cell.interval.high}
    if cell.value is None:
        made["why"] = cell.why
    return made
