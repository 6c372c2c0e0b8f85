"""Mazes with curved corridors: the topology of a tiling, bent; told by a mask of their floor and not by cells."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture
from puzzles.maze.geometry import Border, Geometry
from puzzles.maze.maze import Maze, generate_maze, solve

_SHIFT = 6  # bits of a pixel's fraction in OpenCV's drawing
_STEP = 0.06
"""Length of a straight piece of a bent line, in cell units."""


class CurvedShape(enum.Enum):
    """How a tiling is bent."""

    RINGS = "rings"
    SPIRAL = "spiral"
    WAVES = "waves"
    BENT_RINGS = "bent_rings"


class CurvedLook(enum.Enum):
    """How floor and walls are drawn: walls as lines, or corridors cut into rock."""

    LINES = "lines"
    ROCK = "rock"


@dataclass(frozen=True)
class CurvedRecipe:
    """What a curved maze is made by.

    Attributes
    ----------
    shape, look : how it is bent and drawn
    size : rings, rows, or turns of a spiral
    seed : of its walls and bends
    cell_px : distance of corridors in pixels
    wall : width of walls, as a share of that
    bend : how far waves displace, as a share of that
    """

    shape: CurvedShape
    look: CurvedLook = CurvedLook.LINES
    size: int = 6
    seed: int = 0
    cell_px: float = 48.0
    wall: float = 0.15
    bend: float = 0.35


@dataclass(frozen=True, eq=False)
class CurvedMaze:
    """A curved maze.

    Attributes
    ----------
    recipe : what it was made by
    maze : its topology
    path : the right way's cells
    """

    recipe: CurvedRecipe
    maze: Maze
    path: tuple[int, ...]

    @cached_property
    def _offset(self) -> tuple[FloatArray, int, int]:
        """Where the bent tiling begins, and the picture's size."""
        points = np.concatenate([self.bent(self.maze.grid.outline(cell)) for cell in self.maze.grid.cell_ids])
        rim = self.recipe.cell_px * (0.5 + self.recipe.wall)
        low, high = points.min(axis=0) - rim, points.max(axis=0) + rim
        width, height = (2 * math.ceil(float(side) / 2.0) for side in high - low)
        return low, width, height

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture."""
        return self._offset[1:]

    def bent(self, points: FloatArray) -> FloatArray:
        """Points (n, 2) in cell units as pixels, before the picture's corner is taken off."""
        recipe = self.recipe
        if recipe.shape is CurvedShape.SPIRAL:
            return _on_spiral(points, self.maze.height) * recipe.cell_px
        if recipe.shape is CurvedShape.RINGS:
            return points * recipe.cell_px
        return (points + recipe.bend * _waves(points, recipe.seed)) * recipe.cell_px

    def pixels(self, points: FloatArray) -> FloatArray:
        """A line (n, 2) in cell units as one in pixels of the picture, bent."""
        return self.bent(_fine(points)) - self._offset[0]

    def middle(self, cell: int) -> FloatArray:
        """The middle of a cell in pixels, (2,)."""
        return np.asarray(self.pixels(np.array([self.maze.grid.centre(cell)]))[0], np.float64)

    def route(self, cells: Sequence[int]) -> FloatArray:
        """The line through cells that follow each other, (n, 2) in pixels."""
        return self.pixels(self.maze.grid.route(cells))

    def border(self, first: int, second: int) -> FloatArray:
        """The border of two cells, (n, 2) in pixels."""
        return self.pixels(self.maze.grid.border(first, second).points())

    @property
    def wall_px(self) -> float:
        """Width of a wall in pixels."""
        return self.recipe.wall * self.recipe.cell_px

    @cached_property
    def floor_cover(self) -> NDArray[np.float32]:
        """(H, W) float32, how much of each pixel is floor."""
        width, height = self.size
        grid, maze = self.maze.grid, self.maze
        inside = np.zeros((height, width), np.uint8)
        if self.recipe.look is CurvedLook.ROCK:
            corridor = self.recipe.cell_px - self.wall_px
            for first, second in sorted(maze.passages):
                _line(inside, self.pixels(grid.route((first, second))), corridor, 255)
        else:
            for cell in grid.cell_ids:
                corners = np.rint((self.pixels(_closed(grid.outline(cell))) - 0.5) * 2**_SHIFT).astype(np.int32)
                cv2.fillPoly(inside, [corners.reshape(-1, 1, 2)], 255, cv2.LINE_AA, _SHIFT)
                _line(inside, self.pixels(_closed(grid.outline(cell))), 1.5, 255)
            for border in self._walls():
                _line(inside, self.pixels(border.points()), self.wall_px, 0)
        return np.asarray(inside, np.float32) / 255.0

    @cached_property
    def wall_cover(self) -> NDArray[np.float32]:
        """(H, W) float32, how much of each pixel is wall; of rock all that is no floor."""
        if self.recipe.look is CurvedLook.ROCK:
            return np.asarray(1.0 - self.floor_cover, np.float32)
        width, height = self.size
        walls = np.zeros((height, width), np.uint8)
        for border in self._walls():
            _line(walls, self.pixels(border.points()), self.wall_px, 255)
        return np.asarray(walls, np.float32) / 255.0

    def _walls(self) -> Iterable[Border]:
        grid = self.maze.grid
        yield from (grid.border(first, second) for first, second in self.maze.walls())
        for cell in grid.cell_ids:
            yield from grid.outer_borders(cell)

    @cached_property
    def floor(self) -> NDArray[np.bool_]:
        """(H, W) bool, the mask of the floor."""
        return np.asarray(self.floor_cover > 0.5, np.bool_)

    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The middles of start and goal in pixels."""
        return self.middle(self.path[0]), self.middle(self.path[-1])


def make_curved(recipe: CurvedRecipe) -> CurvedMaze:
    """Makes a curved maze with one right way."""
    if recipe.shape is CurvedShape.SPIRAL:
        lanes = 2 + recipe.seed % 2
        maze = generate_maze(Geometry.SQUARE, recipe.size * 8, height=lanes, seed=recipe.seed)
        # From the middle of the spiral to its outer end.
        maze = replace(maze, start=1, goal=maze.width * maze.height)
    elif recipe.shape is CurvedShape.WAVES:
        maze = generate_maze(Geometry.SQUARE, recipe.size, seed=recipe.seed)
    else:
        maze = generate_maze(Geometry.CIRCLE, recipe.size, seed=recipe.seed)
    return CurvedMaze(recipe, maze, solve(maze))


def draw_curved(
    maze: CurvedMaze,
    *,
    floor: Color = (255, 255, 255),
    wall: Color = (0, 0, 0),
    page: Color = (255, 255, 255),
    start: Color = (220, 30, 30),
    goal: Color = (20, 150, 60),
    marker: float = 0.27,
) -> Picture:
    """Draws a curved maze with a disc at the start and a cross at the goal, both of this share of a corridor."""
    width, height = maze.size
    drawn = np.empty((height, width, 3), np.float32)
    drawn[:] = page
    for cover, color in ((maze.floor_cover, floor), (maze.wall_cover, wall)):
        drawn += cover[..., None] * (np.array(color, np.float32) - drawn)
    picture = np.asarray(np.rint(drawn), np.uint8)
    if not marker:
        return picture
    (sx, sy), (gx, gy) = maze.ends()
    radius = marker * (maze.recipe.cell_px - maze.wall_px)
    cv2.circle(picture, _fixed(sx, sy), round(radius * 2**_SHIFT), start, -1, cv2.LINE_AA, _SHIFT)
    for turn in (1, -1):
        arm = np.array([[gx - radius, gy - turn * radius], [gx + radius, gy + turn * radius]])
        _line(picture, arm, max(2.0, 0.6 * radius), goal)
    return picture


def _line(picture: NDArray[np.uint8], points: FloatArray, width: float, color: Color | int) -> None:
    """Draws a line of a width that may be no whole number, with round ends."""
    # OpenCV's lines have whole widths.
    fixed = np.rint((points - 0.5) * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
    paint = color if isinstance(color, tuple) else (color,)
    cv2.polylines(picture, [fixed], False, paint, max(1, round(width)), cv2.LINE_AA, _SHIFT)


def _fixed(x: float, y: float) -> tuple[int, int]:
    return round((x - 0.5) * 2**_SHIFT), round((y - 0.5) * 2**_SHIFT)


def _closed(points: FloatArray) -> FloatArray:
    return np.concatenate([points, points[:1]])


def _fine(points: FloatArray) -> FloatArray:
    """A line with points so close that it can be bent."""
    if len(points) < 2:
        return points
    lengths = np.hypot(*np.diff(points, axis=0).T)
    parts = [
        np.linspace(first, last, max(1, math.ceil(length / _STEP)), endpoint=False)
        for first, last, length in zip(points, points[1:], lengths.tolist(), strict=False)
    ]
    return np.concatenate([*parts, points[-1:]])


def _on_spiral(points: FloatArray, lanes: int) -> FloatArray:
    """Points of a long strip, wound up: x along the spiral, y across it, both kept as long as they are."""
    pitch = float(lanes)
    least = 0.75 * pitch + 0.8
    # Arc length of the strip's middle from the spiral's inner end, as if each turn were a circle.
    angle = (-least + np.sqrt(least**2 + 2.0 * pitch / math.tau * points[:, 0])) / (pitch / math.tau)
    radius = least + pitch * angle / math.tau + (points[:, 1] - 0.5 * lanes)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def _waves(points: FloatArray, seed: int) -> FloatArray:
    """Displacements of points (n, 2), each up to about 1, by some waves of 3 to 7 cells."""
    dice = np.random.default_rng([seed, 77])
    moved = np.zeros_like(points)
    for axis in (0, 1):
        for _ in range(3):
            length, turn, phase = dice.uniform(3.0, 7.0), dice.uniform(0.0, math.tau), dice.uniform(0.0, math.tau)
            along = points @ np.array([math.cos(turn), math.sin(turn)])
            moved[:, axis] += np.sin(math.tau * along / length + phase) / 3.0
    return moved
