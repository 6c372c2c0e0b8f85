"""Chains on hinges as files: pictures, the public record, the answer, a solution video, and a manifest of solutions."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from grader.importers.common.manifest_file import whole_manifest
from grader.importers.mentisoculi.shapes import read_hinges
from grader.make.errors import MakeError
from grader.make.plans import ANSWER_NAME, FPS, RECORD_NAME, VIDEO_NAME, PlanLook
from grader.make.sets import MakeReport, make_planned
from grader.media.encoding import encode_mp4
from grader.v1 import service_pb2
from puzzles.amaze.instances import RANDOM, RECIPE_NAME
from puzzles.hinge_folding.motion import clip_frames, plan_swings
from puzzles.hinge_folding.render import beside, frame_of, render_chain, render_target
from puzzles.hinge_folding.style import HINGE_STYLES, HingeStyle, colors_of, random_hinge_style
from puzzles.mentis.hinges import COMBINED_NAME, HingeRecipe, answer_of, hinge_record
from puzzles.mentis.writer import INITIAL_NAME, TARGET_NAME, step_name

MANIFEST_NAME = "requests.jsonl"
_INSTRUCTION = (
    "Show how the chain is folded into the silhouette. One hinge turns at a time, and all that is to the right of it "
    "turns with it; the pieces keep their shapes and stay joined, and the first piece stays where it is."
)


@dataclass(frozen=True)
class HingeInstance:
    """An instance that can be made: a recipe with the style that its look gives it."""

    recipe: HingeRecipe
    look: PlanLook
    style: HingeStyle

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
        names = (INITIAL_NAME, TARGET_NAME, COMBINED_NAME, RECORD_NAME, ANSWER_NAME, RECIPE_NAME, *steps)
        return (*names, *([VIDEO_NAME] if self.look.video_px is not None else []))

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""
        content: dict[str, object] = {"task": "hinge_folding", "name": self.name, **asdict(self.recipe)}
        content |= {"style": self.look.style, "instruction": _INSTRUCTION}
        content |= {"picture_px": self.look.picture_px, "video_px": self.look.video_px, "look": asdict(self.style)}
        return json.dumps(content, indent=1, default=_plain) + "\n"


@dataclass(frozen=True)
class HingeReport:
    """What was done: instances, and the manifest of their solutions with its number of lines."""

    made: MakeReport
    manifest: Path
    requests: int


def make_hinges(
    out: Path,
    recipes: Sequence[HingeRecipe],
    look: PlanLook,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> HingeReport:
    """Makes chains as ``out/instances/<name>/``, as `grader.make.sets.make_planned` says, and ``out/requests.jsonl``.

    That is a manifest of the solutions of all instances in ``out``, in words, as a picture, as a picture of every step
    and as a clip where there is one, for ``grader grade``. MakeError too if no style has the look's name.
    """
    planned = [plan_hinges(recipe, look) for recipe in recipes]
    report = make_planned(out, planned, write_hinges, jobs=jobs, training=training, progress=progress)
    manifest = out / MANIFEST_NAME
    return HingeReport(report, manifest, _write_solutions(report.instances, manifest))


def plan_hinges(recipe: HingeRecipe, look: PlanLook) -> HingeInstance:
    """The instance of a recipe in a look; nothing is made yet. MakeError if no style has the look's name."""
    if look.style == RANDOM:
        return HingeInstance(recipe, look, random_hinge_style(recipe.seed))
    if look.style not in HINGE_STYLES:
        raise MakeError(f"there is no style {look.style!r}; there are {', '.join(HINGE_STYLES)} and {RANDOM}")
    style = HINGE_STYLES[look.style]
    if style.texture is not None:
        style = replace(style, texture=replace(style.texture, seed=recipe.seed))
    return HingeInstance(recipe, look, style)


def write_hinges(folder: Path, instance: HingeInstance) -> None:
    """Writes an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder can't be written. The same instance gives the same bytes.

    Raises
    ------
    MakeError
        If no chain was found from the recipe's seed.
    """
    recipe, style, look = instance.recipe, instance.style, instance.look
    try:
        puzzle = recipe.puzzle()
    except RuntimeError as error:
        raise MakeError(f"{recipe.name}: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    size = (look.picture_px, look.picture_px)
    colors = colors_of(len(puzzle.shapes), recipe.seed)
    target = render_target(puzzle.shapes, puzzle.angles, style, size)
    _save(folder / TARGET_NAME, target)
    names = (INITIAL_NAME, *map(step_name, range(puzzle.level)))
    for name, angles in zip(names, puzzle.states(), strict=True):
        picture = render_chain(puzzle.shapes, angles, colors, style, size)
        _save(folder / name, picture)
        if name == INITIAL_NAME:
            _save(folder / COMBINED_NAME, beside(picture, target))
    frame = frame_of(puzzle.shapes, size, style.margin)
    (folder / RECORD_NAME).write_bytes(hinge_record(puzzle, colors, frame))
    answer = json.dumps({"answer": answer_of(puzzle)})
    (folder / ANSWER_NAME).write_text(answer + "\n", encoding="utf-8")
    if look.video_px is not None:
        turns = [(place, math.radians(angle)) for place, (_, angle) in enumerate(puzzle.turns)]
        timeline, video = plan_swings(puzzle.level, turns), (look.video_px, look.video_px)
        frames = clip_frames(puzzle.shapes, timeline, colors, style, video, FPS)
        (folder / VIDEO_NAME).write_bytes(encode_mp4(frames, FPS, crf=18))
    (folder / RECIPE_NAME).write_text(instance.text, encoding="utf-8")


def _write_solutions(instances: Path, manifest: Path) -> int:
    """Writes lines for every chain that is there: its program, its picture in the end, those of its steps, its clip."""
    with whole_manifest(manifest) as writer:
        for answer in sorted(instances.glob(f"hinge-folding-*/{ANSWER_NAME}")):
            folder, name = answer.parent, answer.parent.name
            level = name.split("-")[2]
            try:
                message = read_hinges(folder / RECORD_NAME).message
            except ValueError as error:
                raise MakeError(f"{error}; remove its folder, and run the command again") from None
            steps = [writer.uri(folder / step_name(number)) for number in range(int(level))]
            clip = ("video",) if (folder / VIDEO_NAME).is_file() else ()
            for strategy in ("text", "image", "frames", *clip):
                request = service_pb2.GradeRequest(
                    request_id=f"solution/{strategy}/{name}", puzzle_id=f"hinge-folding/{name}", model="solution"
                )
                request.tags.update({"task": "hinge-folding", "level": level, "strategy": strategy})
                request.hinge_folding.CopyFrom(message)
                if strategy == "text":
                    request.text = answer.read_text(encoding="utf-8")
                else:
                    request.hinge_folding.puzzle.image.uri = writer.uri(folder / COMBINED_NAME)
                if strategy == "image":
                    request.image.uri = steps[-1]
                if strategy == "video":
                    request.video.uri = writer.uri(folder / VIDEO_NAME)
                if strategy == "frames":
                    request.frames.text = answer.read_text(encoding="utf-8")
                    for step in steps:
                        request.frames.images.add(uri=step)
                writer.write(request, answer)
        return writer.requests


def _save(path: Path, picture: NDArray[np.uint8]) -> None:
    Image.fromarray(picture).save(path, "PNG")


def _plain(item: object) -> object:
    """What of a style JSON does not have."""
    if isinstance(item, Enum):
        return item.value
    raise TypeError(f"{item!r} can't be written as JSON")
