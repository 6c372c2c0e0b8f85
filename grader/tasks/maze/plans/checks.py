"""Whether what a request says of a maze fits together, and fits its picture."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import LIGHTNESS, ColorName, oklab
from detectors.maze.plan.floorplan import Floorplan
from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeBox, MazeInput
from grader.tasks.maze.plans.form import passages_of
from grader.tasks.maze.settings import PuzzleRules
from grader.tasks.maze.ways import way_round
from puzzles.maze.geometry import CellGrid


def check_ids(task: MazeInput, grid: CellGrid, cell_map: NDArray[np.int32], inputs: Inputs) -> None:
    """Whether the path's cells are cells of the maze, follow each other, and are on its map."""
    known = set(grid.cell_ids)
    if len(task.path_cell_ids) > len(known):
        text = f"it has {len(task.path_cell_ids)} cells and the maze {len(known)}"
        inputs.fault("maze.truth.path_cell_ids", "MISMATCH", text)
        return
    mapped = set(np.unique(cell_map).tolist())
    strange = sorted(mapped - known - {0})
    if strange:
        inputs.fault(
            "maze.puzzle.cell_map",
            "MISMATCH",
            f"it holds the id {strange[0]}, which no cell of this geometry and size has; ids are R + 256 G + 65536 B",
        )
    elif not set(task.path_cell_ids) & known <= mapped:
        lost = min(set(task.path_cell_ids) & known - mapped)
        inputs.fault(
            "maze.puzzle.cell_map", "MISMATCH", f"the path's cell {lost} is not on it; ids are R + 256 G + 65536 B"
        )
    field = "maze.truth.path_cell_ids"
    unknown = [cell for cell in task.path_cell_ids if cell not in known]
    if unknown:
        inputs.fault(field, "MISMATCH", f"{unknown[0]} is no cell of this geometry and size")
        return
    if len(set(task.path_cell_ids)) < len(task.path_cell_ids):
        inputs.fault(field, "MISMATCH", "a cell occurs twice; list each cell of the path once, from start to goal")
    if len(task.path_cell_ids) < 2:
        inputs.fault(field, "MISMATCH", "a path has at least two cells")
    for one, other in () if task.without_way else itertools.pairwise(task.path_cell_ids):
        if other not in grid.neighbours(one):
            inputs.fault(field, "MISMATCH", f"the cells {one} and {other} follow each other but do not adjoin")
            return


def check_lengths(
    grid: CellGrid, box: MazeBox, cell_px: float, wall_px: float, rules: PuzzleRules, inputs: Inputs
) -> None:
    """Whether a maze of these cells can be what the picture shows."""
    for cells, pixels, name in zip(grid.extent, (box.width, box.height), ("wide", "high"), strict=True):
        drawn = cells * cell_px
        if not rules.least_extent * pixels <= drawn <= rules.most_extent * pixels:
            inputs.fault(
                "maze.puzzle.cell_size_px",
                "MISMATCH",
                f"cells of this size make a maze {drawn:.6g} pixels {name}, and the picture or box has {pixels}",
            )
            return
    if wall_px > rules.widest_wall * cell_px:
        inputs.fault("maze.puzzle.wall_width_px", "OUT_OF_RANGE", "a wall is at most half a cell wide")


def check_path(task: MazeInput, plan: Floorplan, rules: PuzzleRules, inputs: Inputs) -> None:
    """Whether the picture shows markers where the path begins and ends, no wall on it, and no other way."""
    if np.abs(plan.floor_rgb - plan.wall_rgb).sum() < rules.least_contrast:
        inputs.fault("maze.puzzle.image", "MISMATCH", "it shows no walls that stand out from the floor")
        return
    marked = {marker.cell for marker in plan.markers}
    if not marked:
        inputs.fault(
            "maze.puzzle.image", "MISMATCH", "it shows no markers; send the picture with start and goal marked"
        )
        return
    for cell, end in ((task.path_cell_ids[0], "starts"), (task.path_cell_ids[-1], "ends")):
        if cell not in marked:
            text = f"it {end} at cell {cell}, where the puzzle's picture has no marker; markers are in {sorted(marked)}"
            inputs.fault("maze.truth.path_cell_ids", "MISMATCH", text)
            return
    if task.without_way:
        return
    for one, other in itertools.pairwise(task.path_cell_ids):
        if not plan.joined(one, other):
            inputs.fault(
                "maze.truth.path_cell_ids",
                "MISMATCH",
                f"in the puzzle's picture there is a wall between the cells {one} and {other}, which follow each other;"
                " the picture, the cell map or the path belongs to another maze",
            )
            return
    aside = way_round(plan.passages, task.path_cell_ids)
    if aside is not None and not task.any_solution:
        text = (
            f"the puzzle's picture has another way from start to goal, by way of cell {aside}; set"
            " maze.truth.any_solution if any way is right, or send a picture whose walls leave one"
        )
        inputs.fault("maze.truth.path_cell_ids", "NOT_UNIQUE", text)


def check_grid(task: MazeInput, plan: Floorplan, inputs: Inputs) -> None:
    """Whether a picture has the walls of the grid that is declared, and no others."""
    if task.grid is None:
        return
    declared = passages_of(task.grid)
    for pairs, seen in ((declared - plan.passages, "a wall"), (plan.passages - declared, "no wall")):
        if pairs:
            first, second = min(pairs)
            text = f"in the puzzle's picture there is {seen} between the cells {first} and {second}, unlike in the grid"
            inputs.fault("maze.puzzle.grid.walls", "MISMATCH", text)
            return


def check_color(task: MazeInput, plan: Floorplan, rules: PuzzleRules, inputs: Inputs) -> None:
    """Whether a path in the colour that is asked for can be seen on a maze's floor."""
    asked = ColorName(task.path_color.value)
    lightness = oklab(plan.floor_rgb.round().astype(np.uint8))[0]
    if asked in LIGHTNESS and abs(LIGHTNESS[asked] - lightness) < rules.least_lightness:
        inputs.fault("maze.path_color", "MISMATCH", f"a {asked.value} path cannot be seen on this maze's floor")
