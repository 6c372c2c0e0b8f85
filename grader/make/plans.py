"""Instances of rush hour and of sliding puzzles as files: pictures, the public record, the answer, a solution video."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from grader.make.errors import MakeError
from grader.make.sets import MakeReport, make_planned
from grader.media.encoding import encode_mp4
from puzzles.amaze.instances import MAX_SIDE_PX, RANDOM, RECIPE_NAME
from puzzles.mentis.recipes import PlanRecipe, RushHourRecipe, SlidingRecipe
from puzzles.mentis.styles import LOT_STYLES, SLIDING_STYLES, random_lot_style, random_sliding_style
from puzzles.mentis.writer import INITIAL_NAME, TARGET_NAME, rush_hour_record, sliding_record, step_name
from puzzles.rush_hour import motion as lot_motion
from puzzles.rush_hour.description import describe
from puzzles.rush_hour.render import render_lot, render_steps
from puzzles.rush_hour.style import LotStyle
from puzzles.sliding.motion import clip_frames, plan_glides
from puzzles.sliding.pictures import make_picture
from puzzles.sliding.render import SlidingStyle, render_board
from puzzles.sliding.tiles import simulate

MIN_SIDE_PX = 128
FPS = 24
VIDEO_NAME, ANSWER_NAME, RECORD_NAME = "solution.mp4", "answer.json", "metadata.json"
DESCRIPTION_NAME, SOURCE_NAME = "description.txt", "source.png"

_Style = TypeVar("_Style", LotStyle, SlidingStyle)

_INSTRUCTIONS = {
    "rush_hour": (
        "Show how the red car R gets to the green exit. Each vehicle slides along its own axis only, forward as its "
        "arrow points or backward, until it touches something; one vehicle moves at a time."
    ),
    "sliding": (
        "Show how the picture is put in order. One tile at a time slides into the empty place next to it; nothing else "
        "moves."
    ),
}


@dataclass(frozen=True)
class PlanLook:
    """How instances are to look.

    Attributes
    ----------
    style
        A name of ``LOT_STYLES`` or ``SLIDING_STYLES``, or ``random`` for one of its own for each instance.
    picture_px, video_px
        Sides of the square pictures and of the video, 128 to 3300; the video's is even. No video where it is ``None``.

    Raises
    ------
    ValueError
        If a side is out of range, or the video's is odd.
    """

    style: str = "published"
    picture_px: int = 1024
    video_px: int | None = 512

    def __post_init__(self) -> None:
        for name, side in (("picture", self.picture_px), ("video", self.video_px)):
            if side is not None and not MIN_SIDE_PX <= side <= MAX_SIDE_PX:
                raise ValueError(f"the {name}'s side must be from {MIN_SIDE_PX} to {MAX_SIDE_PX} px, not {side}")
        if self.video_px is not None and self.video_px % 2:
            raise ValueError(f"the video's side must be even, not {self.video_px}")


@dataclass(frozen=True)
class PlanInstance:
    """An instance that can be made: a recipe with the style that its look gives it."""

    recipe: PlanRecipe
    look: PlanLook
    style: LotStyle | SlidingStyle

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.recipe.name

    @property
    def task(self) -> str:
        """``rush_hour`` or ``sliding``."""
        return "rush_hour" if isinstance(self.recipe, RushHourRecipe) else "sliding"

    @property
    def shrunk(self) -> bool:
        """Whether it is smaller than asked for; it never is."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that a whole instance has."""
        lot = isinstance(self.recipe, RushHourRecipe)
        steps = self.recipe.level if isinstance(self.recipe, RushHourRecipe) else self.recipe.moves
        names = [INITIAL_NAME, RECORD_NAME, ANSWER_NAME, RECIPE_NAME, *map(step_name, range(steps))]
        names += [DESCRIPTION_NAME] if lot else [TARGET_NAME, SOURCE_NAME]
        return (*names, *([VIDEO_NAME] if self.look.video_px is not None else []))

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""
        content: dict[str, object] = {"task": self.task, "name": self.name, **asdict(self.recipe)}
        content |= {"style": self.look.style, "instruction": _INSTRUCTIONS[self.task]}
        content |= {"picture_px": self.look.picture_px, "video_px": self.look.video_px, "look": _plain(self.style)}
        return json.dumps(content, indent=1) + "\n"


def make_plans(
    out: Path,
    recipes: list[PlanRecipe],
    look: PlanLook,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> MakeReport:
    """Makes instances as ``out/instances/<name>/``, as `grader.make.sets.make_planned` says.

    MakeError too if no style has the look's name.
    """
    planned = [plan(recipe, look) for recipe in recipes]
    return make_planned(out, planned, write_plan, jobs=jobs, training=training, progress=progress)


def plan(recipe: PlanRecipe, look: PlanLook) -> PlanInstance:
    """The instance of a recipe in a look; nothing is made yet. MakeError if no style has the look's name."""
    style: LotStyle | SlidingStyle
    if isinstance(recipe, RushHourRecipe):
        style = random_lot_style(recipe.seed) if look.style == RANDOM else _named(look.style, LOT_STYLES)
        if style.texture is not None:
            style = replace(style, texture=replace(style.texture, seed=recipe.seed))
    else:
        style = random_sliding_style(recipe.seed) if look.style == RANDOM else _named(look.style, SLIDING_STYLES)
    return PlanInstance(recipe, look, style)


def write_plan(folder: Path, instance: PlanInstance) -> None:
    """Writes an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder can't be written. The same instance gives the same bytes.

    Raises
    ------
    MakeError
        If no puzzle was found from the recipe's seed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(instance.recipe, RushHourRecipe) and isinstance(instance.style, LotStyle):
        _write_lot(folder, instance.recipe, instance.style, instance.look)
    elif isinstance(instance.recipe, SlidingRecipe) and isinstance(instance.style, SlidingStyle):
        _write_board(folder, instance.recipe, instance.style, instance.look)
    else:
        raise TypeError("the style is not of the recipe's kind")
    (folder / RECIPE_NAME).write_text(instance.text, encoding="utf-8")


def _write_lot(folder: Path, recipe: RushHourRecipe, style: LotStyle, look: PlanLook) -> None:
    try:
        puzzle = recipe.puzzle()
    except RuntimeError as error:  # no lot of this level was met
        raise MakeError(f"{recipe.name}: {error}") from None
    lot, moves, size = puzzle.lot, puzzle.solution, (look.picture_px, look.picture_px)
    _save(folder / INITIAL_NAME, render_lot(lot, None, style, size))
    for number, picture in enumerate(render_steps(lot, moves, style, size)):
        _save(folder / step_name(number), picture)
    (folder / RECORD_NAME).write_bytes(rush_hour_record(lot, moves, recipe.seed, recipe.level, recipe.seed))
    (folder / DESCRIPTION_NAME).write_text(describe(lot), encoding="utf-8")
    _write_answer(folder, ", ".join(map(str, moves)))
    if look.video_px is not None:
        line = lot_motion.plan_motion(lot, moves)
        frames = lot_motion.clip_frames(lot, line, style, (look.video_px, look.video_px), FPS)
        (folder / VIDEO_NAME).write_bytes(encode_mp4(frames, FPS, crf=18))


def _write_board(folder: Path, recipe: SlidingRecipe, style: SlidingStyle, look: PlanLook) -> None:
    try:
        puzzle, moves = recipe.puzzle()
    except ValueError as error:  # no state that far away was met
        raise MakeError(f"{recipe.name}: {error}") from None
    size = (look.picture_px, look.picture_px)
    source = make_picture(look.picture_px, recipe.seed)
    _save(folder / SOURCE_NAME, source)
    states = simulate(puzzle.start, moves).states
    names = (INITIAL_NAME, *map(step_name, range(len(moves))), TARGET_NAME)
    for name, state in zip(names, (*states, puzzle.target), strict=True):
        _save(folder / name, render_board(source, state, puzzle.target, style, size))
    (folder / RECORD_NAME).write_bytes(sliding_record(puzzle, moves, recipe.seed, SOURCE_NAME))
    _write_answer(folder, " ".join(move.value for move in moves))
    if look.video_px is not None:
        video = (look.video_px, look.video_px)
        frames = clip_frames(source, plan_glides(puzzle.start, moves), puzzle.target, style, video, FPS)
        (folder / VIDEO_NAME).write_bytes(encode_mp4(frames, FPS, crf=18))


def _write_answer(folder: Path, answer: str) -> None:
    (folder / ANSWER_NAME).write_text(json.dumps({"answer": answer}) + "\n", encoding="utf-8")


def _save(path: Path, picture: NDArray[np.uint8]) -> None:
    Image.fromarray(picture).save(path, "PNG")


def _named(name: str, styles: Mapping[str, _Style]) -> _Style:
    if name not in styles:
        raise MakeError(f"there is no style {name!r}; there are {', '.join(styles)} and {RANDOM}")
    return styles[name]


def _plain(style: LotStyle | SlidingStyle) -> dict[str, object]:
    """A style as what JSON has."""

    def plain(item: object) -> object:
        if isinstance(item, dict):
            return {key: plain(inner) for key, inner in item.items()}
        return item.value if isinstance(item, Enum) else item

    return {key: plain(item) for key, item in asdict(style).items()}
