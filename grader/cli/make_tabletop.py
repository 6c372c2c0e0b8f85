"""``grader make tabletop``: edits of scenes of coloured boxes on a table. Imported late where it is heavy."""

from __future__ import annotations

import enum
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.errors import one_line_errors, say
from grader.cli.make_options import Count, Jobs, Out, Seed, Training, numbers, once, processes, seeds
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


TABLETOP_EPILOG = (
    "Examples: `grader make tabletop --out runs/table` · `grader make tabletop --out runs/moves --operation move "
    "--operation place --twins --count 100` · `grader make tabletop --out runs/train --count 5000 --training` · "
    "`grader make tabletop --out runs/check --count 20 --wrong`, then `grader grade runs/check/requests.jsonl --run "
    "runs/check-graded` and `grader report runs/check-graded --by result --matrix result operation`. Stopped, even by "
    "kill -9? Run the same command again: it goes on."
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
) -> None:
    """Make edits of scenes of coloured boxes on a table, with the right result, and wrong ones.

    --count edits are made of each operation, each with the pictures before and after, the instruction, and a record of
    boxes, camera and table. Edits of one seed have the same scene, so split a data set by seed. The same options give
    the same bytes. What is there already is kept, so that more can be added to a folder.

    requests.jsonl grades the results that were made here; `grader import tabletop` does so for what a model made.
    docs/make.md says what each file holds.
    """
    with one_line_errors():
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
        _say_what_is_there(out, make_tabletop(out, recipes, look, jobs=processes(jobs), training=training))


def _say_what_is_there(out: Path, report: TabletopReport) -> None:
    from grader.serving.catalogue import measures_missing

    made = report.made
    print(f"{made.instances}: {made.made} made, {made.kept} kept")
    if made.training is not None:
        print(f"{made.training[0]}: {count_of(made.training[1], 'line')}")
    print(f"{report.manifest}: {count_of(report.requests, 'request')}")
    run = shlex.quote(f"runs/{out.resolve().name}-graded")
    print(f"grade them: grader grade {shlex.quote(str(report.manifest))} --run {run}")
    print(f"then see which pass: grader report {run} --by result --matrix result operation")
    print(f"once a model has drawn {out / 'outputs'}/NAME/*.png:")
    outputs, manifest = (shlex.quote(str(out / name)) for name in ("outputs", "manifest.jsonl"))
    print(f"grader import tabletop {shlex.quote(str(out))} --outputs {outputs} --manifest {manifest}")
    why = measures_missing()["lpips_alex"]
    if why is not None:
        say(f"edits are graded with LPIPS, which is missing here: {why}")
