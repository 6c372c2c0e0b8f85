"""What can be wrong with queens on a board: pictures spoiled in one way each, and the reason to be given."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from grader.model.verdict import Outcome, Verdict
from puzzles.queens.board import Cell, QueensBoard
from puzzles.queens.render import region_color
from tests.samples.puzzles import (
    BoardSample,
    board_sample,
    codes,
    where,
)

# What leaves no reward: the board was altered, or the drawing is no placement.
CHEATS = {"NOT_THE_PUZZLE", "BOARD_COVERED", "QUEENS_EVERYWHERE", "REGIONS_ALTERED", "GRID_ERASED", "NO_QUEENS"}
CHEATS |= {"OTHER_DRAWINGS"}

N = 5
SIZE = 48


def sample_5() -> BoardSample:
    return board_sample(N)


def queens() -> tuple[Cell, ...]:
    return sample_5().board.queens


def ids(cells: list[Cell] | tuple[Cell, ...]) -> set[int]:
    return {row * N + column for row, column in cells}


def free_cell(wanted: Callable[[Cell], bool]) -> Cell:
    """The first cell without a queen that is as wanted."""
    cells = [(row, column) for row in range(N) for column in range(N)]
    return next(cell for cell in cells if cell not in queens() and wanted(cell))


def touches(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def region(cell: Cell) -> int:
    return sample_5().board.regions[cell[0]][cell[1]]


# --- what can be wrong with a picture ---


def with_queens(cells: list[Cell] | tuple[Cell, ...], **options: object) -> np.ndarray:
    return sample_5().draw(cells, **options)


def unchanged() -> np.ndarray:
    return sample_5().pictures.input


def all_black() -> np.ndarray:
    return np.zeros_like(sample_5().pictures.input)


def panels() -> np.ndarray:
    """The right answer between two boards without one."""
    pictures = sample_5().pictures
    return np.hstack([pictures.input, pictures.solution, pictures.input])


def blank() -> np.ndarray:
    return np.full_like(sample_5().pictures.input, 255)


def everywhere() -> np.ndarray:
    return with_queens([(row, column) for row in range(N) for column in range(N)])


def recolored() -> np.ndarray:
    """One cell without a queen takes the colour of a region that it does not touch."""
    row, column = free_cell(lambda cell: True)
    other = next(one for one in range(N) if one != region((row, column)))
    inside = np.zeros(sample_5().pictures.input.shape[:2], bool)
    inside[row * SIZE + 2 : (row + 1) * SIZE, column * SIZE + 2 : (column + 1) * SIZE] = True
    return where(sample_5().pictures.solution, inside, region_color(other, N))


def merged() -> np.ndarray:
    """Two regions get one colour."""
    picture = sample_5().pictures.solution
    return where(picture, (picture == region_color(1, N)).all(axis=2), region_color(0, N))


def gridless() -> np.ndarray:
    """The board without any grid line, queens as they were."""
    board = sample_5()
    bare = np.array([region_color(one, N) for one in range(N)], np.uint8)[np.array(board.board.regions)]
    return board.draw(on=bare.repeat(SIZE, axis=0).repeat(SIZE, axis=1))


def ring_beside() -> np.ndarray:
    row, column = free_cell(lambda cell: True)
    picture = sample_5().pictures.solution.copy()
    cv2.circle(picture, (column * SIZE + SIZE // 2, row * SIZE + SIZE // 2), 12, (15, 15, 15), 2, cv2.LINE_AA)
    return picture


def rings() -> np.ndarray:
    picture = sample_5().pictures.input.copy()
    for row, column in queens():
        cv2.circle(picture, (column * SIZE + SIZE // 2, row * SIZE + SIZE // 2), 12, (15, 15, 15), 2, cv2.LINE_AA)
    return picture


def letters() -> np.ndarray:
    picture = sample_5().pictures.input.copy()
    for row, column in queens():
        at = (column * SIZE + 12, row * SIZE + 36)
        cv2.putText(picture, "Q", at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (15, 15, 15), 3, cv2.LINE_AA)
    return picture


def squares() -> np.ndarray:
    picture = sample_5().pictures.input.copy()
    for row, column in queens():
        picture[row * SIZE + 14 : row * SIZE + 38, column * SIZE + 6 : column * SIZE + 44] = 15
    return picture


def on_border() -> np.ndarray:
    """One queen is moved by half a cell, onto the border with its neighbour, away from the board's edge."""
    row, column = next(cell for cell in queens() if cell[1] > 0)
    others = [cell for cell in queens() if cell != (row, column)]
    return sample_5().draw([*others, (row, column - 0.5)])


def half_off_the_board() -> np.ndarray:
    """One queen is moved half over the picture's edge."""
    first = queens()[0]
    return sample_5().draw([(-0.5, first[1]), *queens()[1:]])


def two_in_a_cell() -> np.ndarray:
    (row, column), *others = queens()
    small = {"radius_px": 7}
    picture = sample_5().draw(others)
    return sample_5().draw([(row - 0.22, column - 0.22), (row + 0.22, column + 0.22)], on=picture, **small)


def row_conflict() -> np.ndarray:
    return with_queens([*queens(), free_cell(lambda cell: True)])


def moved(wanted: Callable[[Cell], bool]) -> list[Cell]:
    cell = free_cell(wanted)
    return [cell if queen[0] == cell[0] else queen for queen in queens()]


def column_conflict() -> np.ndarray:
    """In each row one queen, two of them in one column."""
    return with_queens(moved(lambda cell: any(cell[1] == queen[1] for queen in queens() if queen[0] != cell[0])))


def region_conflict() -> np.ndarray:
    """In each row one queen, two of them in one region."""
    return with_queens(
        moved(lambda cell: any(region(cell) == region(queen) for queen in queens() if queen[0] != cell[0]))
    )


def touching() -> np.ndarray:
    return with_queens(moved(lambda cell: any(touches(cell, queen) for queen in queens() if queen[0] != cell[0])))


def extra() -> np.ndarray:
    return with_queens([*queens(), free_cell(lambda cell: True)])


def missing() -> np.ndarray:
    return with_queens(queens()[:-1])


def wrong_cells() -> np.ndarray:
    return with_queens([(row, N - 1 - column) for row, column in queens()])


FAULTS: dict[str, tuple[Callable[[], np.ndarray], str]] = {
    "unchanged": (unchanged, "NO_QUEENS"),
    "all black": (all_black, "BOARD_COVERED"),
    "blank": (blank, "NOT_THE_PUZZLE"),
    "panels": (panels, "OTHER_DRAWINGS"),
    "everywhere": (everywhere, "QUEENS_EVERYWHERE"),
    "recolored": (recolored, "REGIONS_ALTERED"),
    "merged": (merged, "REGIONS_ALTERED"),
    "gridless": (gridless, "GRID_ERASED"),
    "rings": (rings, "NO_QUEENS"),
    "ring beside": (ring_beside, "MARK_NOT_A_QUEEN"),
    "letters": (letters, "MARK_NOT_A_QUEEN"),
    "bars": (squares, "MARK_NOT_A_QUEEN"),
    "on border": (on_border, "QUEEN_ON_BORDER"),
    "half off": (half_off_the_board, "MARK_NOT_A_QUEEN"),
    "two in a cell": (two_in_a_cell, "TWO_QUEENS_IN_CELL"),
    "row": (row_conflict, "ROW_CONFLICT"),
    "column": (column_conflict, "COLUMN_CONFLICT"),
    "region": (region_conflict, "REGION_CONFLICT"),
    "touching": (touching, "QUEENS_TOUCH"),
    "extra": (extra, "EXTRA_QUEENS"),
    "missing": (missing, "MISSING_QUEENS"),
    "wrong cells": (wrong_cells, "WRONG_CELLS"),
}
EVERY_FAULT = pytest.mark.parametrize("name", FAULTS)


@cache
def faulty(name: str) -> Verdict:
    return sample_5().grade(FAULTS[name][0]())


def passes(verdict: Verdict, board: QueensBoard) -> None:
    assert codes(verdict) == []
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0)
    assert tuple((queen.row, queen.column) for queen in verdict.observation.queens) == board.queens
