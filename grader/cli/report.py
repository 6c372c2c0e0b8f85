"""``grader report``: tables and a page of graded runs. Imported late where it is heavy."""

from __future__ import annotations

import enum
import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.completion import complete_by
from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.model.errors import GraderError

EPILOG = epilog(
    "grader report runs/a",
    "grader report runs/a runs/b --out runs/both",
    "grader report runs/a --by model,geometry+scale --matrix geometry scale",
    "grader report runs/edits --labels people.csv",
    "grader report runs/a --format csv > tables.csv",
    more="docs/report.md defines every column.",
    codes="Exit codes: 0 the report is written; 1 a file can't be read or written; 2 a folder is no run, or what is "
    "asked for is not in it.",
)


class ReportFormat(enum.Enum):
    """What `grader report` prints."""

    TEXT = "text"
    CSV = "csv"
    MARKDOWN = "markdown"
    JSON = "json"


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `grader grade` wrote.")],
    out: Annotated[Path | None, typer.Option(help="Folder for the report [default: RUN/report].")] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="Tables to make: model, run, attempt, puzzle, profile or any tag; + joins two "
            "[default: model,geometry,scale,geometry+scale, each within models where there are several].",
            autocompletion=complete_by,
        ),
    ] = None,
    matrix: Annotated[
        tuple[str, str] | None, typer.Option(metavar="DOWN ACROSS", help="Two tags as a matrix of pass rates.")
    ] = None,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples for intervals; 0 for no intervals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples.")] = 0,
    k: Annotated[str, typer.Option(help="The k of pass@k.")] = "1,5",
    examples: Annotated[int, typer.Option(min=0, help="Candidates that the page shows of each kind.")] = 4,
    manifest: Annotated[
        list[Path] | None, typer.Option(help="Where a manifest is now, if it was moved; may be given again.")
    ] = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            help="CSV or JSONL of what people said of edits: request_id, rater, ic, el, ac; may be given again."
        ),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            help="CSV of rows beside the models of jigsaw puzzles: name, role (person or model), and kinds of "
            "questions in per cent; may be given again."
        ),
    ] = None,
    print_as: Annotated[ReportFormat, typer.Option("--format", help="What to print.")] = ReportFormat.TEXT,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Tables of graded runs, and a page with a ranking, pictures of failures, and every verdict.

    Prints the main tables and writes index.html with what it loads, verdicts.csv and verdicts.parquet (a row a
    candidate), tables.md, tables.json and tables/*.csv. Rates are over all candidates, those that do not decode
    included; intervals keep the attempts at a puzzle together. Several runs are taken together, such as one for each
    model.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out or runs[0]):
        from grader.report.data.beside import read_given
        from grader.report.data.estimates import Resampling
        from grader.report.data.grouping import parse_by
        from grader.report.make import make_report
        from grader.report.tables.build import TableOptions, parse_k
        from grader.report.tables.jigsaw.kinds import KINDS
        from grader.report.tables.writers import print_report, to_json

        if as_json and print_as not in (ReportFormat.TEXT, ReportFormat.JSON):
            raise GraderError("--json and --format say different things; give one of them")

        options = TableOptions(
            given=read_given(beside or (), tuple(KINDS)),
            by=None if by is None else parse_by(by),
            matrix=matrix,
            k=parse_k(k),
            resampling=Resampling(resamples=bootstrap, seed=seed),
        )
        made = make_report(
            runs,
            out,
            options,
            manifests=manifest or (),
            labels=labels or (),
            examples=examples,
            progress=shown.progress,
        )
        if as_json:
            shown.answer({"page": made.page, **json.loads(to_json(made.tables, made.notes))})
        elif not quiet or print_as is not ReportFormat.TEXT:
            print_report(made.tables, made.notes, print_as.value)
        shown.last(f"open {shlex.quote(str(made.page))}", tables_for_people=print_as is ReportFormat.TEXT)
