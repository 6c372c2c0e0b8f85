"""Renders a calibration as a page that opens from its file, without a script, a server or a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from calibration.cases import CalibrationOptions, LabelledCase, LabelledRun, disagreements
from calibration.fitting import Fitted, FittedProbability
from calibration.rates import RunsCompared
from grader.report.data.records import Results
from grader.report.page.entries import Source
from grader.report.page.gallery import Album, Card
from grader.report.page.plots import CurvePoint, Figure, calibration_curves
from grader.report.page.tableview import TableView, view
from grader.report.page.templating import page_asset, page_environment, page_policy
from grader.report.tables.table import Table

_PACKAGE = "calibration.page"
_SECTIONS = (
    ("people", "People", ("people", "people_each", "people_pairs")),
    ("verdicts", "Verdicts", ("verdicts", "verdict_classes", "verdict_reasons")),
    ("fitted", "Fitted", ("probabilities", "thresholds")),
    ("rate", "Pass rate", ("pass_rate",)),
    ("runs", "Other run", ("runs_compared", "flips")),
)


@dataclass(frozen=True)
class PageSection:
    """A part of the page."""

    name: str
    title: str
    tables: tuple[TableView, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class CaseCard:
    """A verdict in short, with what people said of it."""

    card: Card
    people: str
    comments: tuple[str, ...]


@dataclass(frozen=True)
class PageContent:
    """What the page is made of, beside the options.

    Attributes
    ----------
    results, other : the run, and the one that it is compared with
    matched, fitted, compared : what was found
    tables : all of them, in their order
    notes, facts : what has to be known before the tables, and about them
    """

    results: Results
    other: Results | None
    matched: LabelledRun
    fitted: Fitted
    compared: RunsCompared | None
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    facts: tuple[str, ...]


def render_calibration(content: PageContent, options: CalibrationOptions, out: Path) -> str:
    """The page's text.

    Parameters
    ----------
    content : PageContent
        What it shows.
    options : CalibrationOptions
        How many disagreements it shows.
    out : Path
        The folder that it will be in.
    """
    worst = disagreements(content.matched.told)
    with Source(content.results) as source:
        album = Album(content.results, source, out)
        cards = [_card(album.card(one.record), one, content.matched) for one in worst[: options.worst]]
        flips = _flips(content, album, options, out)
    page = (
        page_environment(_PACKAGE)
        .get_template("calibration.html")
        .render(
            title=f"Calibration: {content.results.runs[0].name}",
            policy=page_policy(),
            style=Markup(page_asset("page.css")),
            notes=content.notes,
            sections=_sections(content),
            worst=cards,
            disagreements=len(worst),
            flips=flips,
            flipped=len(content.compared.flips) if content.compared is not None else 0,
            facts=content.facts,
        )
    )
    return page + "\n"


def _sections(content: PageContent) -> list[PageSection]:
    placed = {key: name for name, _, keys in _SECTIONS for key in keys}
    found = []
    for name, title, _ in _SECTIONS:
        tables = tuple(view(one) for one in content.tables if placed.get(one.key, "verdicts") == name)
        figures = tuple(_figure(one) for one in content.fitted.maps) if name == "fitted" else ()
        if tables:
            found.append(PageSection(name, title, tables, figures))
    return found


def _figure(made: FittedProbability) -> Figure:
    curves = {f"{made.number} as it is": made.raw, "fitted": made.fitted}
    drawn = {name: [CurvePoint(one.mean, share) for one, share in points] for name, points in curves.items() if points}
    drawing = calibration_curves(
        list(drawn), list(drawn.values()), across=f"{made.number}, or the probability fitted to it", up=made.of
    )
    caption = f"Of the {made.judged_on} candidates that nothing was fitted to, by tenths; the dashed line is right."
    return Figure(f"{made.number}: {made.of}", drawing, caption)


def _flips(
    content: PageContent, album: Album, options: CalibrationOptions, out: Path
) -> list[tuple[CaseCard, CaseCard]] | None:
    if content.compared is None or content.other is None:
        return None
    with Source(content.other) as source:
        theirs = Album(content.other, source, out)
        return [
            (
                _card(album.card(one.record), one.case, content.matched),
                _card(theirs.card(one.other), one.case, content.matched),
            )
            for one in content.compared.flips[: options.worst]
        ]


def _card(card: Card, case: LabelledCase | None, matched: LabelledRun) -> CaseCard:
    if case is None:
        return CaseCard(card, "not labelled", ())
    names = matched.question.classes
    said = [one.level for one in case.labels]
    told = [f"{said.count(level)} {names[level].replace('_', ' ')}" for level in reversed(range(len(names)))]
    told += [f"{said.count(None)} can't tell"]
    people = ", ".join(one for one in told if not one.startswith("0 "))
    return CaseCard(card, f"people: {people}", tuple(one.comment for one in case.labels if one.comment))
