"""Form boards as files: the question, the public record with coordinates, a picture of every step, the answer, a clip.

Beside them ``manifest.jsonl`` has the right answer to every board of the folder, in words, drawn, step by step and as a
clip, to be graded.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from grader.importers.common.manifest_file import whole_manifest
from grader.importers.mentisoculi.shapes import read_form_board
from grader.make.errors import MakeError
from grader.make.plans import ANSWER_NAME, FPS, RECORD_NAME, VIDEO_NAME, PlanLook
from grader.make.sets import MakeReport, make_planned
from grader.media.encoding import encode_mp4
from grader.model.json_fields import load_object
from grader.v1 import form_board_pb2, service_pb2
from puzzles.amaze.instances import RANDOM, RECIPE_NAME
from puzzles.form_board.layout import lay_out
from puzzles.form_board.render import render_clip, render_question, render_steps
from puzzles.form_board.style import FormStyle
from puzzles.mentis.form_boards import FORM_STYLES, FormBoardRecipe, form_board_record, form_style, random_form_style
from puzzles.mentis.writer import INITIAL_NAME, step_name

SOLUTION_NAME = "solution.png"
MANIFEST_NAME = "manifest.jsonl"
_MODEL = "reference"
_COMPRESSION = 1  # of pictures: areas of one colour need no more
_EVEN = 8  # widths of clips are multiples of this, so that their heights are even

_INSTRUCTION = (
    "The picture shows a target shape, outlined, and labelled pieces. Which pieces fill the shape without gaps or "
    "overlaps? Pieces are neither turned nor scaled, and some are not needed. Move one piece at a time into it."
)


@dataclass(frozen=True)
class FormBoardInstance:
    """An instance that can be made: a recipe with the style that its look gives it."""

    recipe: FormBoardRecipe
    look: PlanLook
    style: FormStyle

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.recipe.name

    @property
    def shrunk(self) -> bool:
        """Whether it is smaller than asked for; it never is."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that a whole instance has."""
        steps = map(step_name, range(self.recipe.level))
        names = (INITIAL_NAME, SOLUTION_NAME, RECORD_NAME, ANSWER_NAME, RECIPE_NAME, *steps)
        return (*names, *([VIDEO_NAME] if self.look.video_px is not None else []))

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""
        content: dict[str, object] = {"task": "form_board", "name": self.name, **asdict(self.recipe)}
        content |= {"style": self.look.style, "instruction": _INSTRUCTION}
        plain = {key: item.value if isinstance(item, Enum) else item for key, item in vars(self.style).items()}
        texture = self.style.texture
        plain["texture"] = None if texture is None else asdict(texture) | {"kind": texture.kind.value}
        content |= {"picture_px": self.look.picture_px, "video_px": self.look.video_px, "look": plain}
        return json.dumps(content, indent=1) + "\n"


def make_form_boards(
    out: Path,
    recipes: Sequence[FormBoardRecipe],
    look: PlanLook,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> MakeReport:
    """Makes boards as ``out/instances/<name>/``, as `grader.make.sets.make_planned` says, and ``out/manifest.jsonl``.

    MakeError too if no style has the look's name.
    """
    planned = [plan_form_board(recipe, look) for recipe in recipes]
    report = make_planned(out, planned, write_form_board, jobs=jobs, training=training, progress=progress)
    _write_manifest(out / MANIFEST_NAME, report.instances)
    return report


def plan_form_board(recipe: FormBoardRecipe, look: PlanLook) -> FormBoardInstance:
    """The instance of a recipe in a look; nothing is made yet. MakeError if no style has the look's name."""
    if look.style == RANDOM:
        return FormBoardInstance(recipe, look, random_form_style(recipe.seed))
    if look.style not in FORM_STYLES:
        raise MakeError(f"there is no style {look.style!r}; there are {', '.join(FORM_STYLES)} and {RANDOM}")
    return FormBoardInstance(recipe, look, form_style(look.style, recipe.seed))


def write_form_board(folder: Path, instance: FormBoardInstance) -> None:
    """Writes an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder can't be written. The same instance gives the same bytes.

    Raises
    ------
    MakeError
        If no board was found from the recipe's seed, or it does not fit into a picture so small.
    """
    folder.mkdir(parents=True, exist_ok=True)
    recipe, look, style = instance.recipe, instance.look, instance.style
    try:
        puzzle = recipe.puzzle()
        laid = lay_out(puzzle, look.picture_px)
    except (RuntimeError, ValueError) as error:
        raise MakeError(f"{recipe.name}: {error}") from None
    _save(folder / INITIAL_NAME, render_question(laid, style))
    for number, picture in enumerate(render_steps(laid, puzzle.order, style)):
        _save(folder / step_name(number), picture)
    (folder / SOLUTION_NAME).write_bytes((folder / step_name(recipe.level - 1)).read_bytes())
    (folder / RECORD_NAME).write_bytes(form_board_record(puzzle, laid, recipe.seed))
    (folder / ANSWER_NAME).write_text(json.dumps({"answer": " ".join(puzzle.labels)}) + "\n", encoding="utf-8")
    if look.video_px is not None:
        width = max(_EVEN, look.video_px // _EVEN * _EVEN)
        frames = render_clip(lay_out(puzzle, width), puzzle.order, style, FPS)
        (folder / VIDEO_NAME).write_bytes(encode_mp4(frames, FPS, crf=18))
    (folder / RECIPE_NAME).write_text(instance.text, encoding="utf-8")


def _write_manifest(manifest: Path, instances: Path) -> None:
    """The right answers to all boards of a folder; other puzzles may lie beside them."""
    with whole_manifest(manifest) as writer:
        for recipe in sorted(instances.glob(f"form-board-*/{RECIPE_NAME}")):
            folder = recipe.parent
            record = folder / RECORD_NAME
            try:
                read = read_form_board(record)
                said = load_object((folder / ANSWER_NAME).read_bytes(), str(folder / ANSWER_NAME)).text("answer")
                content = load_object(record.read_bytes(), str(record))
                order = [str(one) for one in content.child("geometry").child("moves").content]
            except (OSError, ValueError) as error:
                raise MakeError(f"{record} can't be read ({error}); remove its folder, and run it again") from None
            message = read.message
            if not isinstance(message, form_board_pb2.FormBoardTask):
                raise TypeError("a form board was read as something else")
            message.puzzle.image.uri = writer.uri(folder / INITIAL_NAME)
            level = str(content.whole("level"))
            kinds = (
                ("words", "drawn", "steps", "clip") if (folder / VIDEO_NAME).is_file() else ("words", "drawn", "steps")
            )
            for kind in kinds:
                request = service_pb2.GradeRequest(
                    request_id=f"{folder.name}/{kind}",
                    puzzle_id=folder.name,
                    model=_MODEL,
                    form_board=message,
                    tags={"task": "form-board", "level": level, "strategy": kind},
                )
                answer = json.dumps({"answer": said})
                if kind == "words":
                    request.text = answer
                elif kind == "drawn":
                    request.image.uri = writer.uri(folder / SOLUTION_NAME)
                elif kind == "steps":
                    request.frames.text = json.dumps({"answer": " ".join(order)})
                    for number in range(len(order)):
                        request.frames.images.add(uri=writer.uri(folder / step_name(number)))
                else:
                    request.video.uri = writer.uri(folder / VIDEO_NAME)
                writer.write(request, record)


def _save(path: Path, picture: NDArray[np.uint8]) -> None:
    Image.fromarray(picture).save(path, "PNG", compress_level=_COMPRESSION)
