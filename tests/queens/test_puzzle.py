"""Queens boards: rules, solver, generator."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import ndimage

from puzzles.queens.board import (
    Conflict,
    ConflictKind,
    QueensBoard,
    generate_queens,
    is_solution,
    legality,
    solutions,
)

BANDS = ((0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3))


@pytest.mark.parametrize("n", [4, 5, 8, 10])
def test_boards_are_legal_unique_and_connected(n: int) -> None:
    for seed in range(2):
        board = generate_queens(n, seed)
        assert legality(board.queens, board.regions) == ()
        assert solutions(board.regions, 2) == (board.queens,)
        for region in range(n):
            assert ndimage.label(np.array(board.regions) == region)[1] == 1  # one piece, joined over sides


def test_boards_are_reproducible_and_differ_by_seed() -> None:
    assert generate_queens(7, 5) == generate_queens(7, 5)
    assert len({generate_queens(7, seed).regions for seed in range(5)}) == 5


@pytest.mark.parametrize("n", [4, 5, 6])
def test_the_solver_agrees_with_trying_everything(n: int) -> None:
    boards = [generate_queens(n, seed).regions for seed in range(3)]
    boards.append(tuple((row,) * n for row in range(n)))
    for regions in boards:
        tried = {
            tuple(enumerate(columns))
            for columns in permutations(range(n))
            if is_solution(tuple(enumerate(columns)), regions)
        }
        assert set(solutions(regions, 10_000)) == tried


def test_the_solver_stops_at_its_limit() -> None:
    assert len(solutions(BANDS, 10)) == 2
    assert len(solutions(BANDS, 1)) == 1
    assert solutions(((0, 0), (1, 1))) == ()


def test_conflicts_name_the_rule_and_the_cells() -> None:
    regions = ((0, 0, 0, 3), (1, 1, 0, 3), (1, 2, 2, 3), (1, 2, 2, 3))
    assert legality([(0, 0), (0, 3)], regions) == (Conflict(ConflictKind.ROW, ((0, 0), (0, 3))),)
    assert legality([(3, 0), (0, 0)], regions) == (Conflict(ConflictKind.COLUMN, ((0, 0), (3, 0))),)
    assert legality([(0, 0), (1, 2)], regions) == (Conflict(ConflictKind.REGION, ((0, 0), (1, 2))),)
    assert legality([(1, 1), (2, 2)], regions) == (Conflict(ConflictKind.TOUCHING, ((1, 1), (2, 2))),)
    kinds = [conflict.kind for conflict in legality([(0, 0), (0, 1), (1, 1)], regions)]
    assert kinds == [
        ConflictKind.ROW,
        ConflictKind.COLUMN,
        ConflictKind.REGION,
        ConflictKind.TOUCHING,
        ConflictKind.TOUCHING,
        ConflictKind.TOUCHING,
    ]


def test_too_few_queens_break_no_rule_but_are_no_solution() -> None:
    assert legality([], BANDS) == ()
    assert not is_solution([(0, 1), (1, 3)], BANDS)


def test_wrong_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        legality([(4, 0)], BANDS)
    with pytest.raises(ValueError, match="one cell"):
        legality([(0, 0), (0, 0)], BANDS)
    with pytest.raises(ValueError, match="n rows"):
        legality([], ((0, 1),))
    with pytest.raises(ValueError, match="region numbers"):
        legality([], ((0, 1), (2, 1)))
    with pytest.raises(ValueError, match="no solution"):
        QueensBoard(4, BANDS, ((0, 0), (1, 2), (2, 0), (3, 2)))
    with pytest.raises(ValueError, match="rows, not"):
        QueensBoard(5, BANDS, ((0, 1), (1, 3), (2, 0), (3, 2)))
    for n, seed in ((3, 0), (13, 0), (4, -1)):
        with pytest.raises(ValueError, match="must"):
            generate_queens(n, seed)
