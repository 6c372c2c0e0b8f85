"""All verdicts of a report as one flat table: verdicts.csv and verdicts.parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from grader.report.data.records import Run
from grader.report.tables.sheets import csv_text
from grader.runs.rows import METRIC, Row, columns, run_rows

CSV_NAME = "verdicts.csv"
PARQUET_NAME = "verdicts.parquet"

_NUMBERS = {"attempt": pa.int64(), "score": pa.float64(), "reward": pa.float64()}


def verdict_rows(runs: Sequence[Run]) -> list[Row]:
    """One row a candidate, as `grader.runs.rows.run_rows` has them; of several runs with the column ``run`` first."""
    if len(runs) == 1:
        return run_rows(runs[0].folder, (runs[0].manifest,))
    return [{"run": run.name, **row} for run in runs for row in run_rows(run.folder, (run.manifest,))]


def verdicts_csv(rows: Sequence[Row]) -> str:
    """Rows as CSV."""
    names = columns(rows)
    return csv_text(names, ([row.get(name) for name in names] for row in rows))


def write_parquet(rows: Sequence[Row], file: IO[bytes]) -> None:
    """Writes rows as parquet: scores, rewards and metrics as doubles, attempts as whole numbers, all else as text.

    Raises
    ------
    OSError
        If the file can't be written.
    """
    names = columns(rows)
    kinds = [pa.float64() if name.startswith(METRIC) else _NUMBERS.get(name, pa.string()) for name in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))
    made = [pa.array([row.get(name) for row in rows], kind) for name, kind in zip(names, kinds, strict=True)]
    pq.write_table(pa.Table.from_arrays(made, schema=schema), file)
