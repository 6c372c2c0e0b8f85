"""Pictures that a policy in training could find and that passed once: each fails now."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from grader.model.verdict import Outcome
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import (
    BLUE,
    RED,
    WHITE,
    BoardSample,
    MazeSample,
    board_sample,
    codes,
    line,
    maze_sample,
    places,
)

EVERY = pytest.mark.parametrize("geometry", Geometry, ids=lambda geometry: geometry.value)
INK = (10, 10, 10)


def passages(sample: MazeSample, beside: bool) -> list[tuple[int, int]]:
    """Open borders that the right path does not use, from one of its cells or away from it."""
    grid, path = sample.maze.grid, set(sample.path)
    open_borders = [
        (one, other)
        for one in grid.cell_ids
        for other in grid.neighbours(one)
        if one < other and sample.maze.linked(one, other)
    ]
    return [border for border in open_borders if len(path & set(border)) == (1 if beside else 0)]


def at_steps(points: np.ndarray, step: float) -> np.ndarray:
    """Points along a polyline, ``step`` pixels apart."""
    along = np.r_[0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T))]
    places_along = np.arange(0.0, along[-1], step)
    return np.stack([np.interp(places_along, along, points[:, axis]) for axis in (0, 1)], axis=1)


def dusted(sample: MazeSample, side: int) -> np.ndarray:
    """The solution with one black speck of ``side`` pixels in each cell, away from walls and path."""
    picture = sample.pictures.solution.copy()
    dice = np.random.default_rng(0)
    free = cv2.distanceTransform(sample.floor.astype(np.uint8), cv2.DIST_L2, 5) > 3
    free &= cv2.dilate((picture[..., 0] < 128).astype(np.uint8), np.ones((9, 9), np.uint8)) == 0
    for cell in sample.maze.grid.cell_ids:
        spots = np.argwhere(free & (sample.cells == cell))
        if len(spots):
            row, column = spots[dice.integers(len(spots))]
            picture[row : row + side, column : column + side] = 0
    return picture


@EVERY
@pytest.mark.parametrize("beside", [True, False])
def test_walls_of_dust_are_walls(geometry: Geometry, beside: bool) -> None:
    """Two rows of specks close passages; a speck in each cell looks like noise all over."""
    sample = maze_sample(geometry)
    picture = dusted(sample, 3)
    for one, other in passages(sample, beside)[:3]:
        for x, y in at_steps(sample.border(one, other), 4.0).round().astype(int):
            for shift in (-2, 2):
                picture[y + shift - 1 : y + shift + 2, x + shift - 1 : x + shift + 2] = 0
    verdict = sample.grade(picture)
    assert "WALLS_ADDED" in codes(verdict)
    assert verdict.reward == 0.0


def test_a_black_bar_with_blue_hairs_is_a_bar() -> None:
    """Across the right path, nine pixels thick, every third row in the path's colour; askew it is a known hole."""
    sample = maze_sample(Geometry.SQUARE)
    middle = len(sample.path) // 2
    one, other = sample.path[middle : middle + 2]
    ends = sample.border(one, other)[[0, -1]]
    inner = ends.mean(axis=0) + 0.8 * (ends - ends.mean(axis=0))
    along = (inner[1] - inner[0]) / np.hypot(*(inner[1] - inner[0]))
    across = np.array([-along[1], along[0]])
    picture = line(sample.pictures.solution, inner, 9.0, (0, 0, 0))
    for row in (-3.0, 0.0, 3.0):
        picture = line(picture, inner + row * across, 1.0, BLUE)
    verdict = sample.grade(picture)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward == 0.0


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.HEXAGON, Geometry.CIRCLE], ids=lambda one: one.value)
@pytest.mark.parametrize("beside", [True, False])
def test_bars_in_the_path_s_colour_close_passages(geometry: Geometry, beside: bool) -> None:
    """They lie along borders, so that no cell is entered."""
    sample = maze_sample(geometry)
    picture, used = sample.pictures.solution, set()
    for one, other in passages(sample, beside):
        if not {one, other} & used:
            used |= {one, other}
            picture = line(picture, sample.border(one, other), 4.0, BLUE)
    verdict = sample.grade(picture)
    assert "WALLS_ADDED" in codes(verdict)
    assert verdict.reward == 0.0


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.HEXAGON, Geometry.CIRCLE], ids=lambda one: one.value)
def test_a_speck_at_the_goal_bridges_no_gap(geometry: Geometry) -> None:
    """The stroke stops 0.65 of a cell before the goal's centre; two pixels in its colour lie at the cross."""
    sample = maze_sample(geometry)
    cell_px = sample.style.cell_size_px
    points = at_steps(sample.layout.to_pixels(sample.maze.grid.route(sample.path)), 1.0)
    end = round(len(points) - 0.65 * cell_px - sample.style.path_width_px / 2)
    picture = sample.stroke(points[:end], on=sample.pictures.input)
    goal = np.array(sample.centre(sample.path[-1]))
    red = (picture[..., 0] > 200) & (picture[..., 1] < 80)
    rows, columns = np.indices(red.shape)
    cross = red & (np.hypot(columns - goal[0], rows - goal[1]) < cell_px)
    distance = cv2.distanceTransform((~cross).astype(np.uint8), cv2.DIST_L2, 5)
    spots = np.argwhere((distance >= 1.5) & (distance <= 2.4))
    row, column = spots[np.hypot(*(spots[:, ::-1] - points[end]).T).argmin()]
    picture = picture.copy()
    picture[row - 1 : row + 1, column - 1 : column + 1] = BLUE
    verdict = sample.grade(picture)
    assert "GOAL_NOT_REACHED" in codes(verdict)
    assert places(verdict, "GOAL_NOT_REACHED") == {sample.path[-1]}


@EVERY
def test_start_and_goal_do_not_change_places(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    cell_px = sample.style.cell_size_px
    picture = sample.pictures.solution.copy()
    start, goal = (np.array(sample.centre(cell)) for cell in (sample.path[0], sample.path[-1]))
    red = (picture[..., 0] > 150) & (picture[..., 1] < 130) & (picture[..., 2] < 130)
    picture[cv2.dilate(red.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0] = WHITE
    arm = 0.25 * cell_px * np.sqrt(0.5)
    for tip in (np.array([arm, arm]), np.array([arm, -arm])):
        picture = line(picture, [start - tip, start + tip], 0.12 * cell_px, RED)
    picture = line(picture, [goal], 0.48 * cell_px, RED)
    verdict = sample.grade(picture)
    assert "MARKER_ERASED" in codes(verdict)
    assert verdict.reward == 0.0


def disc(picture: np.ndarray, middle: tuple[float, float], radius: float, color: tuple[int, int, int]) -> np.ndarray:
    return line(picture, [middle], 2.0 * radius, color)


def ring(board: BoardSample, picture: np.ndarray, middle: tuple[float, float]) -> np.ndarray:
    x, y = middle
    cell = tuple(int(value) for value in picture[round(y - 19), round(x)])
    return disc(disc(picture, middle, 14.4, INK), middle, 0.45 * 14.4, cell)


def red_heart(board: BoardSample, picture: np.ndarray, middle: tuple[float, float]) -> np.ndarray:
    return disc(disc(picture, middle, 14.4, INK), middle, 0.6 * 14.4, RED)


def half_red(board: BoardSample, picture: np.ndarray, middle: tuple[float, float]) -> np.ndarray:
    drawn = disc(picture, middle, 14.0, INK)
    rows, columns = np.indices(drawn.shape[:2])
    lower = (rows > middle[1] + 1) & (np.hypot(columns - middle[0], rows - middle[1]) < 15) & (drawn.sum(axis=2) < 60)
    drawn[lower] = RED
    return drawn


@pytest.mark.parametrize("draw", [ring, red_heart, half_red])
def test_what_is_no_solid_dark_disc_is_no_queen(
    draw: Callable[[BoardSample, np.ndarray, tuple[float, float]], np.ndarray],
) -> None:
    board = board_sample(6)
    size = board.style.cell_size_px
    picture = board.pictures.input
    for row, column in board.board.queens:
        picture = draw(board, picture, ((column + 0.5) * size, (row + 0.5) * size))
    verdict = board.grade(picture)
    assert {"NO_QUEENS", "MARK_NOT_A_QUEEN"} <= set(codes(verdict))
    assert verdict.reward == 0.0


def test_bars_through_cells_are_no_decoration() -> None:
    """White bars, 4 of 48 pixels thick, through every row."""
    board = board_sample(7)
    size = board.style.cell_size_px
    picture = board.pictures.solution.copy()
    for row in range(7):
        strip = picture[round((row + 0.5) * size) - 2 : round((row + 0.5) * size) + 2]
        strip[strip.sum(axis=2) >= 100] = WHITE
    verdict = board.grade(picture)
    assert "MARK_NOT_A_QUEEN" in codes(verdict)


def walled_from(sample: MazeSample, cell: int) -> list[int]:
    """Neighbours of a cell behind a wall."""
    return [other for other in sample.maze.grid.neighbours(cell) if not sample.maze.linked(cell, other)]


# The other marker cells of these mazes have no wall but the outer one.
WALLED = [
    (one, end) for one in Geometry for end in (0, -1) if walled_from(maze_sample(one), maze_sample(one).path[end])
]


@pytest.mark.parametrize(("geometry", "end"), WALLED, ids=[f"{one.value}{end}" for one, end in WALLED])
@pytest.mark.parametrize("depth", [0.25, 0.35])
def test_a_stub_through_a_wall_into_a_marker_s_cell_is_a_crossing(geometry: Geometry, end: int, depth: float) -> None:
    """It ends away from the marker, a quarter to a third of a cell behind the wall."""
    sample = maze_sample(geometry)
    cell = sample.path[end]
    middle = sample.middle(cell, walled_from(sample, cell)[0])
    inwards = np.array(sample.centre(cell)) - middle
    # Beside the middle of the wall, where the way to the marker is longer.
    aside = np.array([-inwards[1], inwards[0]]) / np.hypot(*inwards) * 0.15 * sample.style.cell_size_px
    unit = inwards / np.hypot(*inwards)
    inner = middle + aside + depth * sample.style.cell_size_px * unit
    outer = middle + aside - 0.3 * sample.style.cell_size_px * unit
    verdict = sample.grade(line(sample.pictures.solution, [outer, inner], 4.0, BLUE))
    assert verdict.outcome is Outcome.FAIL
    assert {"WALL_CROSSED", "SHORTCUT", "STRAY_STROKES", "SIDE_BRANCH"} & set(codes(verdict))
