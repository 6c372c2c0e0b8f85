"""What is declared of a maze without cells, checked and measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.maze.floor.marks import find_mark
from detectors.maze.floor.pieces import FloorEnd
from detectors.maze.floor.widths import FloorWidths, measure_widths
from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeInput
from grader.tasks.maze.settings import MazeSettings

Mask = NDArray[np.bool_]
FLOOR_MASK = "maze.puzzle.floor.mask"


@dataclass(frozen=True, eq=False)
class DeclaredFloor:
    """The mask, in which what marks start and goal is floor, both ends, and widths in pixels of the picture."""

    floor: Mask
    ends: tuple[FloorEnd, FloorEnd]
    widths: FloorWidths


def declared_floor(
    picture: NDArray[np.uint8], task: MazeInput, settings: MazeSettings, inputs: Inputs
) -> DeclaredFloor | None:
    """What is declared, checked."""
    mask = inputs.mask(FLOOR_MASK, task.floor_mask)
    marks = [
        inputs.mask(f"maze.puzzle.floor.{name}_mask", data)
        for name, data in (("start", task.start_mask), ("goal", task.goal_mask))
    ]
    if task.floor is None or (mask is None and task.floor_mask is None):
        inputs.fault(FLOOR_MASK, "MISSING", "set this picture's data or uri")
        return None
    for name, one in (
        (FLOOR_MASK, mask),
        ("maze.puzzle.floor.start_mask", marks[0]),
        ("maze.puzzle.floor.goal_mask", marks[1]),
    ):
        inputs.same_size(name, one, picture)
    inputs.check()
    if mask is None:
        return None
    widths = measure_widths(mask, settings.floor)
    if widths is None or mask.all():
        inputs.fault(
            FLOOR_MASK, "MISMATCH", "it is all of one colour: floor is white, and what can't be walked on is black"
        )
        return None
    widths = _given(widths, task)
    for name, width, least in (
        ("corridors", widths.corridor, settings.floor.least_corridor_px),
        ("walls", widths.wall, settings.floor.least_wall_px),
    ):
        if width < least:
            inputs.fault(FLOOR_MASK, "OUT_OF_RANGE", f"its {name} are {width:.2g} pixels wide; {least:g} are the least")
            return None
    spots: list[tuple[int, int]] = []
    for name, place, mark in (("start", task.floor.start, marks[0]), ("goal", task.floor.goal, marks[1])):
        spot = _spot(name, place, mark, mask, widths, settings, inputs)
        if spot is not None:
            spots.append(spot)
    if len(spots) < 2:
        return None
    floor = mask.copy()
    found: list[FloorEnd] = []
    for spot, mark in zip(spots, marks, strict=True):
        seen = find_mark(picture, mask, spot, spots, widths.unit, settings.floor) if mark is None else mark
        floor |= seen
        found.append(FloorEnd(spot, seen))
    return DeclaredFloor(floor, (found[0], found[1]), widths)


def _given(widths: FloorWidths, task: MazeInput) -> FloorWidths:
    """Widths with those that are declared."""
    wall = task.wall_width_px or widths.wall
    return FloorWidths(task.cell_size_px - wall if task.cell_size_px > wall else widths.corridor, wall)


def _spot(
    name: str,
    place: tuple[float, float] | None,
    mark: Mask | None,
    floor: Mask,
    widths: FloorWidths,
    settings: MazeSettings,
    inputs: Inputs,
) -> tuple[int, int] | None:
    """Row and column of start or goal, on the floor; where its marker is none of the floor, beside it."""
    field = f"maze.puzzle.floor.{name}"
    height, width = floor.shape
    if place is None and (mark is None or not mark.any()):
        inputs.fault(field, "MISSING", f"say where the {name} is, as a point or as a mask of its marker")
        return None
    if place is not None:
        x, y = place
        if not (math.isfinite(x) and math.isfinite(y) and 0 <= x < width and 0 <= y < height):
            inputs.fault(field, "OUT_OF_RANGE", f"({x:g}, {y:g}) does not lie in a picture of {width} x {height}")
            return None
        row, column = int(y), int(x)
    else:
        rows, columns = np.nonzero(floor if mark is None else mark)
        row, column = int(np.rint(rows.mean())), int(np.rint(columns.mean()))
    near = floor if mark is None else floor | mark
    if near[row, column]:
        return row, column
    on = np.argwhere(floor)
    away = np.hypot(on[:, 0] - row, on[:, 1] - column)
    best = int(away.argmin())
    if away[best] > settings.floor.off_floor * widths.corridor:
        inputs.fault(field, "MISMATCH", f"({column}, {row}) does not lie on the floor: the mask is black there")
        return None
    return int(on[best, 0]), int(on[best, 1])


def check_way(way: NDArray[np.float64], declared: DeclaredFloor, size: tuple[int, int], inputs: Inputs) -> None:
    """Whether a way that is given leads from start to goal over the floor."""
    field = "maze.truth.way"
    if way.ndim != 2 or len(way) < 2 or not np.isfinite(way).all():
        inputs.fault(field, "MISMATCH", "a way has at least two points, (x, y) in pixels of the picture")
        return
    reach = declared.widths.unit
    for name, end, point in (("start", declared.ends[0], way[0]), ("goal", declared.ends[1], way[-1])):
        if math.hypot(point[0] - end.spot[1], point[1] - end.spot[0]) > reach:
            inputs.fault(field, "MISMATCH", f"it does not begin at the start and end at the goal: not at the {name}")
            return
    steps: Sequence[float] = np.hypot(*np.diff(way, axis=0).T).tolist()
    for index, step in enumerate(steps):
        at = np.linspace(way[index], way[index + 1], max(2, math.ceil(2.0 * step)))
        columns = np.clip(at[:, 0].astype(np.intp), 0, size[0] - 1)
        rows = np.clip(at[:, 1].astype(np.intp), 0, size[1] - 1)
        off = ~declared.floor[rows, columns]
        if np.count_nonzero(off) > declared.widths.wall:
            x, y = at[int(off.argmax())]
            inputs.fault(field, "MISMATCH", f"it leaves the floor at ({x:.0f}, {y:.0f})")
            return
