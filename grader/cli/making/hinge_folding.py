"""``grader make hinge-folding``: chains of pieces and silhouettes. Imported late where it is heavy."""

from __future__ import annotations

from typing import Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet
from grader.cli.making.options import Count, Jobs, Out, Seed, Training, numbers, processes, seeds
from grader.cli.making.telling import made_answer, make_epilog, tell_grade, tell_made
from grader.model.errors import GraderError
from grader.model.wording import count_of

HINGE_EPILOG = make_epilog(
    "grader make hinge-folding --out runs/chains",
    "grader make hinge-folding --out runs/chains --level 3-5 --count 100 --style random --training",
    "grader make hinge-folding --out runs/chains --level 1 --video-size 0",
)


def hinge_folding(
    out: Out,
    level: Annotated[
        str | None, typer.Option(help="Hinges, all of which have to be turned, such as 3 or 1-8 [default: 1-5].")
    ] = None,
    count: Count = None,
    seed: Seed = None,
    style: Annotated[
        str, typer.Option(help="A style that `grader make list` shows; random: one of its own for each.")
    ] = "published",
    size: Annotated[int, typer.Option(help="Side of the pictures in pixels, 128 to 3300.")] = 1024,
    video_size: Annotated[
        int, typer.Option(help="Side of the video in pixels, even, 128 to 3300; 0 for no video.")
    ] = 512,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make chains of pieces on hinges, and silhouettes that just one program folds them into.

    --count chains are made of each level: the chain, the silhouette, both side by side, metadata.json as the public
    MentisOculi puzzles have it, a picture of every step, and the solution as a video and as an answer in words. The
    same options give the same bytes. What is there already is kept, so that more can be added to a folder.

    requests.jsonl grades the solutions; `grader import mentisoculi` does so for what a model made.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.hinge_folding import make_hinges
        from grader.make.plans import PlanLook
        from puzzles.hinge_folding.generator import MAX_LEVEL
        from puzzles.mentis.hinges import HingeRecipe

        levels = numbers("--level", level or "1-5", 1, MAX_LEVEL)
        recipes = [HingeRecipe(one, number) for one in levels for number in seeds(seed, count)]
        try:
            look = PlanLook(style, size, video_size or None)
        except ValueError as error:
            raise GraderError(str(error)) from None
        report = make_hinges(out, recipes, look, jobs=processes(jobs), training=training, progress=shown.progress)
        tell_made(shown, report.made)
        shown.line(f"{report.manifest}: {count_of(report.requests, 'request')}")
        tell_grade(shown, report.manifest)
        shown.answer({**made_answer(report.made), "manifest": report.manifest, "requests": report.requests})
