"""``grader make tabletop``: edits of scenes of coloured boxes on a table. Imported late where it is heavy."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet
from grader.cli.making.options import Count, Jobs, Out, Seed, Training, numbers, once, processes, seeds
from grader.cli.making.telling import made_answer, make_epilog, tell_grade, tell_import, tell_made
from grader.model.errors import GraderError
from grader.model.wording import count_of

if TYPE_CHECKING:
    from grader.make.tabletop import TabletopReport


class OperationName(enum.StrEnum):
    """What can be given as ``--operation``."""

    MOVE = "move"
    PLACE = "place"
    ROTATE = "rotate"
    RESIZE = "resize"
    REMOVE = "remove"
    VIEW = "view"


TABLETOP_EPILOG = make_epilog(
    "grader make tabletop --out runs/table",
    "grader make tabletop --out runs/moves --operation move --operation place --twins --count 100",
    "grader make tabletop --out runs/train --count 5000 --training",
    "grader make tabletop --out runs/check --count 20 --wrong",
    "grader grade runs/check/requests.jsonl --run runs/check-graded",
    "grader report runs/check-graded --by result --matrix result operation",
)


def tabletop(
    out: Out,
    operation: Annotated[
        list[OperationName] | None, typer.Option(help="May be given again [default: all six].")
    ] = None,
    boxes: Annotated[str, typer.Option(help="How many boxes a scene has, such as 4 or 3-5; 2 to 8.")] = "3-5",
    twins: Annotated[
        bool,
        typer.Option("--twins", help="Two boxes look the same, and the instruction says which of them is meant."),
    ] = False,
    wrong: Annotated[
        bool,
        typer.Option(
            "--wrong",
            help="Draw wrong results too, and half done ones, each with what is wrong: to try reward functions on.",
        ),
    ] = False,
    count: Count = None,
    seed: Seed = None,
    size: Annotated[
        int, typer.Option(help="Width of the pictures in pixels, 320 to 1920, a multiple of 4; they are 4 : 3.")
    ] = 640,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make edits of scenes of coloured boxes on a table, with the right result, and wrong ones.

    --count edits are made of each operation, each with the pictures before and after, the instruction, and a record of
    boxes, camera and table. Edits of one seed have the same scene, so split a data set by seed. The same options give
    the same bytes. What is there already is kept, so that more can be added to a folder.

    requests.jsonl grades the results that were made here; `grader import tabletop` does so for what a model made.
    docs/make.md says what each file holds.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.tabletop import TabletopLook, make_tabletop
        from puzzles.tabletop.edits import Operation
        from puzzles.tabletop.generator import MAX_CUBOIDS
        from puzzles.tabletop.recipes import LEAST_BOXES, TabletopRecipe

        found = numbers("--boxes", boxes, LEAST_BOXES, MAX_CUBOIDS)
        if found != list(range(found[0], found[-1] + 1)):
            raise GraderError(f"--boxes {boxes!r} has a gap; give one range, such as {found[0]}-{found[-1]}")
        try:
            look = TabletopLook(size, wrong)
        except ValueError as error:
            raise GraderError(f"--size: {error}") from None
        recipes = [
            TabletopRecipe(Operation(name.value), number, twins, found[0], found[-1])
            for name in once(operation or list(OperationName))
            for number in seeds(seed, count)
        ]
        report = make_tabletop(out, recipes, look, jobs=processes(jobs), training=training, progress=shown.progress)
        _say_what_is_there(shown, out, report)


def _say_what_is_there(shown: Output, out: Path, report: TabletopReport) -> None:
    from grader.serving.catalogue import measures_missing

    tell_made(shown, report.made)
    shown.line(f"{report.manifest}: {count_of(report.requests, 'request')}")
    run = tell_grade(shown, report.manifest)
    shown.line(f"then see which pass: grader report {run} --by result --matrix result operation")
    tell_import(shown, "tabletop", out)
    why = measures_missing()["lpips_alex"]
    if why is not None:
        shown.note(f"edits are graded with LPIPS, which is missing here: {why}")
    shown.answer({**made_answer(report.made), "manifest": report.manifest, "requests": report.requests})
