"""``grader make jigsaw``: questions about photographs that are cut into pieces. Imported late where it is heavy."""

from __future__ import annotations

import enum
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet, plain
from grader.cli.making.options import once
from grader.cli.making.telling import make_epilog
from grader.model.errors import GraderError
from grader.model.wording import count_of

if TYPE_CHECKING:
    from grader.make.jigsaw import JigsawReport


class QuestionName(enum.StrEnum):
    """What can be given as ``--kind``."""

    MISSING_PIECE_EASY = "missing_piece_easy"
    MISSING_PIECE_HARD = "missing_piece_hard"
    LOCALIZATION_EASY = "localization_easy"
    LOCALIZATION_HARD = "localization_hard"
    CONNECTION = "connection"
    ANOMALY = "anomaly"
    ORDER_RESTORATION = "order_restoration"
    ORDER_GENERATION = "order_generation"


class SimilarityName(enum.StrEnum):
    """What can be given as ``--similarity``."""

    COLOR_GRADIENT = "color_gradient"
    LPIPS = "lpips"
    CLIP = "clip"


JIGSAW_EPILOG = make_epilog(
    "grader make jigsaw photos --out runs/jigsaw --count 100",
    "grader make jigsaw --rendered 40 --out runs/jigsaw",
    "grader make jigsaw photos --out runs/hard --kind missing_piece_hard --similarity lpips",
    "grader import jigsaw runs/jigsaw --answers answers.jsonl --manifest runs/jigsaw/manifest.jsonl",
)


def jigsaw(
    out: Annotated[Path, typer.Option(help="Folder to write to.")],
    photographs: Annotated[
        Path | None, typer.Argument(metavar="[PHOTOS]", help="Folder of photographs; they are only read.")
    ] = None,
    rendered: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Instead of photographs, draw so many pictures to cut.")
    ] = None,
    kind: Annotated[list[QuestionName] | None, typer.Option(help="May be given again [default: all eight].")] = None,
    count: Annotated[int, typer.Option(min=1, max=1_000_000, help="Questions of each kind.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is drawn.")] = 0,
    size: Annotated[
        int, typer.Option(min=192, max=1024, help="Shorter side of the pictures in pixels, a multiple of 6.")
    ] = 384,
    similarity: Annotated[
        SimilarityName, typer.Option(help="What finds the most similar pieces, for hard questions.")
    ] = SimilarityName.COLOR_GRADIENT,
    clip_model: Annotated[
        Path | None, typer.Option(help="For --similarity clip: an image encoder as a TorchScript file.")
    ] = None,
    min_side: Annotated[int, typer.Option(min=1, help="Least shorter side of a photograph in pixels.")] = 320,
    max_aspect: Annotated[float, typer.Option(min=1, help="Most times that its longer side is the shorter one.")] = 2.0,
    min_sharpness: Annotated[
        float, typer.Option(min=0, help="Least variance of the Laplacian, at a shorter side of 320 px.")
    ] = 30.0,
    min_difference: Annotated[
        float, typer.Option(min=0, max=255, help="Least mean difference of two options of a question, of 255.")
    ] = 8.0,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make questions about photographs: missing pieces, places, neighbours, anomalies, orders.

    --count questions of each kind are made, as evenly from all photographs as they qualify; where there are fewer
    photographs than questions, from several parts of each. questions.jsonl is what a model is asked, answers.jsonl what
    is right, photographs.json what became of each photograph, with what is said of its licence. The same photographs,
    whatever they are called, and the same options give the same bytes. docs/make.md says how questions are made.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.jigsaw import make_jigsaw, write_rendered
        from grader.make.likeness import LikenessName, likeness
        from puzzles.jigsaw.cuts import MULTIPLE
        from puzzles.jigsaw.kinds import QuestionKind
        from puzzles.jigsaw.questions import CutRules
        from puzzles.jigsaw.rules import JigsawRules

        if (photographs is None) == (rendered is None):
            raise GraderError("name a folder of photographs, or give --rendered, and not both")
        if size % MULTIPLE:
            raise GraderError(f"--size {size} is no multiple of {MULTIPLE}; give {size // MULTIPLE * MULTIPLE}")
        qualify = JigsawRules(
            least_side_px=min_side,
            most_aspect=max_aspect,
            least_sharpness=min_sharpness,
            least_difference=min_difference,
        )
        rules = CutRules(size, seed, qualify, likeness(LikenessName(similarity.value), clip_model))
        source = photographs or out / "rendered"
        if rendered is not None:
            write_rendered(source, rendered, progress=shown.progress)
        kinds = [QuestionKind(name.value) for name in once(kind or list(QuestionName))]
        _say(shown, out, make_jigsaw(source, out, kinds, count, rules, progress=shown.progress))


def _say(shown: Output, out: Path, made: JigsawReport) -> None:
    shown.line(
        f"{made.questions}: {count_of(sum(made.made.values()), 'question')}, {count_of(made.pictures, 'picture')}"
    )
    found = made.photographs
    fallen = ", ".join(f"{rule} {n}" for rule, n in found.items() if n and rule not in ("found", "qualify"))
    shown.line(
        f"{found['qualify']} of {count_of(found['found'], 'photograph')} qualify{f' ({fallen})' if fallen else ''}; "
        f"{made.licensed} with a note about the licence"
    )
    for why, number in made.left_out.items():
        shown.note(f"{why}: {count_of(number, 'view')} made no question")
    for kind, number in made.made.items():
        if number < made.wanted:
            shown.note(f"{kind}: {number} of {made.wanted} questions; no photograph makes more")
    folder = shlex.quote(str(out))
    shown.line("once a model has answered, a line each with puzzle, model and text:")
    shown.line(f"grader import jigsaw {folder} --answers ANSWERS.jsonl --manifest {folder}/manifest.jsonl")
    shown.answer(plain(made))
