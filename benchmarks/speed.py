"""What a verdict costs, as a ratio to decoding the candidate's PNG: ``python -m benchmarks.speed``.

Every figure is a median of processor time over several runs in this process, on one core. "decode" is OpenCV's
``imdecode`` of the same bytes, which whoever measures anything has to pay; "grade" is the whole of `Engine.grade` with
the puzzle already prepared, decoding included. Each picture is graded flat, as it is drawn, and with noise of 3 levels,
as models make them; ``--only`` chooses by name.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.form_board.boards import board as form_board
from benchmarks.hinge_folding.subjects import chain_subject
from benchmarks.paper_fold.__main__ import LOOKS, sheet_of
from grader import maze_from_mask
from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate, TaskInput
from grader.model.verdict import Outcome
from grader.tasks.jigsaw.model import JigsawInput
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from puzzles.amaze.files import encode_ids, png_bytes
from puzzles.jigsaw.cuts import HALVES
from puzzles.jigsaw.kinds import QuestionKind
from puzzles.jigsaw.rendered import render_landscape
from puzzles.maze.curved import CurvedLook, CurvedRecipe, CurvedShape, draw_curved, make_curved
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import MazeAlgorithm, generate_maze, solve
from puzzles.maze.render import MazeStyle, render_maze
from puzzles.queens.board import generate_queens
from puzzles.queens.render import QueensStyle, render_queens

_SCALE = {Geometry.SQUARE: 10, Geometry.HEXAGON: 6, Geometry.TRIANGLE: 15, Geometry.CIRCLE: 5}
"""Cells across, such that a cell has about the public data's 102 pixels in a picture of 1024 x 1024 pixels."""


_FLOORS = (
    (CurvedShape.RINGS, CurvedLook.LINES, 5, 90.0, 0.12, 7),
    (CurvedShape.WAVES, CurvedLook.LINES, 10, 96.0, 0.12, 11),
    (CurvedShape.SPIRAL, CurvedLook.ROCK, 3, 96.0, 0.4, 4),
)
"""Curved mazes of about that size: shape, look, size, pixels of a corridor and a wall, the wall's share, seed."""


_NOISE = 3.0
"""Standard deviation of the noise of models' pictures, in levels."""


@dataclass(frozen=True)
class Subject:
    """A picture to grade: what it is, its size, the job."""

    name: str
    size: tuple[int, int]
    job: GradeJob
    encoded: bytes


@dataclass(frozen=True)
class Cost:
    """Median milliseconds of decoding and of grading."""

    decode_ms: float
    grade_ms: float

    @property
    def ratio(self) -> float:
        """Grading over decoding."""
        return self.grade_ms / self.decode_ms


def maze_subject(geometry: Geometry, side: int, seed: int = 7, across: int | None = None) -> Subject:
    """A solved maze whose picture has about ``side`` x ``side`` pixels; not every geometry fills a square.

    ``across`` is how many cells it has across; by default as many as the public data have.
    """
    scale = across or _SCALE[geometry]
    maze = generate_maze(geometry, scale, MazeAlgorithm.DEPTH_FIRST, seed)
    width_cells, height_cells = maze.grid.extent
    cell = side / math.sqrt((width_cells + 0.1) * (height_cells + 0.1))
    style = MazeStyle(cell_size_px=cell, wall_width_px=cell / 10)
    pictures = render_maze(maze, style)
    height, width = pictures.input.shape[:2]
    task = MazeInput(
        image=png_bytes(pictures.input),
        cell_map=png_bytes(encode_ids(pictures.cell_map)),
        geometry=MazeGeometry(geometry.value),
        width_cells=maze.width,
        height_cells=maze.height,
        rings=maze.rings,
        cell_size_px=cell,
        wall_width_px=cell / 10,
        path_cell_ids=solve(maze),
        solution_image=png_bytes(pictures.solution),
        mask=png_bytes(np.where(pictures.mask, 255, 0).astype(np.uint8)),
        path_color=PathColor.BLUE,
    )
    return _subject(f"{geometry.value} maze", (width, height), task, png_bytes(pictures.solution))


def floor_subject(shape: CurvedShape, look: CurvedLook, size: int, cell_px: float, wall: float, seed: int) -> Subject:
    """A curved maze, told by the mask of its floor, with a line along its way; about 1024 x 1024 pixels."""
    maze = make_curved(CurvedRecipe(shape, look, size, seed, cell_px, wall))
    picture = draw_curved(maze, page=(255, 255, 255) if look is CurvedLook.LINES else (0, 0, 0))
    start, goal = ((float(x), float(y)) for x, y in maze.ends())
    task = maze_from_mask(picture, maze.floor, start=start, goal=goal)
    points = np.rint(maze.route(maze.path)).astype(np.int32).reshape(-1, 1, 2)
    drawn = cv2.polylines(picture.copy(), [points], False, (30, 60, 230), round(0.1 * cell_px), cv2.LINE_AA)
    return _subject(f"floor, {shape.value}, {look.value}", maze.size, task, png_bytes(np.asarray(drawn, np.uint8)))


def board_subject(side: int, n: int = 8, seed: int = 7) -> Subject:
    """A solved board of about ``side`` pixels."""
    board = generate_queens(n, seed)
    pictures = render_queens(board, QueensStyle(cell_size_px=side // n, queen_radius_px=side // n // 4))
    task = QueensInput(
        image=png_bytes(pictures.input),
        size_cells=n,
        regions=tuple(region for row in board.regions for region in row),
        queens=board.queens,
        solution_image=png_bytes(pictures.solution),
    )
    height, width = pictures.input.shape[:2]
    return _subject("board", (width, height), task, png_bytes(pictures.solution))


def jigsaw_subject(side: int, seed: int = 7) -> Subject:
    """A landscape put together of its quarters, of ``side`` x ``side`` pixels."""
    picture = render_landscape(seed, (side, side))
    given = [2, 0, 3, 1]
    quarters = [png_bytes(np.ascontiguousarray(one)) for one in HALVES.cut(picture)]
    task = JigsawInput(
        kind=QuestionKind.ORDER_GENERATION,
        options=(),
        truth=(given.index(0) + 1, given.index(1) + 1, given.index(2) + 1, given.index(3) + 1),
        pieces=tuple(quarters[one] for one in given),
    )
    return _subject("jigsaw", (side, side), task, png_bytes(picture))


def form_board_subject(level: int, seed: int) -> Subject:
    """A form board of 1024 x 768 pixels with its pieces in their places."""
    drawn = form_board(level, seed)
    picture = drawn.draw(drawn.solved())
    size = (picture.shape[1], picture.shape[0])
    return _subject(f"form board, level {level}", size, drawn.task, png_bytes(picture))


def paper_fold_subject(level: int, seed: int, style: str) -> Subject:
    """An unfolded sheet of 1024 x 1024 pixels with its holes."""
    sheet = sheet_of(level, seed, style, 1024)
    picture = sheet.holes(sheet.puzzle.holes[0], LOOKS["own"], np.random.default_rng(1))
    task = replace(sheet.task, sheets=sheet.task.sheets[:1])
    return _subject(f"paper fold, level {level}, {style}", (sheet.side, sheet.side), task, png_bytes(picture))


def hinge_subject(level: int, seed: int) -> Subject:
    """A folded chain of 1024 x 1024 pixels."""
    chain = replace(chain_subject(level, seed), side=1024)
    picture = chain.drawn(chain.puzzle.angles)
    return _subject(f"chain, level {level}", chain.size, chain.task, png_bytes(picture))


def noisy(subject: Subject, seed: int = 5) -> Subject:
    """The same with noise on every pixel."""
    picture = np.asarray(cv2.imdecode(np.frombuffer(subject.encoded, np.uint8), cv2.IMREAD_COLOR_RGB), np.uint8)
    noise = np.rint(np.random.default_rng(seed).normal(0, _NOISE, picture.shape))
    # The range of a channel.
    data = png_bytes(np.clip(picture + noise, 0, 255).astype(np.uint8))
    return _subject(f"{subject.name}, noise", subject.size, subject.job.task, data)


def subjects() -> list[Subject]:
    """Everything that is timed at one size."""
    return [
        *(maze_subject(geometry, 1024) for geometry in Geometry),
        *(floor_subject(*one) for one in _FLOORS),
        board_subject(1024),
        jigsaw_subject(1024),
        *(form_board_subject(level, seed) for level, seed in ((2, 3), (3, 7), (4, 11))),
        *(paper_fold_subject(*one) for one in ((2, 3, "random"), (3, 7, "published"), (4, 11, "random"))),
        *(hinge_subject(level, seed) for level, seed in ((1, 5), (3, 7), (5, 9))),
    ]


def _subject(name: str, size: tuple[int, int], task: TaskInput, candidate: bytes) -> Subject:
    return Subject(name, size, GradeJob(request_id=name, task=task, candidate=ImageCandidate(candidate)), candidate)


def measure(subject: Subject, runs: int) -> Cost:
    """Times decoding and grading in turn, so that both see the same machine."""
    engine = Engine()
    if engine.grade(subject.job).outcome is not Outcome.PASS:
        raise RuntimeError(f"the solution of a {subject.name} of {subject.size} does not pass")
    encoded = np.frombuffer(subject.encoded, np.uint8)
    decode: list[float] = []
    grade: list[float] = []
    for _ in range(runs):
        decode.append(_timed(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR_RGB)))
        grade.append(_timed(lambda: engine.grade(subject.job)))
    return Cost(statistics.median(decode), statistics.median(grade))


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000.0 * (time.process_time() - start)


def main() -> None:
    """Prints two tables: ratios at 1024 x 1024, and growth with size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15, help="runs a figure is the median of (default: 15)")
    parser.add_argument("--sides", type=int, nargs="+", default=[512, 1024, 2048, 4096], help="sides for the growth")
    parser.add_argument("--only", default="", metavar="REGEX", help="only what has a match in its name; then no growth")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    console = Console()

    table = Table(title="A verdict on a picture of about 1024 x 1024 pixels, puzzle prepared (ms, medians)")
    for heading in ("what", "pixels", "decode", "grade", "grade / decode"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for flat in subjects():
        if not re.search(options.only, flat.name):
            continue
        for subject in (flat, noisy(flat)):
            cost = measure(subject, options.runs)
            width, height = subject.size
            table.add_row(
                subject.name, f"{width}x{height}", f"{cost.decode_ms:.1f}", f"{cost.grade_ms:.1f}", f"{cost.ratio:.2f}"
            )
    console.print(table)
    if options.only:
        return

    growth = Table(title="Growth with size (ns a pixel: level or falling means no faster than the pixels)")
    for heading in ("what", "pixels", "decode ms", "grade ms", "grade / decode", "grade ns/pixel"):
        growth.add_column(heading, justify="left" if heading == "what" else "right")
    for make in (lambda side: maze_subject(Geometry.SQUARE, side), board_subject, jigsaw_subject):
        for side in options.sides:
            subject = make(side)
            cost = measure(subject, options.runs if side <= 1024 else max(3, options.runs // 3))
            width, height = subject.size
            growth.add_row(
                subject.name,
                f"{width}x{height}",
                f"{cost.decode_ms:.1f}",
                f"{cost.grade_ms:.1f}",
                f"{cost.ratio:.2f}",
                f"{1e6 * cost.grade_ms / (width * height):.1f}",
            )
    console.print(growth)


if __name__ == "__main__":
    main()
