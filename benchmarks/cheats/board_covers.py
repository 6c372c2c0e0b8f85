"""Boards: what covers cells, so that a missing queen is not missed."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.cheats.bank import FLAWED, Candidate, Cheat, variants
from benchmarks.cheats.board_marks import NO_QUEEN, full_cell
from benchmarks.cheats.boards import BOARD_STYLE, BoardSubject
from benchmarks.cheats.drawing import BLACK, box, label, line, painted

_INK = BOARD_STYLE.queen


def _letters_on_queens(board: BoardSubject) -> Candidate:
    """One queen is missing; letters lie over all cells of the solution."""
    picture = board.draw(board.queens[1:])
    for cell in board.queens:
        x, y = board.middle(cell)
        picture = label(picture, "Q", x - 15, y + 14, 30, _INK)
    return picture


def _hidden_by_cell(board: BoardSubject) -> Candidate:
    """One queen is missing; its whole cell is black."""
    return full_cell(board, board.draw(board.queens[1:]), board.queens[0])


def _column_bars(board: BoardSubject) -> Candidate:
    """A bar through each right column: it runs through the right cell too."""
    picture = board.input
    for _, column in board.queens[::2]:
        x = (column + 0.5) * board.cell
        picture = line(picture, [(x, 0), (x, picture.shape[0])], 20, _INK)
    return picture


def _thick_lines(board: BoardSubject) -> Candidate:
    picture = board.solution
    for at in range(1, board.n):
        picture = box(picture, at * board.cell - 6, 0, 12, picture.shape[0], _INK)
    return picture


def _black(board: BoardSubject, opacity: float) -> Candidate:
    return painted(board.input, np.ones(board.input.shape[:2], np.bool_), BLACK, opacity)


def _noise(board: BoardSubject, share: float) -> Candidate:
    dark = np.random.default_rng(5).random(board.input.shape[:2]) < share
    return painted(board.input, dark, BLACK)


COVERS: tuple[Cheat, ...] = (
    *variants(
        "missing_but_hidden",
        "What hides the missing queen is taken for one.",
        (*NO_QUEEN, "REGIONS_ALTERED", "MISSING_QUEENS"),
        {"under_a_letter": _letters_on_queens, "in_a_black_cell": _hidden_by_cell},
        ceiling=FLAWED,
    ),
    *variants(
        "bars",
        "A bar through a column touches its right cell.",
        (*NO_QUEEN, "REGIONS_ALTERED", "BOARD_COVERED"),
        {"columns": _column_bars, "thick_lines": _thick_lines},
        ceiling=FLAWED,
    ),
    *variants(
        "covered_board",
        "On a black board every cell is marked.",
        ("BOARD_COVERED", "NO_QUEENS", "REGIONS_ALTERED", "NOT_THE_PUZZLE"),
        {"black": partial(_black, opacity=1.0), "dark": partial(_black, opacity=0.8)},
    ),
    *variants(
        "noise",
        "In noise every mark is somewhere.",
        (
            "BOARD_COVERED",
            "MARK_NOT_A_QUEEN",
            "REGIONS_ALTERED",
            "NO_QUEENS",
            "NOT_THE_PUZZLE",
            "QUEEN_ON_BORDER",
            "QUEENS_EVERYWHERE",
            "GRID_ERASED",
        ),
        {"half": partial(_noise, share=0.5), "tenth": partial(_noise, share=0.1)},
    ),
)
