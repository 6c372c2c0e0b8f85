"""``grader make form-board``: silhouettes and the pieces that fill them. Imported late where it is heavy."""

from __future__ import annotations

from typing import Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet
from grader.cli.making.options import Count, Jobs, Out, Seed, Training, numbers, processes, seeds
from grader.cli.making.telling import made_answer, make_epilog, tell_grade, tell_made
from grader.model.errors import GraderError

FORM_BOARD_EPILOG = make_epilog(
    "grader make form-board --out runs/boards",
    "grader make form-board --out runs/boards --level 3-5 --count 100 --style random --training",
    "grader grade runs/boards/manifest.jsonl --run runs/boards-graded",
)


def form_board(
    out: Out,
    level: Annotated[
        str | None,
        typer.Option(help="Pieces that fill the silhouette, such as 3 or 1-5; up to 8 [default: 1-5]."),
    ] = None,
    count: Count = None,
    seed: Seed = None,
    style: Annotated[
        str, typer.Option(help="A style that `grader make list` shows; random: one of its own for each.")
    ] = "published",
    size: Annotated[int, typer.Option(help="Width of the pictures in pixels, 128 to 3300.")] = 1024,
    video_size: Annotated[int, typer.Option(help="Width of a video in pixels, even, 128 to 3300; 0 for none.")] = 0,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make form boards: a silhouette, and pieces of which just one set fills it.

    --count boards are made of each level: the picture, metadata.json as the public MentisOculi puzzles have it, with
    the outlines beside, a picture of every step, the solution as a picture and in words, and as a video if asked for.
    manifest.jsonl has these right answers, to be graded. The same options give the same bytes. What is there already is
    kept, so that more can be added to a folder.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.form_board import MANIFEST_NAME, make_form_boards
        from grader.make.plans import PlanLook
        from puzzles.form_board.generator import MAX_LEVEL
        from puzzles.mentis.form_boards import FormBoardRecipe

        levels = numbers("--level", level or "1-5", 1, MAX_LEVEL)
        recipes = [FormBoardRecipe(one, number) for one in levels for number in seeds(seed, count)]
        try:
            look = PlanLook(style, size, video_size or None)
        except ValueError as error:
            raise GraderError(str(error)) from None
        report = make_form_boards(out, recipes, look, jobs=processes(jobs), training=training, progress=shown.progress)
        tell_made(shown, report)
        tell_grade(shown, out / MANIFEST_NAME)
        shown.answer(made_answer(report))
