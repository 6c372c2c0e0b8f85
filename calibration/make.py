"""Makes a calibration: reads a run and labels, works everything out, and writes it with a page into a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.cases import CalibrationOptions
from calibration.findings import content_of, find
from calibration.labels import PeopleLabels, read_people
from calibration.page.page import PageContent, render_calibration
from calibration.profile_file import ProfileWish, write_profile
from grader.output.files import replacing
from grader.report.data.reading import read_runs
from grader.report.data.records import Results
from grader.report.tables.table import Table
from grader.report.tables.writers import to_csv

FOLDER_NAME = "calibration"
JSON_NAME, PAGE_NAME, TABLES_NAME = "calibration.json", "index.html", "tables"


@dataclass(frozen=True)
class Calibration:
    """What was made: tables, what has to be known before them, all of it for machines, and the files."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    content: Mapping[str, Any]
    page: Path
    json: Path


def make_calibration(
    run: Path,
    labels: Sequence[Path],
    out: Path | None = None,
    options: CalibrationOptions | None = None,
    *,
    against: Path | None = None,
    question: str | None = None,
    profile: ProfileWish | None = None,
    manifests: Sequence[Path] = (),
    progress: bool = False,
) -> Calibration:
    """Writes index.html, calibration.json and tables/*.csv.

    Parameters
    ----------
    run : Path
        A run folder.
    labels : sequence of Path
        Files of what people said.
    out : Path, optional
        Where to write; by default ``calibration`` in the run's folder.
    options : CalibrationOptions, optional
        How it is made.
    against : Path, optional
        Another run of the same candidates, by another version or profile.
    question : str, optional
        Whose labels are read, where files name several questions.
    profile : ProfileWish, optional
        A profile that is to be written.
    manifests : sequence of Path, optional
        Where manifests are now, if they were moved.
    progress : bool, optional
        Whether to show on stderr how far it is.

    Raises
    ------
    CalibrationError
        If labels can't be used, or are of nothing in the run.
    ReportError, RunError
        If labels or runs can't be read, or slices are asked for by a name that no item has.
    OSError
        If a file can't be read or written.
    """
    out = out or run / FOLDER_NAME
    chosen = options or CalibrationOptions()
    people = read_people(labels, question)
    results = read_runs([run], manifests, progress=progress)
    other = None if against is None else read_runs([against], manifests, progress=progress)
    found = find(results, people, chosen, other)
    facts = _facts(results, other, people, labels, chosen)
    content = content_of(found, people, chosen)
    shown = PageContent(results, other, found.matched, found.fitted, found.compared, found.tables, found.notes, facts)
    page = render_calibration(shown, chosen, out)
    if profile is not None:
        write_profile(profile, results, people, found.matched, found.fitted, chosen)
    (out / TABLES_NAME).mkdir(parents=True, exist_ok=True)
    # Tables of an earlier calibration with other options would be taken for this one's.
    for old in (out / TABLES_NAME).glob("*.csv"):
        old.unlink()
    for table in found.tables:
        _write(out / TABLES_NAME / f"{table.key}.csv", to_csv(table))
    _write(out / JSON_NAME, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    _write(out / PAGE_NAME, page)
    return Calibration(found.tables, found.notes, content, out / PAGE_NAME, out / JSON_NAME)


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text)


def _facts(
    results: Results, other: Results | None, people: PeopleLabels, labels: Sequence[Path], options: CalibrationOptions
) -> tuple[str, ...]:
    how = options.resampling
    runs = [*results.runs, *(other.runs if other is not None else ())]
    records = [*results.records, *(other.records if other is not None else ())]
    intervals = (
        f"Intervals: {100 * how.level:g} %, bootstrap of puzzles, {how.resamples} resamples, seed {how.seed}; those of "
        "estimates from labels and verdicts are Student's."
        if how.resamples
        else "No bootstrap was asked for."
    )
    return (
        *(f"Run {run.name}: {run.folder}" for run in runs),
        *(f"Made by {one}." for one in sorted({record.made_by for record in records if record.made_by})),
        f"Labels: {', '.join(map(str, labels))} (SHA-256 {people.digest}).",
        intervals,
    )
