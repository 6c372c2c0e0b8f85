"""Mazes: walls that are not the puzzle's, and holes in those that are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from benchmarks.accuracy.lines import part
from benchmarks.composed.inks import Ink
from benchmarks.composed.roles.base import ANY, PLAIN_SIGHT, WHOLE, Role, pick, some
from benchmarks.composed.shapes import Change, Level, Shape, lined, mask
from benchmarks.composed.stages import MazeScene
from puzzles.common.arrays import FloatArray
from puzzles.maze.maze import Passage

_WALL_INKS = ("puzzle", "puzzle", "puzzle", *ANY)
"""Mostly the walls' own colour."""


def _border(scene: MazeScene, pair: Passage) -> FloatArray:
    return scene.canvas.layout.to_pixels(scene.canvas.maze.grid.border(*pair).points())


def _bars(scene: MazeScene, pairs: list[Passage], ink: Ink, dice: np.random.Generator) -> Change:
    """Lines along borders, as wide as walls or as the ink."""
    width = scene.canvas.style.wall_width_px if ink.kind == "puzzle" and dice.random() < 0.6 else None
    level = Level.UNDER if dice.random() < 0.3 else Level.OVER
    return Change((Shape(tuple(_border(scene, pair) for pair in pairs), width=width, level=level),))


def on_path(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Across passages of the right path."""
    pairs = list(pairwise(scene.canvas.path))
    return _bars(scene, some(pairs, int(dice.integers(1, 4)), dice), ink, dice)


def elsewhere(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Across passages off the right path."""
    taken = {(min(pair), max(pair)) for pair in pairwise(scene.canvas.path)}
    pairs = [pair for pair in sorted(scene.canvas.maze.passages) if pair not in taken]
    return _bars(scene, some(pairs, int(dice.integers(1, 5)), dice), ink, dice) if pairs else None


def many(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Across a good part of all passages."""
    pairs = sorted(scene.canvas.maze.passages)
    return _bars(scene, some(pairs, round(dice.uniform(0.2, 0.8) * len(pairs)), dice), ink, dice)


def stubs(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Into every passage from one side of it, some way."""
    reach = dice.uniform(0.15, 0.45)
    lines = []
    for pair in sorted(scene.canvas.maze.passages):
        border = _border(scene, pair)
        length = float(np.hypot(*np.diff(border, axis=0).T).sum())
        line = border if dice.random() < 0.5 else border[::-1]
        lines.append(part(line, 0.0, reach * length))
    width = scene.canvas.style.wall_width_px if dice.random() < 0.7 else None
    return Change((Shape(tuple(lines), width=width, level=Level.UNDER if ink.kind == "puzzle" else Level.OVER),))


def one_hole(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A whole wall, or a few, between two cells is gone."""
    wall = scene.canvas.style.wall_width_px
    lines = []
    for pair in some(scene.canvas.maze.walls(), int(dice.integers(1, 4)), dice):
        border = _border(scene, pair)
        length = float(np.hypot(*np.diff(border, axis=0).T).sum())
        if length > 3 * wall:
            lines.append(part(border, wall, length - wall))
    return Change((Shape(tuple(lines), width=1.3 * wall + 1, level=Level.UNDER),)) if lines else None


def _walls(scene: MazeScene) -> FloatArray:
    """(H, W), how much of each pixel is wall within the maze, markers left out."""
    canvas = scene.canvas
    return np.asarray((1.0 - canvas.floor_share) * (canvas.cells > 0) * ~canvas.marked)


def along_a_line(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """A small hole in every wall that a straight line meets, from start to goal or across the maze."""
    canvas = scene.canvas
    height, width = scene.ground.shape[:2]
    if dice.random() < 0.6:
        ends = np.array([canvas.layout.centre(cell) for cell in (canvas.maze.start, canvas.maze.goal)])
    elif dice.random() < 0.5:
        ends = np.array([[0.0, height * dice.uniform(0.1, 0.9)], [width, height * dice.uniform(0.1, 0.9)]])
    else:
        ends = np.array([[width * dice.uniform(0.1, 0.9), 0.0], [width * dice.uniform(0.1, 0.9), height]])
    cut = lined((height, width), (ends,), max(1.5, ink.width_px)) * _walls(scene)
    if not (cut > 0.5).any():
        return None
    return Change((Shape(area=np.asarray(cut, np.float32), level=Level.UNDER),))


def faded(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """The walls of a part of the maze are paler, or gone."""
    height, width = scene.ground.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    if dice.random() < 0.5:
        middle = scene.canvas.layout.centre(pick(scene.canvas.maze.grid.cell_ids, dice))
        where = np.hypot(x - middle[0], y - middle[1]) < dice.uniform(0.8, 3.0) * scene.room
    else:
        angle = dice.uniform(0, 2 * np.pi)
        where = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle) > dice.uniform(-0.2, 0.3) * width
    area = np.asarray(mask(where) * _walls(scene), np.float32)
    return Change((Shape(area=area, level=Level.UNDER),)) if (area > 0.5).any() else None


ROLES = (
    *(
        Role(f"wall-{name}", "wall", draw, _WALL_INKS)
        for name, draw in (("on-path", on_path), ("elsewhere", elsewhere), ("many", many), ("stubs", stubs))
    ),
    *(
        Role(f"hole-{name}", "hole", draw, ("floor",), textures, PLAIN_SIGHT)
        for name, draw, textures in (
            ("whole-wall", one_hole, (*WHOLE, "dashed")),
            ("along-a-line", along_a_line, WHOLE),
            ("faded", faded, WHOLE),
        )
    ),
)
