"""A maze of 3 x 4 cells of 32 pixels with one way through it, and what is drawn on it."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.ground import Ground
from detectors.common.residual.mixing import seen, seen_color
from detectors.maze.ink import Ink
from detectors.maze.paths import PathFindings
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.field import MazeResidual
from tests.maze.stages.plans import middle, plan_of

WAYS = {*pairwise((1, 2, 3, 4))} | {(4, 8)} | {(7, 8), (6, 7), (5, 6)} | {(5, 9)} | {*pairwise((9, 10, 11, 12))}
PLAN = plan_of(3, 4, WAYS, {1: "disc", 12: "cross"})
SHAPE = PLAN.labels.shape
BLUE = (0, 107, 183)


def at(cell: int) -> tuple[int, int]:
    """(x, y) of the middle of a cell."""
    return middle(cell, 4)


def box(x: int, y: int, width: int, height: int) -> tuple[slice, slice]:
    """Rows and columns around a middle."""
    left, top = x - width // 2, y - height // 2
    return slice(top, top + height), slice(left, left + width)


def grey(contrast: float) -> tuple[int, int, int]:
    """The grey that differs from white by about this contrast."""
    levels = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    off = 1.0 - seen(levels)[:, 0]
    level = int(np.abs(off - contrast).argmin())
    return (level, level, level)


def contrast_of(color: tuple[int, int, int], floor: tuple[int, int, int] = (255, 255, 255)) -> float:
    """The contrast of a colour on a floor."""
    off = seen_color(np.array(color, float)) - seen_color(np.array(floor, float))
    return float(np.sqrt((off**2).sum()))


def through(*cells: int, width: int = 4, by: tuple[int, int] = (0, 0)) -> NDArray[np.bool_]:
    """A line from the middle of a cell to the next, moved by (x, y)."""
    drawn = np.zeros(SHAPE, np.uint8)
    points = [(x + by[0], y + by[1]) for x, y in map(at, cells)]
    for one, other in pairwise(points):
        cv2.line(drawn, one, other, 1, width)
    return drawn > 0


def ink_of(
    picture: NDArray[np.uint8] | None = None,
    asked: NDArray[np.bool_] | None = None,
    other: NDArray[np.bool_] | None = None,
    floor: tuple[int, int, int] = (255, 255, 255),
    wall: tuple[int, int, int] = (0, 0, 0),
    plan: Floorplan = PLAN,
) -> Ink:
    """Ink as its detector would say."""
    none = np.zeros(plan.labels.shape, np.bool_)
    asked, other = (none if one is None else one for one in (asked, other))
    strength = np.where(asked | other, np.float32(0.145), np.float32(0.0)).astype(np.float32)
    return Ink(
        asked, other, none, none, none, none, True, strength, np.array(floor, np.float64), np.array(wall, np.float64)
    )


def path_of(strokes: NDArray[np.bool_], half_width_px: float = 2.0, *, dashed: bool = False) -> PathFindings:
    """A line as its detector would say, as far as what is left over minds it."""
    return PathFindings(
        as_asked=True,
        rgb=np.array(BLUE, np.float64) if strokes.any() else None,
        chroma=0.145 if strokes.any() else 0.0,
        pieces=(),
        crossings=(),
        polyline=(),
        order=(),
        filled=frozenset(),
        spilled=frozenset(),
        specked=frozenset(),
        exterior_painted=False,
        texture=False,
        colorless=frozenset(),
        half_width_px=half_width_px,
        strokes=strokes,
        aside=np.zeros_like(strokes),
        dashed=dashed,
    )


NO_LINE = path_of(np.zeros(SHAPE, np.bool_), 0.0)


def residual_of(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    noise: float = 0.0,
    color: tuple[float, ...] = (1.0, 0.0, 0.0),
) -> MazeResidual:
    """A residual on a white floor."""
    told = np.array(color, np.float32)
    ground = Ground(np.broadcast_to(told, (*usable.shape, 3)), told, noise)
    white = np.full((*usable.shape, 3), 255, np.uint8)
    return MazeResidual(np.asarray(values * usable[..., None], np.float32), usable, ground, 2.5, 0, white)
