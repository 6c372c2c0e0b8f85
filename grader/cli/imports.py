"""``grader import``: public data sets, with what models made of them, to manifests. Imported late where it is heavy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.completion import complete_profile
from grader.cli.common.output import EXIT_CODES, Json, Output, Quiet, plain
from grader.cli.importing.mazebench import MAZEBENCH_EPILOG, mazebench
from grader.cli.importing.mazes import MAZES_EPILOG, mazes
from grader.cli.importing.telling import ManifestPlace as _Manifest
from grader.cli.importing.telling import Missing as _Missing
from grader.cli.importing.telling import absent as _absent
from grader.cli.importing.telling import done as _done
from grader.cli.importing.telling import have as _have
from grader.cli.importing.telling import idle as _idle
from grader.cli.importing.telling import import_epilog as _epilog
from grader.cli.importing.telling import strangers as _strangers
from grader.importers.common.missing import MissingAnswers
from grader.model.wording import count_of, first_few

if TYPE_CHECKING:
    from grader.importers.common.manifest_file import ImportSummary
    from grader.importers.gsi.importer import GsiSummary
    from grader.importers.mentisoculi.importer import MentisSummary

import_app = typer.Typer(
    no_args_is_help=True,
    help="Make a manifest of a data set and of what models made of it.",
    epilog="A manifest is what `grader grade MANIFEST --run FOLDER` grades. docs/import.md shows the layouts.\n\n"
    f"{EXIT_CODES}",
)


_MOST_FAULTS = 20
"""So many broken records are named."""


@import_app.command(
    epilog=_epilog(
        "grader import amaze data/amaze --outputs out/my-model --manifest amaze.jsonl",
        "grader import amaze data/amaze --outputs out/my-model --model my-model --manifest amaze.jsonl --json",
    )
)
def amaze(
    source: Annotated[Path, typer.Argument(help="The data set: its parquet files or its folder of instances.")],
    manifest: _Manifest,
    outputs: Annotated[
        Path | None, typer.Option(help="Folder of what the model made [default: outputs, in SOURCE or beside it].")
    ] = None,
    model: Annotated[str, typer.Option(help="Name of the model, for the tables of a report.")] = "",
    missing: _Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of AMAZE mazes and boards, and a model's answers.

    Answers to the rows of parquet files are named OUTPUTS/ID_ATTEMPT.png. Those to a folder of instances are named
    OUTPUTS/INSTANCE/NAME.png; where all names of an instance end in different numbers, these are the attempts. JPEG,
    WebP, AVIF and GIF are read too.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.amaze.importer import import_amaze

        made = import_amaze(source, outputs, manifest, model=model, missing=missing, progress=out.progress)
        _print_pictures(out, made)
        out.answer(plain(made))


@import_app.command(
    epilog=_epilog(
        "grader make tabletop --out runs/table",
        "grader import tabletop runs/table --outputs out/my-model --model my-model --manifest edits.jsonl",
    )
)
def tabletop(
    source: Annotated[Path, typer.Argument(help="The folder that `grader make tabletop` wrote to.")],
    manifest: _Manifest,
    outputs: Annotated[
        Path | None, typer.Option(help="Folder of what the model made [default: SOURCE/outputs].")
    ] = None,
    model: Annotated[str, typer.Option(help="Name of the model, for the tables of a report.")] = "",
    profile: Annotated[
        str,
        typer.Option(
            help="How to grade: gsi_real, for photographs, asks for less than gsi_syn.", autocompletion=complete_profile
        ),
    ] = "gsi_syn",
    missing: _Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of edits that `grader make tabletop` made, and of a model's edited pictures.

    Those are named OUTPUTS/INSTANCE/NAME.png; where all names of an instance end in different numbers, these are the
    attempts. JPEG, WebP, AVIF and GIF are read too. No boxes are asked for: the grader finds them in the pictures.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.tabletop.importer import import_tabletop

        made = import_tabletop(
            source, outputs, manifest, model=model, profile=profile, missing=missing, progress=out.progress
        )
        _print_pictures(out, made)
        out.answer(plain(made))


@import_app.command(
    epilog=_epilog(
        "grader import mentisoculi mentis-oculi/datasets --answers mentis-oculi/results/responses --manifest "
        "words.jsonl",
        "grader import mentisoculi mentis-oculi/datasets --clips out/my-model --model my-model --manifest clips.jsonl",
        "grader make rush-hour --out runs/lots",
        "grader import mentisoculi runs/lots --answers answers.jsonl --manifest words.jsonl",
        "grader grade words.jsonl --run runs/words",
    )
)
def mentisoculi(
    source: Annotated[
        Path, typer.Argument(help="Folder that holds rushhour and sliding-puzzle, as the public data set has them.")
    ],
    manifest: _Manifest,
    answers: Annotated[
        Path | None,
        typer.Option(help="File or folder of written answers: public results, or lines of one's own (.jsonl, .csv)."),
    ] = None,
    clips: Annotated[Path | None, typer.Option(help="Folder of MP4 or WebM clips.")] = None,
    steps: Annotated[
        Path | None, typer.Option(help="Folder of folders with step_01.png, step_02.png, ... and answer.txt.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="Folder of pictures of the end alone, such as unfolded sheets.")
    ] = None,
    model: Annotated[
        str, typer.Option(help="Who made clips and step pictures, and answers whose file does not say it.")
    ] = "",
    strategy: Annotated[
        str, typer.Option(help="How, likewise [default: video for clips, frames for step pictures].")
    ] = "",
    missing: _Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of rush-hour lots and sliding puzzles, MentisOculi's or your own, and what models made of them.

    Puzzles lie at TASK/level_03/puzzle_0005/metadata.json, or where `grader make rush-hour` and `sliding` put them.
    Answers are files of the public results; JSON with model, strategy, task, level, and responses of puzzle_id and
    raw_text; or a line an answer, in JSON Lines or CSV, with puzzle, model, attempt and text. A text that is null is a
    missing answer, and so wrong.

    Paths of clips name task, level and puzzle, such as rushhour/level_03/puzzle_0005.mp4, or with attempts
    rushhour/level_03/puzzle_0005/attempt_2.mp4 or rushhour_level_03_puzzle_0005_2.mp4; so do those of folders of step
    pictures. Where all names of a puzzle end in different numbers, these are the attempts.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi

        sources = MentisSources(source, answers, clips, steps, model, strategy, missing, pictures)
        made = import_mentisoculi(sources, manifest, progress=out.progress)
        _print_mentisoculi(out, made)
        out.answer(plain(made))


@import_app.command(
    epilog=_epilog(
        "grader make jigsaw photos --out runs/jigsaw",
        "grader import jigsaw runs/jigsaw --answers answers.jsonl --manifest jigsaw.jsonl",
        "grader grade jigsaw.jsonl --run runs/jigsaw-graded",
    )
)
def jigsaw(
    source: Annotated[Path, typer.Argument(help="The folder that `grader make jigsaw` wrote to.")],
    manifest: _Manifest,
    answers: Annotated[
        Path | None, typer.Option(help="Answers, a line each: puzzle, model, attempt, text (.jsonl, .csv).")
    ] = None,
    outputs: Annotated[
        Path | None, typer.Option(help="Folder of orders that the model drew: PUZZLE/NAME.png [default: none].")
    ] = None,
    model: Annotated[str, typer.Option(help="Who drew, and gave answers whose line does not say it.")] = "",
    missing: _Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of questions about photographs that `grader make jigsaw` made, and of models' answers.

    A text that is null is a missing answer, and so wrong. Where all names of a question's pictures end in different
    numbers, these are the attempts.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.jigsaw.importer import import_jigsaw

        made = import_jigsaw(
            source, answers, manifest, outputs=outputs, model=model, missing=missing, progress=out.progress
        )
        _done(out, made.manifest, made.requests)
        _absent(out, made.missing_answers, made.missing)
        if made.instances_without_outputs:
            _idle(out, made.instances_without_outputs, made.instances)
        if made.unmatched_outputs:
            _strangers(out, "answer or picture", "answers and pictures", made.unmatched_outputs)
        out.answer(plain(made))


def _print_pictures(out: Output, made: ImportSummary) -> None:
    _done(out, made.manifest, made.requests)
    _absent(out, made.missing_answers, made.missing)
    idle = made.instances_without_outputs
    if idle and not (made.missing_answers and made.missing is MissingAnswers.LEAVE_OUT):
        _idle(out, idle, made.instances)
    if made.unmatched_outputs:
        _strangers(out, "picture", "pictures", made.unmatched_outputs)


def _print_mentisoculi(out: Output, made: MentisSummary) -> None:
    _done(out, made.manifest, made.requests)
    for what, skipped in (("puzzle", made.skipped_instances), ("answer", made.skipped_answers)):
        if skipped:
            named = ", ".join(f"{task} ({number})" for task, number in skipped)
            out.note(f"{count_of(sum(n for _, n in skipped), what)} of tasks that can't be graded yet: {named}")
    if made.without_outputs:
        _idle(out, made.without_outputs, made.instances)
    _absent(out, made.missing_answers, made.missing)
    if made.unmatched_answers:
        number = len(made.unmatched_answers)
        text = "is to a puzzle that is" if number == 1 else "are to puzzles that are"
        out.note(f"{count_of(number, 'answer')} {text} not there: {first_few(made.unmatched_answers)}")
    if made.unmatched_clips:
        _strangers(out, "clip", "clips", made.unmatched_clips)
    if made.unmatched_series:
        _strangers(out, "series or picture", "series and pictures", made.unmatched_series)
    if made.unmatched_pictures:
        _strangers(out, "picture", "pictures", made.unmatched_pictures)


@import_app.command(
    epilog=_epilog(
        "grader import gsi gsi-bench/evaluation --manifest edits.jsonl",
        "grader import gsi bagel_example --outputs bagel_example --cache "
        "bagel_example/BAGEL/fine_eval/infer_cache.json --ratings bagel_example --model BAGEL --manifest edits.jsonl",
        "grader import gsi data --dataset fine_dataset=Rooms=gsi_real --manifest edits.jsonl",
        "grader grade edits.jsonl --run runs/edits",
    )
)
def gsi(
    source: Annotated[
        Path, typer.Argument(help="Folder that holds fine_dataset, mesatask_dataset, bathroom_dataset, ...")
    ],
    manifest: _Manifest,
    outputs: Annotated[
        Path | None, typer.Option(help="Folder of models' folders, or one model's [default: SOURCE/eval].")
    ] = None,
    cache: Annotated[
        list[Path] | None,
        typer.Option(help="A detector's infer_cache.json of one model; may be given again [default: the models']."),
    ] = None,
    ratings: Annotated[
        Path | None, typer.Option(help="File or folder of ratings of looks [default: SOURCE/infer_results].")
    ] = None,
    model: Annotated[
        str, typer.Option(help="Which of the models, or what the one model is called [default: all].")
    ] = "",
    dataset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER=LABEL=PROFILE",
            help="A dataset folder, its name in tables, and the profile of its edits; may be given again, and "
            "replaces the public four.",
        ),
    ] = None,
    missing: _Missing = MissingAnswers.WRONG,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a manifest of GSI-Bench's edits, and what models made of them.

    A model's folder holds generated_images_fine/IMAGE_edit_QUERY.png, and likewise mesatask, bathroom and robothor; its
    detector's cache lies at fine_eval/infer_cache.json. Nothing is detected here: an edit without an entry in a cache
    is left out, unless it changes the view. Without pictures edits are measured, not judged.
    """
    out = Output(quiet, as_json)
    with out.errors(manifest):
        from grader.importers.gsi.edits import PUBLIC, parse_dataset
        from grader.importers.gsi.importer import GsiSources, import_gsi

        datasets = tuple(map(parse_dataset, dataset)) if dataset else PUBLIC
        sources = GsiSources(source, outputs, tuple(cache or ()), ratings, model, datasets, missing)
        made = import_gsi(sources, manifest, progress=out.progress)
        _print_gsi(out, made)
        out.answer(plain(made))


def _print_gsi(out: Output, made: GsiSummary) -> None:
    _done(out, made.manifest, made.requests)
    _absent(out, made.missing_answers, made.missing)
    if made.without_outputs:
        of = count_of(made.edits * len(made.models), "edit")
        out.note(f"{made.without_outputs} of {of} {_have(made.without_outputs)} no output, so no request")
    if made.faults:
        fate = "is left out" if len(made.faults) == 1 else "are left out"
        out.note(f"{count_of(len(made.faults), 'record')} can't be read and {fate}, which is no model's fault:")
        for fault in made.faults[:_MOST_FAULTS]:
            out.note(f"  {fault}")
        if len(made.faults) > _MOST_FAULTS:
            out.note(f"  and {len(made.faults) - _MOST_FAULTS} more")
    for one in made.left_out:
        # Each sentence is about one edit, and reads for several of them all the same.
        out.note(f"left out: {count_of(len(one.names), 'edit')}; each {one.why.value}: {first_few(one.names)}")
    if made.without_pictures:
        requests = count_of(made.without_pictures, "request")
        out.note(f"{requests} without a picture before or after the edit: measured, not judged")
    if made.without_ratings:
        out.note(f"{count_of(made.without_ratings, 'request')} without a rating of looks: no AC there, which is not 0")
    if made.unreadable_ratings:
        number = len(made.unreadable_ratings)
        named = first_few(made.unreadable_ratings)
        out.note(f"{count_of(number, 'rating')} can't be read and {_have(number)} no value: {named}")
    if made.unmatched_ratings:
        number = len(made.unmatched_ratings)
        out.note(f"{count_of(number, 'rating')} of no edit or model that is there: {first_few(made.unmatched_ratings)}")
    if made.unmatched_outputs:
        number = len(made.unmatched_outputs)
        out.note(
            f"{count_of(number, 'output')} of no edit: {first_few(made.unmatched_outputs)}; see --help for their names"
        )


import_app.command(epilog=MAZEBENCH_EPILOG)(mazebench)
import_app.command(epilog=MAZES_EPILOG)(mazes)
