"""The HTML page of a report: one file that needs nothing else, no network and no script to be read."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

from grader.report.data.estimates import Estimate
from grader.report.data.grouping import by_task
from grader.report.data.records import Record, Results
from grader.report.page.examples import Album, Example, Group, Picture, pick
from grader.report.page.figures import task_figures
from grader.report.page.markup import Attribute, Html, join, tag
from grader.report.tables.build import TableOptions
from grader.report.tables.table import Cell, Column, Part, Table, Unit, absences, number_text, row_texts

_SETTINGS = "Rates and means are in per cent. Arrows show which way is better."


def render_page(
    results: Results, tables: Sequence[Table], notes: Sequence[str], options: TableOptions, *, examples: int
) -> str:
    """The page.

    Parameters
    ----------
    results : Results
        For plots and examples.
    tables : sequence of Table
        Those of `grader.report.tables.build`; a table belongs to the task that its key begins with.
    notes : sequence of str
        What has to be known before the tables.
    options : TableOptions
        How tables and intervals were made.
    examples : int
        How many candidates each group shows; 0 for none.
    """
    tasks = by_task(results)
    of_task = {task: [table for table in tables if table.task == task] for task in tasks}
    common = [table for table in tables if not table.task]
    album = Album()
    sections = [_section("overview", "Overview", _overview(results, notes, options), *map(_table, common))]
    contents = [("overview", "Overview", [(table.key, table.title) for table in common])]
    for task, records in tasks.items():
        shown = of_task[task]
        figures = task_figures(results, records, options.resampling)
        groups = pick(records, examples) if examples else []
        parts: list[Html] = [tag("div", *figures, class_="figures")] if figures else []
        parts += [_table(table) for table in shown]
        below = [(table.key, table.title.removeprefix(f"{task}: ")) for table in shown]
        if groups:
            parts.append(tag("h3", "Examples", id=f"examples-{task}"))
            parts.append(tag("p", _EXAMPLES_TEXT, class_="note"))
            parts += [_group(results, group, album) for group in groups]
            below.append((f"examples-{task}", "examples"))
        sections.append(_section(f"task-{task}", task, *parts))
        contents.append((f"task-{task}", task, below))
    script = _asset("page.js")
    body = tag(
        "body",
        tag("header", tag("h1", "Graded runs: ", ", ".join(run.name for run in results.runs))),
        tag("div", _contents(contents), tag("main", *sections), class_="columns"),
        tag("script", Html(script)),
    )
    return f"<!DOCTYPE html>\n{tag('html', _head(results, script), body, lang='en')}\n"


_EXAMPLES_TEXT = (
    "Those that are easiest to dispute come first: the detector was unsure, or score and outcome are far apart. "
    "The choice is the same each time."
)


def _asset(name: str) -> str:
    return (resources.files("grader.report.page") / name).read_text(encoding="utf-8")


def _head(results: Results, script: str) -> Html:
    # The page may show what strangers named their models: nothing but this one script runs, and nothing is fetched.
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("title", "Report: ", ", ".join(run.name for run in results.runs)),
        tag("style", Html(_asset("page.css"))),
    )


def _section(anchor: str, title: str, *parts: Html) -> Html:
    return tag("section", tag("h2", title), *parts, id=anchor)


def _contents(entries: Sequence[tuple[str, str, Sequence[tuple[str, str]]]]) -> Html:
    def link(anchor: str, title: str) -> Html:
        return tag("a", title, href=f"#{anchor}")

    return tag(
        "nav",
        tag(
            "ul",
            *(
                tag("li", link(anchor, title), tag("ul", *(tag("li", link(*one)) for one in below)))
                for anchor, title, below in entries
            ),
        ),
        aria_label="Contents",
    )


def _overview(results: Results, notes: Sequence[str], options: TableOptions) -> Html:
    how = options.resampling
    intervals = (
        f"Intervals: {100 * how.level:g} %, bootstrap of puzzles, {how.resamples} resamples, seed {how.seed}; "
        "Wilson's where all puzzles passed or none did."
        if how.resamples
        else "No intervals were asked for."
    )
    made_by = sorted({record.made_by for record in results.records if record.made_by})
    facts = [
        *(f"Run {run.name}: {run.folder}" for run in results.runs),
        *(f"Made by {one}." for one in made_by),
        intervals,
        _SETTINGS,
    ]
    warned = [tag("p", note, class_="warning") for note in notes]
    return join([*warned, tag("ul", *(tag("li", fact) for fact in facts), class_="facts")])


def _table(table: Table) -> Html:
    head = tag("tr", *(tag("th", column.heading, class_=_side(column), scope="col") for column in table.columns))
    body = [
        tag(
            "tr",
            *(
                _cell(cell, column, text, heat=table.heat)
                for cell, column, text in zip(row, table.columns, row_texts(table, row), strict=True)
            ),
        )
        for row in table.rows
    ]
    below = [tag("p", note, class_="note") for note in (*table.notes, *absences(table))]
    grid = tag("table", tag("thead", head), tag("tbody", *body), class_="sortable")
    opened: Attribute = table.brief
    return tag(
        "details",
        tag("summary", tag("h3", table.heading)),
        tag("div", grid, class_="scroll"),
        *below,
        open=opened,
        id=table.key,
    )


def _side(column: Column) -> str:
    return "text" if column.unit is Unit.TEXT else "number"


def _cell(cell: Cell, column: Column, text: str, *, heat: bool) -> Html:
    """A value, with its interval and n in small print below; ``data-v`` is what the script sorts by."""
    if isinstance(cell, Estimate):
        if cell.value is None:
            return tag("td", "-", class_="number", data_v=-1, title=cell.why)
        shown = number_text(cell.value, column.unit)
        rest = text.removeprefix(shown).strip()
        small = [tag("small", rest)] if rest else []
        # Only the percentage is kept, in whole steps, so that a class of the style sheet is not needed for each.
        style: Attribute = f"--heat:{round(100 * min(1.0, max(0.0, cell.value)))}%" if heat else False
        return tag(
            "td", shown, *small, class_="number heat" if heat else "number", data_v=f"{cell.value:.6g}", style=style
        )
    if isinstance(cell, Part):
        share = f"{100 * cell.count / cell.of:.1f} %" if cell.of else ""
        return tag("td", str(cell.count), tag("small", share), class_="number", data_v=cell.count)
    if isinstance(cell, int):
        return tag("td", str(cell), class_="number", data_v=cell)
    return tag("td", text, class_="text")


def _group(results: Results, group: Group, album: Album) -> Html:
    shown = [_example(album.example(results, record)) for record in group.shown]
    title = f"{group.title} ({len(group.shown)} of {group.count})"
    return tag("details", tag("summary", title), tag("p", group.meaning, class_="note"), *shown, class_="group")


def _example(example: Example) -> Html:
    record = example.record
    facts = [
        ("outcome", "" if record.end is None else record.end.value),
        ("score", _number(record.score)),
        ("reward", _number(record.reward)),
        ("confidence", _number(record.confidence)),
        ("model", record.model),
        ("puzzle", record.item.puzzle),
        *(("attempt", str(record.item.attempt)) for _ in range(record.item.attempt > 0)),
        *record.item.tags,
    ]
    listed = [tag("dt", name) + tag("dd", value) for name, value in facts]
    reasons = [tag("li", tag("code", code), " ", message) for code, message in example.reasons]
    return tag(
        "article",
        tag("h5", record.item.request_id),
        tag("dl", *(Html(one) for one in listed)),
        tag("ul", *reasons) if reasons else Html(),
        Html() if example.words is None else tag("pre", example.words, class_="words"),
        tag(
            "div",
            _picture(example.candidate, "candidate", record),
            _picture(example.overlay, "overlay", record),
            class_="pictures",
        ),
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _picture(picture: Picture, what: str, record: Record) -> Html:
    if not picture.uri:
        return tag("p", f"{what}: {picture.why_not}", class_="note")
    alt = f"{what} of {record.item.request_id}"
    return tag(
        "figure",
        tag("img", src=picture.uri, alt=alt, loading="lazy", decoding="async"),
        tag("figcaption", what),
        class_=what,
    )
