"""A Queens board with its truth, checked, decoded and understood; made once and kept for all its candidates."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.queens.board import Board, changed_regions, read_board
from detectors.queens.remainder.plan import CloseBoard
from grader.alignment.template import Template, make_template
from grader.media.pictures import MediaLimits
from grader.model.jobs import CandidateKind
from grader.model.places import Cell
from grader.tasks.common.inputs import Inputs
from grader.tasks.queens.model import QueensInput
from grader.tasks.queens.settings import QueensSettings
from puzzles.queens.board import completed, is_solution, solutions

_LEAST_CELLS = 4  # not a threshold: fewer have no solution
_MOST_CELLS = 26  # not a threshold: a limit of requests
_MOST_PLACEMENTS = 64  # not a threshold: a bound of memory
"""Right placements of a board that a drawing is held against; a legal one always counts."""
_MOST_LEFT_OUT = 2  # not a threshold: so many wrong queens are left out in looking for the nearest of many placements
_MOST_STEPS = 20_000  # not a threshold: a bound of time
"""Steps of the search for further placements; a board that needs more is taken at its word."""


@dataclass(frozen=True, eq=False)
class QueensPuzzle:
    """A prepared board.

    Attributes
    ----------
    n : cells in a row, and rows
    size : (width, height) of the picture in pixels
    picture : (H, W, 3) uint8 RGB
    board : the board as detectors see it
    close : the same, seen more closely, where what is left over is looked for
    template : what candidates are aligned with
    regions : n rows of n region numbers
    queens : the right cells (row, column), by row
    solution : (H, W, 3) uint8 RGB or None
    goal_mask : (H, W) bool, where goal cells are
    others : further right placements, where any that keeps the rules is right
    """

    n: int
    size: tuple[int, int]
    picture: NDArray[np.uint8]
    board: Board
    close: CloseBoard
    template: Template
    regions: tuple[tuple[int, ...], ...]
    queens: tuple[tuple[int, int], ...]
    solution: NDArray[np.uint8] | None
    goal_mask: NDArray[np.bool_]
    others: tuple[tuple[tuple[int, int], ...], ...] = ()

    def taking(self, cells: Collection[tuple[int, int]]) -> QueensPuzzle:
        """The board with the right placement that these queens come nearest to; itself if that is its own.

        What is known of one placement only, the solution's picture, is not known of another.
        """
        drawn = set(cells)
        if is_solution(tuple(sorted(drawn)), self.regions) and self.others:
            nearest = tuple(sorted(drawn))
        else:
            known = [self.queens, *self.others]
            if len(self.others) >= _MOST_PLACEMENTS - 1:  # there may be more than are known
                known += self._completed(drawn)
            nearest = max(known, key=lambda placement: len(drawn & set(placement)))
        return self if nearest == self.queens else replace(self, queens=nearest, solution=None)

    def _completed(self, drawn: Collection[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
        """A placement that keeps as many of the drawn queens as one can, if all but a few of them can stay."""
        queens = sorted(drawn)
        for left_out in range(min(_MOST_LEFT_OUT, len(queens)) + 1):
            for kept in itertools.combinations(queens, len(queens) - left_out):
                found = completed(self.regions, kept, most_steps=_MOST_STEPS)
                if found is not None:
                    return [found]
        return []

    def cell(self, row: int, column: int) -> Cell:
        """A cell with its id, row * n + column."""
        return Cell(row * self.n + column, row, column)


def prepare_board(
    task: QueensInput, settings: QueensSettings, limits: MediaLimits, _kind: CandidateKind
) -> QueensPuzzle:
    """Checks and decodes a board.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable or contradicts another.
    """
    inputs = Inputs(limits)
    n = task.size_cells
    if not _LEAST_CELLS <= n <= _MOST_CELLS:
        inputs.fault("queens.puzzle.size_cells", "OUT_OF_RANGE", f"it is {n}; give {_LEAST_CELLS} to {_MOST_CELLS}")
    picture = inputs.picture("queens.puzzle.image", task.image)
    solution = inputs.picture("queens.truth.solution_image", task.solution_image, required=False)
    if not task.regions:
        inputs.fault("queens.puzzle.regions", "MISSING", "give the region of each cell, row by row")
    if not task.queens:
        inputs.fault("queens.truth.queens", "MISSING", "give the right cell of each queen")
    if picture is not None:
        inputs.same_size("queens.truth.solution_image", solution, picture)
    inputs.check()
    if picture is None:
        raise RuntimeError("a missing input was not noted as a fault")
    height, width = picture.shape[:2]
    if min(width, height) < n * settings.rules.least_cell_px:
        inputs.fault(
            "queens.puzzle.image",
            "OUT_OF_RANGE",
            f"it is {width}x{height}, less than {settings.rules.least_cell_px} pixels a cell; send it larger",
        )
    regions = _regions(task, inputs)
    inputs.check()
    queens = _queens(task, regions, inputs)
    inputs.check()
    others = _other_placements(task, regions, queens, inputs)
    inputs.check()
    board = read_board(picture, n, np.array(regions, np.int64), settings.queens.board)
    recolored, merged = changed_regions(board.picture, board)
    if recolored or merged:
        text = (
            "cells of one region differ in colour, or regions share one; the picture or the regions are another board's"
        )
        inputs.fault("queens.puzzle.regions", "MISMATCH", text)
        inputs.check()
    rows = (np.arange(height) * n // height)[:, None]
    columns = (np.arange(width) * n // width)[None, :]
    goal = np.zeros((n, n), np.bool_)
    goal[tuple(np.array(queens).T)] = True
    return QueensPuzzle(
        n=n,
        size=(width, height),
        picture=picture,
        board=board,
        close=_close(board, picture, settings),
        template=make_template(picture, settings.alignment),
        regions=regions,
        queens=queens,
        solution=solution,
        goal_mask=goal[rows, columns],
        others=others,
    )


def _close(board: Board, picture: NDArray[np.uint8], settings: QueensSettings) -> CloseBoard:
    config = replace(settings.queens.board, min_cell_px=settings.remainder.min_cell_px)
    return CloseBoard(
        read_board(picture, board.n, board.regions, config), settings.remainder.grid, settings.remainder.mixing
    )


def _other_placements(
    task: QueensInput,
    regions: tuple[tuple[int, ...], ...],
    queens: tuple[tuple[int, int], ...],
    inputs: Inputs,
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Further placements that keep the rules, as far as a bounded search finds them; a fault where none may be."""
    limit = _MOST_PLACEMENTS if task.any_solution else 2
    found = solutions(regions, limit, most_steps=_MOST_STEPS)
    others = tuple(placement for placement in found if placement != queens)
    if others and not task.any_solution:
        at = next(cell for cell in others[0] if cell not in queens)
        text = (
            f"the regions leave another placement, with a queen in row {at[0]}, column {at[1]}; set"
            " queens.truth.any_solution if any placement that keeps the rules is right, or send a board that has one"
        )
        inputs.fault("queens.truth.queens", "NOT_UNIQUE", text)
    return others


def _regions(task: QueensInput, inputs: Inputs) -> tuple[tuple[int, ...], ...]:
    n, field = task.size_cells, "queens.puzzle.regions"
    if len(task.regions) != n * n:
        inputs.fault(field, "MISMATCH", f"it has {len(task.regions)} numbers; a board of {n} x {n} has {n * n}")
        return ()
    if set(task.regions) != set(range(n)):
        inputs.fault(field, "OUT_OF_RANGE", f"a board of {n} x {n} has the regions 0 to {n - 1}, each at least once")
        return ()
    return tuple(task.regions[row * n : (row + 1) * n] for row in range(n))


def _queens(task: QueensInput, regions: tuple[tuple[int, ...], ...], inputs: Inputs) -> tuple[tuple[int, int], ...]:
    n, field = task.size_cells, "queens.truth.queens"
    outside = [cell for cell in task.queens if not (0 <= cell[0] < n and 0 <= cell[1] < n)]
    if outside:
        inputs.fault(field, "OUT_OF_RANGE", f"the cell {outside[0]} is not on a board of {n} x {n}")
        return ()
    queens = tuple(sorted(task.queens))
    if len(set(queens)) != len(queens) or not is_solution(queens, regions):
        inputs.fault(
            field,
            "MISMATCH",
            f"they are no solution: {n} queens, one in each row, column and region, none touching another",
        )
    return queens
