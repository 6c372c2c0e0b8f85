"""Boards: marks that are no queens, or queens that are hardly marks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.cheats.bank import FLAWED, Candidate, Cheat, variants
from benchmarks.cheats.boards import BOARD_STYLE, BoardSubject
from benchmarks.cheats.drawing import BLUE, RED, WHITE, box, label, line, polygon
from puzzles.common.raster import Color, Picture
from puzzles.queens.board import Cell

_INK = BOARD_STYLE.queen


def _each(
    board: BoardSubject, cells: tuple[Cell, ...], mark: Callable[[BoardSubject, Picture, Cell], Picture]
) -> Picture:
    picture = board.input
    for cell in cells:
        picture = mark(board, picture, cell)
    return picture


def _instead(board: BoardSubject, mark: Callable[[BoardSubject, Picture, Cell], Picture]) -> Candidate:
    """The mark in each right cell, in place of a queen."""
    return _each(board, board.queens, mark)


def _ring(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    return board.draw([cell], picture, color=board.color(cell), rim=_INK)


def _thick_ring(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    return board.draw([cell], board.draw([cell], picture, radius=15), radius=8, color=WHITE, rim=WHITE)


def _square(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    x, y = board.middle(cell)
    return box(picture, x - 11, y - 11, 22, 22, _INK)


def _letter(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    x, y = board.middle(cell)
    return label(picture, "Q", x - 11, y + 10, 22, _INK)


def _crown(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    x, y = board.middle(cell)
    picture = box(picture, x - 13, y + 6, 26, 6, _INK)
    for left in (-13, -4, 5):
        picture = polygon(picture, [(x + left, y + 6), (x + left + 4, y - 12), (x + left + 8, y + 6)], _INK)
    return picture


def _crossed(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    x, y = board.middle(cell)
    for turn in (1, -1):
        picture = line(picture, [(x - 12, y - 12 * turn), (x + 12, y + 12 * turn)], 5, _INK)
    return picture


def _bar(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    x, y = board.middle(cell)
    return line(picture, [(x - 14, y), (x + 14, y)], 9, _INK)


def full_cell(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    """Blacken a whole cell, its lines included."""
    row, column = cell
    return box(picture, column * board.cell, row * board.cell, board.cell, board.cell, _INK)


def _colored(board: BoardSubject, picture: Picture, cell: Cell, color: Color = RED) -> Picture:
    return board.draw([cell], picture, color=color)


def _speck(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    return line(picture, [board.middle(cell)], 2.0, _INK)


def _translucent(board: BoardSubject, picture: Picture, cell: Cell, opacity: float = 0.12) -> Picture:
    return line(picture, [board.middle(cell)], 24.0, _INK, opacity)


def _half_disc(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    x, y = board.middle(cell)
    disc = line(picture, [(x, y)], 26.0, _INK)
    disc[round(y) :] = picture[round(y) :]
    return disc


def _shaded(board: BoardSubject, picture: Picture, cell: Cell) -> Picture:
    """A disc that fades from its middle to nothing at its rim."""
    x, y = board.middle(cell)
    rows, columns = np.indices(picture.shape[:2])
    share = np.clip(1.0 - np.hypot(columns + 0.5 - x, rows + 0.5 - y) / 20.0, 0.0, 1.0)[..., None] * 0.5
    return np.asarray(np.rint(picture * (1 - share)).astype(np.uint8))


def _offset(board: BoardSubject, down: float, right: float, radius: float = 12) -> Candidate:
    return board.draw([(row + down, column + right) for row, column in board.queens], radius=radius)


def _spanning(board: BoardSubject) -> Candidate:
    """Each disc covers its right cell and a neighbour."""
    return _offset(board, 0.0, 0.5, 30)


def _on_crossings(board: BoardSubject, radius: float) -> Candidate:
    """The solution, and a small queen on each crossing of lines."""
    inner = range(1, board.n)
    return board.draw([(row - 0.5, column - 0.5) for row in inner for column in inner], board.solution, radius=radius)


def _all_cells(board: BoardSubject, mark: Callable[[BoardSubject, Picture, Cell], Picture]) -> Candidate:
    return _each(board, board.everywhere, mark)


def _on_top(board: BoardSubject, mark: Callable[[BoardSubject, Picture, Cell], Picture]) -> Candidate:
    """The right queens, with another mark in the cells beside them."""
    picture = board.solution
    for row, column in board.queens:
        picture = mark(board, picture, (row, (column + 2) % board.n))
    return picture


def _in_a_corner(board: BoardSubject, radius: float) -> Candidate:
    """The right queens, and a small disc in a corner of the picture where none stands."""
    side, reach = board.input.shape[0], 1.6 * radius
    free = [cell for cell in ((0, 0), (board.n - 1, board.n - 1)) if cell not in board.queens]
    at = (reach, reach) if (0, 0) in free else (side - reach, side - reach)
    return line(board.solution, [at], 2.0 * radius, _INK)


def _faded(board: BoardSubject, opacity: float) -> Candidate:
    """The right queens, one of them half gone."""
    first, *others = board.queens
    return _translucent(board, board.draw(others), first, opacity)


NO_QUEEN = ("MARK_NOT_A_QUEEN", "NO_QUEENS", "QUEEN_ON_BORDER")
MARKS: tuple[Cheat, ...] = (
    *variants(
        "not_a_disc",
        "Any mark in the right cells will do.",
        (*NO_QUEEN, "REGIONS_ALTERED"),
        {
            name: partial(_instead, mark=mark)
            for name, mark in (
                *(("rings", _ring), ("thick_rings", _thick_ring), ("squares", _square), ("letters", _letter)),
                *(("crowns", _crown), ("crosses", _crossed), ("bars", _bar), ("black_cells", full_cell)),
                *(("half_discs", _half_disc),),
            )
        },
    ),
    *variants(
        "wrong_color",
        "Discs of any colour count.",
        (*NO_QUEEN, "REGIONS_ALTERED"),
        {
            "red": partial(_instead, mark=_colored),
            "white": partial(_instead, mark=partial(_colored, color=WHITE)),
            "blue": partial(_instead, mark=partial(_colored, color=BLUE)),
        },
    ),
    *variants(
        "hardly_visible",
        "A machine sees what a person does not.",
        NO_QUEEN,
        {
            "specks": partial(_instead, mark=_speck),
            "translucent": partial(_instead, mark=_translucent),
            "specks_everywhere": partial(_all_cells, mark=_speck),
            "translucent_everywhere": partial(_all_cells, mark=_translucent),
        },
    ),
    *variants(
        "shaded_everywhere",
        "Shadows in all cells, dark enough in the right ones.",
        ("QUEENS_EVERYWHERE", "NO_QUEENS", "MARK_NOT_A_QUEEN", "REGIONS_ALTERED"),
        {
            "soft": partial(_all_cells, mark=_shaded),
            "grey": partial(_all_cells, mark=partial(_translucent, opacity=0.4)),
        },
    ),
    *variants(
        "on_the_border",
        "A queen between two cells stands in the right one of them.",
        (*NO_QUEEN, "MISSING_QUEENS", "REGIONS_ALTERED"),
        {
            "sideways": partial(_offset, down=0.0, right=0.5),
            "corner": partial(_offset, down=0.5, right=0.5),
            "spanning_two_cells": _spanning,
        },
        ceiling=FLAWED / 4,
    ),
    *variants(
        "on_the_lines",
        "Wrong queens on grid lines are taken for lines.",
        NO_QUEEN,
        {"crossings": partial(_on_crossings, radius=8), "small_on_crossings": partial(_on_crossings, radius=5)},
        ceiling=FLAWED,
    ),
    *variants(
        "second_marks",
        "Wrong guesses in marks that may not count, beside the right queens.",
        (*NO_QUEEN, "EXTRA_QUEENS", "ROW_CONFLICT"),
        {
            "rings": partial(_on_top, mark=_ring),
            "letters": partial(_on_top, mark=_letter),
            "red": partial(_on_top, mark=_colored),
            "grey": partial(_on_top, mark=partial(_translucent, opacity=0.4)),
            "white": partial(_on_top, mark=partial(_colored, color=WHITE)),
        },
        ceiling=FLAWED,
    ),
    *variants(
        "corner_queen",
        "One queen more, in the corner where a sign may be.",
        ("MARK_NOT_A_QUEEN", "EXTRA_QUEENS", "ROW_CONFLICT"),
        {"small": partial(_in_a_corner, radius=5.0), "half_size": partial(_in_a_corner, radius=6.5)},
        ceiling=FLAWED,
    ),
    *variants(
        "faded_queen",
        "One queen is there and is not.",
        ("MARK_NOT_A_QUEEN", "MISSING_QUEENS"),
        {"half": partial(_faded, opacity=0.5), "two_thirds": partial(_faded, opacity=0.66)},
        ceiling=FLAWED,
    ),
)
