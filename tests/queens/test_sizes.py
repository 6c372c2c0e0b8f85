"""Queens of every size, shape and place within their cell: discs that a person takes for one are one."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from grader.model.verdict import Outcome
from puzzles.queens.board import generate_queens
from puzzles.queens.render import QueensStyle, render_queens
from tests.queens.board_faults import passes
from tests.samples.puzzles import WHITE, BoardSample, board_sample, codes

N = 5


@cache
def ruled(n: int, cell: int, line: int, radius: int, rim: tuple[int, int, int]) -> BoardSample:
    """A board with dark lines, ``line`` pixels wide, and discs of ``radius`` in cells of ``cell``."""
    style = QueensStyle(cell_size_px=cell, queen_radius_px=radius, line_width_px=line, rim_width_px=1, rim=rim)
    board = generate_queens(n, 1)
    return BoardSample(board, render_queens(board, style), style)


@pytest.mark.parametrize("radius", [5, 8, 12, 16, 20])
def test_queens_of_any_visible_size_count(radius: int) -> None:
    board = board_sample(N)
    passes(board.grade(board.draw(radius_px=radius)), board.board)


@pytest.mark.parametrize(("down", "right"), [(0.15, 0.15), (-0.2, 0.1), (0.0, 0.2), (-0.15, -0.15)])
def test_queens_may_stand_off_centre(down: float, right: float) -> None:
    """A disc of radius 12 in a cell of 48 reaches over its border when moved by more than 12, a quarter of the cell."""
    board = board_sample(N)
    cells = [(row + down, column + right) for row, column in board.board.queens]
    passes(board.grade(board.draw(cells)), board.board)


# Cells of 40 to 100 pixels are seen at 32 to 64; lines up to a tenth of a cell; discs that reach under lines. A
# third of the pairs is tried, each share and each cell with some, of which about half have a rim.
CELLS_AND_LINES = ((40, 2), (40, 4), (42, 3), (48, 4), (64, 3), (64, 6), (100, 6))
SHARES = (0.3, 0.4, 0.45, 0.48)


@pytest.mark.parametrize(
    ("share", "cell", "line", "rim"),
    [
        (share, cell, line, ((15, 15, 15), WHITE)[(one + other) // 2 % 2])
        for one, share in enumerate(SHARES)
        for other, (cell, line) in enumerate(CELLS_AND_LINES)
        if (one + 2 * other) % 3 == 0
    ],
)
def test_large_discs_may_touch_the_lines(share: float, cell: int, line: int, rim: tuple[int, int, int]) -> None:
    board = ruled(N, cell, line, round(share * cell), rim)
    passes(board.grade(board.draw()), board.board)


@pytest.mark.parametrize(
    ("share", "cell", "line", "off"),
    [
        (share, cell, line, (0.4, 0.5)[(one + other) % 2])
        for one, share in enumerate((0.3, 0.4, 0.48))
        for other, (cell, line) in enumerate([(40, 2), (42, 3), (64, 6), (100, 6)])
        if (one + other // 2) % 2 == 0
    ],
)
def test_a_disc_across_a_line_is_in_no_cell(share: float, cell: int, line: int, off: float) -> None:
    """Moved by 0.4 of a cell, discs of 0.3 to 0.48 reach 0.2 to 0.38 of a cell over the border; lines take 0.1."""
    board = ruled(N, cell, line, round(share * cell), (15, 15, 15))
    # The queen of a row in which there is room to the right, where no other queen is near.
    row, column = next((row, column) for row, column in board.board.queens if column < N - 2)
    cells = [one if one != (row, column) else (row, column + off) for one in board.board.queens]
    verdict = board.grade(board.draw(cells))
    assert verdict.outcome is Outcome.FAIL
    assert "MISSING_QUEENS" in codes(verdict)
    assert {"QUEEN_ON_BORDER", "MARK_NOT_A_QUEEN"} & set(codes(verdict))
    assert len(verdict.observation.queens) == N - 1


def with_shapes(width: float, height: float, turn_deg: float) -> np.ndarray:
    """Black ellipses in the right cells instead of discs."""
    board = board_sample(N)
    picture = board.pictures.input.copy()
    size = board.style.cell_size_px
    for row, column in board.board.queens:
        middle = (round((column + 0.5) * size), round((row + 0.5) * size))
        cv2.ellipse(picture, middle, (round(width), round(height)), turn_deg, 0, 360, (10, 10, 10), -1)
    return picture


@pytest.mark.parametrize("turn_deg", [0, 30, 45, 90])
def test_slightly_oval_discs_are_queens(turn_deg: float) -> None:
    """12 by 10 pixels: a ratio of 1.2, and the allowed one is 1.35."""
    board = board_sample(N)
    passes(board.grade(with_shapes(12, 10, turn_deg)), board.board)


@pytest.mark.parametrize("turn_deg", [0, 30, 45, 90])
def test_long_ovals_are_none(turn_deg: float) -> None:
    """14 by 9 pixels: a ratio of 1.56."""
    verdict = board_sample(N).grade(with_shapes(14, 9, turn_deg))
    assert verdict.outcome is Outcome.FAIL
    assert "MARK_NOT_A_QUEEN" in codes(verdict)
