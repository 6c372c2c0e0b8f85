"""Boards: the board is changed so that a wrong placement looks right."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.boards import BOARD_STYLE, BoardSubject, board_subject
from benchmarks.cheats.drawing import WHITE, blended, padded, pasted, resized
from puzzles.common.raster import Color, Picture
from puzzles.queens.board import MIN_SIZE, Cell
from puzzles.queens.render import region_color


def _cell(board: BoardSubject, picture: Picture, cell: Cell, color: Color) -> Picture:
    """Paint a cell inside its lines."""
    line, size = BOARD_STYLE.line_width_px, board.cell
    row, column = cell[0] * size, cell[1] * size
    drawn = picture.copy()
    drawn[row + line : row + size, column + line : column + size] = color
    return drawn


def _legalised(board: BoardSubject) -> Candidate | None:
    """A queen moves within its row, and its new cell takes on the region that it left."""
    if board.color(board.wrong[0]) == board.color(board.queens[0]):
        return None  # it is the same region
    picture = _cell(board, board.input, board.wrong[0], board.color(board.queens[0]))
    return board.draw(board.wrong, picture)


def _merged(board: BoardSubject) -> Candidate:
    """Two regions get one colour, with the right queens on them."""
    keep, drop = (region_color(region, board.n, BOARD_STYLE) for region in (0, 1))
    picture = np.where((board.input == drop).all(axis=2)[..., None], np.array(keep, np.uint8), board.input)
    return board.draw(board.queens, picture)


def _permuted(board: BoardSubject) -> Candidate:
    """Regions by row, in which any placement of one a row is legal."""
    picture = board.input
    for cell in board.everywhere:
        picture = _cell(board, picture, cell, region_color(cell[0], board.n, BOARD_STYLE))
    return board.draw(board.wrong, picture)


def _one_color(board: BoardSubject, color: Color) -> Candidate:
    picture = board.input
    for cell in board.everywhere:
        picture = _cell(board, picture, cell, color)
    return board.draw(board.queens, picture)


def _grey(board: BoardSubject) -> Candidate:
    grey = board.input.mean(axis=2, keepdims=True).astype(np.uint8).repeat(3, axis=2)
    return board.draw(board.queens, grey)


def _darkened(board: BoardSubject) -> Candidate:
    """One region is as dark as a queen, so that queens on it don't show."""
    row, column = board.queens[0]
    color = np.array(board.color((row, column)))
    dark = np.where((board.input == color).all(axis=2)[..., None], np.uint8(40), board.input)
    return board.draw(board.queens[1:], dark)


def _gradient(board: BoardSubject) -> Candidate:
    """The board fades to white, and the regions with it."""
    ramp = np.linspace(0.0, 1.0, board.input.shape[1])[None, :, None]
    return board.draw(board.queens, blended(board.input, np.full_like(board.input, 255), ramp))


def _gridless(board: BoardSubject) -> Candidate:
    size = board.cell
    regions = np.array(board.board.regions).repeat(size, axis=0).repeat(size, axis=1)
    colors = np.array([region_color(region, board.n, BOARD_STYLE) for region in range(board.n)], np.uint8)
    return board.draw(board.queens, colors[regions])


def _lines_moved(board: BoardSubject) -> Candidate:
    """The grid lies half a cell off, so that a queen on a border is in a cell."""
    size, width = board.cell, BOARD_STYLE.line_width_px
    regions = np.array(board.board.regions).repeat(size, axis=0).repeat(size, axis=1)
    picture = np.array([region_color(region, board.n, BOARD_STYLE) for region in range(board.n)], np.uint8)[regions]
    for at in range(board.n):
        lines = slice(at * size + size // 2, at * size + size // 2 + width)
        picture[lines] = BOARD_STYLE.line
        picture[:, lines] = BOARD_STYLE.line
    return board.draw([(row + 0.5, column + 0.5) for row, column in board.queens], picture)


def _moved(board: BoardSubject) -> Candidate:
    """The board moves by a whole cell, and so do the queens."""
    return np.roll(board.solution, (board.cell, board.cell), axis=(0, 1))


def _cells_whitened(board: BoardSubject) -> Candidate:
    """Wrong cells of each queen's row are blanked."""
    picture = board.solution
    for cell in board.everywhere:
        if cell not in board.queens:
            picture = _cell(board, picture, cell, WHITE)
    return picture


def _other(board: BoardSubject, kind: str) -> Candidate:
    other = board.other
    return {"solved": other.solution, "unsolved": other.input, "with_these_queens": other.draw(board.queens)}[kind]


def _other_size(board: BoardSubject, more: int) -> Candidate | None:
    if board.n + more < MIN_SIZE:
        return None
    other = board_subject(board.n + more)
    return resized(other.solution, board.input.shape[1], board.input.shape[0])


def _smaller_part(board: BoardSubject) -> Candidate:
    """The board without its last row and column, with the queens that are left."""
    side = (board.n - 1) * board.cell
    return board.solution[:side, :side]


def _outside(board: BoardSubject) -> Candidate:
    """The wrong placement on the board, and the right one in a margin of coordinates."""
    size = board.cell
    picture = padded(board.draw(board.wrong), size, size, 0, 0, WHITE)
    margin = board.draw([(row, 0) for row, _ in board.queens], np.full_like(board.input, 255))
    return pasted(picture, np.ascontiguousarray(margin[:, :size]), 0, size)


def _swapped_colors(board: BoardSubject) -> Candidate | None:
    """Two regions trade colours on part of their cells, so that the moved queen's region is right."""
    if board.color(board.wrong[0]) == board.color(board.queens[0]):
        return None
    regions = [list(row) for row in board.board.regions]
    (row, column), (right_row, right_column) = board.wrong[0], board.queens[0]
    regions[row][column], regions[right_row][right_column] = regions[right_row][right_column], regions[row][column]
    picture = board.input
    for one in (board.wrong[0], board.queens[0]):
        picture = _cell(board, picture, one, region_color(regions[one[0]][one[1]], board.n, BOARD_STYLE))
    return board.draw(board.wrong, picture)


ALTERED = ("REGIONS_ALTERED", "NOT_THE_PUZZLE", "GRID_ERASED")
CHANGES: tuple[Cheat, ...] = (
    *variants(
        "regions_repainted",
        "With other regions the wrong placement is legal.",
        ALTERED,
        {
            "one_cell": _legalised,
            "two_cells": _swapped_colors,
            "merged": _merged,
            "by_row": _permuted,
            "wrong_cells_white": _cells_whitened,
        },
    ),
    *variants(
        "colors_removed",
        "Without regions there is one rule less.",
        ALTERED,
        {"white": partial(_one_color, color=WHITE), "yellow": partial(_one_color, color=(240, 220, 120)), "grey": _grey,
         "gradient": _gradient},
    ),
    *variants(
        "region_darkened",
        "In a region as dark as a queen none is missed.",
        (*ALTERED, "BOARD_COVERED", "MARK_NOT_A_QUEEN"),
        {"without_its_queen": _darkened},
    ),
    *variants(
        "grid_changed",
        "Without lines, or with moved ones, a queen's cell is a matter of taste.",
        (*ALTERED, "QUEEN_ON_BORDER"),
        {"erased": _gridless, "moved": _lines_moved},
    ),
    *variants(
        "other_board",
        "Another board that is already solved.",
        ALTERED,
        {
            **{kind: partial(_other, kind=kind) for kind in ("solved", "unsolved", "with_these_queens")},
            "one_larger": partial(_other_size, more=1),
            "one_smaller": partial(_other_size, more=-1),
        },
    ),
    *variants(
        "board_moved",
        "The right board, moved by a cell, or a part of it.",
        (*ALTERED, "MISSING_QUEENS", "NO_QUEENS", "QUEEN_ON_BORDER"),
        {"by_a_cell": _moved, "without_last_row_and_column": _smaller_part},
    ),
    *variants(
        "outside",
        "The right answer stands in a margin beside the wrong one.",
        (*ALTERED, "ROW_CONFLICT", "COLUMN_CONFLICT", "REGION_CONFLICT", "QUEENS_TOUCH", "MARK_NOT_A_QUEEN"),
        {"margin": _outside},
        ceiling=0.9,
    ),
)  # fmt: skip
