from __future__ import annotations

import dataclasses
import io
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from grader.drawing.canvas import AMBER, GREEN, INK, VERMILION, drawn_scale, make_sheet, tag
from grader.drawing.strip import LegendEntry, Strip, describe_alignment, with_strip
from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Alignment, Reason, Verdict
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from puzzles.amaze.files import encode_ids, png_bytes
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazePictures, MazeStyle, draw_path, render_maze
from puzzles.queens.board import QueensBoard, generate_queens
from puzzles.queens.render import draw_queen, render_queens

Picture = NDArray[np.uint8]
Color = tuple[int, int, int]


@cache
def engine() -> Engine:
    return Engine()


@dataclass(frozen=True, eq=False)
class MazeCase:
    maze: Maze
    pictures: MazePictures
    path: tuple[int, ...]

    @cached_property
    def task(self) -> MazeInput:
        maze, pictures = self.maze, self.pictures
        return MazeInput(
            image=png_bytes(pictures.input),
            cell_map=png_bytes(encode_ids(pictures.cell_map)),
            geometry=MazeGeometry(maze.geometry.value),
            width_cells=maze.width,
            height_cells=maze.height,
            rings=maze.rings,
            cell_size_px=MazeStyle().cell_size_px,
            wall_width_px=MazeStyle().wall_width_px,
            path_cell_ids=self.path,
            solution_image=None,
            mask=None,
            path_color=PathColor.BLUE,
        )

    def grade(self, candidate: Picture, *, overlay: bool = True) -> Verdict:
        return engine().grade(GradeJob("a", self.task, ImageCandidate(png_bytes(candidate)), overlay=overlay))

    @cached_property
    def solved(self) -> Drawn:
        """The overlay of the right path, which several tests look at."""
        return self.drawn(self.pictures.solution)

    def drawn(self, candidate: Picture) -> Drawn:
        return Drawn(self.grade(candidate), drawn_scale((candidate.shape[1], candidate.shape[0])))

    def corner(self, cell: int) -> tuple[float, float]:
        """A place in a cell away from walls and from paths through its centre, in picture pixels."""
        x, y = MazeStyle().layout(self.maze).centre(cell)
        return x + 28.0, y + 28.0


@dataclass(frozen=True)
class Drawn:
    verdict: Verdict
    scale: float

    @cached_property
    def picture(self) -> Picture:
        assert self.verdict.overlay is not None
        return decode(self.verdict.overlay.png)

    def around(self, at: tuple[float, float], reach: int = 12) -> NDArray[np.int64]:
        """(N, 3) pixels around a place in picture pixels."""
        x, y = (round(value * self.scale) for value in at)
        window = self.picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
        return window.reshape(-1, 3).astype(np.int64)

    def codes(self) -> list[str]:
        return [reason.code for reason in self.verdict.reasons]


def decode(png: bytes) -> Picture:
    with Image.open(io.BytesIO(png)) as image:
        assert image.format == "PNG"
        return np.asarray(image.convert("RGB"))


def share(pixels: NDArray[np.int64], color: Color, tolerance: int = 45) -> float:
    return float((np.abs(pixels - np.array(color)).max(axis=1) < tolerance).mean())


def mean(pixels: NDArray[np.int64]) -> list[float]:
    return [float(value) for value in pixels.mean(axis=0)]


@cache
def case(geometry: Geometry = Geometry.SQUARE, scale: int = 3) -> MazeCase:
    maze = generate_maze(geometry, scale, seed=4)
    return MazeCase(maze, render_maze(maze), solve(maze))


def off_path(one: MazeCase) -> tuple[int, int]:
    """A cell of the right path and a neighbour behind a wall that is not on it."""
    maze = one.maze
    return next(
        (cell, other)
        for cell in one.path[1:-1]
        for other in maze.grid.neighbours(cell)
        if not maze.linked(cell, other) and other not in one.path
    )


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.CIRCLE])
def test_right_cells_are_greener_than_in_the_candidate(geometry: Geometry) -> None:
    one = case(geometry)
    drawn = one.solved
    assert drawn.codes() == []
    cells = np.isin(one.pictures.cell_map, one.path)
    floor = cells & (one.pictures.solution.min(axis=2) > 250)
    rows, columns = np.nonzero(floor)
    for at in range(len(rows) // 10, len(rows), len(rows) // 7):
        red, green, blue = mean(drawn.around((columns[at] + 0.5, rows[at] + 0.5), 2))
        # The published map lies beside the drawing by some pixels, and lines are drawn over the floor.
        if min(red, green, blue) > 100 and (red, green, blue) != (255.0, 255.0, 255.0):
            assert green > red + 20


def test_missed_cells_are_amber_and_hatched() -> None:
    one = case()
    missed = one.path[len(one.path) // 2 :]
    drawn = one.drawn(draw_path(one.pictures.input, one.maze, one.path[: len(one.path) // 2]))
    assert "CELLS_MISSED" in drawn.codes()
    pixels = drawn.around(one.corner(missed[0]), 40)
    red, green, blue = mean(pixels)
    assert red > green > blue + 30
    # Lines and what is between them differ in brightness, so that it reads in grey.
    assert share(pixels, AMBER) > 0.1
    assert np.ptp(pixels.mean(axis=1)) > 60
    red, green, _ = mean(drawn.around(one.corner(one.path[0]), 10))
    assert green > red + 20


def test_wrong_cells_are_vermilion_and_a_crossing_is_marked_at_its_place() -> None:
    one = case()
    cell, other = off_path(one)
    candidate = draw_path(one.pictures.solution, one.maze, [cell, other])
    drawn = one.drawn(candidate)
    assert "WALL_CROSSED" in drawn.codes()
    red, green, blue = mean(drawn.around(one.corner(other), 30))
    assert red > green + 30 > blue
    layout = MazeStyle().layout(one.maze)
    ends = np.array([layout.centre(cell), layout.centre(other)])
    x, y = ends.mean(axis=0)
    assert share(drawn.around((x, y), 32), VERMILION, 30) > 0.15
    assert share(one.solved.around((x, y), 32), VERMILION, 30) == 0.0


def test_walls_that_are_gone_are_dashed() -> None:
    one = case()
    first, second = one.maze.walls()[0]
    layout = MazeStyle().layout(one.maze)
    ends = layout.to_pixels(one.maze.grid.border(first, second).points())
    candidate = one.pictures.solution.copy()
    (left, top), (right, bottom) = (ends.min(axis=0) - 6).astype(int), (ends.max(axis=0) + 7).astype(int)
    candidate[top:bottom, left:right] = 255
    drawn = one.drawn(candidate)
    assert "WALLS_ERASED" in drawn.codes()
    x, y = ends.mean(axis=0)
    marked = share(drawn.around((x, y), 40), VERMILION, 30)
    assert 0.03 < marked < 0.5


def test_markers_that_are_gone_are_ringed() -> None:
    one = case()
    candidate = draw_path(one.pictures.no_markers, one.maze, one.path, markers_over=False)
    drawn = one.drawn(candidate)
    assert "MARKER_ERASED" in drawn.codes()
    x, y = MazeStyle().layout(one.maze).centre(one.path[0])
    assert share(drawn.around((x, y), 150), VERMILION, 30) > 0.01


def test_pictures_without_content_are_drawn() -> None:
    one = case()
    drawn = one.drawn(np.full_like(one.pictures.input, 255))
    assert drawn.verdict.reasons
    assert share(drawn.picture.reshape(-1, 3).astype(np.int64), VERMILION, 8) > 0.001


def test_a_flood_is_drawn() -> None:
    one = case(Geometry.HEXAGON)
    flooded = one.pictures.input.copy()
    flooded[flooded.min(axis=2) > 200] = (0, 107, 183)
    assert "FLOODED" in one.drawn(flooded).codes()


def test_a_strip_of_text_lies_below_wide_and_beside_tall_pictures() -> None:
    wide, tall = case(), case(Geometry.TRIANGLE)
    for one, axis in ((wide, 0), (tall, 1)):
        drawn = one.solved
        size = [round(side * drawn.scale) for side in one.pictures.input.shape[:2]]
        picture = drawn.picture
        assert 900 <= max(size) <= 1400
        assert picture.shape[1 - axis] == size[1 - axis]
        strip = picture[size[0] :] if axis == 0 else picture[:, size[1] :]
        pixels = strip.reshape(-1, 3).astype(np.int64)
        assert min(strip.shape[:2]) > 120
        assert 0.005 < share(pixels, INK, 60) < 0.2
        assert share(pixels, GREEN, 8) > 0.004
        assert (strip[:, -6:] == 255).all()


def test_the_same_input_gives_the_same_bytes_and_an_overlay_changes_nothing_else() -> None:
    one = case()
    candidate = draw_path(one.pictures.input, one.maze, one.path[:3])
    first, second, without = one.grade(candidate), one.grade(candidate), one.grade(candidate, overlay=False)
    assert first.overlay is not None
    assert second.overlay is not None
    assert first.overlay.png == second.overlay.png
    assert decode(first.overlay.png).shape[:2] == (first.overlay.height_px, first.overlay.width_px)
    assert without.overlay is None
    assert dataclasses.replace(first, overlay=None) == without


@cache
def board() -> QueensBoard:
    return generate_queens(5, seed=2)


def grade_board(candidate: Picture, *, overlay: bool = True) -> Verdict:
    one = board()
    regions = tuple(region for row in one.regions for region in row)
    task = QueensInput(png_bytes(render_queens(one).input), one.n, regions, one.queens, None)
    return engine().grade(GradeJob("a", task, ImageCandidate(png_bytes(candidate)), overlay=overlay))


def drawn_board(queens: list[tuple[int, int]]) -> Drawn:
    picture = render_queens(board()).input
    for row, column in queens:
        picture = draw_queen(picture, row, column)
    return Drawn(grade_board(picture), drawn_scale((picture.shape[1], picture.shape[0])))


def cell_middle(row: int, column: int) -> tuple[float, float]:
    return column * 64 + 33.0, row * 64 + 33.0


def test_right_queens_are_ringed_green() -> None:
    drawn = drawn_board(list(board().queens))
    assert drawn.codes() == []
    for row, column in board().queens:
        assert share(drawn.around(cell_middle(row, column), 80), GREEN, 30) > 0.05


def test_wrong_queens_are_crossed_out_and_missed_cells_hatched() -> None:
    (row, column), *others = board().queens
    wrong = (row, (column + 2) % board().n)
    drawn = drawn_board([wrong, *others])
    assert "WRONG_CELLS" in drawn.codes()
    assert share(drawn.around(cell_middle(*wrong), 60), VERMILION, 30) > 0.1
    assert share(drawn.around(cell_middle(*wrong), 60), GREEN, 30) == 0.0
    # The legend names the hatch of cells that miss a queen.
    red, green, blue = mean(drawn.around(cell_middle(row, column), 60))
    assert red > green > blue + 20


def test_conflicting_queens_are_joined() -> None:
    row, column = board().queens[0]
    extra = (row, (column + 3) % board().n)
    drawn = drawn_board([*board().queens, extra])
    assert "ROW_CONFLICT" in drawn.codes()
    x = (cell_middle(row, column)[0] + cell_middle(*extra)[0]) / 2.0
    at = (x, cell_middle(row, column)[1])
    # Midway there is a label, dark as the line.
    assert share(drawn.around(at, 8), INK, 30) > 0.3


def test_rejected_marks_are_boxed() -> None:
    picture = render_queens(board()).solution
    picture = draw_queen(picture, 0.5, board().n - 2.0)
    drawn = Drawn(grade_board(picture), drawn_scale((picture.shape[1], picture.shape[0])))
    assert "QUEEN_ON_BORDER" in drawn.codes()
    x, y = cell_middle(0, board().n - 2)
    assert share(drawn.around((x, y + 32.0), 80), VERMILION, 30) > 0.05


def test_a_full_board_and_a_black_one_are_drawn() -> None:
    n = board().n
    drawn = drawn_board([(row, column) for row in range(n) for column in range(n)])
    assert "QUEENS_EVERYWHERE" in drawn.codes()
    black = grade_board(np.zeros_like(render_queens(board()).input))
    assert black.overlay is not None
    assert black.overlay.width_px >= 900


def test_board_overlays_are_deterministic_and_change_nothing_else() -> None:
    picture = draw_queen(render_queens(board()).input, 1, 1)
    first, second, without = grade_board(picture), grade_board(picture), grade_board(picture, overlay=False)
    assert first.overlay is not None
    assert first == second
    assert dataclasses.replace(first, overlay=None) == without


@pytest.mark.parametrize(
    ("size", "scale"), [((318, 318), 3.0), ((16, 8), 57.0), ((900, 500), 1.0), ((1400, 20), 1.0), ((3298, 3298), None)]
)
def test_pictures_are_drawn_at_a_good_size(size: tuple[int, int], scale: float | None) -> None:
    assert 900 <= max(size) * drawn_scale(size) <= 1400
    if scale is not None:
        assert drawn_scale(size) == scale


def test_no_size_is_drawn_too_large_or_too_small() -> None:
    for longest in range(20, 4000):
        assert 899.9 <= longest * drawn_scale((longest, 10)) <= 1400.1


def test_what_a_candidate_does_not_cover_is_grey() -> None:
    view = np.zeros((100, 100, 3), np.uint8)
    covered = np.ones((100, 100), np.bool_)
    covered[:, :50] = False
    sheet = make_sheet(view, covered, 20.0)
    assert (sheet.canvas[:, :400] == 232).all()
    assert (sheet.canvas[:, 500:] < 100).all()


def test_labels_stay_on_the_canvas() -> None:
    canvas = np.full((60, 200, 3), 255, np.uint8)
    tag(canvas, np.array([[198.0, 1.0]]), "row", VERMILION, 20)
    assert (canvas[0, -1] == VERMILION).all()
    tiny = np.full((10, 10, 3), 255, np.uint8)
    tag(tiny, np.array([[5.0, 5.0]]), "row", VERMILION, 20)
    assert (tiny == 255).sum() < tiny.size


def test_many_reasons_are_cut_and_long_words_kept() -> None:
    reasons = tuple(Reason(f"REASON_{at}", "word " * 60 + "x" * 200) for at in range(9))
    entries = tuple(LegendEntry(f"mark {at}", lambda canvas: None) for at in range(20))
    alignment = Alignment((10, 20), (1.0, 1.0), (3.0, -4.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "SHIFTED", 0.5, 1.0)
    strip = Strip((("score", "0.5"),) * 12, "", reasons, entries, describe_alignment(alignment))
    for shape in ((900, 950, 3), (1400, 300, 3), (200, 1400, 3)):
        sheet = with_strip(np.zeros(shape, np.uint8), strip)
        assert sheet.shape[0] < 3500
        assert (sheet[-8:, :] == 255).all() or shape[0] > shape[1] * 1.25
