"""The composed cases: what happens, where it is hidden and for how long, and what the video does to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from benchmarks.accuracy.seeds import dice_of, number_of
from benchmarks.rollouts.composed.film import VIDEOS, Hide, film
from benchmarks.rollouts.composed.lot_deeds import LASTING_LOTS, PASSING_LOTS, RIGHT_LOTS, LotDeed
from benchmarks.rollouts.composed.maze_deeds import (
    LASTING_MAZES,
    PASSING_MAZES,
    RIGHT_MAZES,
    MazeDeed,
    resized,
    subject_of,
)
from benchmarks.rollouts.composed.tile_deeds import LASTING_TILES, PASSING_TILES, RIGHT_TILES, TileDeed
from benchmarks.rollouts.looks import LOOKS, Look
from benchmarks.rollouts.lot_clips import LotScene
from benchmarks.rollouts.lot_scripts import Subject
from benchmarks.rollouts.puzzle_sets import lot_names, lot_record, tile_names, tile_puzzle
from benchmarks.rollouts.records import Task
from benchmarks.rollouts.tile_scripts import TileSubject, tile_picture
from grader.media.encoding import encode_mp4
from puzzles.common.easing import Pace
from puzzles.common.raster import Picture
from puzzles.maze.geometry import Geometry
from puzzles.rush_hour.rules import simulate
from puzzles.sliding.render import BoardCanvas

SIZE = (360, 360)
LEAST_S = 0.1
_TRIES = 40
LEAST_FRAMES = 2.0
"""A fault that is shown for less time, or in fewer frames, is not scored."""

_LOOKS = ("plain", "margins", "dark", "letters", "rails", "frame", "jitter", "bare")
_PACES = (Pace(), Pace(), Pace(speed=11, least_s=0.25, pause_s=0.15), Pace(speed=4, pause_s=0.4))
_TASKS = (Task.RUSH_HOUR, Task.SLIDING, Task.RUSH_HOUR, Task.SLIDING, Task.MAZE)
"""In turns."""

_LOT_HIDES = tuple(Hide)
_TILE_HIDES = (Hide.NOTHING, Hide.BLUR, Hide.BLACK, Hide.FLASH, Hide.FREEZE)
_MAZE_HIDES = (*_TILE_HIDES, Hide.GONE)

MAZE_SIDE_PX = 512
_MAZES = tuple(
    f"maze-{geometry.value}-{scale:02}-{variant}-{look}"
    for geometry in Geometry
    for scale in (3, 5, 8)
    for variant in ("dfs", "bfs")
    for look in ("published", "red", "thin", "thick", "dark", "paper")
)

Deed = LotDeed | TileDeed | MazeDeed
_RIGHT = {Task.RUSH_HOUR: RIGHT_LOTS, Task.SLIDING: RIGHT_TILES, Task.MAZE: RIGHT_MAZES}
_LASTING = {Task.RUSH_HOUR: LASTING_LOTS, Task.SLIDING: LASTING_TILES, Task.MAZE: LASTING_MAZES}
_PASSING = {Task.RUSH_HOUR: PASSING_LOTS, Task.SLIDING: PASSING_TILES, Task.MAZE: PASSING_MAZES}
_HIDES = {Task.RUSH_HOUR: _LOT_HIDES, Task.SLIDING: _TILE_HIDES, Task.MAZE: _MAZE_HIDES}
_KINDS = {"right": _RIGHT, "lasting": _LASTING, "passing": _PASSING}


@dataclass(frozen=True)
class ComposedCase:
    """A clip that can be made.

    Attributes
    ----------
    task, puzzle, look : what it is of, and in which style
    deed : what happens
    hide, frames : what hides it, and for how many frames of 1/24 s; of passing faults, how long these are
    video : what the video does to it
    pace : which of the paces
    """

    task: Task
    puzzle: str
    look: str
    deed: str
    hide: Hide
    frames: int
    video: str
    pace: int

    @property
    def id(self) -> str:
        """Its name; all that is random in it follows from it."""
        hidden = f"{self.hide.value}{self.frames}"
        return f"{self.task.value}/{self.puzzle}/{self.deed}/{hidden}/{self.video}/{self.look}{self.pace}"

    @property
    def kind(self) -> str:
        """Whether it is right, or its fault lasts or passes."""
        return next(name for name, writers in _KINDS.items() if self.deed in writers[self.task])


def truth_of(case: ComposedCase) -> tuple[float, bool | None]:
    """For how long a case's fault is shown, in seconds, and what a grader should say of it.

    A fault that is shown for too short a time, or in a single frame that was drawn, is not scored.
    """
    deed = made_deed(case)
    if deed is None or case.kind == "right":
        return 0.0, True
    shown, video = round(deed.fault_s, 6), VIDEOS[case.video]
    frames = shown * (video.source_fps or video.fps)
    return shown, False if shown >= LEAST_S and frames >= LEAST_FRAMES else None


@lru_cache(maxsize=4)
def made_deed(case: ComposedCase) -> Deed | None:
    """What happens in a case; None where its puzzle has no such."""
    pace = _PACES[case.pace]
    dice = random.Random(number_of(case.id))
    if case.task is Task.RUSH_HOUR:
        record = lot_record(case.puzzle)
        subject = Subject(record.lot, record.moves, simulate(record.lot, record.moves), pace, dice)
        return {**RIGHT_LOTS, **LASTING_LOTS, **PASSING_LOTS}[case.deed](subject, case.hide, case.frames)
    if case.task is Task.MAZE:
        writers = {**RIGHT_MAZES, **LASTING_MAZES, **PASSING_MAZES}
        return writers[case.deed](subject_of(case.puzzle, case.id), case.hide, case.frames)
    one = tile_puzzle(case.puzzle)
    tiles = TileSubject(one.puzzle, one.solution, one.alike, replace(LOOKS[case.look], pace=pace), dice)
    return {**RIGHT_TILES, **LASTING_TILES, **PASSING_TILES}[case.deed](tiles, case.hide, case.frames)


def case_frames(case: ComposedCase) -> Iterator[Picture]:
    """Yields a case's frames before they are encoded; ValueError where its puzzle has no such deed."""
    deed, video, look = made_deed(case), VIDEOS[case.video], case_look(case)
    if isinstance(deed, LotDeed):
        scene = LotScene(deed.script, look)
        duration, margin = deed.script.timeline.duration_s, look.lot.margin
        return film(lambda time: scene.picture(time, 0), duration, video, deed.moments, case.id, margin)
    if isinstance(deed, TileDeed):
        script = deed.script
        picture = tile_puzzle(case.puzzle).picture()
        canvas = BoardCanvas(picture, script.puzzle.target, look.tiles, look.size)
        return film(
            lambda time: tile_picture(script, canvas, look, time), script.timeline.duration_s, video, deed.moments,
            case.id, look.tiles.margin,
        )  # fmt: skip
    if isinstance(deed, MazeDeed):
        drawn = deed.picture
        return film(
            lambda time: resized(drawn(time), MAZE_SIDE_PX), deed.duration_s, video, deed.moments, case.id,
            (255, 255, 255),
        )  # fmt: skip
    raise ValueError(f"{case.id} can't be made: the puzzle does not allow it")


def case_clip(case: ComposedCase) -> bytes:
    """Returns a case's clip as mp4."""
    video = VIDEOS[case.video]
    return encode_mp4(case_frames(case), video.fps, crf=video.crf)


def case_look(case: ComposedCase) -> Look:
    """Returns a case's style."""
    return replace(LOOKS[case.look], size=SIZE)


def composed_cases(count: int, first: int = 0) -> Iterator[ComposedCase]:
    """Yields so many cases from a number on, always the same ones; fewer are a beginning of more."""
    for number in range(first, first + count):
        tries = (_case(number, attempt) for attempt in range(_TRIES))
        case = next((one for one in tries if made_deed(one) is not None), None)
        if case is not None:
            yield case


def _case(number: int, attempt: int) -> ComposedCase:
    """A case by its number; what happens follows from the number, and so does the rest from the attempt to make it."""
    kind = tuple(_KINDS)[number // len(_TASKS) % len(_KINDS)]
    dice = dice_of(f"composed clip {number} {attempt}")

    def one(values: tuple[str, ...]) -> str:
        return values[int(dice.integers(len(values)))]

    task = _TASKS[number % len(_TASKS)]
    puzzle = one({Task.RUSH_HOUR: lot_names(), Task.SLIDING: tile_names(), Task.MAZE: _MAZES}[task])
    look, video, pace = one(_LOOKS), one(tuple(VIDEOS)), int(dice.integers(len(_PACES)))
    deed = one(tuple(_KINDS[kind][task]))
    hide, frames = Hide.NOTHING, int(dice.integers(1, 13))
    if kind == "lasting":
        hide, frames = _HIDES[task][int(dice.integers(len(_HIDES[task])))], int(dice.integers(1, 9))
    return ComposedCase(task, puzzle, look, deed, hide, 0 if kind == "right" else frames, video, pace)
