"""Mazes and boards: marks in cells, words over cells; mazes: a path in two colours."""

from __future__ import annotations

import numpy as np

from benchmarks.accuracy.lines import beside, lengths_along, part
from benchmarks.composed.inks import Ink
from benchmarks.composed.roles.base import CERTAIN, WHOLE, Role, pick
from benchmarks.composed.shapes import Change, Shape, written
from benchmarks.composed.stages import MazeScene, Scene
from puzzles.common.arrays import FloatArray
from puzzles.common.lettering import Font

_WORDS = ("WRONG", "INCORRECT", "NO", "FALSE", "VOID", "ERROR", "FAIL", "X", "INVALID", "NOT HERE")
_LEAST_HALVED_PX = 8.0
"""Least width of a stroke in which two colours are told apart, instead of mixed into a third one all along."""
_LEAST_COLORED_PX = 3.0
"""Least width of a stroke of which a part of the length is seen to have another hue."""
_LETTERS = "ABCDEFGHKMNPQRSTXYZ123456789?!#"


def _places(scene: Scene, count: int, dice: np.random.Generator) -> list[FloatArray]:
    """Points near the middles of some cells, (2,) in pixels, none in a marker's or a queen's cell."""
    if isinstance(scene, MazeScene):
        maze = scene.canvas.maze
        cells = [cell for cell in maze.grid.cell_ids if cell not in (maze.start, maze.goal)]
        middles = [np.array(scene.canvas.layout.centre(cell)) for cell in cells]
    else:
        n = scene.canvas.board.n
        free = [(r, c) for r in range(n) for c in range(n) if (r, c) not in scene.canvas.board.queens]
        middles = [scene.middle(row, column) for row, column in free]
    chosen = dice.permutation(len(middles))[:count]
    return [middles[int(place)] + dice.uniform(-0.12, 0.12, 2) * scene.room for place in chosen]


def _count(dice: np.random.Generator) -> int:
    return 1 if dice.random() < 0.5 else int(dice.integers(2, 9))


def dots(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Dots in some cells."""
    width = min(ink.width_px, 0.5 * scene.room)
    return Change((Shape(tuple(at[None, :] for at in _places(scene, _count(dice), dice)), width=max(1.0, width)),))


def crosses(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Crosses in some cells, or straight strokes through them."""
    arm = dice.uniform(0.1, 0.3) * scene.room
    lines = []
    for at in _places(scene, _count(dice), dice):
        lines.append(np.array([at - arm, at + arm]))
        if dice.random() < 0.8:
            lines.append(at + arm * np.array([[1, -1], [-1, 1]]))
    return Change((Shape(tuple(lines), width=min(ink.width_px, 0.6 * arm)),))


def letters(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Letters or figures in some cells."""
    size = (scene.ground.shape[0], scene.ground.shape[1])
    area = np.zeros(size, np.float32)
    height = dice.uniform(0.15, 0.55) * scene.room
    for at in _places(scene, _count(dice), dice):
        np.maximum(area, written(size, pick(_LETTERS, dice), at, height, pick(tuple(Font), dice)), out=area)
    return Change((Shape(area=area),))


def blots(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Blots of no shape in some cells."""
    lines, reach = [], dice.uniform(0.06, 0.22) * scene.room
    for at in _places(scene, _count(dice), dice):
        lines.append(at + dice.normal(0, reach, (int(dice.integers(3, 9)), 2)))
    return Change((Shape(tuple(lines), width=dice.uniform(0.5, 1.5) * reach),))


def crumbs(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Crumbs: many small dots in some cells."""
    found: list[FloatArray] = []
    for at in _places(scene, _count(dice), dice):
        found.extend(at + dice.uniform(-0.3, 0.3, (int(dice.integers(5, 30)), 2)) * scene.room)
    width = max(1.0, min(ink.width_px, 0.06 * scene.room))
    return Change((Shape(tuple(point[None, :] for point in found), width=width),))


def words(scene: Scene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A word over cells."""
    height, width = scene.ground.shape[:2]
    text = pick(_WORDS, dice)
    tall = min(dice.uniform(0.25, 1.5) * scene.room, 0.25 * height, 1.2 * 0.9 * width / max(1, len(text)))
    half = 0.42 * tall * len(text)
    at = np.array([
        dice.uniform(min(half, width / 2), max(width - half, width / 2)), dice.uniform(0.2, 0.8) * height
    ])  # fmt: skip
    return Change((Shape(area=written((height, width), text, at, tall, pick(tuple(Font), dice))),))


def core(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """The middle of the path's stroke has another colour."""
    if scene.stroke_px < _LEAST_HALVED_PX:
        return None
    width = max(1.5, dice.uniform(0.25, 0.6) * scene.stroke_px)
    return Change((Shape(scene.lines, width=width, clear=scene.canvas.marked),))


def half_length(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A part of the path's length has another colour."""
    if scene.stroke_px < _LEAST_COLORED_PX:
        return None
    line = scene.lines[0]
    total = float(lengths_along(line)[-1])
    length = dice.uniform(0.15, 0.6) * total
    begin = dice.uniform(0.0, total - length)
    piece = part(line, begin, begin + length)
    return Change((Shape((piece,), width=max(1.5, scene.stroke_px), clear=scene.canvas.marked),))


def half_width(scene: MazeScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """One side of the path's stroke has another colour."""
    if scene.stroke_px < _LEAST_HALVED_PX:
        return None
    cell = scene.canvas.style.cell_size_px
    side = scene.stroke_px / 4 / cell * (1 if dice.random() < 0.5 else -1)
    line = scene.canvas.layout.to_pixels(beside(scene.plan.lines[0], float(side)))
    return Change((Shape((line,), width=scene.stroke_px / 2, clear=scene.canvas.marked),))


MARKS = (
    *(
        Role(f"mark-{name}", "mark", draw)
        for name, draw in (
            ("dots", dots),
            ("crosses", crosses),
            ("letters", letters),
            ("blots", blots),
            ("crumbs", crumbs),
        )
    ),
    Role("words", "words", words),
)
TWO_COLORS = tuple(
    Role(f"path-{name}", "path", draw, ("other",), (*WHOLE, "dashed"), CERTAIN)
    for name, draw in (("core", core), ("half-length", half_length), ("half-width", half_width))
)
