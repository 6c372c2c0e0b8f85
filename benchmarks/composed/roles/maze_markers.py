"""Mazes: start and goal exchanged, doubled, moved, or erased in part."""

from __future__ import annotations

import numpy as np

from benchmarks.composed.inks import LEAST_OPACITY, TEXTURES, Ink
from benchmarks.composed.roles.base import ANY, CERTAIN, PLAIN_SIGHT, WHOLE, Role, pick
from benchmarks.composed.shapes import Change, Shape, circle, lined, mask, written
from benchmarks.composed.stages import MazeScene
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Coverage

_LETTERS = ("A", "B", "S", "G", "E", "Q", "1", "2", "?", "0")


def _place(scene: MazeScene, start: bool) -> FloatArray:
    """The middle of the disc, or of the cross."""
    style, maze = scene.canvas.style, scene.canvas.maze
    x, y = scene.canvas.layout.centre(maze.start if start else maze.goal)
    return np.array([x, y + (style.disc_drop if start else -style.cross_rise) * style.cell_size_px])


def _reach(scene: MazeScene, start: bool) -> float:
    style = scene.canvas.style
    return (style.disc_radius if start else 0.85 * style.cross_arm) * style.cell_size_px


def _own(scene: MazeScene, start: bool) -> Coverage:
    """Where the puzzle's marker is."""
    marked = scene.canvas.marked
    height, width = marked.shape
    x, y = _place(scene, start)
    near = np.hypot(np.arange(width)[None, :] + 0.5 - x, np.arange(height)[:, None] + 0.5 - y)
    return mask(marked & (near < 0.6 * scene.canvas.style.cell_size_px))


def _erased(scene: MazeScene, start: bool) -> Shape:
    return Shape(area=_own(scene, start), color=scene.floor, plain=True)


def _marker_color(scene: MazeScene) -> Color:
    return scene.canvas.style.marker


def _cross(middle: FloatArray, arm: float) -> tuple[FloatArray, ...]:
    return tuple(middle + arm * np.array([[-1.0, -turn], [1.0, turn]]) for turn in (1.0, -1.0))


def symbol(scene: MazeScene, name: str, middle: FloatArray, reach: float, dice: np.random.Generator) -> Shape:
    """What stands in a marker's place: a letter, an arrow, a hollow square, a ring, dots, a disc or a cross."""
    thick = max(1.5, 0.25 * reach)
    if name == "letter":
        area = written(scene.ground.shape[:2], pick(_LETTERS, dice), middle, 1.8 * reach)
        return Shape(area=area)
    if name == "arrow":
        turn = dice.uniform(0, 2 * np.pi)
        ahead, aside = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        tip = middle + reach * ahead
        head = np.array([tip - 0.7 * reach * (ahead - aside), tip, tip - 0.7 * reach * (ahead + aside)])
        return Shape((np.array([middle - reach * ahead, tip]), head), width=thick)
    if name == "square":
        corners = middle + 0.8 * reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
        return Shape((corners,), width=thick)
    if name == "ring":
        return Shape((circle(middle, 0.9 * reach),), width=thick)
    if name == "dots":
        places = middle + 0.55 * reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return Shape(tuple(place[None, :] for place in places), width=0.6 * reach)
    if name == "cross":
        return Shape(_cross(middle, 0.85 * reach), width=thick)
    return Shape((middle[None, :],), width=2 * reach)


_SYMBOLS = ("letter", "arrow", "square", "ring", "dots", "cross", "disc")


def exchanged(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Another symbol stands in a marker's place."""
    start = bool(dice.random() < 0.5)
    names = [name for name in _SYMBOLS if name != ("disc" if start else "cross")]
    new = symbol(scene, pick(names, dice), _place(scene, start), _reach(scene, start), dice)
    color = _marker_color(scene) if dice.random() < 0.6 else None
    solid = Shape(new.lines, new.area, new.width, color, plain=color is not None)
    return Change((_erased(scene, start), solid))


def recolored(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A marker has another colour."""
    start = bool(dice.random() < 0.5)
    if start:
        shape = Shape((_place(scene, True)[None, :],), width=2 * _reach(scene, True))
    else:
        style = scene.canvas.style
        lines = _cross(_place(scene, False), style.cross_arm * np.sqrt(0.5) * style.cell_size_px)
        size = (scene.ground.shape[0], scene.ground.shape[1])
        whole = lined(size, lines, style.cross_width * style.cell_size_px)
        shape = Shape(area=np.asarray(whole * _own(scene, False), np.float32))
    return Change((shape,))


def second(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Another disc or cross in some other cell."""
    maze, layout = scene.canvas.maze, scene.canvas.layout
    cells = [cell for cell in maze.grid.cell_ids if cell not in (maze.start, maze.goal)]
    start = bool(dice.random() < 0.5)
    shape = symbol(
        scene, "disc" if start else "cross", np.array(layout.centre(pick(cells, dice))), _reach(scene, start), dice
    )
    color = _marker_color(scene) if ink.kind == "puzzle" or dice.random() < 0.5 else None
    return Change((Shape(shape.lines, shape.area, shape.width, color),))


def shifted(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A marker stands in another cell instead of its own."""
    maze, layout = scene.canvas.maze, scene.canvas.layout
    start = bool(dice.random() < 0.5)
    cells = [cell for cell in maze.grid.cell_ids if cell not in (maze.start, maze.goal)]
    place = np.array(layout.centre(pick(cells, dice)))
    shape = symbol(scene, "disc" if start else "cross", place, _reach(scene, start), dice)
    new = Shape(shape.lines, shape.area, shape.width, _marker_color(scene), plain=True)
    return Change((_erased(scene, start), new))


def part_erased(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """A part of a marker, or all of it, is painted over in the floor's colour, or is much paler."""
    start = bool(dice.random() < 0.5)
    own = _own(scene, start)
    share = dice.uniform(0.25, 1.0)
    angle = dice.uniform(0, 2 * np.pi)
    x, y = _place(scene, start)
    height, width = own.shape
    along = (np.arange(width)[None, :] + 0.5 - x) * np.cos(angle) + (np.arange(height)[:, None] + 0.5 - y) * np.sin(
        angle
    )
    inside = own > 0
    edge = float(np.quantile(along[inside], 1 - share)) if inside.any() else 0.0
    return Change(
        (Shape(area=np.asarray(own * (along >= edge), np.float32), color=scene.floor, plain=ink.opacity > 0.9),)
    )


ROLES = tuple(
    Role(f"marker-{name}", "marker", draw, inks, textures, least)
    for name, draw, inks, textures, least in (
        ("exchanged", exchanged, ANY, TEXTURES, LEAST_OPACITY),
        ("recolored", recolored, ("lighter", "darker", "asked", "puzzle"), WHOLE[:1], CERTAIN),
        ("second", second, ANY, TEXTURES, LEAST_OPACITY),
        ("moved", shifted, ("puzzle",), TEXTURES, LEAST_OPACITY),
        ("part-erased", part_erased, ("floor",), WHOLE, PLAIN_SIGHT),
    )
)
