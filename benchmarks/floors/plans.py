"""Right and wrong drawings on curved mazes."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from benchmarks.accuracy.lines import beside, dashes, lengths_along, part, resampled, wobbled
from benchmarks.floors.scenes import FloorScene
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture

Plan = Callable[[FloorScene, np.random.Generator], Picture | None]
_SHIFT = 4


def stroke(picture: Picture, line: FloatArray, color: Color, width: float, opacity: float = 1.0) -> Picture:
    """A picture with a line on it."""
    drawn = picture.copy()
    points = np.rint(line * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(drawn, [points], False, color, max(1, round(width)), cv2.LINE_AA, _SHIFT)
    if opacity < 1.0:
        drawn = np.asarray(np.rint(picture + opacity * (drawn.astype(np.float32) - picture)), np.uint8)
    return drawn


def _width(scene: FloorScene, dice: np.random.Generator) -> float:
    return max(2.0, scene.free_px * float(dice.choice([0.1, 0.16, 0.22, 0.3])))


def _drawn(scene: FloorScene, dice: np.random.Generator, line: FloatArray | None = None) -> Picture:
    return stroke(scene.picture, scene.right_line if line is None else line, scene.ink, _width(scene, dice))


def right(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The right way in the middle of corridors."""
    return _drawn(scene, dice)


def right_by_hand(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The right way, shaken as by a hand."""
    cell = scene.maze.recipe.cell_px
    line = wobbled(scene.right_line / cell, 0.14 * scene.free_px / cell, dice) * cell
    return stroke(scene.picture, line, scene.ink, max(2.0, scene.free_px * 0.16))


def right_beside(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The right way, nearer to one side of corridors."""
    cell = scene.maze.recipe.cell_px
    side = float(dice.choice([-0.16, 0.16])) * scene.free_px / cell
    line = beside(scene.right_line / cell, side) * cell
    return stroke(scene.picture, line, scene.ink, max(2.0, scene.free_px * 0.14))


def right_dashed(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The right way in dashes."""
    drawn, cell = scene.picture, scene.maze.recipe.cell_px
    for piece in dashes(scene.right_line / cell, 0.5, 0.22):
        drawn = stroke(drawn, piece * cell, scene.ink, max(2.0, scene.free_px * 0.14))
    del dice
    return drawn


def right_pale(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The right way, half transparent, beneath the markers."""
    drawn = stroke(scene.picture, scene.right_line, scene.ink, _width(scene, dice), 0.6)
    drawn[scene.marks] = scene.picture[scene.marks]
    return drawn


RIGHT: dict[str, Plan] = {
    "right": right,
    "right-by-hand": right_by_hand,
    "right-beside": right_beside,
    "right-dashed": right_dashed,
    "right-pale": right_pale,
}


def _side_cells(scene: FloorScene, *, linked: bool) -> list[tuple[int, int]]:
    """Pairs of a cell on the right way, no end of it, and one beside it that is none of it."""
    maze, path = scene.maze.maze, scene.maze.path
    return [
        (cell, other)
        for cell in path[1:-1]
        for other in maze.grid.neighbours(cell)
        if other not in path and maze.linked(cell, other) == linked
    ]


def _pick(dice: np.random.Generator, choices: list[tuple[int, int]]) -> tuple[int, int] | None:
    return choices[int(dice.integers(len(choices)))] if choices else None


def _through(scene: FloorScene, pair: tuple[int, int]) -> FloatArray:
    """A line from the middle of a cell over its border with another to that one's middle."""
    border = scene.maze.border(*pair)
    return np.stack([scene.maze.middle(pair[0]), border[len(border) // 2], scene.maze.middle(pair[1])])


def short(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """It ends a cell before the goal."""
    path = scene.maze.path
    return None if len(path) < 4 else _drawn(scene, dice, scene.maze.route(path[:-1]))


def half(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """Half of it."""
    line = scene.right_line
    return _drawn(scene, dice, part(line, 0.0, 0.5 * float(lengths_along(line)[-1])))


def gap(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """A gap as long as a cell."""
    line, cell = scene.right_line, scene.maze.recipe.cell_px
    total = float(lengths_along(line)[-1])
    if total < 5.0 * cell:
        return None
    at = float(dice.uniform(1.5 * cell, total - 2.5 * cell))
    width = _width(scene, dice)
    drawn = stroke(scene.picture, part(line, 0.0, at), scene.ink, width)
    return stroke(drawn, part(line, at + cell, total), scene.ink, width)


def branch(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """A stub into a wrong corridor."""
    pair = _pick(dice, _side_cells(scene, linked=True))
    if pair is None:
        return None
    width = _width(scene, dice)
    return stroke(stroke(scene.picture, scene.right_line, scene.ink, width), scene.maze.route(pair), scene.ink, width)


def through_wall(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """A stub through a wall."""
    pair = _pick(dice, _side_cells(scene, linked=False))
    if pair is None:
        return None
    width = _width(scene, dice)
    return stroke(stroke(scene.picture, scene.right_line, scene.ink, width), _through(scene, pair), scene.ink, width)


def shortcut(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """The way is cut short through a wall."""
    maze, path = scene.maze.maze, scene.maze.path
    place = {cell: at for at, cell in enumerate(path)}
    pairs = [
        (cell, other)
        for cell in path
        for other in maze.grid.neighbours(cell)
        if other in place and place[other] > place[cell] + 2
    ]
    pair = _pick(dice, pairs)
    if pair is None:
        return None
    begin, end = place[pair[0]], place[pair[1]]
    lines = [_through(scene, pair)]
    lines += [scene.maze.route(part_) for part_ in (path[: begin + 1], path[end:]) if len(part_) > 1]
    drawn, width = scene.picture, _width(scene, dice)
    for line in lines:
        drawn = stroke(drawn, line, scene.ink, width)
    return drawn


def straight(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """A straight line from start to goal."""
    if len(scene.maze.path) < 5:
        return None
    return _drawn(scene, dice, np.stack(scene.maze.ends()))


def foreign(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """A second stroke in another colour in a wrong corridor."""
    path = set(scene.maze.path)
    pairs = [pair for pair in sorted(scene.maze.maze.passages) if not set(pair) & path]
    pair = _pick(dice, pairs)
    if pair is None:
        return None
    color = [(240, 150, 20), (150, 60, 200), (20, 170, 190)][int(dice.integers(3))]
    return stroke(_drawn(scene, dice), scene.maze.route(pair), color, scene.free_px * 0.2)


def wall_gone(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """The right way, and a hole in a wall as long as a third of it, in the floor's colour."""
    pair = _pick(dice, sorted(scene.maze.maze.walls()))
    if pair is None:
        return None
    border = scene.maze.border(*pair)
    total = float(lengths_along(border)[-1])
    hole = part(border, 0.3 * total, 0.7 * total)
    if total < 0.5 * scene.maze.recipe.cell_px:
        return None
    floor = tuple(int(value) for value in np.median(scene.picture[scene.maze.floor], axis=0))
    return stroke(_drawn(scene, dice), hole, (floor[0], floor[1], floor[2]), 1.6 * scene.maze.wall_px + 2.0)


def wall_added(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """The right way, and a passage off it is closed."""
    path = set(scene.maze.path)
    pair = _pick(dice, [pair for pair in sorted(scene.maze.maze.passages) if not set(pair) <= path])
    if pair is None:
        return None
    border = scene.maze.border(*pair)
    wall = np.median(scene.picture[scene.maze.wall_cover > 0.9], axis=0)
    color = (int(wall[0]), int(wall[1]), int(wall[2]))
    width = min(scene.maze.wall_px, 0.3 * scene.free_px)
    return stroke(_drawn(scene, dice), border, color, max(3.0, width))


def goal_gone(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The goal's marker is painted over, and the way leads there."""
    x, y = scene.maze.ends()[1]
    floor = np.median(scene.picture[scene.maze.floor], axis=0)
    clean = scene.picture.copy()
    color = (int(floor[0]), int(floor[1]), int(floor[2]))
    cv2.circle(clean, (round(x), round(y)), round(0.46 * scene.free_px), color, -1, cv2.LINE_AA)
    return stroke(clean, scene.right_line, scene.ink, _width(scene, dice))


def dots(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """Dots along the right way."""
    drawn = scene.picture.copy()
    for x, y in resampled(scene.right_line, 0.9 * scene.maze.recipe.cell_px):
        cv2.circle(drawn, (round(x), round(y)), max(2, round(0.12 * scene.free_px)), scene.ink, -1, cv2.LINE_AA)
    del dice
    return drawn


def flood(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """All of the floor in the path's colour."""
    drawn = scene.picture.astype(np.float32)
    cover = scene.maze.floor_cover[..., None]
    del dice
    return np.asarray(np.rint(drawn + cover * 0.9 * (np.array(scene.ink, np.float32) - drawn)), np.uint8)


def every_way(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """All corridors are drawn."""
    if len(scene.maze.path) > 0.8 * len(scene.maze.maze.grid.cell_ids):
        return None
    drawn, width = scene.picture, _width(scene, dice)
    for pair in sorted(scene.maze.maze.passages):
        drawn = stroke(drawn, scene.maze.route(pair), scene.ink, width)
    return drawn


def other_color(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """The right way in another colour."""
    color = (240, 150, 20) if scene.look.answer != "red" else (40, 170, 60)
    return stroke(scene.picture, scene.right_line, color, _width(scene, dice))


def around(scene: FloorScene, dice: np.random.Generator) -> Picture | None:
    """From start to goal around the maze."""
    if scene.maze.recipe.look.value == "rock":
        return None
    width = scene.picture.shape[1]
    (sx, sy), (gx, gy) = ((float(x), float(y)) for x, y in scene.maze.ends())
    rim = 0.25 * scene.maze.recipe.cell_px
    corners = [(sx, sy), (sx, rim), (width - rim, rim), (width - rim, gy), (gx, gy)]
    return _drawn(scene, dice, np.array(corners, np.float64))


def nothing(scene: FloorScene, dice: np.random.Generator) -> Picture:
    """Nothing."""
    del dice
    return scene.picture.copy()


WRONG: dict[str, Plan] = {
    "short": short,
    "half": half,
    "gap": gap,
    "branch": branch,
    "through-wall": through_wall,
    "shortcut": shortcut,
    "straight": straight,
    "foreign": foreign,
    "wall-gone": wall_gone,
    "wall-added": wall_added,
    "goal-gone": goal_gone,
    "dots": dots,
    "flood": flood,
    "every-way": every_way,
    "other-color": other_color,
    "around": around,
    "nothing": nothing,
}
