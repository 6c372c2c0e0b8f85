"""A maze with its truth, checked, decoded and understood; made once and kept for all its candidates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import ColorName
from detectors.maze.clips.config import SceneConfig
from detectors.maze.clips.scene import MotionScene
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.walls import read_floorplan, reduce_labels, reduction_factor
from grader.alignment.template import Template, make_template
from grader.media.pictures import MediaLimits
from grader.media.pyramid import Pyramid
from grader.model.jobs import CandidateKind
from grader.model.places import Cell, PixelBox
from grader.model.verdict import Alignment
from grader.tasks.common.beside import BesideConfig, other_drawings
from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeBox, MazeInput
from grader.tasks.maze.plans.checks import check_color, check_grid, check_ids, check_lengths, check_path
from grader.tasks.maze.plans.floors import read_floor
from grader.tasks.maze.plans.form import with_grid
from grader.tasks.maze.plans.geometry import (
    NO_WALL_PX,
    box_of,
    drawn_cells,
    filling_cell_px,
    grid_of,
    in_picture,
)
from grader.tasks.maze.plans.textured import read_textured
from grader.tasks.maze.plans.zones import is_tiled
from grader.tasks.maze.settings import MazeSettings
from grader.tasks.maze.ways import Passage, drawn_way, nearest_way, undrawn
from puzzles.common.arrays import FloatArray
from puzzles.maze.layout import Layout

_SAID = 3  # not a threshold: more of what is wrong is said by nobody


class NamedCells(Protocol):
    """The cells of a maze by their ids."""

    @property
    def cell_ids(self) -> tuple[int, ...]:
        """All ids, ascending."""

    def row_column(self, cell_id: int) -> tuple[int, int]:
        """Row and column of a cell, or ring and index."""


@dataclass(frozen=True, eq=False)
class MazePuzzle:
    """A prepared maze.

    Attributes
    ----------
    grid : the cells and their ids
    layout : where they are drawn in its box; None where there are no cells but a floor
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
    way : (N, 2) float64, of a floor the way that lengths are held against, (x, y) in pixels of the picture
    """

    layout: Layout | None
    size: tuple[int, int]
    picture: NDArray[np.uint8]
    plan: Floorplan
    template: Template
    cell_map: NDArray[np.int32]
    path: tuple[int, ...]
    asked: ColorName
    solution: NDArray[np.uint8] | None
    mask: NDArray[np.bool_] | None
    grid: NamedCells
    looked_at: SceneConfig
    box: MazeBox
    any_way: bool = False
    goal_may_change: bool = False
    way: FloatArray | None = None

    @property
    def is_floor(self) -> bool:
        """Whether it has no cells but a floor, of which its cells are pieces."""
        return self.way is not None

    @cached_property
    def reference(self) -> FloatArray:
        """The right path as solutions are drawn, or a floor's own way, (N, 2), (x, y) in pixels of the picture."""
        if self.way is not None:
            return self.way
        if self.layout is None:
            raise RuntimeError("a maze has a layout or a way")
        origin = np.array([self.box.left, self.box.top], np.float64)
        return self.layout.to_pixels(self.layout.grid.route(self.path)) + origin

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
            corner=(max(0, self.box.left), max(0, self.box.top)),
            line_px=self.plan.wall_px * self.plan.factor,
        )

    @cached_property
    def _alone(self) -> Template:
        """The maze without the margin of its picture, to be looked for in margins."""
        box = self.box
        if (box.width, box.height) == self.size:
            return self.template
        rows = slice(max(0, box.top), box.top + box.height)
        columns = slice(max(0, box.left), box.left + box.width)
        return make_template(np.ascontiguousarray(self.picture[rows, columns]), self.template.config)

    def taking(self, drawn: Collection[Passage]) -> MazePuzzle:
        """The puzzle with the right way that drawn steps come nearest to; itself if that is its own.

        What is known of one way only, the solution's picture and its mask, is not known of another.
        """
        if not self.any_way:
            return self
        nearest = drawn_way if self.is_floor else nearest_way
        way = nearest(self.plan.passages, self.path[0], self.path[-1], drawn)
        # Its own way is as good as another one that is drawn no better.
        if undrawn(self.path, drawn) <= undrawn(way, drawn):
            return self
        return replace(self, path=way, solution=None, mask=None)

    def box_of_piece(self, cell_id: int) -> PixelBox | None:
        """Where a piece of a floor lies in the picture, for its id says nothing; None for cells."""
        if not self.is_floor:
            return None
        rows, columns = np.nonzero(self.plan.labels == cell_id)
        if not rows.size:
            return None
        factor = self.plan.factor
        left, top, right, bottom = (
            float(side * factor) for side in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        )
        return PixelBox(left, top, right - left, bottom - top)

    def cell(self, cell_id: int) -> Cell:
        """A cell by its id, with row and column (ring and index for circles); id 0 is outside."""
        if cell_id == 0:
            return Cell(0, -1, -1)
        row, column = self.grid.row_column(cell_id)
        return Cell(cell_id, row, column)


def prepare_maze(
    task: MazeInput, settings: MazeSettings, limits: MediaLimits, _kind: CandidateKind, *, textured: bool = False
) -> MazePuzzle:
    """Checks and decodes a maze.

    Parameters
    ----------
    task : MazeInput
    settings : MazeSettings
    limits : MediaLimits
    textured : bool
        Whether it is read as one with textures, tiles or sprites; grids of tiles are in any case.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable or contradicts another.
    """
    if task.floor is not None or task.floor_mask is not None:
        return _prepare_floor(task, settings, limits, textured=textured)
    inputs = Inputs(limits)
    task = with_grid(task, inputs)
    inputs.check()
    tiled = is_tiled(task.grid, task.wall_width_px)
    grid = grid_of(task, inputs)
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
    box = box_of(task, size, inputs)
    inputs.check()
    cell_px = task.cell_size_px or filling_cell_px(grid, box, task.wall_width_px)
    check_lengths(grid, box, cell_px, task.wall_width_px, settings.puzzle, inputs)
    inputs.check()
    layout = Layout(grid, cell_px, NO_WALL_PX if tiled else task.wall_width_px)
    cell_map = drawn_cells(layout, size, box, 1) if given is None else in_picture(given, size, box)
    check_ids(task, grid, cell_map, inputs)
    inputs.check()
    plan: Floorplan | None
    if textured or tiled:
        plan, wrong = read_textured(picture, task, layout, box, settings)
        if plan is None:
            inputs.fault("maze.puzzle.image", "MISMATCH", f"the maze in it can't be read: {' '.join(wrong[:_SAID])}")
    else:
        plan = _flat_plan(picture, task, layout, box, None if given is None else cell_map, settings, inputs)
    if plan is not None:
        check_path(task, plan, settings.puzzle, inputs)
        check_color(task, plan, settings.puzzle, inputs)
    inputs.check()
    if plan is None:
        raise RuntimeError("what keeps a maze from being read was not noted as a fault")
    return MazePuzzle(
        grid=grid,
        layout=layout,
        size=size,
        picture=picture,
        plan=plan,
        template=make_template(picture, settings.alignment, plan.exterior, over_colors=plan.texture is not None),
        cell_map=cell_map,
        path=task.path_cell_ids,
        asked=ColorName(task.path_color.value),
        solution=solution,
        mask=mask,
        looked_at=settings.motion.scene,
        any_way=task.any_solution,
        box=box,
        goal_may_change=task.goal_may_change,
    )


def _prepare_floor(task: MazeInput, settings: MazeSettings, limits: MediaLimits, *, textured: bool) -> MazePuzzle:
    """Checks and decodes a maze without cells.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable or contradicts another.
    """
    inputs = Inputs(limits)
    for field, given in (
        ("cell_map", task.cell_map),
        ("geometry", task.geometry),
        ("grid", task.grid),
    ):
        if given is not None:
            inputs.fault(f"maze.puzzle.{field}", "MISMATCH", "a maze has cells or a floor; leave out one of them")
    if task.path_cell_ids:
        inputs.fault("maze.truth.path_cell_ids", "MISMATCH", "a floor has no cells; maze.truth.way has points")
    picture = inputs.picture("maze.puzzle.image", task.image)
    solution = inputs.picture("maze.truth.solution_image", task.solution_image, required=False)
    mask = inputs.mask("maze.truth.mask", task.mask)
    if picture is not None:
        for name, extra in (("maze.truth.solution_image", solution), ("maze.truth.mask", mask)):
            inputs.same_size(name, extra, picture)
    picture = inputs.checked(picture)
    size = (picture.shape[1], picture.shape[0])
    box = box_of(task, size, inputs)
    inputs.check()
    read = inputs.checked(read_floor(picture, task, settings, inputs, textured=textured))
    check_color(task, read.plan, settings.puzzle, inputs)
    inputs.check()
    plan = read.plan
    cell_map = np.repeat(np.repeat(plan.labels, plan.factor, axis=0), plan.factor, axis=1)[: size[1], : size[0]]
    return MazePuzzle(
        grid=read.cells,
        layout=None,
        size=size,
        picture=picture,
        plan=plan,
        template=make_template(picture, settings.alignment, plan.exterior, over_colors=textured),
        cell_map=cell_map,
        path=read.path,
        asked=ColorName(task.path_color.value),
        solution=solution,
        mask=mask,
        looked_at=settings.motion.scene,
        any_way=True,
        box=box,
        goal_may_change=task.goal_may_change,
        way=read.way,
    )


def _flat_plan(
    picture: NDArray[np.uint8],
    task: MazeInput,
    layout: Layout,
    box: MazeBox,
    cell_map: NDArray[np.int32] | None,
    settings: MazeSettings,
    inputs: Inputs,
) -> Floorplan | None:
    """The floor plan of a maze whose walls are of one colour and whose floor is of another."""
    size = (picture.shape[1], picture.shape[0])
    factor = reduction_factor(layout.cell_size_px, max(size), settings.floorplan)
    drawn = drawn_cells(layout, size, box, factor)
    candidates = (drawn,) if cell_map is None else (drawn, reduce_labels(cell_map, factor))
    maps = tuple(one for one in candidates if one.any())
    if not maps:
        inputs.fault("maze.puzzle.cell_size_px", "MISMATCH", "at this length no cell falls into the picture")
        return None
    plan = read_floorplan(picture, maps, layout.cell_size_px, layout.wall_width_px, factor, settings.floorplan)
    check_grid(task, plan, inputs)
    return plan
