"""``grader import mazebench``: grid mazes with models' answers. Imported late where it is heavy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet, plain
from grader.cli.importing.telling import ManifestPlace, Missing, absent, done, have, idle, import_epilog
from grader.importers.common.missing import MissingAnswers
from grader.model.wording import count_of, first_few

if TYPE_CHECKING:
    from grader.importers.mazebench.importer import BenchSummary

MAZEBENCH_EPILOG = import_epilog(
    "grader make grid-maze --out runs/grids --groups",
    "grader import mazebench runs/grids --answers answers.jsonl --manifest words.jsonl",
    "grader import mazebench runs/grids --answers on-text.csv --model mine --condition text_grid --manifest "
    "grids.jsonl",
    "grader grade words.jsonl --run runs/words",
)


def mazebench(
    source: Annotated[Path, typer.Argument(help="Folder with meta.json, and perhaps maze_annotations.json.")],
    manifest: ManifestPlace,
    answers: Annotated[
        Path, typer.Option(help="File or folder of answers: a line each (.jsonl, .csv), or JSON with a list.")
    ],
    model: Annotated[str, typer.Option(help="Who gave answers that do not say it.")] = "",
    condition: Annotated[
        str, typer.Option(help="What they are answers to, likewise: image, text_grid, or another word.")
    ] = "",
    missing: Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of grid mazes, MazeBench's or your own, and of what models answered.

    An answer has maze and text, and perhaps model, condition, attempt, total_tokens (or thinking_tokens and
    output_tokens), latency_s and finish_reason. Tokens, latency and whether it was cut off go into tables. A text that
    is null is a missing answer, and so wrong.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.mazebench.importer import BenchSources, import_mazebench

        sources = BenchSources(source, answers, model, condition, missing)
        made = import_mazebench(sources, manifest, progress=out.progress)
        _print_mazebench(out, made)
        out.answer(plain(made))


def _print_mazebench(out: Output, made: BenchSummary) -> None:
    done(out, made.manifest, made.requests)
    if made.without_answers:
        idle(out, made.without_answers, made.mazes)
    absent(out, made.missing_answers, made.missing)
    if made.cut_off:
        out.note(f"{count_of(made.cut_off, 'answer')} {have(made.cut_off)} the tag cut_off: stopped at a limit")
    if made.unmatched_answers:
        number = len(made.unmatched_answers)
        text = "is to a maze that is" if number == 1 else "are to mazes that are"
        out.note(f"{count_of(number, 'answer')} {text} not there: {first_few(made.unmatched_answers)}")
    if made.without_grid:
        number = len(made.without_grid)
        out.note(f"{count_of(number, 'maze')} {have(number)} no grid in meta.json: {first_few(made.without_grid)}")
