"""Floor plans read from pictures: passages, markers, openings, and cell maps that lie off their drawing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.maze.plan.cell_maps import CellMapConfig, depth_in_cell, fit_cell_map
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.plan.walls import FloorplanConfig, read_floorplan, reduce_labels, reduction_factor
from grader.media.pyramid import reduce_picture, resize
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import CellMapKind, rasterise_cell_map
from puzzles.maze.maze import Maze, MazeAlgorithm, generate_maze
from puzzles.maze.render import MazeStyle, render_maze
from tests.samples.puzzles import maze_sample

EVERY = pytest.mark.parametrize("geometry", Geometry, ids=lambda geometry: geometry.value)
CONFIG = FloorplanConfig()


def plan_of(maze: Maze, style: MazeStyle, kinds: tuple[CellMapKind, ...], shift: tuple[int, int] = (0, 0)) -> Floorplan:
    factor = reduction_factor(style.cell_size_px, math.inf, CONFIG)
    maps = []
    for kind in kinds:
        labels = rasterise_cell_map(style.layout(maze), kind)
        maps.append(reduce_labels(np.roll(labels, shift[::-1], axis=(0, 1)), factor))
    picture = render_maze(maze, style).input
    return read_floorplan(picture, tuple(maps), style.cell_size_px, style.wall_width_px, factor, CONFIG)


@EVERY
@pytest.mark.parametrize("scale", [2, 3, 6])
@pytest.mark.parametrize("algorithm", MazeAlgorithm)
def test_passages_are_those_of_the_maze(geometry: Geometry, scale: int, algorithm: MazeAlgorithm) -> None:
    maze = generate_maze(geometry, scale, algorithm, seed=0)
    style = MazeStyle(cell_size_px=30.0, wall_width_px=3.0)
    plan = plan_of(maze, style, (CellMapKind.DRAWN, CellMapKind.PUBLISHED))
    assert plan.passages == maze.passages
    inner = {(border.first, border.second) for border in plan.borders if border.first}
    assert inner == maze.passages | set(maze.walls())


@pytest.mark.parametrize(
    ("geometry", "cell_size_px"),
    [*zip(Geometry, (30.0, 102.4, 130.0, 64.0), strict=True), (Geometry.CIRCLE, 30.0)],
)
def test_passages_at_other_sizes(geometry: Geometry, cell_size_px: float) -> None:
    maze = generate_maze(geometry, 3, seed=1)
    style = MazeStyle(cell_size_px=cell_size_px, wall_width_px=cell_size_px / 10)
    plan = plan_of(maze, style, (CellMapKind.DRAWN, CellMapKind.PUBLISHED))
    assert plan.passages == maze.passages
    # The working frame keeps a cell at least 28 pixels long, and less than twice that.
    assert 28 <= plan.cell_px < 57
    assert plan.size == render_maze(maze, style).input.shape[1::-1]


@EVERY
@pytest.mark.parametrize("wall_share", [0.05, 0.18])
def test_passages_with_thin_and_thick_walls(geometry: Geometry, wall_share: float) -> None:
    maze = generate_maze(geometry, 3, seed=2)
    style = MazeStyle(cell_size_px=48.0, wall_width_px=48.0 * wall_share)
    assert plan_of(maze, style, (CellMapKind.DRAWN,)).passages == maze.passages


@EVERY
@pytest.mark.parametrize(
    "colors",
    [
        {"floor": (245, 235, 215), "wall": (90, 60, 30), "halo": (245, 235, 215)},
        {"floor": (40, 40, 40), "wall": (230, 230, 230), "outside": (230, 230, 230), "halo": (40, 40, 40)},
        {"outside": (255, 255, 255)},
    ],
    ids=["sepia", "dark", "white_outside"],
)
def test_passages_in_other_looks(geometry: Geometry, colors: dict[str, tuple[int, int, int]]) -> None:
    """A2: the look of a board never changes what it is."""
    maze = generate_maze(geometry, 3, seed=3)
    style = MazeStyle(cell_size_px=48.0, wall_width_px=4.8, **colors)
    plan = plan_of(maze, style, (CellMapKind.DRAWN, CellMapKind.PUBLISHED))
    assert plan.passages == maze.passages
    assert [marker.cell for marker in plan.markers] == [maze.start, maze.goal]
    assert np.abs(plan.floor_rgb - style.floor).max() <= 3
    assert np.abs(plan.wall_rgb - style.wall).max() <= 40


@EVERY
def test_markers_are_found_where_they_are(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    plan = plan_of(sample.maze, sample.style, (CellMapKind.DRAWN,))
    disc, cross = plan.markers
    assert (disc.cell, cross.cell) == (sample.maze.start, sample.maze.goal)
    # A disc fills pi / 4 of its box, a thin X much less.
    assert disc.solid == pytest.approx(np.pi / 4, abs=0.06)
    assert cross.solid < 0.55
    for marker in plan.markers:
        assert marker.rgb == pytest.approx([255, 0, 0], abs=2)
        middle = (np.array(marker.center) + 0.5) * plan.factor
        assert np.hypot(*(middle - sample.centre(marker.cell))) < 2.5


@EVERY
def test_published_maps_alone_will_do(geometry: Geometry) -> None:
    """They lie up to a wall's width off the drawing; they are brought onto it first."""
    maze = generate_maze(geometry, 4, seed=0)
    style = MazeStyle(cell_size_px=51.2, wall_width_px=5.12)
    assert plan_of(maze, style, (CellMapKind.PUBLISHED,)).passages == maze.passages


@pytest.mark.parametrize(
    ("geometry", "shift"),
    [
        pytest.param(geometry, shift, id=f"{geometry.value}-{shift}")
        for turn, geometry in enumerate(Geometry)
        for shift in [(3, 0), (0, -4), (5, 5), (-4, 3)][turn % 2 :: 2]
    ],
)
def test_a_cell_map_that_is_off_is_fitted(geometry: Geometry, shift: tuple[int, int]) -> None:
    maze = generate_maze(geometry, 4, seed=5)
    style = MazeStyle(cell_size_px=48.0, wall_width_px=4.8)
    plan = plan_of(maze, style, (CellMapKind.DRAWN,), shift)
    assert plan.passages == maze.passages
    picture = render_maze(maze, style).input
    moved = np.roll(rasterise_cell_map(style.layout(maze), CellMapKind.DRAWN), shift[::-1], axis=(0, 1))
    fitted = fit_cell_map(picture, (moved,), 48.0, 4.8, CONFIG.maps)
    # Walls are drawn half a wall, 2.4 pixels, to both sides of a border; nearer than that is near enough.
    assert np.abs(np.add(fitted.shift, shift)).max() <= 2.4
    assert set(np.unique(fitted.labels)) <= set(np.unique(moved))


def test_of_two_maps_the_one_that_fits_is_taken() -> None:
    maze = generate_maze(Geometry.SQUARE, 4, seed=5)
    style = MazeStyle(cell_size_px=48.0, wall_width_px=4.8)
    picture = render_maze(maze, style).input
    right = rasterise_cell_map(style.layout(maze), CellMapKind.DRAWN)
    wrong = np.roll(right, 20, axis=1)
    for maps in ((right, wrong), (wrong, right)):
        fitted = fit_cell_map(picture, maps, 48.0, 4.8, CellMapConfig(max_shift=0.1))
        assert (fitted.labels == right).mean() > 0.98


def test_depth_is_the_distance_to_the_own_border() -> None:
    labels = np.zeros((7, 9), np.int32)
    labels[1:6, 2:7] = 4
    # The middle of five pixels lies 2.5 from the border, the outermost ones 0.5.
    depth = depth_in_cell(labels)
    assert depth[3, 4] == pytest.approx(2.5, abs=0.2)
    assert depth[1, 2] == pytest.approx(0.5, abs=0.2)
    assert depth[3, 1] == pytest.approx(0.5, abs=0.2)


def test_reducing_keeps_labels_and_places() -> None:
    labels = np.arange(1, 36, dtype=np.int32).reshape(5, 7)
    assert (reduce_labels(labels, 1) == labels).all()
    halved = reduce_labels(labels, 2)
    assert halved.shape == (3, 4)
    assert set(halved.ravel().tolist()) <= set(labels.ravel().tolist())


def test_the_working_frame_keeps_cells_and_the_picture_long_enough() -> None:
    def factors(longer_side_px: float) -> tuple[int, ...]:
        return tuple(reduction_factor(cell, longer_side_px, CONFIG) for cell in (20.0, 102.4, 112.0, 600.0))

    # Cells of at least 28 px: 20 / 1, 102.4 / 2, 112 / 4, 600 / 16.
    assert factors(math.inf) == (1, 2, 4, 16)
    # And a side of at least 384 px: 2048 / 4 = 512, 700 / 1.
    assert factors(2048.0) == (1, 2, 4, 4)
    assert factors(700.0) == (1, 1, 1, 1)


def test_reducing_averages_areas() -> None:
    picture = np.zeros((4, 6, 3), np.uint8)
    picture[:2, :2] = 100
    picture[0, 2] = 40
    small = reduce_picture(picture, 2)
    assert small.shape == (2, 3, 3)
    assert (small[0, 0, 0], small[0, 1, 0], small[1].max()) == (100, 10, 0)
    # An odd side is continued by its last row.
    assert reduce_picture(picture[:3], 2).shape == (2, 3, 3)
    assert resize(picture, (6, 4)) is picture
    assert resize(picture, (3, 2)).shape == (2, 3, 3)


def test_wrong_maps_are_refused() -> None:
    picture = np.full((40, 40, 3), 255, np.uint8)
    with pytest.raises(ValueError, match="working frame"):
        read_floorplan(picture, (np.ones((20, 20), np.int32),), 30.0, 3.0, 1, CONFIG)
    with pytest.raises(ValueError, match="no cell"):
        read_floorplan(picture, (np.zeros((40, 40), np.int32),), 30.0, 3.0, 1, CONFIG)
