"""Verdicts and runs as tables: one flat row a candidate."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.runs.rows import METRIC, Row, columns, run_rows


class PandasMissingError(GraderError):
    """A table was asked for in pandas' form, and pandas is not installed."""


def load_run(folder: str | PathLike[str]) -> list[Row]:
    """Reads a run folder that ``grader grade`` wrote: one flat row a candidate, in the manifest's order.

    Parameters
    ----------
    folder : path

    Returns
    -------
    list of dict
        With equal keys: ``request_id``, ``puzzle_id``, ``task``, ``model``, ``attempt``, ``tag.NAME``, ``outcome``,
        ``score``, ``reward``, ``metric.NAME``, ``reason`` and ``message`` of the first reason, ``codes`` of all.
        `to_frame` makes a table of them.

    Raises
    ------
    RunError
        If it is no run folder, or its manifest is not there any more.
    """
    return run_rows(Path(folder))


def to_rows(verdicts: Iterable[Verdict]) -> list[Row]:
    """Returns one flat row a verdict, with the names of `load_run`'s columns and equal keys."""
    found = [_row(verdict) for verdict in verdicts]
    return [{name: row.get(name) for name in columns(found)} for row in found]


def to_frame(many: Iterable[Verdict | Mapping[str, Any]]) -> Any:
    """Makes a ``pandas.DataFrame`` of verdicts, or of rows such as those of `load_run`.

    Parameters
    ----------
    many : iterable of Verdict or of mappings

    Raises
    ------
    PandasMissingError
        If pandas is not installed; `to_rows` and `load_run` do without.
    """
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise PandasMissingError(
            "to_frame needs pandas, which is not installed: pip install pandas. "
            "to_rows and load_run give the same rows as dicts"
        ) from error
    rows = [_row(one) if isinstance(one, Verdict) else dict(one) for one in many]
    return pandas.DataFrame(rows, columns=columns(rows))


def _row(verdict: Verdict) -> Row:
    first = verdict.reasons[0] if verdict.reasons else None
    return {
        "outcome": verdict.outcome.value,
        "score": verdict.score,
        "reward": verdict.reward,
        **{f"{METRIC}{metric.name}": metric.value for metric in verdict.metrics},
        "reason": None if first is None else first.code,
        "message": None if first is None else first.message,
        "codes": " ".join(verdict.codes),
        "notes": " ".join(note.code for note in verdict.notes),
    }
