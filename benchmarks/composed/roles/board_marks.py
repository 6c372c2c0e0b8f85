"""Boards: marks that are not the right queens, and queens that are not whole."""

from __future__ import annotations

import numpy as np

from benchmarks.composed.inks import LEAST_OPACITY, TEXTURES, Ink
from benchmarks.composed.roles.base import ANY, PLAIN_SIGHT, WHOLE, Role, pick, some
from benchmarks.composed.shapes import Change, Level, Shape, circle
from benchmarks.composed.stages import BoardScene
from puzzles.common.arrays import FloatArray

_QUEEN_INKS = ("asked", "asked", *ANY)
"""Often the queens' own colour."""
_HARD = tuple(name for name in TEXTURES if name != "soft")
"""Where a soft one could be taken for a shadow or a glow."""
Cell = tuple[int, int]


def _free(scene: BoardScene) -> list[Cell]:
    n, taken = scene.canvas.board.n, scene.canvas.board.queens
    return [(row, column) for row in range(n) for column in range(n) if (row, column) not in taken]


def _few(dice: np.random.Generator) -> int:
    return 1 if dice.random() < 0.6 else int(dice.integers(2, 6))


def _discs(middles: list[FloatArray], diameter: float) -> Change:
    return Change((Shape(tuple(at[None, :] for at in middles), width=max(1.0, diameter)),))


def _diameter(scene: BoardScene, dice: np.random.Generator) -> float:
    """As a queen's, or down to a dot."""
    return 2 * scene.radius_px * (1.0 if dice.random() < 0.4 else float(dice.uniform(0.15, 1.2)))


def extra(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Discs in cells that hold no queen."""
    cells = some(_free(scene), _few(dice), dice)
    return _discs([scene.middle(*cell) for cell in cells], _diameter(scene, dice))


def on_lines(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Discs on grid lines or on their crossings."""
    n = scene.canvas.board.n
    down, right = pick(((0.5, 0.0), (0.0, 0.5), (0.5, 0.5)), dice)
    places = [(row + down, column + right) for row in range(n - 1) for column in range(n - 1)]
    cells = some(places, _few(dice) if dice.random() < 0.7 else len(places), dice)
    return _discs([scene.middle(*cell) for cell in cells], _diameter(scene, dice))


def overlapping(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A second disc that overlaps a queen."""
    row, column = pick(scene.canvas.board.queens, dice)
    angle, away = dice.uniform(0, 2 * np.pi), dice.uniform(0.7, 1.7) * scene.radius_px
    at = scene.middle(row, column) + away * np.array([np.cos(angle), np.sin(angle)])
    return _discs([at], 2 * scene.radius_px * float(dice.uniform(0.6, 1.1)))


def _stroke(scene: BoardScene, ink: Ink) -> float:
    """The ink's width, but at most what leaves a hollow figure hollow."""
    return min(ink.width_px, 0.12 * scene.room)


def rings(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Rings in free cells, or around queens with some ground between."""
    cells = _free(scene) if dice.random() < 0.7 else list(scene.canvas.board.queens)
    radius = dice.uniform(0.15, 0.42) * scene.room
    if cells[0] in scene.canvas.board.queens:
        gap = max(3.0, dice.uniform(0.05, 0.1) * scene.room)
        radius = scene.radius_px + gap + _stroke(scene, ink) / 2
    lines = tuple(circle(scene.middle(*cell), radius) for cell in some(cells, _few(dice), dice))
    return Change((Shape(lines, width=_stroke(scene, ink)),))


def boxes(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Hollow boxes in cells, or around several."""
    lines = []
    for row, column in some(_free(scene), _few(dice), dice):
        reach = dice.uniform(0.2, 0.45) if dice.random() < 0.7 else dice.uniform(0.6, 1.4)
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
        lines.append(scene.middle(row, column) + reach * scene.room * square)
    return Change((Shape(tuple(lines), width=_stroke(scene, ink)),))


def crossed_out(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:
    """Queens that are crossed out, with one stroke or two."""
    lines, arm = [], dice.uniform(0.8, 1.6) * scene.radius_px
    for row, column in some(scene.canvas.board.queens, _few(dice), dice):
        at = scene.middle(row, column)
        lines.append(np.array([at - arm, at + arm]))
        if dice.random() < 0.7:
            lines.append(at + arm * np.array([[1, -1], [-1, 1]]))
    return Change((Shape(tuple(lines), width=min(ink.width_px, 0.5 * scene.radius_px)),))


def half_erased(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A part of a queen is gone, or much paler."""
    row, column = pick(scene.canvas.board.queens, dice)
    x, y = scene.middle(row, column)
    height, width = scene.ground.shape[:2]
    right, down = np.arange(width)[None, :] + 0.5 - x, np.arange(height)[:, None] + 0.5 - y
    angle, edge = dice.uniform(0, 2 * np.pi), dice.uniform(-0.7, 0.6) * scene.radius_px
    inside = np.hypot(right, down) < scene.radius_px + 2
    area = inside & (right * np.cos(angle) + down * np.sin(angle) > edge)
    return Change((Shape(area=np.asarray(area, np.float32), toward=scene.ground),))


def region_faded(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """A region, or a part of it, has the colour of its neighbour, or is much nearer to it."""
    regions = np.array(scene.canvas.board.regions)
    n, size = len(regions), scene.canvas.style.cell_size_px
    row, column = (int(one) for one in dice.integers(0, n, 2))
    own = regions[row, column]
    around = [
        (r, c)
        for r in range(n)
        for c in range(n)
        if regions[r, c] != own
        and any(0 <= y < n and 0 <= x < n and regions[y, x] == own
                for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))
    ]  # fmt: skip
    if not around:
        return None
    other_row, other_column = pick(around, dice)
    cells = regions == own
    if dice.random() < 0.4:  # some of its cells only
        cells &= dice.random((n, n)) < 0.5
        cells[row, column] = True
    area = cells.repeat(size, axis=0).repeat(size, axis=1) & ~_grid(scene)
    color = _cell_color(scene, other_row, other_column)
    return Change((Shape(area=np.asarray(area, np.float32), color=color, level=Level.UNDER),))


def _cell_color(scene: BoardScene, row: int, column: int) -> tuple[int, int, int]:
    size, line = scene.canvas.style.cell_size_px, scene.canvas.style.line_width_px
    red, green, blue = scene.ground[row * size + (size + line) // 2, column * size + (size + line) // 2]
    return int(red), int(green), int(blue)


def _grid(scene: BoardScene) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """(H, W), where the lines are."""
    style, side = scene.canvas.style, scene.ground.shape[0]
    on = (np.arange(side) % style.cell_size_px) < style.line_width_px
    return np.asarray(on[:, None] | on[None, :])


def grid_erased(scene: BoardScene, ink: Ink, dice: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Lines between some cells, in a part of the board or in all of it, are gone or much paler."""
    size, n = scene.canvas.style.cell_size_px, scene.canvas.board.n
    colors = np.array([[_cell_color(scene, row, column) for column in range(n)] for row in range(n)], np.uint8)
    bare = colors.repeat(size, axis=0).repeat(size, axis=1)
    area = _grid(scene)
    line = scene.canvas.style.line_width_px
    area[:line] = area[:, :line] = False
    if dice.random() < 0.85:
        top, left = (int(one) * size for one in dice.integers(0, n - 1, 2))
        tall, wide = (int(one) for one in dice.integers(size, n * size, 2))
        inside = np.zeros_like(area)
        inside[top + line : top + tall, left + line : left + wide] = True
        area &= inside
    return Change((Shape(area=np.asarray(area, np.float32), toward=bare, level=Level.UNDER),))


ROLES = (
    *(
        Role(f"{family}-{name}", family, draw, inks, textures, least)
        for family, name, draw, inks, textures, least in (
            ("disc", "extra", extra, _QUEEN_INKS, TEXTURES, LEAST_OPACITY),
            ("disc", "on-lines", on_lines, _QUEEN_INKS, TEXTURES, LEAST_OPACITY),
            ("disc", "overlapping", overlapping, _QUEEN_INKS, _HARD, LEAST_OPACITY),
            ("figure", "rings", rings, ANY, _HARD, LEAST_OPACITY),
            ("figure", "boxes", boxes, ANY, TEXTURES, LEAST_OPACITY),
            ("queen", "crossed-out", crossed_out, ANY, TEXTURES, LEAST_OPACITY),
            ("queen", "half-erased", half_erased, ("floor",), WHOLE[:1], PLAIN_SIGHT),
            ("board", "region-faded", region_faded, ("floor",), WHOLE, PLAIN_SIGHT),
            ("board", "grid-erased", grid_erased, ("floor",), WHOLE[:1], PLAIN_SIGHT),
        )
    ),
)
