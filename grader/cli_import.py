"""``grader import``: public data sets, with what models made of them, to manifests. Imported late where it is heavy."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli_errors import one_line_errors, say
from grader.wording import count_of, first_few

if TYPE_CHECKING:
    from grader.importers.mentisoculi import MentisSummary

import_app = typer.Typer(
    no_args_is_help=True,
    help="Make a manifest of a public data set.",
    epilog="A manifest is what `grader grade MANIFEST --run FOLDER` grades. docs/import.md shows the layouts.",
)

_Manifest = Annotated[Path, typer.Option(help="The manifest to write.")]


@import_app.command(epilog="Example: `grader import amaze data/amaze --outputs out/my-model --manifest amaze.jsonl`.")
def amaze(
    source: Annotated[Path, typer.Argument(help="The data set: its parquet files or its folder of instances.")],
    manifest: _Manifest,
    outputs: Annotated[Path | None, typer.Option(help="Folder of what the model made.")] = None,
    model: Annotated[str, typer.Option(help="Name of the model, for the tables of a report.")] = "",
) -> None:
    """Make a manifest of AMAZE mazes and boards, and a model's answers.

    Answers to the rows of parquet files are named OUTPUTS/ID_ATTEMPT.png. Those to a folder of instances are named
    OUTPUTS/INSTANCE/NAME.png; where all names of an instance end in different numbers, these are the attempts. JPEG,
    WebP, AVIF and GIF are read too.
    """
    with one_line_errors():
        from grader.importers.amaze import import_amaze

        made = import_amaze(source, outputs, manifest, model=model, progress=True)
        _done(made.manifest, made.requests)
        if made.instances_without_outputs:
            _idle(made.instances_without_outputs, made.instances)
        if made.unmatched_outputs:
            _strangers("picture", "pictures", made.unmatched_outputs)


@import_app.command(
    epilog="Examples: `grader import mentisoculi mentis-oculi/datasets --answers mentis-oculi/results/responses "
    "--manifest words.jsonl` · `grader import mentisoculi mentis-oculi/datasets --clips out/my-model --model my-model "
    "--manifest clips.jsonl` · `grader import mentisoculi mentis-oculi/datasets --steps out/drawn --model my-model "
    "--fill-missing --manifest steps.jsonl`. Then `grader grade words.jsonl --run runs/words`."
)
def mentisoculi(
    source: Annotated[
        Path, typer.Argument(help="Folder that holds rushhour and sliding-puzzle, as the public data set has them.")
    ],
    manifest: _Manifest,
    answers: Annotated[
        Path | None, typer.Option(help="File or folder of written answers, such as the public results.")
    ] = None,
    clips: Annotated[Path | None, typer.Option(help="Folder of MP4 or WebM clips.")] = None,
    steps: Annotated[
        Path | None, typer.Option(help="Folder of folders with step_01.png, step_02.png, ... and answer.txt.")
    ] = None,
    model: Annotated[
        str, typer.Option(help="Who made clips and step pictures, and answers whose file does not say it.")
    ] = "",
    strategy: Annotated[
        str, typer.Option(help="How, likewise [default: video for clips, frames for step pictures].")
    ] = "",
    fill_missing: Annotated[
        bool,
        typer.Option(
            "--fill-missing",
            help="Where a model answered puzzles of a task and level but not all, the others are answers that are "
            "missing, and so wrong.",
        ),
    ] = False,
) -> None:
    """Make a manifest of MentisOculi's rush-hour lots and sliding puzzles, and what models made of them.

    Puzzles lie at TASK/level_03/puzzle_0005/metadata.json. Answers are files of the public results, or JSON with model,
    strategy, task, level, and responses of puzzle_id and raw_text; a text that is null is a missing answer, and so
    wrong.

    Paths of clips name task, level and puzzle, such as rushhour/level_03/puzzle_0005.mp4, or with attempts
    rushhour/level_03/puzzle_0005/attempt_2.mp4 or rushhour_level_03_puzzle_0005_2.mp4; so do those of folders of step
    pictures. Where all names of a puzzle end in different numbers, these are the attempts.
    """
    with one_line_errors():
        from grader.importers.mentisoculi import Sources, import_mentisoculi

        sources = Sources(source, answers, clips, steps, model, strategy, fill_missing)
        _print_mentisoculi(import_mentisoculi(sources, manifest, progress=True))


def _print_mentisoculi(made: MentisSummary) -> None:
    _done(made.manifest, made.requests)
    for what, skipped in (("puzzle", made.skipped_instances), ("answer", made.skipped_answers)):
        if skipped:
            named = ", ".join(f"{task} ({number})" for task, number in skipped)
            say(f"{count_of(sum(n for _, n in skipped), what)} of tasks that can't be graded yet: {named}")
    if made.without_outputs:
        _idle(made.without_outputs, made.instances)
    if made.left_out:
        verb = "is" if len(made.left_out) == 1 else "are"
        fate = (
            f"{verb} in the manifest as an empty text"
            if made.filled
            else f"{verb} in no denominator; --fill-missing counts such as wrong"
        )
        say(f"{count_of(len(made.left_out), 'answer')} that a model left out {fate}: {first_few(made.left_out)}")
    if made.unmatched_answers:
        number = len(made.unmatched_answers)
        text = "is to a puzzle that is" if number == 1 else "are to puzzles that are"
        say(f"{count_of(number, 'answer')} {text} not there: {first_few(made.unmatched_answers)}")
    if made.unmatched_clips:
        _strangers("clip", "clips", made.unmatched_clips)
    if made.unmatched_series:
        _strangers("series of step pictures", "series of step pictures", made.unmatched_series)


def _done(manifest: Path, requests: int) -> None:
    print(f"{manifest}: {count_of(requests, 'request')}")
    print(f"grade them: grader grade {shlex.quote(str(manifest))} --run {shlex.quote(f'runs/{manifest.stem}')}")


def _idle(without: int, instances: int) -> None:
    verb = "has" if without == 1 else "have"
    say(f"{without} of {count_of(instances, 'instance')} {verb} no output, so no request")


def _strangers(one: str, many: str, names: tuple[object, ...]) -> None:
    verb = "belongs" if len(names) == 1 else "belong"
    counted = count_of(len(names), one, many)
    say(f"{counted} {verb} to no instance: {first_few(names)}; see --help for how they are named")
