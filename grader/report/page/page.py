"""The page of a report: a folder that needs no network and no server, and no script for its front to be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from grader.report.data.disputes import RULE
from grader.report.data.estimates import Estimate, Resampling
from grader.report.data.grouping import by_task
from grader.report.data.pairs import Rank, by_model, compare, rank
from grader.report.data.records import Record, Results
from grader.report.page.entries import COLUMNS, EACH, Source, detail_files, ended, list_rows, script_text
from grader.report.page.figures import task_figures
from grader.report.page.gallery import Album, Mode, disputes, modes, worth_disputing
from grader.report.page.plots import Figure
from grader.report.page.tableview import view
from grader.report.page.templating import page_asset, page_environment, page_policy
from grader.report.tables.build import TableOptions
from grader.report.tables.ranking import rank_text
from grader.report.tables.table import Table

PAGE_NAME = "index.html"
DATA_NAME = "data"

_PACKAGE = "grader.report.page"
_LIBRARY = ("tabulator.min.js", "tabulator.LICENSE")


@dataclass(frozen=True)
class RankView:
    """A model's bar: its rank and rate in words, and where rate and interval are, in per cent of the bar."""

    rank: str
    model: str
    rate: str
    counts: str
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class TaskView:
    """What the page's front shows of a task."""

    name: str
    ranks: tuple[RankView, ...]
    modes: tuple[Mode, ...]
    figures: tuple[Figure, ...]
    models: tuple[str, ...]


@dataclass(frozen=True)
class PageFiles:
    """The page and what it loads: each file's path below the report's folder, and its text."""

    page: str
    beside: Iterator[tuple[str, str]]


def render_page(
    results: Results,
    tables: Sequence[Table],
    notes: Sequence[str],
    options: TableOptions,
    out: Path,
    *,
    examples: int,
    title: str = "",
) -> PageFiles:
    """Makes the page.

    Parameters
    ----------
    results : Results
        For plots, pictures and the list.
    tables : sequence of Table
        Those of `grader.report.tables.build`.
    notes : sequence of str
        What has to be known before the tables.
    options : TableOptions
        How tables and intervals were made.
    out : Path
        The folder that the page will be in; pictures and clips are linked from there.
    examples : int
        How many candidates each way to end shows, and a third of how many verdicts are shown as worth disputing.
    title : str
        What the page is called; by default after its runs.
    """
    how = options.resampling
    with Source(results) as source:
        album = Album(results, source, out)
        # Disputes first, for the page's room for pictures is theirs before all.
        cards = disputes(results.records, album, 3 * examples)
        views = [_task(name, records, results, album, how, examples) for name, records in by_task(results).items()]
    script = page_asset("page.js")
    page = (
        page_environment(_PACKAGE)
        .get_template("page.html")
        .render(
            title=title or f"Report: {', '.join(run.name for run in results.runs)}",
            policy=page_policy(script),
            style=Markup(page_asset("tabulator.min.css") + page_asset("page.css")),
            script=Markup(script),
            notes=notes,
            facts=_facts(results, how),
            tasks=views,
            disputes=cards,
            disputable=worth_disputing(results),
            rule=RULE,
            tables=[view(table) for table in tables],
            several=any(len(one.models) > 1 for one in views),
            verdicts=len(ended(results)),
        )
    )
    return PageFiles(page + "\n", _beside(results, out))


def _beside(results: Results, out: Path) -> Iterator[tuple[str, str]]:
    for name in _LIBRARY:
        yield f"{DATA_NAME}/{name}", page_asset(name)
    said = {"columns": COLUMNS, "each": EACH, "runs": [run.name for run in results.runs]}
    yield f"{DATA_NAME}/verdicts.js", script_text("gradedRuns.list", said, list(list_rows(results)))
    with Source(results) as source:
        for number, content in detail_files(results, source, out):
            yield f"{DATA_NAME}/details-{number}.js", content


def _task(name: str, records: list[Record], results: Results, album: Album, how: Resampling, examples: int) -> TaskView:
    models = by_model(records)
    ranks = rank(models, compare(models, how), how) if models else []
    return TaskView(
        name=name,
        ranks=tuple(_rank(one, alone=len(ranks) == 1) for one in ranks),
        modes=tuple(modes(records, album, examples)),
        figures=tuple(task_figures(results, records, how)),
        models=tuple(models),
    )


def _rank(one: Rank, *, alone: bool) -> RankView:
    bounds = one.rate.interval
    puzzles = f"{one.puzzles} puzzle{'s' * (one.puzzles != 1)}"
    others = [f"{one.passed} of {one.candidates} passed, {puzzles}", f"mean reward {_mean(one.reward)}"]
    if one.ungradable:
        others.append(f"{one.ungradable} did not decode")
    if one.missing:
        others.append(f"{one.missing} not answered")
    return RankView(
        rank="" if alone else rank_text(one),
        model=one.model,
        rate=f"{100 * (one.rate.value or 0.0):.1f} %"
        + ("" if bounds is None else f" [{100 * bounds.low:.1f}, {100 * bounds.high:.1f}]"),
        counts="; ".join(others),
        value=round(100 * (one.rate.value or 0.0), 2),
        low=None if bounds is None else round(100 * bounds.low, 2),
        high=None if bounds is None else round(100 * bounds.high, 2),
    )


def _mean(one: Estimate) -> str:
    return "-" if one.value is None else f"{one.value:.3f}"


def _facts(results: Results, how: Resampling) -> list[str]:
    intervals = (
        f"Intervals: {100 * how.level:g} %, bootstrap of puzzles, {how.resamples} resamples, seed {how.seed}; "
        "Wilson's where all puzzles passed or none did."
        if how.resamples
        else "No intervals were asked for."
    )
    made_by = sorted({record.made_by for record in results.records if record.made_by})
    return [
        *(f"Run {run.name}: {run.folder}" for run in results.runs),
        *(f"Made by {one}." for one in made_by),
        intervals,
        "Rates and means are in per cent. Arrows show which way is better.",
    ]
