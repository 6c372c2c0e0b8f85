"""Mazes: a second way beside the right one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from benchmarks.accuracy.lines import resampled
from benchmarks.accuracy.maze_plans import adjoining, side_cells, way_out, ways_from
from benchmarks.composed.inks import Ink
from benchmarks.composed.roles.base import ANY, Role, pick
from benchmarks.composed.shapes import Change, Frame, Level, Shape
from benchmarks.composed.stages import MazeScene
from puzzles.common.arrays import FloatArray

_WAY_INKS = ("asked", *ANY)
"""The asked colour twice as often: it is what a second way comes in."""


def _beneath(dice: np.random.Generator) -> Level:
    return Level.UNDER if dice.random() < 0.7 else Level.OVER


def _drawn(scene: MazeScene, lines: tuple[FloatArray, ...], dice: np.random.Generator) -> Change:
    pixels = tuple(scene.canvas.layout.to_pixels(line) for line in lines)
    return Change((Shape(pixels, level=_beneath(dice)),))


def _main(scene: MazeScene) -> FloatArray:
    return scene.canvas.maze.grid.route(scene.canvas.path)


def whole(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """From the start, or from the goal, far into the wrong corridors."""
    maze = scene.canvas.maze
    ways = ways_from(maze, maze.start if dice.random() < 0.7 else maze.goal)
    on_path = set(scene.canvas.path)
    found = sorted((len(set(way) - on_path), cell) for cell, way in ways.items() if cell not in on_path)
    if not found:
        return None
    far = [cell for length, cell in found if 2 * length >= found[-1][0]]
    return _drawn(scene, (maze.grid.route(ways[pick(far, dice)]),), dice)


def _corridor(scene: MazeScene, first: int, came: int, most: int, dice: np.random.Generator) -> list[int]:
    """Cells from one on, away from another and off the path."""
    maze, on_path = scene.canvas.maze, set(scene.canvas.path)
    cells = [first]
    while len(cells) < most:
        onwards = [
            other
            for other in maze.grid.neighbours(cells[-1])
            if other != came and maze.linked(other, cells[-1]) and other not in on_path and other not in cells
        ]
        if not onwards:
            break
        came = cells[-1]
        cells.append(pick(onwards, dice))
    return cells


def branch(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """From the path into a wrong corridor."""
    pairs = side_cells(scene.canvas, linked=True)
    if not pairs:
        return None
    cell, other = pick(pairs, dice)
    corridor = _corridor(scene, other, cell, int(dice.integers(1, 7)), dice)
    out = np.array(way_out(scene.canvas, _main(scene), cell, other))
    return _drawn(scene, (np.concatenate([out, scene.canvas.maze.grid.route(corridor)]),), dice)


def shortcut(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Through a wall from one part of the path to another."""
    pairs = adjoining(scene.canvas)
    if not pairs:
        return None
    first, second = (scene.canvas.path[place] for place in pick(pairs, dice))
    near, border = way_out(scene.canvas, _main(scene), first, second)
    far, _ = way_out(scene.canvas, _main(scene), second, first)
    return _drawn(scene, (np.array([near, border, far]),), dice)


def through_a_wall(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Through a wall from the path into a wrong cell, and on from there."""
    pairs = side_cells(scene.canvas, linked=False)
    if not pairs:
        return None
    cell, other = pick(pairs, dice)
    corridor = _corridor(scene, other, cell, int(dice.integers(1, 4)), dice)
    out = np.array(way_out(scene.canvas, _main(scene), cell, other))
    return _drawn(scene, (np.concatenate([out, scene.canvas.maze.grid.route(corridor)]),), dice)


def apart(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A way in wrong corridors that nowhere meets the path."""
    on_path = set(scene.canvas.path)
    rest = [cell for cell in scene.canvas.maze.grid.cell_ids if cell not in on_path]
    if not rest:
        return None
    cells = _corridor(scene, pick(rest, dice), 0, int(dice.integers(2, 9)), dice)
    return _drawn(scene, (scene.canvas.maze.grid.route(cells),), dice) if len(cells) > 1 else None


def straight(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """From start to goal through all walls."""
    maze = scene.canvas.maze
    ends = np.array([maze.grid.centre(maze.start), maze.grid.centre(maze.goal)])
    cells = [int(cell) for cell in maze.grid.cells_at(resampled(ends, 0.05))]
    if all(one == other or maze.linked(one, other) for one, other in pairwise(cells)):
        return None  # it is a right way too
    return _drawn(scene, (ends,), dice)


def outside(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Around the maze, through a page's margin, from the start to the goal."""
    maze, layout = scene.canvas.maze, scene.canvas.layout
    height, width = scene.ground.shape[:2]
    margin = round(dice.uniform(0.06, 0.12) * max(height, width)) + round(2 * ink.width_px)
    start, goal = (np.array(layout.centre(cell)) + margin for cell in (maze.start, maze.goal))
    aside = margin / 2 if dice.random() < 0.5 else width + 1.5 * margin
    line = np.array([
        start, (start[0], height + 1.5 * margin), (aside, height + 1.5 * margin), (aside, margin / 2),
        (goal[0], margin / 2), goal,
    ])  # fmt: skip
    page = scene.canvas.style.outside
    return Change((Shape((line,), level=Level.FRAMED),), frame=Frame((margin,) * 4, page))


ROLES = tuple(
    Role(f"way-{name}", "way", draw, _WAY_INKS)
    for name, draw in (
        ("whole", whole),
        ("branch", branch),
        ("shortcut", shortcut),
        ("through-wall", through_a_wall),
        ("apart", apart),
        ("straight", straight),
        ("outside", outside),
    )
)
