"""What can be wrong with a drawn maze: pictures spoiled in one way each, and the reason that has to be given."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from grader.model.verdict import Verdict
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    WHITE,
    MazeSample,
    line,
    maze_sample,
    where,
)

EVERY = pytest.mark.parametrize("geometry", Geometry, ids=lambda geometry: geometry.value)
SOME = pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.TRIANGLE], ids=lambda geometry: geometry.value)
"""For what has nothing to do with the shape of cells."""
WITH_EXTERIOR = pytest.mark.parametrize(
    "geometry", [Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE], ids=lambda geometry: geometry.value
)

# What leaves no reward, by DESIGN.md: the puzzle was altered, or the drawing is no answer of the asked kind.
CHEATS = {
    *("NOT_THE_PUZZLE", "FLOODED", "TEXTURE", "PUZZLE_REPLACED", "WALLS_ERASED", "WALLS_ADDED", "MARKER_ERASED"),
    *("MARKER_MOVED", "MARKER_ADDED", "EXTERIOR_PAINTED", "CELLS_FILLED", "NOTHING_DRAWN", "DOTS", "SHORTCUT"),
    *("CELLS_COVERED", "CUT_OFF", "WALLS_PAINTED", "OTHER_DRAWINGS"),
}


# --- what can be wrong with a picture ---


def blank(sample: MazeSample) -> np.ndarray:
    return np.full_like(sample.pictures.input, 255)


def panels(sample: MazeSample) -> np.ndarray:
    """The right answer between two pictures without one."""
    return np.hstack([sample.pictures.input, sample.pictures.solution, sample.pictures.input])


def unchanged(sample: MazeSample) -> np.ndarray:
    return sample.pictures.input


def half(sample: MazeSample) -> np.ndarray:
    return sample.draw(sample.path[: len(sample.path) // 2])


def without_start(sample: MazeSample) -> np.ndarray:
    return sample.draw(sample.path[2:])


def gap_cell(sample: MazeSample) -> int:
    return sample.path[len(sample.path) // 2]


def one_cell_less(sample: MazeSample) -> np.ndarray:
    picture = sample.pictures.solution.copy()
    inside = sample.cells == gap_cell(sample)
    picture[inside] = sample.pictures.input[inside]
    return picture


def gap_in_a_cell(sample: MazeSample) -> np.ndarray:
    """A gap of half a cell's length in the middle of the way through a cell."""
    before, cell, after = (sample.path[len(sample.path) // 2 + step] for step in (-1, 0, 1))
    middle = sample.centre(cell)
    if sample.maze.geometry is Geometry.TRIANGLE:
        middle = (sample.middle(before, cell) + sample.middle(cell, after)) / 2
    rows, columns = np.indices(sample.cells.shape)
    # Hexagons are wider than their cell length, and the way may turn by 120 degrees in one.
    share = {Geometry.TRIANGLE: 0.36, Geometry.HEXAGON: 1.0}.get(sample.maze.geometry, 0.5)
    length = share * sample.style.cell_size_px
    near = np.hypot(columns + 0.5 - middle[0], rows + 0.5 - middle[1]) < length / 2
    return np.where(near[..., None], sample.pictures.input, sample.pictures.solution)


def side_branch(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.branch, on=sample.pictures.solution)


def walls_in_path_color(sample: MazeSample) -> np.ndarray:
    return line(sample.pictures.solution, sample.border(*sample.wall), sample.style.wall_width_px + 1, BLUE)


def cell_greyed(sample: MazeSample) -> np.ndarray:
    """Half-tone grey over a wrong cell, lighter than any wall and darker than the floor."""
    return where(sample.pictures.solution, (sample.cells == sample.apart[0]) & sample.floor, (190, 190, 190))


def cut_off(sample: MazeSample) -> np.ndarray:
    """The middle three fifths: the width fixes the scale, so that the outer rows are not in the picture."""
    height = sample.pictures.solution.shape[0]
    return np.ascontiguousarray(sample.pictures.solution[height // 5 : height - height // 5])


def spilled(sample: MazeSample) -> np.ndarray:
    """A blot of radius 0.34 cells, its middle 0.05 on the path's side of a wall.

    Of a circle cut at distance d from its middle r^2 acos(d/r) - d sqrt(r^2 - d^2) = 0.148 of a cell lies beyond.
    """
    middle = sample.middle(*sample.wall)
    inward = np.array(sample.centre(sample.wall[0])) - middle
    size = sample.style.cell_size_px
    x, y = (middle + inward / np.linalg.norm(inward) * 0.05 * size).round().astype(int).tolist()
    return cv2.circle(sample.pictures.solution.copy(), (x, y), round(0.34 * size), BLUE, -1)


def stray_stroke(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.apart, on=sample.pictures.solution)


def through_a_wall(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.wall, on=sample.pictures.solution)


def between_path_cells(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.shortcut, on=sample.pictures.solution)


def way_out(sample: MazeSample) -> tuple[int, np.ndarray]:
    """A cell of the path and a line from its centre through its outer wall to where there is nothing."""
    grid, layout = sample.maze.grid, sample.layout
    for cell in sample.path[1:-1]:
        for border in grid.outer_borders(cell):
            centre, middle = np.array(sample.centre(cell)), layout.to_pixels(np.array(border.midpoint))
            end = middle + (middle - centre) / np.hypot(*(middle - centre)) * 0.28 * sample.style.cell_size_px
            column, row = (int(value) for value in end)
            height, width = sample.cells.shape
            if 4 <= column < width - 4 and 4 <= row < height - 4 and sample.cells[row, column] == 0:
                return cell, np.array([centre, middle, end])
    raise AssertionError("this maze's path does not come near its rim")


def out_of_the_maze(sample: MazeSample) -> np.ndarray:
    return sample.stroke(way_out(sample)[1], walls_over=False)


def wall_erased(sample: MazeSample) -> np.ndarray:
    ends = sample.border(*sample.wall)
    shorter = ends + 0.12 * (ends.mean(axis=0) - ends)
    return line(sample.pictures.solution, shorter, sample.style.wall_width_px + 2, WHITE)


def outer_wall_erased(sample: MazeSample) -> np.ndarray:
    cell = rim_cell(sample)
    ends = sample.layout.to_pixels(sample.maze.grid.outer_borders(cell)[0].points())
    return line(sample.pictures.solution, ends, sample.style.wall_width_px + 2, WHITE)


def rim_cell(sample: MazeSample) -> int:
    open_ones = {cell for cell, _ in sample.maze.openings}
    grid = sample.maze.grid
    return next(cell for cell in grid.cell_ids if grid.outer_borders(cell) and cell not in open_ones)


def passage_closed(sample: MazeSample) -> np.ndarray:
    return line(sample.pictures.solution, sample.border(*sample.apart), sample.style.wall_width_px, BLACK)


def barred_cell(sample: MazeSample) -> int:
    """A cell off the path. In the small maze of triangles the first one is a corner, where what lies is decoration."""
    if sample.maze.geometry is not Geometry.TRIANGLE:
        return sample.apart[0]
    height, width = sample.cells.shape
    apart = [int(cell) for cell in np.unique(sample.cells) if cell and cell not in sample.path]
    away = [np.abs(np.subtract(sample.centre(cell), (width / 2, height / 2))).sum() for cell in apart]
    return apart[int(np.argmin(away))]


def wall_in_a_cell(sample: MazeSample) -> np.ndarray:
    x, y = sample.centre(barred_cell(sample))
    reach = 0.25 * sample.style.cell_size_px
    if sample.maze.geometry is Geometry.TRIANGLE:
        reach *= 0.9
    return line(sample.pictures.solution, [(x - reach, y), (x + reach, y)], sample.style.wall_width_px, BLACK)


def markers_erased(sample: MazeSample) -> np.ndarray:
    return sample.draw(on=sample.pictures.no_markers, markers_over=False)


def goal_erased(sample: MazeSample) -> np.ndarray:
    """The X is painted white; the path under it too, as far as the X went."""
    changed = (sample.pictures.input != sample.pictures.no_markers).any(axis=2)
    x, y = sample.centre(sample.maze.goal)
    rows, columns = np.indices(changed.shape)
    near = np.hypot(columns - x, rows - y) < 0.6 * sample.style.cell_size_px
    without = np.where((changed & near)[..., None], sample.pictures.no_markers, sample.pictures.input)
    drawn = sample.draw(markers_over=False)
    return np.where((changed & near)[..., None], without, np.where(changed[..., None], sample.pictures.input, drawn))


def disc_at(sample: MazeSample, picture: np.ndarray, cell: int) -> np.ndarray:
    return line(picture, [sample.centre(cell)], 2 * sample.style.disc_radius * sample.style.cell_size_px, RED)


def start_moved(sample: MazeSample) -> np.ndarray:
    changed = (sample.pictures.input != sample.pictures.no_markers).any(axis=2)
    x, y = sample.centre(sample.maze.start)
    rows, columns = np.indices(changed.shape)
    near = np.hypot(columns - x, rows - y) < 0.4 * sample.style.cell_size_px
    without = np.where((changed & near)[..., None], sample.pictures.no_markers, sample.pictures.solution)
    return disc_at(sample, without, sample.apart[0])


def marker_added(sample: MazeSample) -> np.ndarray:
    return disc_at(sample, sample.pictures.solution, sample.apart[0])


def exterior_painted(sample: MazeSample) -> np.ndarray:
    outside = (sample.cells == 0).astype(np.uint8)
    far = cv2.erode(outside, np.ones((5, 5), np.uint8), borderValue=1) > 0
    return where(sample.pictures.solution, far, BLUE)


def goal_cells_filled(sample: MazeSample) -> np.ndarray:
    return where(sample.pictures.input, sample.floor & np.isin(sample.cells, sample.path), BLUE)


def corridors_flooded(sample: MazeSample) -> np.ndarray:
    return where(sample.pictures.input, sample.floor, BLUE)


def all_blue(sample: MazeSample) -> np.ndarray:
    return np.full_like(sample.pictures.input, BLUE)


def grid_of_lines(sample: MazeSample) -> np.ndarray:
    picture = sample.pictures.input.copy()
    picture[::8] = BLUE
    picture[:, ::8] = BLUE
    return picture


def dots(sample: MazeSample, share: float) -> np.ndarray:
    picture = sample.pictures.input
    for cell in sample.path:
        picture = line(picture, [sample.centre(cell)], share * sample.style.cell_size_px, BLUE)
    markers = (sample.pictures.input != sample.pictures.no_markers).any(axis=2)
    return np.where(markers[..., None], sample.pictures.input, picture)


def other_maze(sample: MazeSample) -> MazeSample:
    return maze_sample(sample.maze.geometry, skip=1)


def other_maze_solved(sample: MazeSample) -> np.ndarray:
    return other_maze(sample).pictures.solution


def right_path_on_another_maze(sample: MazeSample) -> np.ndarray:
    return sample.draw(on=other_maze(sample).pictures.input, walls_over=False)


def noise(sample: MazeSample) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, sample.pictures.input.shape, dtype=np.uint8)


def green_path(sample: MazeSample) -> np.ndarray:
    return sample.draw(color=GREEN)


def green_scribble(sample: MazeSample) -> np.ndarray:
    return sample.step(*sample.apart, on=sample.pictures.solution, color=GREEN)


FAULTS: tuple[tuple[str, Callable[[MazeSample], np.ndarray], str], ...] = (
    ("blank", blank, "NOT_THE_PUZZLE"),
    ("panels", panels, "OTHER_DRAWINGS"),
    ("corridors flooded", corridors_flooded, "FLOODED"),
    ("all blue", all_blue, "FLOODED"),
    ("grid of lines", grid_of_lines, "TEXTURE"),
    ("wall erased", wall_erased, "WALLS_ERASED"),
    ("outer wall erased", outer_wall_erased, "WALLS_ERASED"),
    ("passage closed", passage_closed, "WALLS_ADDED"),
    ("wall in a cell", wall_in_a_cell, "WALLS_ADDED"),
    ("markers erased", markers_erased, "MARKER_ERASED"),
    ("goal erased", goal_erased, "MARKER_ERASED"),
    ("start moved", start_moved, "MARKER_MOVED"),
    ("marker added", marker_added, "MARKER_ADDED"),
    ("wall in the path's colour", walls_in_path_color, "WALLS_PAINTED"),
    ("cell greyed", cell_greyed, "CELLS_COVERED"),
    ("cut off", cut_off, "CUT_OFF"),
    ("goal cells filled", goal_cells_filled, "CELLS_FILLED"),
    ("unchanged", unchanged, "NOTHING_DRAWN"),
    ("small dots", lambda sample: dots(sample, 0.04), "DOTS"),
    ("large dots", lambda sample: dots(sample, 0.2), "DOTS"),
    ("green path", green_path, "WRONG_COLOR"),
    ("green scribble", green_scribble, "FOREIGN_STROKES"),
    ("through a wall", through_a_wall, "WALL_CROSSED"),
    ("between path cells", between_path_cells, "SHORTCUT"),
    ("half", half, "GOAL_NOT_REACHED"),
    ("without start", without_start, "START_NOT_REACHED"),
    ("one cell less", one_cell_less, "CELLS_MISSED"),
    ("side branch", side_branch, "SIDE_BRANCH"),
    ("stray stroke", stray_stroke, "STRAY_STROKES"),
)
# Where the maze leaves room around it, and where a cell is long enough to hold a gap.
MORE_FAULTS: tuple[tuple[str, Callable[[MazeSample], np.ndarray], str, tuple[Geometry, ...]], ...] = (
    ("exterior", exterior_painted, "EXTERIOR_PAINTED", (Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE)),
    ("out of the maze", out_of_the_maze, "OUTSIDE_MAZE", (Geometry.HEXAGON, Geometry.TRIANGLE, Geometry.CIRCLE)),
    ("spilled", spilled, "INK_SPILLED", (Geometry.SQUARE,)),
    ("gap in a cell", gap_in_a_cell, "PATH_BROKEN", (Geometry.SQUARE, Geometry.HEXAGON, Geometry.CIRCLE)),
)
# Two geometries a fault, which take turns.
CASES = [
    *(
        (geometry, name, spoil, code)
        for turn, (name, spoil, code) in enumerate(FAULTS)
        for geometry in list(Geometry)[turn % 2 :: 2]
    ),
    *((geometry, name, spoil, code) for name, spoil, code, geometries in MORE_FAULTS for geometry in geometries),
]
EVERY_FAULT = pytest.mark.parametrize(
    ("geometry", "spoil", "code"),
    [(geometry, spoil, code) for geometry, _, spoil, code in CASES],
    ids=[f"{geometry.value}-{name.replace(' ', '_')}" for geometry, name, _, _ in CASES],
)


@cache
def faulty(geometry: Geometry, spoil: Callable[[MazeSample], np.ndarray]) -> Verdict:
    sample = maze_sample(geometry)
    return sample.grade(spoil(sample))


@cache
def solved(geometry: Geometry) -> Verdict:
    sample = maze_sample(geometry)
    return sample.grade(sample.pictures.solution)
