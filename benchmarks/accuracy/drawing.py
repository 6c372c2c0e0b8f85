"""Draws a plan on its puzzle: lines of any look on a maze, queens of any look on a board."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.accuracy.instances import FREE_WIDTH, BoardInstance, MazeInstance
from benchmarks.accuracy.lines import UncertainTruthError, dashes, traced, wobbled
from benchmarks.accuracy.plans import BoardPlan, MazePlan
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Coverage, Picture, cover_line, new_coverage, paint
from puzzles.queens.render import draw_queen


@dataclass(frozen=True)
class StrokeLook:
    """How lines are drawn; the defaults are the look's own stroke.

    Attributes
    ----------
    width : times the look's width
    opacity : 0 to 1
    gap : between dashes, as a share of the cell's free width; 0 for no dashes
    soft : Gaussian blur of the stroke, as a share of its width
    outline : 0 for a solid stroke; otherwise two parallel lines, this many stroke widths apart
    glow : opacity of a halo around the stroke
    wobble : as a share of the room that the stroke has in its corridor
    """

    width: float = 1.0
    opacity: float = 1.0
    gap: float = 0.0
    soft: float = 0.0
    outline: float = 0.0
    glow: float = 0.0
    wobble: float = 0.0


@dataclass(frozen=True)
class MarkLook:
    """How queens are drawn; the defaults are the look's own discs.

    Attributes
    ----------
    radius : times the look's radius
    grey : grey level of the disc, 0 to 255; ``None`` for the look's colour
    offset : of the centre, as a share of the cell
    aspect : width over height
    soft : Gaussian blur of the edge, as a share of the cell
    """

    radius: float = 1.0
    grey: float | None = None
    offset: float = 0.0
    aspect: float = 1.0
    soft: float = 0.0


_DASHES_PER_GAP = 2.0
_LEAST_STROKE_PX = 1.5
_OUTLINE_WIDTH = 0.35
_GLOW_REACH = 0.8


def draw_maze_plan(
    instance: MazeInstance, plan: MazePlan, look: StrokeLook, base: Picture, dice: np.random.Generator
) -> Picture:
    """Draws a plan's lines on a picture of its maze, beneath markers and, in triangle mazes, beneath walls.

    Raises
    ------
    UncertainTruthError
        If shaken lines would visit other cells than the plan's.
    """
    style = instance.style
    lines = plan.lines
    if look.wobble:
        lines = shaken(instance, plan, look.wobble, dice)
    width = max(_LEAST_STROKE_PX, look.width * style.path_width_px)
    covered = _cover(instance, lines, look, width)
    if look.soft:
        covered = np.asarray(cv2.GaussianBlur(covered, (0, 0), max(0.5, look.soft * width)), np.float32)
    if look.glow:
        halo = cv2.GaussianBlur(covered, (0, 0), _GLOW_REACH * width)
        covered = np.maximum(covered, look.glow * np.minimum(1.0, 1.6 * halo).astype(np.float32))
    covered = np.where(covered < 1 / 255, np.float32(0), covered)
    drawn = base.copy()
    paint(drawn, covered, style.path, look.opacity)
    share, color = instance.above
    touched = covered > 0
    drawn[touched] = np.rint(drawn[touched] * (1.0 - share[touched]) + color[touched]).astype(np.uint8)
    return drawn


def shaken(instance: MazeInstance, plan: MazePlan, wobble: float, dice: np.random.Generator) -> tuple[FloatArray, ...]:
    """The lines of a plan as a hand that shakes draws them, in cell units; by less where they would leave their cells.

    Raises
    ------
    UncertainTruthError
        If they would leave them anyhow.
    """
    style = instance.style
    taken = (style.wall_width_px + style.path_width_px) / (2 * style.cell_size_px)
    room = FREE_WIDTH[instance.maze.geometry] / 2 - taken
    # A stroke that is as wide as its corridor cannot be shaken; one shaken into another cell is no longer its plan.
    for tame in (1.0, 0.6, 0.3):
        lines = tuple(wobbled(line, tame * wobble * max(0.0, room), dice) for line in plan.lines)
        with suppress(UncertainTruthError):
            if traced(instance.maze.grid, lines) == plan.visited:
                return lines
    raise UncertainTruthError(f"{instance.name}/{plan.name}: shaken lines visit other cells")


def _cover(instance: MazeInstance, lines: tuple[FloatArray, ...], look: StrokeLook, width: float) -> Coverage:
    layout = instance.layout
    picture_width, picture_height = layout.picture_size
    free = FREE_WIDTH[instance.maze.geometry]
    covered = new_coverage(picture_height, picture_width)
    inner = new_coverage(picture_height, picture_width) if look.outline else None
    for line in lines:
        pieces = [line]
        if look.gap:
            # Round ends reach half a width into a gap, so that it is drawn wider by a width.
            gap = look.gap * free + width / layout.cell_size_px
            pieces = list(dashes(line, _DASHES_PER_GAP * look.gap * free, gap))
        for piece in pieces:
            points = layout.to_pixels(piece)
            if inner is None:
                cover_line(covered, points, width)
            else:
                thin = max(_LEAST_STROKE_PX, _OUTLINE_WIDTH * width)
                cover_line(covered, points, look.outline * width + thin)
                cover_line(inner, points, max(0.5, look.outline * width - thin))
    return covered if inner is None else np.clip(covered - inner, 0.0, 1.0)


def draw_board_plan(
    instance: BoardInstance, plan: BoardPlan, look: MarkLook, base: Picture, dice: np.random.Generator
) -> Picture:
    """Draws a plan's queens on a picture of its board."""
    drawn = base
    for row, column in plan.queens:
        if look == MarkLook():
            drawn = draw_queen(drawn, row, column, style=instance.style)
            continue
        angle = dice.uniform(0, 2 * np.pi)
        down, right = look.offset * np.sin(angle), look.offset * np.cos(angle)
        drawn = _disc(instance, drawn, row + down, column + right, look)
    return drawn


def _disc(instance: BoardInstance, picture: Picture, row: float, column: float, look: MarkLook) -> Picture:
    """A queen with smooth edges on a copy of a picture."""
    style = instance.style
    size = style.cell_size_px
    radius = look.radius * style.queen_radius_px
    y = (np.arange(picture.shape[0])[:, None] + 0.5 - (row + 0.5) * size) * np.sqrt(look.aspect)
    x = (np.arange(picture.shape[1])[None, :] + 0.5 - (column + 0.5) * size) / np.sqrt(look.aspect)
    distance = np.hypot(x, y)
    drawn = picture.copy()
    fill = style.queen if look.grey is None else (round(look.grey),) * 3
    for reach, color in ((radius, style.rim), (radius - style.rim_width_px, fill)):
        covered = np.clip(reach + 0.5 - distance, 0.0, 1.0).astype(np.float32)
        if look.soft:
            covered = cv2.GaussianBlur(covered, (0, 0), look.soft * size)
        paint(drawn, np.where(covered < 1 / 255, np.float32(0), covered), color)
    return drawn
