"""``grader import mazes``: mazes of square cells in public layouts, with what a model made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet, plain
from grader.cli.importing.telling import ManifestPlace, Missing, absent, done, idle, import_epilog, strangers
from grader.importers.common.missing import MissingAnswers

MAZES_EPILOG = import_epilog(
    "grader import mazes dataset_VR/test/maze --outputs out/my-model --model my-model --manifest mazes.jsonl",
    "grader import mazes DiffThinker/Maze/8_test --outputs out/my-model --manifest mazes.jsonl",
    "grader grade mazes.jsonl --run runs/mazes",
)


def mazes(
    source: Annotated[Path, typer.Argument(help="Folder of mazes: VR-Bench's, or DiffThinker's.")],
    manifest: ManifestPlace,
    outputs: Annotated[Path, typer.Option(help="Folder of what the model made: pictures and clips.")],
    model: Annotated[str, typer.Option(help="Name of the model, for the tables of a report.")] = "",
    missing: Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of mazes in public layouts, and of the pictures or clips that a model made of them.

    Mazes are states/NAME.json beside images/NAME.png (VR-Bench, mazes and fields of traps); NAME.txt with the walls of
    each cell beside NAME.png, or table/NAME.txt beside NAME.png (DiffThinker's mazes and frozen lakes). Outputs have
    the names of mazes, such as OUTPUTS/easy_1.mp4, with the folders of the source where names are not unique.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.mazes.importer import import_mazes

        made = import_mazes(source, outputs, manifest, model=model, missing=missing, progress=out.progress)
        done(out, made.manifest, made.requests)
        if made.instances_without_outputs:
            idle(out, made.instances_without_outputs, made.instances)
        absent(out, made.missing_answers, made.missing)
        if made.unmatched_outputs:
            strangers(out, "output", "outputs", made.unmatched_outputs)
        out.answer(plain(made))
