"""Named and random looks: each can be graded, path and markers differ, floors are the same to the byte each time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.common.colors import HuesConfig, hue_degrees, oklab
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Outcome
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from puzzles.amaze.files import encode_ids
from puzzles.amaze.styles import MAZE_STYLES, QUEENS_STYLES, random_maze_style, random_queens_style
from puzzles.common.color_names import color_name
from puzzles.common.texture import Texture, TextureKind, lay_texture
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazePictures, MazeStyle, render_maze
from puzzles.queens.board import QueensBoard, generate_queens
from puzzles.queens.render import QueensStyle, region_color, render_queens
from tests.samples.puzzles import ENGINE, board_task, codes, metrics, png

SCALE = 5
CELL_PX = 32.0  # about a third of the published size: quicker, and harder to read


def maze_task(maze: Maze, style: MazeStyle, pictures: MazePictures) -> MazeInput:
    return MazeInput(
        image=png(pictures.input),
        cell_map=png(encode_ids(pictures.cell_map)),
        geometry=MazeGeometry(maze.geometry.value),
        width_cells=maze.width,
        height_cells=maze.height,
        rings=maze.rings,
        cell_size_px=style.cell_size_px,
        wall_width_px=style.wall_width_px,
        path_cell_ids=solve(maze),
        solution_image=None,
        mask=None,
        path_color=PathColor(style.path_color_name),
    )


def assert_maze_grades(style: MazeStyle, geometry: Geometry, seed: int) -> None:
    maze = generate_maze(geometry, SCALE, seed=seed)
    pictures = render_maze(maze, style)
    task = maze_task(maze, style, pictures)
    right = ENGINE.grade(GradeJob("right", task, ImageCandidate(png(pictures.solution))))
    assert (right.outcome, right.score, codes(right)) == (Outcome.PASS, 1.0, [])
    empty = ENGINE.grade(GradeJob("empty", task, ImageCandidate(png(pictures.input))))
    assert (empty.outcome, codes(empty)) == (Outcome.FAIL, ["NOTHING_DRAWN"])
    assert metrics(empty)["coverage"] == 0


def assert_board_grades(style: QueensStyle, board: QueensBoard) -> None:
    pictures = render_queens(board, style)
    task = board_task(board, pictures.input)
    right = ENGINE.grade(GradeJob("right", task, ImageCandidate(png(pictures.solution))))
    assert (right.outcome, right.score, codes(right)) == (Outcome.PASS, 1.0, [])
    empty = ENGINE.grade(GradeJob("empty", task, ImageCandidate(png(pictures.input))))
    assert (empty.outcome, codes(empty)) == (Outcome.FAIL, ["NO_QUEENS"])
    assert metrics(empty)["coverage"] == 0


# One geometry after the other.
@pytest.mark.parametrize(
    ("name", "geometry"), [(name, list(Geometry)[turn % 4]) for turn, name in enumerate(MAZE_STYLES)]
)
def test_every_maze_style_can_be_graded(name: str, geometry: Geometry) -> None:
    assert_maze_grades(MAZE_STYLES[name].resized(CELL_PX), geometry, seed=3)


@pytest.mark.parametrize("seed", range(4))
def test_random_maze_styles_can_be_graded(seed: int) -> None:
    assert_maze_grades(random_maze_style(seed).resized(CELL_PX), list(Geometry)[seed % 4], seed)


@pytest.mark.parametrize(("name", "n"), [(name, (4, 9)[turn % 2]) for turn, name in enumerate(QUEENS_STYLES)])
def test_every_board_style_can_be_graded(name: str, n: int) -> None:
    assert_board_grades(QUEENS_STYLES[name].resized(40), generate_queens(n, 5))


@pytest.mark.parametrize("seed", range(4))
def test_random_board_styles_can_be_graded(seed: int) -> None:
    assert_board_grades(random_queens_style(seed).resized(40), generate_queens(4 + seed % 4, seed))


def all_maze_styles() -> list[MazeStyle]:
    return [*MAZE_STYLES.values(), *(random_maze_style(seed) for seed in range(200))]


def test_a_path_has_the_colour_that_a_request_can_ask_for() -> None:
    asked = {color.value for color in PathColor}
    seen = set()
    for style in all_maze_styles():
        (degrees,) = hue_degrees(oklab(np.array([style.path], np.uint8))[:, 1:])
        (detected,) = [name.value for name, hues in HuesConfig().ranges.items() if hues.contains(np.array(degrees))]
        assert style.path_color_name == detected
        seen.add(detected)
    assert seen <= asked
    assert {"blue", "red", "green", "orange", "magenta"} <= seen


def test_path_and_markers_cannot_be_mistaken_for_each_other() -> None:
    for style in all_maze_styles():
        assert style.marker_color_name != style.path_color_name
        path, marker = hue_degrees(oklab(np.array([style.path, style.marker], np.uint8))[:, 1:])
        assert abs((path - marker + 180) % 360 - 180) > 60  # a sixth of the circle of hues


def test_walls_stand_out_from_the_floor() -> None:
    for style in all_maze_styles():
        floor, wall = oklab(np.array([style.floor, style.wall], np.uint8))[:, 0]
        assert abs(floor - wall) > 0.4  # of lightness from 0 to 1


def test_random_styles_are_reproducible_and_differ_by_seed() -> None:
    assert random_maze_style(7) == random_maze_style(7)
    assert random_queens_style(7) == random_queens_style(7)
    assert len({random_maze_style(seed) for seed in range(20)}) == 20
    assert len({random_queens_style(seed) for seed in range(20)}) == 20
    for make in (random_maze_style, random_queens_style):
        with pytest.raises(ValueError, match="negative"):
            make(-1)


@pytest.mark.parametrize(
    ("color", "name"),
    [
        ((0, 0, 0), "black"),
        ((255, 255, 255), "white"),
        ((128, 128, 128), "grey"),
        ((255, 0, 0), "red"),
        ((255, 128, 0), "orange"),
        ((255, 255, 0), "yellow"),
        ((0, 255, 0), "green"),
        ((0, 255, 255), "cyan"),
        ((0, 107, 183), "blue"),
        ((128, 0, 255), "purple"),
        ((255, 0, 255), "magenta"),
        ((255, 0, 10), "red"),  # hue 358, past the last border
    ],
)
def test_colours_have_names(color: tuple[int, int, int], name: str) -> None:
    assert color_name(color) == name


@pytest.mark.parametrize("kind", TextureKind)
def test_a_texture_stays_within_its_amplitude_and_follows_its_seed(kind: TextureKind) -> None:
    texture = Texture(kind, amplitude=5, period=0.1, seed=1)

    def laid(one: Texture) -> np.ndarray:
        picture = np.full((60, 80, 3), 100, np.uint8)
        lay_texture(picture, one, 40.0)
        return picture

    picture = laid(texture)
    assert (laid(texture) == picture).all()
    assert (laid(replace(texture, seed=2)) != picture).any()
    assert picture.min() == 95
    assert picture.max() == 105
    assert (picture == picture[..., :1]).all()  # brightness only
    assert len(np.unique(picture[1:4, 1:4])) == 1  # squares of 0.1 x 40 = 4 px


def test_grain_is_fixed_to_the_byte() -> None:
    picture = np.full((1, 4, 3), 100, np.uint8)
    lay_texture(picture, Texture(TextureKind.GRAIN, amplitude=5, period=0.1), 10.0)
    # The first four raw numbers of PCG64 with seed 0, modulo 11, less 5; NumPy promises that they never change.
    assert picture[0, :, 0].tolist() == [101, 100, 100, 104]


def test_a_texture_lies_on_the_floor_only() -> None:
    maze = generate_maze(Geometry.HEXAGON, 4, seed=1)
    plain = replace(MAZE_STYLES["dark"], cell_size_px=40.0, wall_width_px=4.0, path_width_px=4.0)
    textured = replace(plain, texture=Texture(TextureKind.GRAIN, amplitude=3))
    before, after = render_maze(maze, plain), render_maze(maze, textured)
    changed = (before.no_markers != after.no_markers).any(axis=2)
    floor = (before.no_markers == plain.floor).all(axis=2)
    assert 0.8 < changed[floor].mean() < 0.95  # a grain is one of 7 steps, and one of them is none: 6/7
    for color in (plain.wall, plain.outside):
        assert not changed[(before.no_markers == color).all(axis=2)].any()
    path = (before.solution == plain.path).all(axis=2)
    assert path.any()
    assert (after.solution[path] == plain.path).all()


def test_wrong_textures_are_refused() -> None:
    for wrong in ({"amplitude": 0}, {"amplitude": 25}, {"period": 0.0}, {"period": float("nan")}, {"seed": -1}):
        with pytest.raises(ValueError, match="must"):
            Texture(TextureKind.GRAIN, **wrong)  # type: ignore[arg-type]


def test_a_resized_look_keeps_its_shares() -> None:
    maze = MAZE_STYLES["thick_walls"].resized(51.2)
    assert (maze.cell_size_px, maze.wall_width_px, maze.path_width_px) == pytest.approx((51.2, 9.216, 5.12))
    board = QueensStyle().resized(32)  # half of 64, 16, 2 and 2
    assert (board.cell_size_px, board.queen_radius_px, board.rim_width_px, board.line_width_px) == (32, 8, 1, 1)
    assert QueensStyle(line_width_px=1).resized(32).line_width_px == 1


def test_odd_regions_can_be_darker() -> None:
    style = QueensStyle(saturation=0.0, value=1.0, odd_value=0.8)
    assert [region_color(region, 4, style)[0] for region in range(4)] == [255, 204, 255, 204]  # 0.8 x 255 = 204
