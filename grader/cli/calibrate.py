"""``grader calibrate``: verdicts of a run beside people's labels. Imported late where it is heavy."""

from __future__ import annotations

import enum
import shlex
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.completion import complete_by
from grader.cli.common.output import Json, Output, Quiet, epilog

EPILOG = epilog(
    "grader calibrate runs/a --labels people.csv",
    "grader calibrate runs/a --labels people.csv --against runs/a_strict",
    "grader calibrate runs/a --labels people.csv --most-false-passes 0.02 --fit platt",
    "grader calibrate runs/a --labels people.csv --profile my_profiles/strict.json",
    "grader calibrate runs/edits --labels labels.csv --question ic --number ic --by model,dataset",
    more="`grader label` takes labels. They are CSV, JSON Lines or Parquet, a line for what one person said of one "
    "candidate: request_id, label (right, wrong or cant_tell; or completely, partially, not_at_all), and where "
    "there are several people, rater. People who label a candidate twice tell how consistent they are. What is "
    "fitted is fitted to a part of the puzzles: believe the figures of the other part. docs/calibration.md says "
    "what each number is and when it may be trusted.",
    codes="Exit codes: 0 it is written; 1 a file can't be read or written; 2 a folder is no run, labels can't be "
    "understood, which is said with file, line and field, or none of them is of this run.",
)


class ThresholdFor(enum.Enum):
    """What the threshold of a profile is chosen for."""

    BOUND = "bound"
    COST = "cost"


class ProbabilityFit(enum.Enum):
    """How a number is made a probability."""

    ISOTONIC = "isotonic"
    PLATT = "platt"


def calibrate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder that `grader grade` wrote.")],
    labels: Annotated[
        list[Path],
        typer.Option(help="What people said: CSV, JSONL, Parquet, or JSON of Label Studio; may be given again."),
    ],
    against: Annotated[
        Path | None,
        typer.Option(help="Another run of the same candidates, by another version or profile, to compare with."),
    ] = None,
    question: Annotated[
        str | None, typer.Option(help="Whose labels count, where files name several questions, such as ic.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write to [default: RUN/calibration].")] = None,
    number: Annotated[
        str,
        typer.Option(
            help="What of a verdict is ordered by, made a probability and given a threshold: score, reward, confidence "
            "or a metric of which more is better. With labels of three levels it is put into these at 0.7 and 0.1."
        ),
    ] = "score",
    fit: Annotated[
        ProbabilityFit,
        typer.Option(help="How a number is made a probability: isotonic for many labels, platt for few."),
    ] = ProbabilityFit.ISOTONIC,
    split: Annotated[float, typer.Option(help="Share of the puzzles that is fitted to; the others judge.")] = 0.5,
    most_false_passes: Annotated[
        float, typer.Option(help="Bound on the share of wrong candidates that a threshold lets pass.")
    ] = 0.05,
    false_pass_cost: Annotated[float, typer.Option(help="What a wrong candidate that passes costs.")] = 1.0,
    false_fail_cost: Annotated[float, typer.Option(help="What a right candidate that fails costs.")] = 1.0,
    profile: Annotated[
        Path | None,
        typer.Option(metavar="NAME.json", help="Write what was fitted as a profile for --profiles FOLDER."),
    ] = None,
    profile_threshold: Annotated[
        ThresholdFor, typer.Option(help="Which threshold it has: that of false passes below a bound, or of least cost.")
    ] = ThresholdFor.BOUND,
    by: Annotated[
        str | None,
        typer.Option(
            help="Slices: model, task, run, puzzle, attempt, profile or any tag; + joins two [default: task,model, and "
            "geometry, scale and nuisance where candidates have such tags].",
            autocompletion=complete_by,
        ),
    ] = None,
    few: Annotated[int, typer.Option(min=0, help="Slices with fewer labelled candidates are marked.")] = 20,
    worst: Annotated[int, typer.Option(min=0, help="Disagreements that the page shows.")] = 20,
    bootstrap: Annotated[int, typer.Option(min=0, help="Resamples for intervals; 0 for none.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples and of how puzzles are parted.")] = 0,
    manifest: Annotated[
        list[Path] | None, typer.Option(help="Where a manifest is now, if it was moved; may be given again.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare verdicts with people's labels, and fit probabilities and thresholds to them.

    First how far people agree with each other and with themselves: no grader can do better. Then how far the grader
    agrees with them, where it does not, what its score and confidence are worth as probabilities, which threshold
    keeps false passes rare, and the pass rate that people would give the whole run. Writes index.html with the worst
    disagreements, calibration.json and tables/*.csv.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out or run):
        from calibration.cases import CalibrationOptions
        from calibration.fitting import ThresholdKind
        from calibration.make import make_calibration
        from calibration.profile_file import ProfileWish
        from calibration.statistics.probability import FitKind
        from grader.report.data.estimates import Resampling
        from grader.report.data.grouping import parse_by
        from grader.report.tables.writers import print_report

        options = CalibrationOptions(
            number=number,
            kind=FitKind(fit.value),
            split=split,
            false_pass_cost=false_pass_cost,
            false_fail_cost=false_fail_cost,
            most_false_passes=most_false_passes,
            by=None if by is None else parse_by(by),
            few=few,
            worst=worst,
            resampling=Resampling(resamples=bootstrap, seed=seed),
        )
        made = make_calibration(
            run,
            labels,
            out,
            options,
            against=against,
            question=question,
            profile=None if profile is None else ProfileWish(profile, ThresholdKind(profile_threshold.value)),
            manifests=manifest or (),
            progress=shown.progress,
        )
        if as_json:
            shown.answer({"page": made.page, "json": made.json, "profile": profile, **made.content})
        elif not quiet:
            print_report(made.tables, made.notes, "text")
        if profile is not None:
            shown.note(f"{profile} is written; `grader grade --profiles {shlex.quote(str(profile.parent))}` knows it")
        shown.last(f"open {shlex.quote(str(made.page))}")
