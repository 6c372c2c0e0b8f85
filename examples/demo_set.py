"""The demo's set: puzzles that are generated on the spot, and right and wrong answers drawn on them.

It is written in the layout of folders that ``grader import amaze`` reads: ``instances/<puzzle>/`` and
``outputs/<puzzle>/<candidate>.png``.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from puzzles.amaze.files import write_maze, write_queens
from puzzles.common.raster import Picture
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazePictures, MazeStyle, draw_path, draw_polyline, render_maze
from puzzles.queens.board import QueensBoard, generate_queens
from puzzles.queens.render import QueensPictures, draw_queen, region_color

OUTPUTS, OTHER_OUTPUTS = "outputs", "other_outputs"
"""Folders of the answers to mazes and boards, which ``grader import amaze`` reads, and of those to all else."""
SCALE = 5
BOARD_SIZES = (6, 7)
_LIGHT_BLUE = (96, 165, 250)
_GREEN = (0, 150, 60)
_BLACK = (15, 15, 15)


@dataclass(frozen=True)
class Candidate:
    """An answer: its name, the encoded picture with its file's suffix, and the outcome that it was made to have."""

    name: str
    data: bytes
    suffix: str
    expected: str


def write_set(folder: Path) -> Iterator[tuple[str, str]]:
    """Writes puzzles and candidates below a folder.

    Parameters
    ----------
    folder : Path
        Gets ``instances`` and ``outputs``.

    Yields
    ------
    tuple of str
        For each candidate the request id that ``grader import amaze`` gives it, and the expected outcome.
    """
    for geometry in Geometry:
        maze = _maze_with_detours(geometry)
        name = f"maze-{geometry.value}"
        pictures = write_maze(folder / "instances" / name, maze)
        yield from _write(folder, name, maze_candidates(maze, pictures))
    for n in BOARD_SIZES:
        board = generate_queens(n, seed=n)
        name = f"queens-{n}"
        drawn = write_queens(folder / "instances" / name, board)
        yield from _write(folder, name, board_candidates(board, drawn))


def _write(folder: Path, puzzle: str, candidates: Iterator[Candidate]) -> Iterator[tuple[str, str]]:
    outputs = folder / OUTPUTS / puzzle
    outputs.mkdir(parents=True)
    for one in candidates:
        file = outputs / f"{one.name}{one.suffix}"
        file.write_bytes(one.data)
        yield f"{puzzle}/{file.name}", one.expected


def _maze_with_detours(geometry: Geometry) -> Maze:
    """The first maze, by seed, in which one can go astray and cut a corner."""
    seed = 1
    while True:
        maze = generate_maze(geometry, SCALE, seed=seed)
        if len(_wrong_branch(maze)) > 3 and _shortcut(maze):
            return maze
        seed += 1


def _wrong_branch(maze: Maze) -> list[int]:
    """The right path up to a junction in its second half, and from there into a dead end; empty where there is none."""
    path = solve(maze)
    for place in range(len(path) // 2, len(path) - 1):
        astray = [path[place]]
        while True:
            here = astray[-1]
            onward = [
                other
                for other in maze.grid.neighbours(here)
                if maze.linked(here, other) and other not in path and other not in astray
            ]
            if not onward:
                break
            astray.append(onward[0])
        if len(astray) > 2:
            return [*path[: place + 1], *astray[1:]]
    return []


def _shortcut(maze: Maze) -> tuple[int, ...]:
    """The right path with a step through a wall in it, by which cells are left out; empty where there is none."""
    path = solve(maze)
    for first in range(len(path)):
        for second in range(len(path) - 1, first + 1, -1):
            if path[second] in maze.grid.neighbours(path[first]):
                return (*path[: first + 1], *path[second:])
    return ()


def maze_candidates(maze: Maze, pictures: MazePictures) -> Iterator[Candidate]:
    """Right and wrong answers to a maze. Square mazes get every kind, the others what depends on their geometry."""
    empty, path = pictures.input, solve(maze)
    right = draw_path(empty, maze, path)
    middle = len(path) // 2
    gap = draw_path(draw_path(empty, maze, path[:middle]), maze, path[middle + 1 :])
    yield _png("exact", right, "PASS")
    yield _png("thin", draw_path(empty, maze, path, width_px=3.0), "PASS")
    yield _png("light_blue", draw_path(empty, maze, path, color=_LIGHT_BLUE), "PASS")
    yield _png("shifted", _shifted(right, 6, 4), "PASS")
    yield _png("gap", gap, "FAIL")
    yield _png("wrong_branch", draw_path(empty, maze, _wrong_branch(maze)), "FAIL")
    yield _png("through_a_wall", draw_path(empty, maze, _shortcut(maze), walls_over=False), "FAIL")
    if maze.geometry is not Geometry.SQUARE:
        return
    yield _png("faint", draw_path(empty, maze, path, opacity=0.3), "PASS")
    yield _png("resized", _resized(right, 0.75), "PASS")
    yield Candidate("jpeg", _encoded(right, "JPEG", quality=40), ".jpg", "PASS")
    yield _png("walls_erased", _walls_erased(maze), "FAIL")
    yield _png("cells_filled", _painted(empty, pictures.mask & _is_floor(empty)), "FAIL")
    yield _png("flood", _painted(empty, _is_floor(empty)), "FAIL")
    yield _png("dots", _dots(empty, maze, path), "FAIL")
    yield _png("wrong_color", draw_path(empty, maze, path, color=_GREEN), "FAIL")
    yield _png("nothing_drawn", empty, "FAIL")
    yield _png("blank", np.full_like(empty, 255), "FAIL")
    yield Candidate("cut_off", _encoded(right, "PNG")[:2000], ".png", "UNGRADABLE")


def board_candidates(board: QueensBoard, pictures: QueensPictures) -> Iterator[Candidate]:
    """Right and wrong answers to a Queens board."""
    empty = pictures.input
    (row, column), *rest = board.queens
    others = _with_queens(empty, rest)
    next_column = board.queens[1][1]
    floor = region_color(board.regions[row][column], board.n)
    yield _png("exact", pictures.solution, "PASS")
    yield _png("small_queens", _with_queens(empty, board.queens, radius_px=9.0), "PASS")
    yield Candidate("jpeg_resized", _encoded(_resized(pictures.solution, 1.5), "JPEG", quality=60), ".jpg", "PASS")
    yield _png("one_moved", draw_queen(others, row, (column + board.n // 2) % board.n), "FAIL")
    yield _png("one_missing", others, "FAIL")
    yield _png("ring", draw_queen(others, row, column, color=floor, rim=_BLACK), "FAIL")
    yield _png("touching", draw_queen(others, row, next_column + (-1 if next_column else 1)), "FAIL")
    yield _png("on_border", draw_queen(others, row, column + (0.5 if column + 1 < board.n else -0.5)), "FAIL")
    yield _png("nothing_drawn", empty, "FAIL")
    everywhere = [(one, other) for one in range(board.n) for other in range(board.n)]
    yield _png("everywhere", _with_queens(empty, everywhere), "FAIL")


def _png(name: str, picture: Picture, expected: str) -> Candidate:
    return Candidate(name, _encoded(picture, "PNG"), ".png", expected)


def _encoded(picture: Picture, kind: str, **options: int) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, kind, **options)
    return stream.getvalue()


def _resized(picture: Picture, factor: float) -> Picture:
    height, width = picture.shape[:2]
    size = (round(width * factor), round(height * factor))
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS))


def _shifted(picture: Picture, right: int, down: int) -> Picture:
    """The picture moved to the right and down; its first row and column go on at the edges."""
    return np.pad(picture, ((down, 0), (right, 0), (0, 0)), mode="edge")[:-down, :-right]


def _is_floor(picture: Picture) -> NDArray[np.bool_]:
    return np.asarray((picture == 255).all(axis=2))


def _painted(picture: Picture, where: NDArray[np.bool_]) -> Picture:
    return np.where(where[..., None], np.array((0, 107, 183), np.uint8), picture)


def _walls_erased(maze: Maze) -> Picture:
    """A shortcut, with the wall that is in its way taken out of the picture."""
    cells = _shortcut(maze)
    ways = maze.passages | {(min(pair), max(pair)) for pair in itertools.pairwise(cells)}
    opened = replace(maze, passages=ways)
    return draw_path(render_maze(opened).input, opened, cells)


def _dots(picture: Picture, maze: Maze, cells: tuple[int, ...]) -> Picture:
    for cell in cells:
        center = np.array([MazeStyle().layout(maze).centre(cell)], np.float64)
        picture = draw_polyline(picture, maze, center, width_px=16.0)
    return picture


def _with_queens(picture: Picture, cells: Sequence[tuple[int, int]], radius_px: float | None = None) -> Picture:
    for row, column in cells:
        picture = draw_queen(picture, row, column, radius_px=radius_px)
    return picture
