"""Makes a report: reads runs, builds tables, and writes them with the page and all verdicts into a folder."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.output.files import replacing
from grader.report.data.apart import keep_apart
from grader.report.data.chances import read_chances
from grader.report.data.labels import read_labels
from grader.report.data.reading import read_runs
from grader.report.data.records import ReportError
from grader.report.page.page import DATA_NAME, PAGE_NAME, PageFiles, render_page
from grader.report.tables.build import TableOptions, build_tables, notes_of
from grader.report.tables.table import Table
from grader.report.tables.verdicts import CSV_NAME, PARQUET_NAME, verdict_rows, verdicts_csv, write_parquet
from grader.report.tables.writers import to_csv, to_json, to_markdown

FOLDER_NAME = "report"
TABLES_NAME = "tables"


@dataclass(frozen=True)
class Report:
    """What was made: the tables, what has to be known before them, and the page's file."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    page: Path


def make_report(
    runs: Sequence[Path],
    out: Path | None = None,
    options: TableOptions | None = None,
    *,
    manifests: Sequence[Path] = (),
    labels: Sequence[Path] = (),
    examples: int = 4,
    title: str = "",
    progress: bool = False,
) -> Report:
    """Writes index.html with what it loads, verdicts.csv, verdicts.parquet, tables.md, tables.json and tables/*.csv.

    Parameters
    ----------
    runs : sequence of Path
        Run folders; several are taken together.
    out : Path, optional
        Where to write; by default ``report`` in the folder of the one run.
    options : TableOptions, optional
        What tables are made.
    manifests : sequence of Path, optional
        Where manifests are now, if they were moved.
    labels : sequence of Path, optional
        Files of what people said of edits; see `grader.report.data.labels`.
    examples : int, optional
        How many candidates the page shows of each way to end.
    title : str, optional
        What the page is called; by default after its runs.
    progress : bool, optional
        Whether to show on stderr how far it is.

    Returns
    -------
    Report

    Raises
    ------
    ReportError
        If labels can't be read, there is no item, or tables are asked for by a name that no item has.
    RunError
        If a run can't be read.
    OSError
        If a file can't be read or written.
    """
    if out is None:
        if len(runs) != 1:
            raise ReportError("several runs are reported together; name a folder for that with --out")
        out = runs[0] / FOLDER_NAME
    chosen = options or TableOptions()
    said = read_labels(labels)
    results = keep_apart(read_runs(runs, manifests, progress=progress))
    if not any(record.end is not None for record in results.records):
        raise ReportError("no item has a result yet; run `grader grade` first")
    chances = read_chances(results, progress=progress)
    tables, notes = build_tables(results, chosen, chances, said), notes_of(results, said)
    page = render_page(results, tables, notes, chosen, out, examples=examples, title=title)
    _write_tables(out, tables, notes)
    rows = verdict_rows(results.runs)
    _write(out / CSV_NAME, verdicts_csv(rows))
    with replacing(out / PARQUET_NAME, "wb") as file:
        write_parquet(rows, file)
    _write_page(out, page)
    return Report(tuple(tables), tuple(notes), out / PAGE_NAME)


def _write_tables(out: Path, tables: Sequence[Table], notes: Sequence[str]) -> None:
    folder = out / TABLES_NAME
    folder.mkdir(parents=True, exist_ok=True)
    # Tables of an earlier report with other options would be taken for this one's.
    for old in folder.glob("*.csv"):
        old.unlink()
    for table in tables:
        _write(folder / f"{table.key}.csv", to_csv(table))
    _write(out / "tables.md", to_markdown(tables, notes))
    _write(out / "tables.json", to_json(tables, notes))


def _write_page(out: Path, page: PageFiles) -> None:
    """The page comes last, so that what it loads is there."""
    # Files of an earlier, longer report would stay otherwise.
    shutil.rmtree(out / DATA_NAME, ignore_errors=True)
    (out / DATA_NAME).mkdir()
    for name, content in page.beside:
        _write(out / name, content)
    _write(out / PAGE_NAME, page.page)


def _write(path: Path, content: str) -> None:
    with replacing(path) as file:
        file.write(content)
