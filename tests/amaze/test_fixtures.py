"""Against instances that this project did not draw: sizes, ids, masks, turns, and pictures to within a pixel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from puzzles.amaze.files import maze_metadata, queens_metadata
from puzzles.maze.difficulty import path_difficulty
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import CellMapKind, Layout, rasterise_cell_map
from puzzles.maze.maze import Maze, MazeAlgorithm, default_ends, default_openings, is_perfect, solve
from puzzles.maze.render import render_maze
from puzzles.queens.board import QueensBoard, solutions
from puzzles.queens.render import render_queens

pytestmark = pytest.mark.shared

INSTANCES = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "amaze" / "instances"
# circle-16 and square-16 are left out here for speed; the geometry is the same.
MAZES = [f"{geometry}-{scale}-0" for geometry in ("square", "hexagon", "triangle", "circle") for scale in (3, 8)]
BOARDS = ["queen-4-0", "queen-4-1", "queen-7-0", "queen-7-1", "queen-10-0", "queen-10-1"]


def metadata_of(name: str) -> dict[str, Any]:
    return json.loads((INSTANCES / name / "metadata.json").read_text())  # type: ignore[no-any-return]


def rgb(name: str, picture: str) -> np.ndarray:
    return np.array(Image.open(INSTANCES / name / f"{picture}.png").convert("RGB"))


def ids(name: str) -> np.ndarray:
    return rgb(name, "cell_map").astype(np.int64) @ [1, 256, 65536]


def layout_of(name: str) -> Layout:
    config = metadata_of(name)["maze_config"]
    geometry = Geometry(config["shape"])
    if geometry is Geometry.CIRCLE:
        return Layout(make_grid(geometry, rings=config["layers"]))
    return Layout(make_grid(geometry, width=config["width"], height=config["height"]))


def maze_from_picture(name: str) -> Maze:
    """Read the passages off the picture: a border with a light middle is one."""
    metadata = metadata_of(name)
    layout = layout_of(name)
    grid = layout.grid
    picture = rgb(name, "original_nomarkers")
    passages = set()
    for cell in grid.cell_ids:
        for other in grid.neighbours(cell):
            x, y = layout.to_pixels(np.array(grid.border(cell, other).midpoint))
            if cell < other and picture[int(y), int(x)].mean() > 128:
                passages.add((cell, other))
    config = metadata["maze_config"]
    circle = grid.geometry is Geometry.CIRCLE
    start, goal = metadata["path_cell_ids"][0], metadata["path_cell_ids"][-1]
    return Maze(
        grid.geometry,
        0 if circle else config["width"],
        0 if circle else config["height"],
        config["layers"] if circle else 0,
        frozenset(passages),
        start,
        goal,
        MazeAlgorithm.DEPTH_FIRST,
        config["seed"],
        default_openings(grid, start, goal),
    )


@pytest.mark.parametrize("name", MAZES)
def test_cell_maps_agree(name: str) -> None:
    layout = layout_of(name)
    theirs = ids(name)
    assert layout.picture_size == theirs.shape[::-1]
    assert set(np.unique(theirs)) - {0} == set(layout.grid.cell_ids)
    ours = rasterise_cell_map(layout)
    assert (ours == theirs)[theirs > 0].mean() > 0.9999
    assert (ours == theirs).mean() > 0.9999
    # Where the cells are drawn, away from the borders, both maps still agree mostly.
    assert (rasterise_cell_map(layout, CellMapKind.DRAWN) == theirs)[theirs > 0].mean() > 0.89


@pytest.mark.parametrize("name", MAZES[::2])
def test_mazes_and_pictures_agree(name: str) -> None:
    maze = maze_from_picture(name)
    metadata = metadata_of(name)
    assert is_perfect(maze.grid.cell_ids, maze.passages)
    assert (maze.start, maze.goal) == default_ends(maze.grid)
    assert list(solve(maze)) == metadata["path_cell_ids"]
    pictures = render_maze(maze)
    for ours, theirs in (
        (pictures.no_markers, rgb(name, "original_nomarkers")),
        (pictures.input, rgb(name, "input")),
        (pictures.solution, rgb(name, "solution")),
    ):
        difference = np.abs(ours.astype(int) - theirs.astype(int))
        assert difference.mean() < 0.75
        # Half a step from black to white is half a pixel's shift of an edge.
        assert (difference.max(axis=2) > 128).sum() <= 40
    mask = rgb(name, "mask")[..., 0] > 127
    assert (pictures.mask == mask).mean() > 0.9999


@pytest.mark.parametrize("name", [*MAZES, "circle-16-0", "square-16-0"])
def test_metadata_agrees(name: str) -> None:
    metadata = metadata_of(name)
    ours = path_difficulty(layout_of(name).grid, metadata["path_cell_ids"])
    theirs = metadata["difficulty"]
    assert list(ours.turns) == theirs["turns"]
    assert (ours.steps, ours.base_angle_deg) == (theirs["steps"], theirs["baseAngleUsed"])
    measured = (ours.difficulty, ours.turn_entropy, ours.turn_entropy_norm, ours.turn_rate, ours.turn_rate_norm)
    named = tuple(theirs[key] for key in ("difficulty", "H_turn", "H_turn_norm", "H_rate", "H_rate_norm"))
    assert measured == pytest.approx(named, abs=1e-12)


@pytest.mark.parametrize("name", MAZES)
def test_written_metadata_agrees(name: str) -> None:
    ours = json.loads(maze_metadata(maze_from_picture(name)))
    theirs = metadata_of(name)
    assert list(ours) == list(theirs)
    # The numbers are compared in the test above.
    our_difficulty, their_difficulty = ours.pop("difficulty"), theirs.pop("difficulty")
    assert list(our_difficulty) == list(their_difficulty)
    assert our_difficulty["turnCounts"] == their_difficulty["turnCounts"]
    assert ours == theirs


@pytest.mark.parametrize("name", BOARDS)
def test_boards_agree_to_the_pixel(name: str) -> None:
    metadata = metadata_of(name)
    board = QueensBoard(
        metadata["n"],
        tuple(tuple(row) for row in metadata["regions"]),
        tuple((row, column) for row, column in metadata["queens"]),
    )
    assert solutions(board.regions, 2) == (board.queens,)
    pictures = render_queens(board)
    np.testing.assert_array_equal(pictures.input, rgb(name, "input"))
    np.testing.assert_array_equal(pictures.solution, rgb(name, "solution"))
    np.testing.assert_array_equal(pictures.cell_map, ids(name))
    assert json.loads(queens_metadata(board)) == metadata
