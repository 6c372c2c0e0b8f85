"""Paper folds as files: the question, the sheet after each fold and each unfolding, the public record, a clip.

Beside them ``manifest.jsonl`` has the right answer to every puzzle of the folder, in words, drawn, step by step and as
a clip, to be graded.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from grader.importers.common.manifest_file import ManifestWriter, whole_manifest
from grader.importers.mentisoculi.shapes import read_paper_fold
from grader.make.errors import MakeError
from grader.make.plans import ANSWER_NAME, FPS, RECORD_NAME, VIDEO_NAME, PlanLook
from grader.make.sets import MakeReport, make_planned
from grader.media.encoding import encode_mp4
from grader.v1 import service_pb2
from puzzles.amaze.instances import RANDOM, RECIPE_NAME
from puzzles.mentis.paper_folds import (
    FOLD_STYLES,
    QUESTION_NAME,
    PaperFoldRecipe,
    paper_fold_record,
    random_fold_style,
    sheet_name,
)
from puzzles.mentis.writer import step_name
from puzzles.paper_fold.motion import clip_frames
from puzzles.paper_fold.render import render_question, render_sheet, render_unfolding
from puzzles.paper_fold.style import FoldStyle

MANIFEST_NAME = "manifest.jsonl"
_MODEL = "reference"
_INSTRUCTION = (
    "The upper row shows how a square sheet is folded and then punched through all layers. Which of the sheets below, "
    "A to E, does it look like once it is unfolded? Or: show the sheet after each fold is undone, the last fold first."
)


@dataclass(frozen=True)
class PaperFoldInstance:
    """An instance that can be made: a recipe with the style that its look gives it."""

    recipe: PaperFoldRecipe
    look: PlanLook
    style: FoldStyle

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
        folds = self.recipe.level
        names = [QUESTION_NAME, RECORD_NAME, ANSWER_NAME, RECIPE_NAME, *map(step_name, range(folds))]
        names += map(sheet_name, range(folds + 1))
        return (*names, *([VIDEO_NAME] if self.look.video_px is not None else []))

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""
        content: dict[str, object] = {"task": "paper_fold", "name": self.name, **asdict(self.recipe)}
        content |= {"style": self.look.style, "instruction": _INSTRUCTION}
        content |= {"picture_px": self.look.picture_px, "video_px": self.look.video_px}
        look = asdict(self.style, dict_factory=lambda pairs: {key: _plain(value) for key, value in pairs})
        return json.dumps(content | {"look": look}, indent=1) + "\n"


def make_paper_folds(
    out: Path,
    recipes: list[PaperFoldRecipe],
    look: PlanLook,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> MakeReport:
    """Makes instances as ``out/instances/<name>/``, as `grader.make.sets.make_planned` says.

    Also writes the manifest of all right answers. MakeError too if no style has the look's name.
    """
    planned = [plan_paper_fold(recipe, look) for recipe in recipes]
    report = make_planned(out, planned, write_paper_fold, jobs=jobs, training=training, progress=progress)
    with whole_manifest(out.resolve() / MANIFEST_NAME) as writer:
        for record in sorted(out.resolve().glob(f"instances/paper-fold-*/{RECORD_NAME}")):
            _list_answers(writer, record)
    return report


def _list_answers(writer: ManifestWriter, record: Path) -> None:
    """Writes the right answers to a puzzle: in words, drawn, step by step, and as a clip where there is one."""
    folder = record.parent
    try:
        read = read_paper_fold(record)
    except ValueError as error:
        raise MakeError(f"{error}; remove its folder, and run the command again") from None
    steps = [folder / step_name(number) for number in range(len(read.message.puzzle.folds))]
    answer = (folder / ANSWER_NAME).read_text(encoding="utf-8")
    video = folder / VIDEO_NAME
    for kind in ("text", "image", "frames", *(("video",) if video.is_file() else ())):
        name = folder.name
        request = service_pb2.GradeRequest(
            request_id=f"{_MODEL}/{kind}/{name}", puzzle_id=f"paper-fold/{name}", model=_MODEL
        )
        request.tags.update({"task": "paper-fold", "level": name.split("-")[2], "strategy": kind})
        request.paper_fold.CopyFrom(read.message)
        if kind == "text":
            request.text = answer
            writer.write(request, record)
            continue
        for sheet in read.sheets:
            request.paper_fold.puzzle.sheets.add(uri=writer.uri(sheet))
        if kind == "image":
            request.image.uri = writer.uri(steps[-1])
        elif kind == "video":
            request.video.uri = writer.uri(video)
        else:
            request.frames.text = answer
            for step in steps:
                request.frames.images.add(uri=writer.uri(step))
        writer.write(request, record)


def plan_paper_fold(recipe: PaperFoldRecipe, look: PlanLook) -> PaperFoldInstance:
    """The instance of a recipe in a look; nothing is made yet. MakeError if no style has the look's name."""
    if look.style == RANDOM:
        return PaperFoldInstance(recipe, look, random_fold_style(recipe.seed))
    if look.style not in FOLD_STYLES:
        raise MakeError(f"there is no style {look.style!r}; there are {', '.join(FOLD_STYLES)} and {RANDOM}")
    style = FOLD_STYLES[look.style]
    if style.texture is not None:
        style = replace(style, texture=replace(style.texture, seed=recipe.seed))
    return PaperFoldInstance(recipe, look, style)


def write_paper_fold(folder: Path, instance: PaperFoldInstance) -> None:
    """Writes an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder can't be written. The same instance gives the same bytes.

    Raises
    ------
    MakeError
        If no puzzle was found from the recipe's seed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        puzzle = instance.recipe.puzzle()
    except RuntimeError as error:  # none of this level was met
        raise MakeError(f"{instance.recipe.name}: {error}") from None
    style, side = instance.style, instance.look.picture_px
    _save(folder / QUESTION_NAME, render_question(puzzle, style, side))
    for number, sheet in enumerate(puzzle.sheets):
        _save(folder / sheet_name(number), render_sheet(sheet, (), style, side))
    for number, picture in enumerate(render_unfolding(puzzle, style, side)):
        _save(folder / step_name(number), picture)
    (folder / RECORD_NAME).write_bytes(paper_fold_record(puzzle, style, side, instance.recipe.seed))
    (folder / ANSWER_NAME).write_text(json.dumps({"answer": puzzle.label}) + "\n", encoding="utf-8")
    if instance.look.video_px is not None:
        frames = clip_frames(puzzle, style, instance.look.video_px, FPS)
        (folder / VIDEO_NAME).write_bytes(encode_mp4(frames, FPS, crf=18))
    (folder / RECIPE_NAME).write_text(instance.text, encoding="utf-8")


def _save(path: Path, picture: NDArray[np.uint8]) -> None:
    Image.fromarray(picture).save(path, "PNG")


def _plain(item: object) -> object:
    return item.value if isinstance(item, Enum) else item
