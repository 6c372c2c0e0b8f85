"""From the places of a marker to its way through the cells: steps through passages, through walls, and jumps."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.graph import MCP_Geometric

from detectors.maze.clips.blobs import Spot
from detectors.maze.clips.config import StepConfig
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan


class StepFault(enum.Enum):
    """What is wrong with a step."""

    WALL = "through a wall"
    JUMP = "too far for one step"
    OUTSIDE = "out of the maze"


@dataclass(frozen=True)
class Visit:
    """A marker in a cell: where and when it is first seen well inside, and what is wrong with the step there."""

    cell: int
    spot: Spot
    fault: StepFault | None


@dataclass(frozen=True)
class CellWalk:
    """The way of a marker through the cells.

    Attributes
    ----------
    visits : one a cell, in order; a cell that is left and entered again occurs twice
    cells : the cell of each spot
    """

    visits: tuple[Visit, ...]
    cells: tuple[int, ...]


def walk_cells(spots: Sequence[Spot], plan: Floorplan, config: StepConfig) -> CellWalk:
    """Follows a marker from cell to cell.

    A marker is in another cell once its centre is well inside, by `StepConfig.deep`; so one that rubs along a wall,
    or whose place is told a little wrong, crosses none. A step from the last place inside one cell to the first inside
    the next is right if it is no longer than plausible and either its straight line meets no wall, or, if it is short,
    the way around what it meets is hardly longer: it passed a wall's end.

    Parameters
    ----------
    spots : sequence of Spot
        In order of frames.
    plan : Floorplan
        Of the puzzle.
    config : StepConfig
    """
    if not spots:
        return CellWalk((), ())
    cell_px = plan.cell_width_px * plan.factor
    usual = min(config.usual * _usual_step(spots, cell_px, config), config.most)
    limit, brisk = max(config.longest, usual) * cell_px, max(config.brisk, 0.5 * usual) * cell_px
    barrier, ways = _barrier(plan), _ways(plan)
    visits: list[Visit] = []
    cells: list[int] = []
    inside: Spot | None = None
    for before, spot in zip([spots[0], *spots], spots, strict=False):
        row, column = _pixel(plan, spot.blob.x, spot.blob.y)
        cell = int(plan.labels[row, column])
        far = math.hypot(spot.blob.x - before.blob.x, spot.blob.y - before.blob.y) > config.deep * cell_px
        deep = plan.depth[row, column] >= config.deep * plan.cell_width_px
        if inside is None:
            visits.append(Visit(cell, spot, None))
            inside = spot
        elif cell == visits[-1].cell:
            if deep or far:
                inside = spot
        elif deep:
            fault = _fault(cell, inside, spot, barrier, limit, brisk, cell_px, plan, config)
            if fault is None:
                visits.extend(Visit(passed, spot, None) for passed in _passed(visits[-1].cell, cell, ways, config))
            visits.append(Visit(cell, spot, fault))
            inside = spot
        cells.append(visits[-1].cell)
    return CellWalk(tuple(visits), tuple(cells))


def cell_at(plan: Floorplan, x: float, y: float) -> int:
    """The id of the cell at (x, y) in puzzle pixels; 0 outside. Beyond the picture, of its nearest pixel."""
    return int(plan.labels[_pixel(plan, x, y)])


def _pixel(plan: Floorplan, x: float, y: float) -> tuple[int, int]:
    """Row and column in the plan's frame."""
    height, width = plan.labels.shape
    return min(max(int(y / plan.factor), 0), height - 1), min(max(int(x / plan.factor), 0), width - 1)


def _ways(plan: Floorplan) -> dict[int, list[int]]:
    """The cells behind the passages of each cell, ascending."""
    ways: dict[int, list[int]] = {}
    for first, second in sorted(plan.passages):
        ways.setdefault(first, []).append(second)
        ways.setdefault(second, []).append(first)
    return ways


def _passed(first: int, last: int, ways: dict[int, list[int]], config: StepConfig) -> tuple[int, ...]:
    """The cells between two, by the shortest way; none where it is longer than a step can be."""
    came: dict[int, int] = {first: first}
    front = [first]
    for _ in range(config.passed + 1):
        front = [other for cell in front for other in ways.get(cell, ()) if came.setdefault(other, cell) == cell]
        if last in came:
            back = [last]
            while came[back[-1]] != first:
                back.append(came[back[-1]])
            return tuple(reversed(back[1:]))
    return ()


def _usual_step(spots: Sequence[Spot], cell_px: float, config: StepConfig) -> float:
    """The median of the steps that move, in cells; 0 where there are few, as of one that only jumps."""
    steps = [
        math.hypot(one.blob.x - other.blob.x, one.blob.y - other.blob.y) / cell_px
        for one, other in itertools.pairwise(spots)
    ]
    moving = [step for step in steps if step > config.moving]
    return float(np.median(moving)) if len(moving) >= config.usual_steps else 0.0


def _fault(
    cell: int,
    start: Spot,
    end: Spot,
    barrier: NDArray[np.bool_],
    limit: float,
    brisk: float,
    cell_px: float,
    plan: Floorplan,
    config: StepConfig,
) -> StepFault | None:
    if cell == OUTSIDE:
        return StepFault.OUTSIDE
    distance = math.hypot(end.blob.x - start.blob.x, end.blob.y - start.blob.y)
    if distance > limit:
        return StepFault.JUMP
    first = (start.blob.x / plan.factor, start.blob.y / plan.factor)
    second = (end.blob.x / plan.factor, end.blob.y / plan.factor)
    if not _meets(first, second, barrier):
        return None
    longest = config.detour * distance + config.detour_more * cell_px
    if distance <= brisk:
        around = _way_around(first, second, barrier, longest / plan.factor, config)
        if around * plan.factor <= longest:
            return None
    return StepFault.WALL if distance <= config.longest * cell_px else StepFault.JUMP


def _barrier(plan: Floorplan) -> NDArray[np.bool_]:
    """What a marker's centre cannot pass: walls, all borders that are no passage, and what lies outside."""
    barrier = (plan.walls & (plan.depth <= plan.wall_px)) | plan.outside
    for border in plan.borders:
        if not border.open:
            barrier[border.pixels[:, 0], border.pixels[:, 1]] = True
    return barrier


def _meets(first: tuple[float, float], second: tuple[float, float], barrier: NDArray[np.bool_]) -> bool:
    """Whether the straight line between two points (x, y) passes a barrier; at its ends it may touch one."""
    count = max(2, math.ceil(2.0 * math.hypot(second[0] - first[0], second[1] - first[1])))
    at = np.linspace(0.0, 1.0, count + 1)
    columns = np.clip(np.floor(first[0] + at * (second[0] - first[0])), 0, barrier.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.floor(first[1] + at * (second[1] - first[1])), 0, barrier.shape[0] - 1).astype(np.intp)
    return bool(barrier[rows, columns].any())


def _way_around(
    first: tuple[float, float],
    second: tuple[float, float],
    barrier: NDArray[np.bool_],
    longest: float,
    config: StepConfig,
) -> float:
    """The length of the shortest way between two points (x, y) past the barriers; infinite if none is near."""
    reach = math.ceil(0.5 * longest) + 2
    left, right = (int(edge(first[0], second[0])) + by for edge, by in ((min, -reach), (max, reach)))
    top, bottom = (int(edge(first[1], second[1])) + by for edge, by in ((min, -reach), (max, reach)))
    left, top = max(0, left), max(0, top)
    window = barrier[top : bottom + 1, left : right + 1].astype(np.uint8)
    # A reduced pixel is closed if any of its pixels is, so that no wall gets a hole.
    shrink: int = max(1, max(window.shape) // config.window_px)
    if shrink > 1:
        grown = cv2.dilate(window, np.ones((shrink, shrink), np.uint8), anchor=(0, 0))
        window = np.ascontiguousarray(grown[::shrink, ::shrink], np.uint8)
    ends = []
    for x, y in (first, second):
        row = min(int((y - top) / shrink), window.shape[0] - 1)
        column = min(int((x - left) / shrink), window.shape[1] - 1)
        ends.append((row, column))
        window[row, column] = 0
    search = MCP_Geometric(np.where(window > 0, -1.0, 1.0))
    costs = np.asarray(search.find_costs([ends[0]], [ends[1]])[0], np.float64)
    return shrink * float(costs[ends[1]])
