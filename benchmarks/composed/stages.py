"""A puzzle, the same puzzle drawn at the candidate's size, and a right answer on it in a look of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from benchmarks.accuracy.board_plans import board_plan
from benchmarks.accuracy.drawing import MarkLook, StrokeLook, draw_board_plan, draw_maze_plan, shaken
from benchmarks.accuracy.instances import BoardInstance, Instance, MazeInstance, build, instance_names, square_looks
from benchmarks.accuracy.lines import UncertainTruthError
from benchmarks.accuracy.maze_plans import maze_plan
from benchmarks.accuracy.plans import BoardPlan, MazePlan
from benchmarks.accuracy.seeds import dice_of
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture
from puzzles.maze.render import render_maze
from puzzles.queens.render import render_queens

SIZES = (384, 512, 640, 768, 1024, 1280, 1536, 2048)
"""Longer side of a candidate in pixels, about."""
_SIZE_CHANCES = (0.08, 0.14, 0.12, 0.14, 0.26, 0.1, 0.08, 0.08)
_LEAST_FREE_PX = 18.0
"""Least free width of a cell in the candidate, as in the benchmark of accuracy."""
_BOARD_CHANCE = 0.35
PER_STAGE = 20
"""Pictures on one puzzle at one size, for a puzzle takes longer to draw than a picture on it."""


@dataclass(frozen=True, eq=False)
class Stage:
    """A puzzle as it was asked, and as the candidate shows it.

    Attributes
    ----------
    puzzle : the request's, at its own size
    canvas : the same at the candidate's size
    """

    puzzle: Instance
    canvas: Instance

    @property
    def task(self) -> str:
        """maze or queens."""
        return "maze" if isinstance(self.canvas, MazeInstance) else "queens"

    @property
    def kind(self) -> str:
        """The geometry, or board."""
        return self.canvas.maze.geometry.value if isinstance(self.canvas, MazeInstance) else "board"


def task_of(name: str) -> str:
    """The task of the stage that a name gives, maze or queens, without making it."""
    return _task(dice_of(f"composed/{name}"))


def _task(dice: np.random.Generator) -> str:
    return "queens" if dice.random() < _BOARD_CHANCE else "maze"


@lru_cache(maxsize=2)
def stage_of(name: str) -> Stage:
    """The stage that a name gives by chance; the last two are kept."""
    dice = dice_of(f"composed/{name}")
    task = _task(dice)
    # Those that came later would move the numbers of pictures.
    names = [one for one in instance_names() if one.task == task and one.look not in square_looks()]
    puzzle = build(str(names[int(dice.integers(len(names)))]))
    return Stage(puzzle, at_size(puzzle, int(dice.choice(SIZES, p=_SIZE_CHANCES))))


def at_size(instance: Instance, long_side: int) -> Instance:
    """A puzzle drawn anew with a longer side of about so many pixels, or more where its cells would be too small."""
    factor = max(long_side / max(instance.pictures.input.shape[:2]), _LEAST_FREE_PX / instance.free_px)
    if isinstance(instance, MazeInstance):
        style = instance.style.resized(instance.style.cell_size_px * factor)
        return replace(instance, style=style, pictures=render_maze(instance.maze, style))
    look = instance.style.resized(round(instance.style.cell_size_px * factor))
    return replace(instance, style=look, pictures=render_queens(instance.board, look))


@dataclass(frozen=True, eq=False)
class MazeScene:
    """A maze on its ground, with the right path to be drawn on it.

    Attributes
    ----------
    canvas : the maze at the candidate's size
    ground : the maze's picture, perhaps with another floor
    floor : the colour of that floor
    plan, look : the right path as it was shaken, and how it is drawn
    """

    canvas: MazeInstance
    ground: Picture
    floor: Color
    plan: MazePlan
    look: StrokeLook

    @property
    def room(self) -> float:
        """Diameter of the largest circle in a cell, pixels."""
        return self.canvas.free_px

    @property
    def stroke_px(self) -> float:
        """Width of the path's stroke."""
        return self.look.width * self.canvas.style.path_width_px

    @cached_property
    def lines(self) -> tuple[FloatArray, ...]:
        """The path's lines in pixels."""
        return tuple(self.canvas.layout.to_pixels(line) for line in self.plan.lines)

    @property
    def colors(self) -> tuple[Color, Color, Color, Color]:
        """Of floor, answer, lines of the puzzle, and markers."""
        style = self.canvas.style
        return self.floor, style.path, style.wall, style.marker

    def answered(self, ground: Picture) -> Picture:
        """The right path on some ground."""
        return draw_maze_plan(self.canvas, self.plan, self.look, ground, _NO_DICE)


@dataclass(frozen=True, eq=False)
class BoardScene:
    """A board on its ground, with the right queens to be drawn on it; attributes as of `MazeScene`."""

    canvas: BoardInstance
    ground: Picture
    floor: Color
    plan: BoardPlan
    look: MarkLook

    @property
    def room(self) -> float:
        """Cell size in pixels."""
        return self.canvas.free_px

    @property
    def radius_px(self) -> float:
        """Radius of a queen."""
        return self.look.radius * self.canvas.style.queen_radius_px

    @property
    def colors(self) -> tuple[Color, Color, Color, Color]:
        """Of floor, answer, lines of the puzzle, and markers, for which queens stand in."""
        style = self.canvas.style
        return self.floor, style.queen, style.line, style.queen

    def answered(self, ground: Picture) -> Picture:
        """The right queens on some ground."""
        return draw_board_plan(self.canvas, self.plan, self.look, ground, _NO_DICE)

    def middle(self, row: float, column: float) -> FloatArray:
        """The middle of a cell in pixels, (2,)."""
        return np.array([column + 0.5, row + 0.5]) * self.canvas.style.cell_size_px


Scene = MazeScene | BoardScene
_NO_DICE = np.random.default_rng(0)
"""For drawings in which nothing is left to chance."""


def scene_of(stage: Stage, dice: np.random.Generator) -> Scene:
    """A right answer in a look by chance: width and shake of its stroke, or size of its queens."""
    if isinstance(stage.canvas, MazeInstance):
        return _maze_scene(stage.canvas, dice)
    plan = board_plan(stage.canvas, "right")
    if plan is None:
        raise RuntimeError(f"{stage.canvas.name}: the right queens are not legal")
    look = MarkLook(radius=float(dice.uniform(0.8, 1.2))) if dice.random() < 0.6 else MarkLook()
    pictures = stage.canvas.pictures
    middle = pictures.input[pictures.input.shape[0] // stage.canvas.board.n // 2][:]
    floor = np.median(middle, axis=0)
    return BoardScene(stage.canvas, pictures.input, _color(floor), plan, look)


def _maze_scene(canvas: MazeInstance, dice: np.random.Generator) -> MazeScene:
    plan = maze_plan(canvas, "right")
    if plan is None:
        raise RuntimeError(f"{canvas.name}: there is no right path")
    room = (canvas.free_px - canvas.style.wall_width_px) / canvas.style.path_width_px
    hair = dice.random() < 0.15
    width = dice.uniform(0.2, 0.4) if hair else dice.uniform(0.5, max(0.6, min(3.0, 0.5 * room)))
    look = StrokeLook(width=float(width))
    wobble = float(dice.uniform(0.1, 0.5)) if dice.random() < 0.5 else 0.0
    if wobble:
        try:
            own = replace(canvas, style=replace(canvas.style, path_width_px=look.width * canvas.style.path_width_px))
            plan = replace(plan, lines=shaken(own, plan, wobble, dice))
        except UncertainTruthError:
            pass  # it is drawn without a shake
    return MazeScene(canvas, canvas.pictures.input, canvas.style.floor, plan, look)


def repainted(scene: MazeScene, floor: Color) -> MazeScene:
    """The scene on a floor of another colour."""
    change = np.array(floor, np.float32) - np.array(scene.floor, np.float32)
    ground = np.clip(np.rint(scene.ground + scene.canvas.floor_share[..., None] * change), 0, 255).astype(np.uint8)
    return replace(scene, ground=ground, floor=floor)


def _color(values: FloatArray) -> Color:
    red, green, blue = (round(float(value)) for value in values)
    return red, green, blue
