"""A maze with its truth, checked, decoded and understood; made once and kept for all its candidates."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import LIGHTNESS, ColorName, oklab
from detectors.maze.clips.config import SceneConfig
from detectors.maze.clips.scene import MotionScene
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.walls import read_floorplan, reduce_labels, reduction_factor
from grader.alignment.template import Template, make_template
from grader.media.pictures import MediaLimits, resize_labels
from grader.media.pyramid import Pyramid
from grader.model.jobs import CandidateKind
from grader.model.places import Cell
from grader.model.verdict import Alignment
from grader.tasks.common.beside import BesideConfig, other_drawings
from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeBox, MazeGeometry, MazeInput
from grader.tasks.maze.settings import MazeSettings, PuzzleRules
from grader.tasks.maze.ways import Passage, nearest_way, undrawn, way_round
from puzzles.maze.geometry import CellGrid, Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import Layout

MAX_CELLS_ACROSS = 64  # not a threshold: a limit of requests
"""Largest width, height or twice the rings of a maze; more would take minutes to read."""

_BAND_PX = 128  # not a threshold: a bound of memory


@dataclass(frozen=True, eq=False)
class MazePuzzle:
    """A prepared maze.

    Attributes
    ----------
    grid : the cells, their ids and neighbours
    size : (width, height) of the picture in pixels
    picture : (H, W, 3) uint8 RGB
    plan : the floor plan
    template : what candidates are aligned with
    cell_map : (H, W) int32, as it was given
    path : the goal cells from start to goal
    asked : the colour that was asked for
    solution : (H, W, 3) uint8 RGB or None
    mask : (H, W) bool or None, where goal cells are
    looked_at : how it is looked at in clips
    box : where the maze lies in the picture
    any_way : whether any way from start to goal is right
    goal_may_change : whether the goal may look otherwise in a clip once a marker has come to it
    """

    size: tuple[int, int]
    picture: NDArray[np.uint8]
    plan: Floorplan
    template: Template
    cell_map: NDArray[np.int32]
    path: tuple[int, ...]
    asked: ColorName
    solution: NDArray[np.uint8] | None
    mask: NDArray[np.bool_] | None
    grid: CellGrid
    looked_at: SceneConfig
    box: MazeBox
    any_way: bool = False
    goal_may_change: bool = False

    @cached_property
    def scene(self) -> MotionScene:
        """What frames of clips are compared with; made for the first clip and kept for the others."""
        return MotionScene(self.plan, self.looked_at)

    @property
    def drawn_cells(self) -> NDArray[np.int32]:
        """(H, W) int32, cell ids where the cells are drawn, which is not quite where the given map has them."""
        full = np.repeat(np.repeat(self.plan.labels, self.plan.factor, axis=0), self.plan.factor, axis=1)
        return full[: self.size[1], : self.size[0]]

    def is_shown_with_more(self, candidate: Pyramid, alignment: Alignment, config: BesideConfig) -> bool:
        """Whether a candidate shows drawings beside the maze, such as the maze with another answer."""
        return other_drawings(
            candidate,
            alignment,
            self.template,
            config,
            alone=self._alone,
            corner=(self.box.left, self.box.top),
            line_px=self.plan.wall_px * self.plan.factor,
        )

    @cached_property
    def _alone(self) -> Template:
        """The maze without the margin of its picture, to be looked for in margins."""
        box = self.box
        if (box.width, box.height) == self.size:
            return self.template
        rows, columns = slice(box.top, box.top + box.height), slice(box.left, box.left + box.width)
        return make_template(np.ascontiguousarray(self.picture[rows, columns]), self.template.config)

    def taking(self, drawn: Collection[Passage]) -> MazePuzzle:
        """The puzzle with the right way that drawn steps come nearest to; itself if that is its own.

        What is known of one way only, the solution's picture and its mask, is not known of another.
        """
        if not self.any_way:
            return self
        way = nearest_way(self.plan.passages, self.path[0], self.path[-1], drawn)
        # Its own way is as good as another one that is drawn no better.
        if undrawn(self.path, drawn) <= undrawn(way, drawn):
            return self
        return replace(self, path=way, solution=None, mask=None)

    def cell(self, cell_id: int) -> Cell:
        """A cell by its id, with row and column (ring and index for circles); id 0 is outside."""
        if cell_id == 0:
            return Cell(0, -1, -1)
        row, column = self.grid.row_column(cell_id)
        return Cell(cell_id, row, column)


def prepare_maze(task: MazeInput, settings: MazeSettings, limits: MediaLimits, _kind: CandidateKind) -> MazePuzzle:
    """Checks and decodes a maze.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable or contradicts another.
    """
    inputs = Inputs(limits)
    grid = _grid(task, inputs)
    picture = inputs.picture("maze.puzzle.image", task.image)
    given = inputs.labels("maze.puzzle.cell_map", task.cell_map, required=False)
    solution = inputs.picture("maze.truth.solution_image", task.solution_image, required=False)
    mask = inputs.mask("maze.truth.mask", task.mask)
    if not task.path_cell_ids:
        inputs.fault("maze.truth.path_cell_ids", "MISSING", "list the cells of the right path from start to goal")
    if picture is not None:
        for field, extra in (("maze.truth.solution_image", solution), ("maze.truth.mask", mask)):
            inputs.same_size(field, extra, picture)
    inputs.check()
    if picture is None or grid is None or (given is None and task.cell_map is not None):
        raise RuntimeError("a missing input was not noted as a fault")
    size = (picture.shape[1], picture.shape[0])
    box = _box(task, size, inputs)
    inputs.check()
    cell_px = task.cell_size_px or _filling_cell_px(grid, box, task.wall_width_px)
    _check_lengths(grid, box, cell_px, task.wall_width_px, settings.puzzle, inputs)
    inputs.check()
    layout = Layout(grid, cell_px, task.wall_width_px)
    cell_map = _drawn_cells(layout, size, box, 1) if given is None else _in_picture(given, size, box)
    _check_ids(task, grid, cell_map, inputs)
    inputs.check()
    factor = reduction_factor(cell_px, settings.floorplan.min_cell_px)
    drawn = _drawn_cells(layout, size, box, factor)
    candidates = (drawn,) if given is None else (drawn, reduce_labels(cell_map, factor))
    maps = tuple(one for one in candidates if one.any())
    if not maps:
        inputs.fault("maze.puzzle.cell_size_px", "MISMATCH", "at this length no cell falls into the picture")
        inputs.check()
    plan = read_floorplan(picture, maps, cell_px, task.wall_width_px, settings.floorplan)
    _check_path(task, plan, settings.puzzle, inputs)
    asked = ColorName(task.path_color.value)
    lightness = oklab(plan.floor_rgb.round().astype(np.uint8))[0]
    if asked in LIGHTNESS and abs(LIGHTNESS[asked] - lightness) < settings.puzzle.least_lightness:
        inputs.fault("maze.path_color", "MISMATCH", f"a {asked.value} path cannot be seen on this maze's floor")
    inputs.check()
    return MazePuzzle(
        grid=grid,
        size=size,
        picture=picture,
        plan=plan,
        template=make_template(picture, settings.alignment, plan.exterior),
        cell_map=cell_map,
        path=task.path_cell_ids,
        asked=asked,
        solution=solution,
        mask=mask,
        looked_at=settings.motion.scene,
        any_way=task.any_solution,
        box=box,
        goal_may_change=task.goal_may_change,
    )


def _grid(task: MazeInput, inputs: Inputs) -> CellGrid | None:
    lengths = {"cell_size_px": task.cell_size_px, "wall_width_px": task.wall_width_px}
    if task.cell_size_px == 0.0 and task.geometry is MazeGeometry.SQUARE:
        del lengths["cell_size_px"]  # squares take up all of the box
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


def _box(task: MazeInput, size: tuple[int, int], inputs: Inputs) -> MazeBox:
    """Where the maze lies in its picture."""
    box = task.box
    if box is None:
        return MazeBox(0, 0, *size)
    within = box.left >= 0 and box.top >= 0 and box.left + box.width <= size[0] and box.top + box.height <= size[1]
    if not (within and box.width > 0 and box.height > 0):
        text = (
            f"{box.width} x {box.height} at ({box.left}, {box.top}) does not lie in a picture of {size[0]} x {size[1]}"
        )
        inputs.fault("maze.puzzle.box", "OUT_OF_RANGE", text)
    return box


def _filling_cell_px(grid: CellGrid, box: MazeBox, wall_px: float) -> float:
    """The side of squares that take up a box together with the outer halves of its walls."""
    across, down = grid.extent
    return min((box.width - wall_px) / across, (box.height - wall_px) / down)


def _in_picture(cell_map: NDArray[np.int32], size: tuple[int, int], box: MazeBox) -> NDArray[np.int32]:
    """A cell map of a picture, or of the box in it, as one of the picture."""
    width, height = size
    if cell_map.shape == (height, width) or (box.width, box.height) == size:
        return cell_map if cell_map.shape == (height, width) else resize_labels(cell_map, size)
    whole = np.zeros((height, width), np.int32)
    inner = (box.width, box.height)
    whole[box.top : box.top + box.height, box.left : box.left + box.width] = resize_labels(cell_map, inner)
    return whole


def _drawn_cells(layout: Layout, size: tuple[int, int], box: MazeBox, factor: int) -> NDArray[np.int32]:
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


def _check_ids(task: MazeInput, grid: CellGrid, cell_map: NDArray[np.int32], inputs: Inputs) -> None:
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
    for one, other in itertools.pairwise(task.path_cell_ids):
        if other not in grid.neighbours(one):
            inputs.fault(field, "MISMATCH", f"the cells {one} and {other} follow each other but do not adjoin")
            return


def _check_lengths(
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


def _check_path(task: MazeInput, plan: Floorplan, rules: PuzzleRules, inputs: Inputs) -> None:
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
