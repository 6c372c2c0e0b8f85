"""Pictures: what is drawn where, and the same bytes each time."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from puzzles.amaze.files import encode_ids, png_bytes, write_maze, write_queens
from puzzles.common.raster import cover_line, cover_polygon, new_coverage
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import CellMapKind, rasterise_cell_map
from puzzles.maze.maze import Maze, MazeAlgorithm, generate_maze, solve
from puzzles.maze.render import MazeStyle, draw_path, draw_polyline, render_maze
from puzzles.queens.board import generate_queens
from puzzles.queens.render import draw_queen, region_color, render_queens

BLUE = (0, 107, 183)
SMALL = MazeStyle(cell_size_px=40.0, wall_width_px=4.0, path_width_px=4.0)


def maze_of(geometry: Geometry, seed: int = 1) -> Maze:
    return generate_maze(geometry, 5, MazeAlgorithm.DEPTH_FIRST, seed)


def bluish(picture: np.ndarray) -> np.ndarray:
    return (picture == BLUE).all(axis=2)


@pytest.mark.parametrize("geometry", Geometry)
def test_the_path_lies_in_its_cells_and_reaches_all_of_them(geometry: Geometry) -> None:
    maze = maze_of(geometry)
    pictures = render_maze(maze, SMALL)
    drawn = rasterise_cell_map(SMALL.layout(maze), CellMapKind.DRAWN)
    on_path = set(np.unique(drawn[bluish(pictures.solution)]))
    path = solve(maze)
    assert on_path <= set(path)
    assert on_path >= set(path[1:-1])


@pytest.mark.parametrize("geometry", Geometry)
def test_walls_are_black_and_passages_are_not(geometry: Geometry) -> None:
    maze = maze_of(geometry)
    picture = render_maze(maze, SMALL).no_markers
    layout = SMALL.layout(maze)
    for cell in maze.grid.cell_ids:
        for other in maze.grid.neighbours(cell):
            x, y = layout.to_pixels(np.array(maze.grid.border(cell, other).midpoint))
            expected = 255 if maze.linked(cell, other) else 0
            assert (picture[int(y), int(x)] == expected).all()


@pytest.mark.parametrize("geometry", Geometry)
def test_the_pictures_differ_only_by_markers_and_path(geometry: Geometry) -> None:
    maze = maze_of(geometry)
    pictures = render_maze(maze, SMALL)
    layout = SMALL.layout(maze)
    changed = np.argwhere((pictures.input != pictures.no_markers).any(axis=2))[:, ::-1] + 0.5
    ends = np.array([layout.centre(maze.start), layout.centre(maze.goal)])
    reach = np.hypot(*(changed[:, None] - ends[None]).transpose(2, 0, 1)).min(axis=1)
    assert 0 < reach.max() < 0.45 * SMALL.cell_size_px
    for cell in (maze.start, maze.goal):
        x, y = layout.centre(cell)
        assert (pictures.input[int(y), int(x)] == (255, 0, 0)).all()
        assert (pictures.solution[int(y), int(x)] == (255, 0, 0)).all()


@pytest.mark.parametrize("geometry", Geometry)
def test_mask_and_cell_map_belong_together(geometry: Geometry) -> None:
    maze = maze_of(geometry)
    pictures = render_maze(maze, SMALL)
    assert pictures.mask.dtype == np.bool_
    assert pictures.cell_map.shape == pictures.mask.shape == pictures.input.shape[:2]
    assert set(np.unique(pictures.cell_map)) == {0, *maze.grid.cell_ids}
    assert set(np.unique(pictures.cell_map[pictures.mask])) == set(solve(maze))


@pytest.mark.parametrize("geometry", Geometry)
def test_wrong_plans_can_be_drawn(geometry: Geometry) -> None:
    maze = maze_of(geometry)
    picture = render_maze(maze, SMALL).input
    before = picture.copy()
    wrong = [maze.start, maze.grid.cell_ids[2], maze.grid.cell_ids[-1]]
    drawn = draw_path(picture, maze, wrong, color=(200, 0, 200), width_px=6.0, style=SMALL)
    assert (picture == before).all()
    assert (drawn == (200, 0, 200)).all(axis=2).sum() > 100
    x, y = SMALL.layout(maze).centre(maze.start)
    assert (drawn[int(y), int(x)] == (255, 0, 0)).all()
    over = draw_path(picture, maze, wrong, color=(200, 0, 200), markers_over=False, style=SMALL)
    assert (over[int(y), int(x)] == (200, 0, 200)).all()


def test_a_line_leaves_everything_else_as_it_was() -> None:
    maze = maze_of(Geometry.TRIANGLE)
    picture = render_maze(maze, SMALL).input
    line = np.array([[30.0, 30.0], [60.0, 33.0]])
    drawn = draw_polyline(picture, maze, line, width_px=4.0, style=SMALL)
    rows, columns = np.nonzero((drawn != picture).any(axis=2))
    assert rows.min() >= 27
    assert rows.max() <= 35
    assert columns.min() >= 27
    assert columns.max() <= 62


def test_walls_lie_over_the_path_where_asked() -> None:
    maze = maze_of(Geometry.SQUARE)
    picture = render_maze(maze, SMALL).no_markers
    first, second = maze.walls()[0]
    over = draw_path(picture, maze, [first, second], walls_over=True, markers_over=False, style=SMALL)
    through = draw_path(picture, maze, [first, second], markers_over=False, style=SMALL)
    x, y = SMALL.layout(maze).to_pixels(np.array(maze.grid.border(first, second).midpoint))
    assert (over[int(y), int(x)] == 0).all()
    assert (through[int(y), int(x)] == BLUE).all()


def test_wrong_lines_are_refused() -> None:
    maze = maze_of(Geometry.SQUARE)
    picture = render_maze(maze, SMALL).input
    with pytest.raises(ValueError, match="uint8 RGB"):
        draw_path(picture, maze, [1], style=MazeStyle())
    with pytest.raises(ValueError, match="at least one"):
        draw_path(picture, maze, [], style=SMALL)
    with pytest.raises(ValueError, match="finite"):
        draw_polyline(picture, maze, np.array([[np.nan, 1.0]]), style=SMALL)
    with pytest.raises(ValueError, match="width"):
        draw_path(picture, maze, [1], width_px=0.0, style=SMALL)
    with pytest.raises(ValueError, match="opacity"):
        draw_path(picture, maze, [1], opacity=1.5, style=SMALL)
    with pytest.raises(ValueError, match="cell_size_px"):
        MazeStyle(cell_size_px=-1.0)


def test_coverage_sums_to_the_area() -> None:
    line = new_coverage(40, 60)
    cover_line(line, np.array([[10.3, 10.7], [45.2, 28.1]]), 6.0)
    assert line.sum() == pytest.approx(6 * np.hypot(34.9, 17.4) + np.pi * 9, rel=0.01)
    disc = new_coverage(40, 40)
    cover_line(disc, np.array([[20.2, 19.9]]), 24.0)
    assert disc.sum() == pytest.approx(np.pi * 144, rel=0.01)
    faint = new_coverage(10, 40)
    cover_line(faint, np.array([[5.0, 5.5], [35.0, 5.5]]), 0.4)
    assert faint.sum() == pytest.approx(12, rel=0.1)
    square = new_coverage(30, 30)
    for left in (5.25, 15.25):
        cover_polygon(square, np.array([[left, 5], [left + 10, 5], [left + 10, 15], [left, 15]]), add=True)
    assert square.sum() == pytest.approx(200)
    assert (square[6:14, 6:25] == 1).all()
    cover_line(square, np.array([[-50.0, -50.0]]), 4.0)
    assert square.sum() == pytest.approx(200)


def test_queens_pictures() -> None:
    board = generate_queens(6, 2)
    pictures = render_queens(board)
    assert pictures.input.shape == (384, 384, 3)
    assert (pictures.cell_map[64 * 2 + 5, 64 * 3 + 7]) == 2 * 6 + 3
    for row in range(6):
        for column in range(6):
            middle = (row * 64 + 32, column * 64 + 32)
            assert tuple(pictures.input[middle]) == region_color(board.regions[row][column], 6)
            assert (tuple(pictures.solution[middle]) == (15, 15, 15)) == ((row, column) in board.queens)
    assert tuple(pictures.input[64, 30]) == (45, 45, 45)
    assert tuple(pictures.input[66, 30]) != (45, 45, 45)


def test_wrong_queens_can_be_drawn() -> None:
    board = generate_queens(4, 0)
    empty = render_queens(board).input
    drawn = draw_queen(empty, 1, 1.5, radius_px=10, color=(90, 90, 90))
    assert tuple(drawn[96, 128]) == (90, 90, 90)
    assert (draw_queen(empty, 9, 9) == empty).all()
    with pytest.raises(ValueError, match="radius"):
        draw_queen(empty, 0, 0, radius_px=0)


@pytest.mark.parametrize("geometry", Geometry)
def test_maze_files_are_the_same_each_time(geometry: Geometry, tmp_path: Path) -> None:
    maze = maze_of(geometry)
    for name in ("one", "two"):
        write_maze(tmp_path / name, maze, SMALL)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == ["cell_map.png", "input.png", "mask.png", "metadata.json", "original_nomarkers.png", "solution.png"]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    metadata = json.loads((tmp_path / "one" / "metadata.json").read_text())
    assert metadata["path_cell_ids"] == list(solve(maze))
    pixels = np.array(Image.open(tmp_path / "one" / "cell_map.png")).astype(np.int64)
    assert set(np.unique(pixels @ [1, 256, 65536])) == {0, *maze.grid.cell_ids}


def test_queens_files(tmp_path: Path) -> None:
    board = generate_queens(5, 1)
    write_queens(tmp_path, board)
    metadata = json.loads((tmp_path / "metadata.json").read_text())
    assert metadata["queens"] == [list(queen) for queen in board.queens]
    assert metadata["regions"] == [list(row) for row in board.regions]
    assert np.array(Image.open(tmp_path / "input.png")).shape == (320, 320, 3)


def test_png_and_ids() -> None:
    mask = np.eye(9, dtype=bool)
    picture = Image.open(io.BytesIO(png_bytes(mask)))
    assert picture.mode == "1"
    assert (np.array(picture) == mask).all()
    assert encode_ids(np.array([[70025]], dtype=np.int32)).tolist() == [[[0x89, 0x11, 0x01]]]
    with pytest.raises(ValueError, match="24 bits"):
        encode_ids(np.array([[-1]], dtype=np.int32))
