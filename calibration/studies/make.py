"""Makes the report of a study: reads trials and runs, and writes tables with a page into a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from calibration.labels import CalibrationError
from calibration.page.page import PageSection
from calibration.studies.rates import successes
from calibration.studies.tables import (
    correlation_tables,
    level_figures,
    rate_table,
    speed_table,
    time_figures,
    time_table,
)
from calibration.studies.trials import read_trials
from grader.model.wording import count_of, first_few
from grader.output.files import replacing
from grader.report.data.estimates import Resampling
from grader.report.data.reading import read_runs
from grader.report.data.records import Results
from grader.report.page.tableview import view
from grader.report.page.templating import page_asset, page_environment, page_policy
from grader.report.tables.table import Table
from grader.report.tables.writers import to_csv, to_json

FOLDER_NAME = "humans"
JSON_NAME, PAGE_NAME, TABLES_NAME = "humans.json", "index.html", "tables"


@dataclass(frozen=True)
class StudyOptions:
    """How a report of a study is made.

    Attributes
    ----------
    budgets : of time, in seconds, rising; none for round ones up to the longest answer
    seconds : what a candidate takes, by model
    levels : tags that may say the level of a candidate; the first that it has counts
    resampling : how intervals are made
    """

    budgets: tuple[float, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    levels: tuple[str, ...] = ("level", "scale")
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        if any(not 0.0 < one < float("inf") for one in (*self.budgets, *self.seconds.values())):
            raise CalibrationError("budgets of time and the time of a candidate are seconds above 0")
        if list(self.budgets) != sorted(set(self.budgets)):
            raise CalibrationError("budgets of time rise, and none is there twice")


@dataclass(frozen=True)
class StudyReport:
    """What was made: tables, what has to be known before them, all of it for machines, and the files."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    content: Mapping[str, Any]
    page: Path
    json: Path


def make_study(
    trials: Sequence[Path],
    runs: Sequence[Path] = (),
    out: Path | None = None,
    options: StudyOptions | None = None,
    *,
    manifests: Sequence[Path] = (),
    progress: bool = False,
) -> StudyReport:
    """Writes index.html, humans.json and tables/*.csv.

    Parameters
    ----------
    trials : sequence of Path
        CSV files; see `calibration.studies.trials`.
    runs : sequence of Path, optional
        Graded runs: of models, and of people's answers.
    out : Path, optional
        Where to write; by default ``humans`` beside the first file of trials.
    options : StudyOptions, optional
        How it is made.
    manifests : sequence of Path, optional
        Where manifests are now, if they were moved.
    progress : bool, optional
        Whether to show on stderr how far it is.

    Raises
    ------
    CalibrationError
        Naming file, line and field of what is wrong, or a model that has a time and no candidate.
    ReportError, RunError
        If runs can't be read.
    OSError
        If a file can't be read or written.
    """
    out = out or trials[0].parent / FOLDER_NAME
    chosen = options or StudyOptions()
    results = read_runs(runs, manifests, progress=progress) if runs else Results((), ())
    by_id = {one.item.request_id: one for one in results.records}
    read, graded = read_trials(trials, by_id, chosen.levels)
    models = [one for one in results.records if one.item.request_id not in graded]
    strange = [name for name in chosen.seconds if name not in {one.model for one in models}]
    if strange:
        raise CalibrationError(f"--seconds: {first_few(strange)} has no candidate in the runs")
    how = chosen.resampling
    found, budgets = successes(read, models, chosen.levels, chosen.budgets, chosen.seconds, how)
    tables = (rate_table(found), speed_table(found), time_table(found, budgets), *correlation_tables(found))
    notes = _notes(len(models) - sum(one.is_candidate for one in models))
    sections = [
        PageSection("rates", "People and models", (view(tables[0]), view(tables[1])), ()),
        PageSection("time", "Success and time", (), tuple(time_figures(found, budgets))),
        PageSection("levels", "By level", (), tuple(level_figures(found, read, chosen.budgets, how))),
        PageSection("together", "What goes together", tuple(view(one) for one in tables[3:]), ()),
        PageSection("numbers", "Numbers of the plots", (view(tables[2]),), ()),
    ]
    content = {
        "trials": len(read),
        "people": len({one.person for one in read}),
        **json.loads(to_json(tables, notes)),
    }
    facts = [
        f"Trials: {', '.join(map(str, trials))}",
        *(f"Run {run.name}: {run.folder}" for run in results.runs),
        f"Intervals: {100 * how.level:g} %, bootstrap of people (of puzzles, where a model or one person solved them), "
        f"{how.resamples} resamples, seed {how.seed}.",
    ]
    (out / TABLES_NAME).mkdir(parents=True, exist_ok=True)
    # Tables of an earlier study would be taken for this one's.
    for old in (out / TABLES_NAME).glob("*.csv"):
        old.unlink()
    for table in tables:
        _write(out / TABLES_NAME / f"{table.key}.csv", to_csv(table))
    _write(out / JSON_NAME, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    _write(out / PAGE_NAME, _page([one for one in sections if one.tables or one.figures], notes, facts))
    return StudyReport(tables, notes, content, out / PAGE_NAME, out / JSON_NAME)


def _notes(faults: int) -> tuple[str, ...]:
    if not faults:
        return ()
    return (f"{count_of(faults, 'candidate')} of models without a verdict that passes or not count nowhere.",)


def _page(sections: Sequence[PageSection], notes: Sequence[str], facts: Sequence[str]) -> str:
    page = (
        page_environment("calibration.page")
        .get_template("humans.html")
        .render(
            title="People and models",
            policy=page_policy(),
            style=Markup(page_asset("page.css")),
            notes=notes,
            sections=sections,
            facts=facts,
        )
    )
    return page + "\n"


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text)
