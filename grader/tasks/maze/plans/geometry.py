"""Where the cells of a maze lie in its picture."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from grader.media.pictures import resize_labels
from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeBox, MazeGeometry, MazeInput
from puzzles.maze.geometry import CellGrid, Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import Layout

MAX_CELLS_ACROSS = 64  # not a threshold: a limit of requests
"""Largest width, height or twice the rings of a maze; more would take minutes to read."""

NO_WALL_PX = 1e-6  # not a threshold: tiles lie side by side
"""The width of a wall where there is none between cells."""

_BAND_PX = 128  # not a threshold: a bound of memory


def grid_of(task: MazeInput, inputs: Inputs) -> CellGrid | None:
    """The cells that are declared; None where that is faulty."""
    lengths = {"cell_size_px": task.cell_size_px, "wall_width_px": task.wall_width_px}
    if task.cell_size_px == 0.0 and task.geometry is MazeGeometry.SQUARE:
        del lengths["cell_size_px"]  # squares take up all of the box
    if task.wall_width_px == 0.0 and task.grid is not None:
        del lengths["wall_width_px"]  # tiles lie side by side
    for field, length in lengths.items():
        if not (math.isfinite(length) and length > 0):
            inputs.fault(f"maze.puzzle.{field}", "OUT_OF_RANGE", f"it is {length}; give the length in pixels, above 0")
    if 0 < task.cell_size_px <= task.wall_width_px:
        inputs.fault("maze.puzzle.wall_width_px", "OUT_OF_RANGE", "a wall has to be narrower than a cell")
    if task.geometry is None:
        inputs.fault(
            "maze.puzzle.geometry", "MISSING", "say SQUARE, HEXAGON, TRIANGLE or CIRCLE; it is missing or unknown"
        )
        return None
    circle = task.geometry is MazeGeometry.CIRCLE
    counts = {"rings": task.rings} if circle else {"width_cells": task.width_cells, "height_cells": task.height_cells}
    most = MAX_CELLS_ACROSS // 2 if circle else MAX_CELLS_ACROSS
    wrong = [name for name, count in counts.items() if not 1 <= count <= most]
    for name in wrong:
        inputs.fault(f"maze.puzzle.{name}", "OUT_OF_RANGE", f"it is {counts[name]}; give 1 to {most}")
    if wrong:
        return None
    if circle:
        return make_grid(Geometry.CIRCLE, rings=task.rings)
    return make_grid(Geometry(task.geometry.value), width=task.width_cells, height=task.height_cells)


def box_of(task: MazeInput, size: tuple[int, int], inputs: Inputs) -> MazeBox:
    """Where the maze lies in its picture."""
    box = task.box
    if box is None:
        return MazeBox(0, 0, *size)
    # The outer walls of some mazes are cut by the picture's edges.
    over = math.ceil(0.5 * task.wall_width_px) + 1 if task.wall_width_px > 0 else 0  # not a threshold: half, rounded
    ends = box.left + box.width, box.top + box.height
    within = min(box.left, box.top) >= -over and ends[0] <= size[0] + over and ends[1] <= size[1] + over
    if not (within and box.width > 0 and box.height > 0):
        text = (
            f"{box.width} x {box.height} at ({box.left}, {box.top}) does not lie in a picture of {size[0]} x {size[1]}"
        )
        inputs.fault("maze.puzzle.box", "OUT_OF_RANGE", text)
    return box


def filling_cell_px(grid: CellGrid, box: MazeBox, wall_px: float) -> float:
    """The side of squares that take up a box together with the outer halves of its walls."""
    across, down = grid.extent
    return min((box.width - wall_px) / across, (box.height - wall_px) / down)


def in_picture(cell_map: NDArray[np.int32], size: tuple[int, int], box: MazeBox) -> NDArray[np.int32]:
    """A cell map of a picture, or of the box in it, as one of the picture."""
    width, height = size
    if cell_map.shape == (height, width) or (box.width, box.height) == size:
        return cell_map if cell_map.shape == (height, width) else resize_labels(cell_map, size)
    whole = np.zeros((height, width), np.int32)
    inner = (box.width, box.height)
    rows, columns = slice(max(0, box.top), box.top + box.height), slice(max(0, box.left), box.left + box.width)
    part = whole[rows, columns]
    # What of the box lies beyond the picture's edges is cut off.
    drawn = resize_labels(cell_map, inner)[rows.start - box.top :, columns.start - box.left :]
    part[:] = drawn[: part.shape[0], : part.shape[1]]
    return whole


def drawn_cells(layout: Layout, size: tuple[int, int], box: MazeBox, factor: int) -> NDArray[np.int32]:
    """The cells where the geometry says that they are drawn, (h, w) int32 in the working frame."""
    width, height = (-(-side // factor) for side in size)
    columns = (np.arange(width) + 0.5) * factor
    bands: list[NDArray[np.int32]] = []
    # In bands, because the coordinates of a large picture take many times its memory.
    for top in range(0, height, _BAND_PX):
        rows = (np.arange(top, min(top + _BAND_PX, height)) + 0.5) * factor
        points = np.stack(np.meshgrid(columns, rows), axis=-1) - (box.left, box.top)
        bands.append(layout.grid.cells_at(layout.to_units(points)).astype(np.int32))
    return np.concatenate(bands)
