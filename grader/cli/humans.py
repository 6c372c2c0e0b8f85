"""``grader humans``: people who solved puzzles, beside models. Imported late where it is heavy."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.model.errors import GraderError

EPILOG = epilog(
    "grader humans trials.csv",
    "grader humans trials.csv --run runs/bagel --seconds bagel=7.5",
    "grader humans trials.csv --run runs/people --run runs/models --budgets 5,10,15,20,25,30",
    more="Trials are CSV: person, perhaps group, time_s, and either task, puzzle_id, level and right (yes or no), or "
    "request_id of an answer that was graded in a run. docs/humans.md says what each number is.",
    codes="Exit codes: 0 it is written; 1 a file can't be read or written; 2 trials can't be understood, which is said "
    "with file, line and field, or a folder is no run.",
)


def humans(
    trials: Annotated[list[Path], typer.Argument(metavar="TRIALS...", help="CSV files of what people answered.")],
    run: Annotated[
        list[Path] | None,
        typer.Option(help="Graded run, of models or of people's answers; may be given again."),
    ] = None,
    seconds: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL=S", help="What a candidate of a model takes; may be given again."),
    ] = None,
    budgets: Annotated[
        str | None, typer.Option(help="Budgets of time in seconds [default: round ones up to the longest answer].")
    ] = None,
    level: Annotated[
        str, typer.Option(help="Tags that say the level of a candidate; the first that it has counts.")
    ] = "level,scale",
    out: Annotated[Path | None, typer.Option(help="Folder to write to [default: humans, beside TRIALS].")] = None,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples for intervals; 0 for none.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples.")] = 0,
    manifest: Annotated[
        list[Path] | None, typer.Option(help="Where a manifest is now, if it was moved; may be given again.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """People who solved puzzles, beside models: success within a budget of time, by level, and what goes together.

    Writes index.html with plots, humans.json and tables/*.csv.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out or trials[0]):
        from calibration.studies.make import StudyOptions, make_study
        from grader.report.data.estimates import Resampling
        from grader.report.tables.writers import print_report

        options = StudyOptions(
            budgets=() if budgets is None else tuple(_number("--budgets", one) for one in budgets.split(",")),
            seconds=dict(_named(one) for one in seconds or ()),
            levels=tuple(one.strip() for one in level.split(",")),
            resampling=Resampling(resamples=bootstrap, seed=seed),
        )
        made = make_study(trials, run or (), out, options, manifests=manifest or (), progress=shown.progress)
        if as_json:
            shown.answer({"page": made.page, "json": made.json, **made.content})
        elif not quiet:
            print_report(made.tables, made.notes, "text")
        shown.last(f"open {shlex.quote(str(made.page))}")


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GraderError(f"{option}: {text!r} is no number of seconds") from None


def _named(text: str) -> tuple[str, float]:
    name, equals, value = text.rpartition("=")
    if not (name and equals):
        raise GraderError(f"--seconds {text!r}: write MODEL=SECONDS, such as bagel=7.5")
    return name, _number("--seconds", value)
