"""Makes a calibration: reads a run and labels, works everything out, and writes it with a page into a folder."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from calibration.cases import CalibrationOptions, LabelledRun, match
from calibration.fitting import Fitted, fit_all
from calibration.labels import PeopleLabels, read_people
from calibration.page.page import PageContent, disagreements, render_calibration
from calibration.people import people_tables
from calibration.profile_file import ProfileWish, write_profile
from calibration.rates import RunsCompared, compare_runs, rate_table
from calibration.statistics.probability import FitKind, ProbabilityMap
from calibration.statistics.undefined import Undefined
from calibration.verdicts import verdict_tables
from grader.model.wording import count_of, first_few
from grader.output.files import replacing
from grader.report.data.grouping import check_names
from grader.report.data.reading import read_runs
from grader.report.data.records import Results
from grader.report.tables.table import Table
from grader.report.tables.writers import to_csv, to_json

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
    check_names(results, (name for one in chosen.by for name in one.names))
    matched = match(results, people, chosen)
    clusters = {one.record.item.request_id: one.record.cluster for one in matched.cases}
    fitted = fit_all(matched, chosen)
    compared = None if other is None else compare_runs(matched, results, other)
    tables = (
        *people_tables(people, clusters, chosen.resampling),
        *verdict_tables(matched, results, chosen),
        *fitted.tables,
        rate_table(matched, chosen),
        *(() if compared is None else compared.tables),
    )
    notes, facts = _notes(matched), _facts(results, other, people, labels, chosen)
    content = _content(tables, notes, people, matched, fitted, compared, chosen)
    shown = PageContent(results, other, matched, fitted, compared, tables, notes, facts)
    page = render_calibration(shown, chosen, out)
    if profile is not None:
        write_profile(profile, results, people, matched, fitted, chosen)
    (out / TABLES_NAME).mkdir(parents=True, exist_ok=True)
    # Tables of an earlier calibration with other options would be taken for this one's.
    for old in (out / TABLES_NAME).glob("*.csv"):
        old.unlink()
    for table in tables:
        _write(out / TABLES_NAME / f"{table.key}.csv", to_csv(table))
    _write(out / JSON_NAME, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    _write(out / PAGE_NAME, page)
    return Calibration(tables, notes, content, out / PAGE_NAME, out / JSON_NAME)


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text)


def _notes(matched: LabelledRun) -> tuple[str, ...]:
    if not matched.strange:
        return ()
    return (
        f"{count_of(len(matched.strange), 'labelled request_id')} not in this run, which count nowhere: "
        f"{first_few(matched.strange)}.",
    )


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


def _content(
    tables: Sequence[Table],
    notes: Sequence[str],
    people: PeopleLabels,
    matched: LabelledRun,
    fitted: Fitted,
    compared: RunsCompared | None,
    options: CalibrationOptions,
) -> dict[str, Any]:
    """All of it as JSON has it: no number that is not finite."""
    how = options.resampling
    flips = compared.flips if compared is not None else ()
    return {
        "labels": {
            "digest": people.digest,
            "question": people.question.value,
            "raters": list(people.raters),
            "labels": len(people.first) + len(people.again) + len(people.decided),
            "candidates": len(matched.cases),
            "told": len(matched.told),
        },
        "split": {"share": options.split, "seed": how.seed},
        "maps": [
            {
                "number": one.number,
                "probability_of": one.of,
                "fitted_to": one.fitted_on,
                "judged_by": one.judged_on,
                **_map_content(one.map),
            }
            for one in fitted.maps
        ],
        "thresholds": [
            {
                "number": options.number,
                "rule": one.rule,
                **(
                    {"threshold": None, "why": one.threshold.why}
                    if isinstance(one.threshold, Undefined)
                    else {"threshold": one.threshold if math.isfinite(one.threshold) else None}
                ),
                "fitted": None if one.fitted is None else asdict(one.fitted),
                "judged": None if one.judged is None else asdict(one.judged),
                "bound": one.bound,
            }
            for one in fitted.thresholds
        ],
        "disagreements": [
            {"request_id": one.record.item.request_id, "people": people.question.classes[one.truth or 0]}
            for one in disagreements(matched.told)
        ],
        "flips": [{"request_id": one.record.item.request_id, "as_people_say": one.nearer} for one in flips],
        **json.loads(to_json(tables, notes)),
    }


def _map_content(made: ProbabilityMap | Undefined) -> dict[str, Any]:
    if isinstance(made, Undefined):
        return {"map": None, "why": made.why}
    if made.kind is FitKind.ISOTONIC:
        shape: dict[str, Any] = {"numbers": list(made.numbers), "probabilities": list(made.probabilities)}
    else:
        shape = {"slope": made.slope, "offset": made.offset}
    return {"map": {"kind": made.kind.value, **shape}}
