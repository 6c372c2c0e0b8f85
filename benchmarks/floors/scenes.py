"""Curved mazes of known truth in many looks: lines on paper, rock, dark floors, grain, hedges, photographs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

import grader
from grader.tasks.maze.model import MazeInput
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture
from puzzles.maze.curved import CurvedLook, CurvedMaze, CurvedRecipe, CurvedShape, draw_curved, make_curved

ANSWERS: dict[str, Color] = {
    "blue": (30, 60, 230),
    "red": (225, 35, 35),
    "green": (30, 160, 60),
    "magenta": (225, 40, 200),
}


@dataclass(frozen=True)
class Look:
    """How a maze is painted.

    Attributes
    ----------
    name : as in tables
    floor, wall, page, start, goal : colours
    answer : the colour of the path that is asked for
    grain : standard deviation of the patterns of floor and walls, 0 to 255
    light : by what share light falls off over the picture
    blur : standard deviation in pixels
    """

    name: str
    floor: Color
    wall: Color
    page: Color
    start: Color = (220, 30, 30)
    goal: Color = (20, 150, 60)
    answer: str = "blue"
    grain: tuple[float, float] = (0.0, 0.0)
    light: float = 0.0
    blur: float = 0.0


LOOKS = (
    Look("paper", (255, 255, 255), (0, 0, 0), (255, 255, 255)),
    Look("published", (255, 255, 255), (0, 0, 0), (0, 0, 0)),
    Look("blueprint", (28, 40, 84), (225, 230, 240), (28, 40, 84), (250, 120, 60), (250, 220, 60), "magenta"),
    Look("sand", (240, 224, 190), (120, 86, 52), (240, 224, 190), (30, 90, 200), (20, 150, 60), "red"),
    Look("slate", (205, 208, 212), (60, 66, 74), (120, 126, 134), (220, 30, 30), (40, 60, 220), "green"),
    Look("hedge", (214, 202, 178), (40, 84, 38), (40, 84, 38), (220, 30, 30), (30, 60, 220), "magenta", (7.0, 16.0)),
    Look("stone", (176, 172, 166), (74, 70, 68), (74, 70, 68), (220, 30, 30), (30, 60, 220), "blue", (8.0, 12.0)),
    Look("photo", (236, 232, 226), (52, 50, 54), (236, 232, 226), (200, 40, 40), (40, 130, 70), "blue", (3.0, 3.0),
         0.35, 0.8),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class FloorScene:
    """A curved maze in a look.

    Attributes
    ----------
    maze : its geometry and truth
    look : its colours
    picture : without an answer
    marks : (H, W) bool, its markers
    marked : whether their masks are told, and not only their places
    """

    maze: CurvedMaze
    look: Look
    picture: Picture
    marks: NDArray[np.bool_]
    marked: bool

    @property
    def free_px(self) -> float:
        """Width of corridors."""
        return self.maze.recipe.cell_px - self.maze.wall_px

    @property
    def ink(self) -> Color:
        """The colour that is asked for."""
        return ANSWERS[self.look.answer]

    @cached_property
    def right_line(self) -> FloatArray:
        """The right way, (n, 2) in pixels."""
        return self.maze.route(self.maze.path)

    @cached_property
    def puzzle(self) -> MazeInput:
        """What is graded against."""
        floor, color = self.maze.floor, self.look.answer
        (sx, sy), (gx, gy) = ((float(x), float(y)) for x, y in self.maze.ends())
        if not self.marked:
            return grader.maze_from_mask(self.picture, floor, start=(sx, sy), goal=(gx, gy), path_color=color)
        rows, columns = np.indices(self.marks.shape)
        nearer = np.hypot(columns - sx, rows - sy) < np.hypot(columns - gx, rows - gy)
        start, goal = self.marks & nearer, self.marks & ~nearer
        return grader.maze_from_mask(self.picture, floor, start=start, goal=goal, path_color=color)


def scene(seed: int, number: int) -> FloorScene:
    """A maze by its number."""
    dice = np.random.default_rng([seed, number, 1])
    shape = list(CurvedShape)[number % len(CurvedShape)]
    look = LOOKS[int(dice.integers(len(LOOKS)))]
    rock = look.page == look.wall or dice.random() < 0.25
    size = int(dice.integers(2, 5)) if shape is CurvedShape.SPIRAL else int(dice.integers(4, 9))
    while True:
        recipe = CurvedRecipe(
            shape,
            CurvedLook.ROCK if rock else CurvedLook.LINES,
            size,
            seed=int(dice.integers(10**6)),
            cell_px=float(dice.uniform(34.0, 64.0)),
            wall=float(dice.uniform(0.3, 0.5) if rock else dice.uniform(0.08, 0.3)),
            bend=float(dice.uniform(0.15, 0.4)),
        )
        maze = make_curved(recipe)
        # Where bends make corridors run into each other there is another way.
        if cv2.connectedComponents((~np.pad(maze.floor, 1)).astype(np.uint8), connectivity=4)[0] == 2:
            break
    size_of_marker = float(dice.uniform(0.27, 0.36))
    picture, plain = (
        draw_curved(
            maze, floor=look.floor, wall=look.wall, page=look.page, start=look.start, goal=look.goal, marker=marker
        )
        for marker in (size_of_marker, 0.0)
    )
    marks = np.asarray(np.abs(picture.astype(np.int16) - plain).max(axis=2) > 40, np.bool_)
    return FloorScene(maze, look, _painted(maze, look, picture, dice), marks, bool(dice.random() < 0.3))


def _painted(maze: CurvedMaze, look: Look, picture: Picture, dice: np.random.Generator) -> Picture:
    """A picture with grain, light and blur."""
    drawn = picture.astype(np.float32)
    height, width = picture.shape[:2]
    if any(look.grain):
        cover = maze.floor_cover
        amount = look.grain[0] * cover + look.grain[1] * (1.0 - cover)
        drawn += (amount * _grain((height, width), dice))[..., None]
    if look.light:
        x, y = dice.uniform(0.0, width), dice.uniform(0.0, height)
        rows, columns = np.ogrid[:height, :width]
        away = np.hypot(rows - y, columns - x) / np.hypot(height, width)
        drawn *= (1.0 - look.light * away**2)[..., None].astype(np.float32)
    if look.blur:
        drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), look.blur), np.float32)
    return np.asarray(np.clip(np.rint(drawn), 0, 255), np.uint8)


def _grain(shape: tuple[int, int], dice: np.random.Generator) -> NDArray[np.float32]:
    """(h, w) float32 of mean 0 and standard deviation 1: patterns of some pixels."""
    total = np.zeros(shape, np.float32)
    for sigma in (0.7, 2.5):
        layer = np.asarray(cv2.GaussianBlur(dice.normal(size=shape).astype(np.float32), (0, 0), sigma), np.float32)
        total += layer / max(float(layer.std()), 1e-6)
    return total / np.float32(np.sqrt(2.0))
