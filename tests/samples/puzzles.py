"""Puzzles made by the generators of this project, jobs on them, and what can happen to a picture."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import cv2
import numpy as np
from PIL import Image

from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Outcome, Verdict
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from puzzles.amaze.files import encode_ids
from puzzles.common.raster import cover_line, new_coverage, paint
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import CellMapKind, Layout, rasterise_cell_map
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazePictures, MazeStyle, draw_path, draw_polyline, render_maze
from puzzles.queens.board import QueensBoard, generate_queens
from puzzles.queens.render import QueensPictures, QueensStyle, draw_queen, render_queens

BLUE = (0, 107, 183)
WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
RED = (255, 0, 0)
GREEN = (0, 160, 60)

# Half the published size, walls a tenth of a cell as published: small enough to be quick.
STYLE = MazeStyle(cell_size_px=51.2, wall_width_px=5.12, path_width_px=5.12)
SCALES = {Geometry.SQUARE: 4, Geometry.HEXAGON: 4, Geometry.TRIANGLE: 6, Geometry.CIRCLE: 4}

ENGINE = Engine()


def png(picture: np.ndarray) -> bytes:
    if picture.ndim == 3 and picture.shape[2] == 3:
        return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()  # in half of Pillow's time
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def jpeg(picture: np.ndarray, quality: int, **options: object) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality, **options)
    return stream.getvalue()


def line(
    picture: np.ndarray, points: Sequence[Sequence[float]], width: float, color: tuple[int, int, int]
) -> np.ndarray:
    """Draws an anti-aliased line with round caps on a copy; a single point gives a disc of that diameter."""
    drawn = picture.copy()
    coverage = new_coverage(*picture.shape[:2])
    cover_line(coverage, np.array(points, np.float64).reshape(-1, 2), width)
    paint(drawn, coverage, color)
    return drawn


def where(picture: np.ndarray, mask: np.ndarray, color: tuple[int, int, int]) -> np.ndarray:
    drawn = picture.copy()
    drawn[mask] = color
    return drawn


def resized(picture: np.ndarray, width: int, height: int) -> np.ndarray:
    shrinks = width <= picture.shape[1] and height <= picture.shape[0]
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)


def letterboxed(picture: np.ndarray, width: int, height: int, color: tuple[int, int, int]) -> np.ndarray:
    """Fits a picture into a frame, aspect kept, bars in one colour."""
    scale = min(width / picture.shape[1], height / picture.shape[0])
    inner = resized(picture, round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    frame = np.full((height, width, 3), color, np.uint8)
    top, left = (height - inner.shape[0]) // 2, (width - inner.shape[1]) // 2
    frame[top : top + inner.shape[0], left : left + inner.shape[1]] = inner
    return frame


def shifted(picture: np.ndarray, x: int, y: int, color: tuple[int, int, int] = BLACK) -> np.ndarray:
    """Moves a picture right and down by whole pixels; what comes in has one colour."""
    matrix = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
    return cv2.warpAffine(picture, matrix, picture.shape[1::-1], flags=cv2.INTER_NEAREST, borderValue=color)


def codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def metrics(verdict: Verdict) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in verdict.metrics}


def places(verdict: Verdict, code: str) -> set[int]:
    """The ids of the cells that a reason names."""
    (reason,) = [one for one in verdict.reasons if one.code == code]
    return {place.cell.id for place in reason.places if place.cell}


@dataclass(frozen=True, eq=False)
class MazeSample:
    """A generated maze with its pictures, and where right and wrong strokes can go in it.

    Attributes
    ----------
    branch : (cell of the path between its ends, wrong cell behind a passage)
    wall : (cell of the path between its ends, wrong cell behind a wall)
    shortcut : two cells of the path that adjoin with a wall between them
    apart : two wrong cells joined by a passage
    """

    maze: Maze
    style: MazeStyle
    pictures: MazePictures
    path: tuple[int, ...]
    branch: tuple[int, int]
    wall: tuple[int, int]
    shortcut: tuple[int, int]
    apart: tuple[int, int]

    @cached_property
    def task(self) -> MazeInput:
        return MazeInput(
            image=png(self.pictures.input),
            cell_map=png(encode_ids(self.pictures.cell_map)),
            geometry=MazeGeometry(self.maze.geometry.value),
            width_cells=self.maze.width,
            height_cells=self.maze.height,
            rings=self.maze.rings,
            cell_size_px=self.style.cell_size_px,
            wall_width_px=self.style.wall_width_px,
            path_cell_ids=self.path,
            solution_image=png(self.pictures.solution),
            mask=png(self.pictures.mask),
            path_color=PathColor.BLUE,
        )

    @cached_property
    def layout(self) -> Layout:
        return self.style.layout(self.maze)

    @cached_property
    def cells(self) -> np.ndarray:
        """(H, W) int32, where the cells are drawn."""
        return rasterise_cell_map(self.layout, CellMapKind.DRAWN)

    @cached_property
    def floor(self) -> np.ndarray:
        """(H, W) bool, white pixels in cells."""
        return (self.cells > 0) & (self.pictures.input == 255).all(axis=2)

    def centre(self, cell: int) -> tuple[float, float]:
        return self.layout.centre(cell)

    def border(self, one: int, other: int) -> np.ndarray:
        """The line between two cells, (k, 2) in pixels."""
        return self.layout.to_pixels(self.maze.grid.border(one, other).points())

    def middle(self, one: int, other: int) -> np.ndarray:
        """The middle of the line between two cells, (2,) in pixels."""
        return self.layout.to_pixels(np.array(self.maze.grid.border(one, other).midpoint))

    def draw(self, cells: Sequence[int] | None = None, on: np.ndarray | None = None, **options: object) -> np.ndarray:
        """Draws the path, or another one, on the puzzle or on another picture."""
        picture = self.pictures.input if on is None else on
        return draw_path(picture, self.maze, self.path if cells is None else cells, style=self.style, **options)

    def stroke(self, points: Sequence[Sequence[float]], on: np.ndarray | None = None, **options: object) -> np.ndarray:
        picture = self.pictures.solution if on is None else on
        return draw_polyline(picture, self.maze, np.array(points, np.float64), style=self.style, **options)

    def step(self, one: int, other: int, on: np.ndarray | None = None, **options: object) -> np.ndarray:
        """Adds a stroke from the centre of a cell to that of its neighbour, over walls."""
        points = [self.centre(one), self.middle(one, other), self.centre(other)]
        return self.stroke(points, on, walls_over=False, **options)

    def grade(self, candidate: np.ndarray | bytes, profile: str = "default", **changes: object) -> Verdict:
        data = candidate if isinstance(candidate, bytes) else png(candidate)
        return ENGINE.grade(GradeJob("r", replace(self.task, **changes), ImageCandidate(data), profile))


def passes(verdict: Verdict, sample: MazeSample) -> None:
    """Asserts that a verdict found the right path and nothing else."""
    assert codes(verdict) == []
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0)
    assert [cell.id for cell in verdict.observation.visited_cells] == list(sample.path)


def _features(maze: Maze, path: tuple[int, ...]) -> tuple[tuple[int, int], ...] | None:
    on_path, inner = set(path), path[1:-1]
    around = {cell: maze.grid.neighbours(cell) for cell in maze.grid.cell_ids}
    branch = [(a, b) for a in inner for b in around[a] if b not in on_path and maze.linked(a, b)]
    wall = [(a, b) for a in inner for b in around[a] if b not in on_path and not maze.linked(a, b)]
    shortcut = [(a, b) for a in inner for b in inner if a < b and b in around[a] and not maze.linked(a, b)]
    away = [cell for cell in maze.grid.cell_ids if cell not in on_path]
    apart = [(a, b) for a in away for b in around[a] if b in away and a < b and maze.linked(a, b)]
    found = (branch, wall, shortcut, apart)
    return tuple(pairs[0] for pairs in found) if all(found) and len(path) >= 6 else None


@cache
def maze_sample(geometry: Geometry, scale: int | None = None, skip: int = 0, style: MazeStyle = STYLE) -> MazeSample:
    """The first maze, by seed, in which every kind of wrong stroke can be drawn; or one of the next."""
    seed = 0
    while True:
        maze = generate_maze(geometry, scale or SCALES[geometry], seed=seed)
        path = solve(maze)
        features = _features(maze, path)
        seed += 1
        if features is None:
            continue
        if skip:
            skip -= 1
            continue
        return MazeSample(maze, style, render_maze(maze, style), path, *features)


@dataclass(frozen=True, eq=False)
class BoardSample:
    """A generated Queens board with its pictures."""

    board: QueensBoard
    pictures: QueensPictures
    style: QueensStyle

    @cached_property
    def task(self) -> QueensInput:
        return board_task(self.board, self.pictures.input, self.pictures.solution)

    def draw(
        self, cells: Sequence[tuple[float, float]] | None = None, on: np.ndarray | None = None, **options: object
    ) -> np.ndarray:
        picture = self.pictures.input if on is None else on
        for row, column in self.board.queens if cells is None else cells:
            picture = draw_queen(picture, row, column, style=self.style, **options)
        return picture

    def grade(self, candidate: np.ndarray | bytes, profile: str = "default", **changes: object) -> Verdict:
        data = candidate if isinstance(candidate, bytes) else png(candidate)
        return ENGINE.grade(GradeJob("r", replace(self.task, **changes), ImageCandidate(data), profile))


def board_task(board: QueensBoard, picture: np.ndarray, solution: np.ndarray | None = None) -> QueensInput:
    return QueensInput(
        image=png(picture),
        size_cells=board.n,
        regions=tuple(region for row in board.regions for region in row),
        queens=board.queens,
        solution_image=None if solution is None else png(solution),
    )


QUEENS_STYLE = QueensStyle(cell_size_px=48, queen_radius_px=12)


@cache
def board_sample(n: int = 5, seed: int = 0) -> BoardSample:
    board = generate_queens(n, seed)
    return BoardSample(board, render_queens(board, QUEENS_STYLE), QUEENS_STYLE)
