"""``grader make paper-fold``: sheets that are folded, punched and unfolded. Imported late where it is heavy."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet
from grader.cli.making.options import Count, Jobs, Out, Seed, Training, numbers, processes, seeds
from grader.cli.making.telling import made_answer, make_epilog, tell_grade, tell_made
from grader.model.errors import GraderError

PAPER_FOLD_EPILOG = make_epilog(
    "grader make paper-fold --out runs/folds",
    "grader make paper-fold --out runs/folds --level 2-4 --count 100 --style random --training",
    "grader grade runs/folds/manifest.jsonl --run runs/folds-graded",
    "grader import mentisoculi runs/folds --pictures drawn --model mine --manifest drawn.jsonl",
)


def paper_fold(
    out: Out,
    level: Annotated[str | None, typer.Option(help="Folds, such as 3 or 1-5; up to 6 [default: 1-5].")] = None,
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
    """Make sheets that are folded and punched, and what they show once they are unfolded.

    --count puzzles are made of each level: the question with five options, metadata.json as the public MentisOculi
    puzzles have it, with the geometry; the sheet after each fold without holes, and after each fold that is undone with
    them, and the unfolding as a video. The same options give the same bytes. What is there already is kept, so that
    more can be added to a folder.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.paper_folds import MANIFEST_NAME, make_paper_folds
        from grader.make.plans import PlanLook
        from puzzles.mentis.paper_folds import PaperFoldRecipe
        from puzzles.paper_fold.generator import MAX_LEVEL

        levels = numbers("--level", level or "1-5", 1, MAX_LEVEL)
        recipes = [PaperFoldRecipe(one, number) for one in levels for number in seeds(seed, count)]
        try:
            look = PlanLook(style, size, video_size or None)
        except ValueError as error:
            raise GraderError(str(error)) from None
        report = make_paper_folds(out, recipes, look, jobs=processes(jobs), training=training, progress=shown.progress)
        tell_made(shown, report)
        tell_grade(shown, out / MANIFEST_NAME)
        folder = shlex.quote(str(out))
        shown.line("once a model has drawn unfolded sheets DRAWN/NAME.png, or answered a line each in answers.jsonl:")
        shown.line(f"grader import mentisoculi {folder} --pictures DRAWN --manifest {folder}/drawn.jsonl")
        shown.line(f"grader import mentisoculi {folder} --answers answers.jsonl --manifest {folder}/words.jsonl")
        shown.answer(made_answer(report))
