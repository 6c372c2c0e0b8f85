"""Boards: queens in the wrong cells, too many or too few of them."""

from __future__ import annotations

from functools import partial

from benchmarks.cheats.bank import FLAWED, Candidate, Cheat, variants
from benchmarks.cheats.boards import BoardSubject
from puzzles.queens.board import Cell


def _free(board: BoardSubject) -> list[Cell]:
    return [cell for cell in board.everywhere if cell not in board.queens]


def _missing(board: BoardSubject) -> Candidate:
    return board.draw(board.queens[1:])


def _moved(board: BoardSubject) -> Candidate:
    return board.draw(board.wrong)


def _extra(board: BoardSubject) -> Candidate:
    return board.draw([*board.queens, _free(board)[0]])


def _one(board: BoardSubject) -> Candidate:
    return board.draw(board.queens[:1])


def _row(board: BoardSubject) -> Candidate:
    return board.draw([(0, column) for column in range(board.n)])


def _diagonal(board: BoardSubject) -> Candidate:
    return board.draw([(place, place) for place in range(board.n)])


def _knights(board: BoardSubject) -> Candidate | None:
    """Rows, columns and distances are right, regions are not."""
    columns = [*range(1, board.n, 2), *range(0, board.n, 2)]
    cells = tuple(enumerate(columns))
    return None if cells == board.queens else board.draw(cells)


def _turned(board: BoardSubject, kind: str) -> Candidate | None:
    last = board.n - 1
    turned = {
        "mirrored": [(row, last - column) for row, column in board.queens],
        "upside_down": [(last - row, column) for row, column in board.queens],
        "transposed": [(column, row) for row, column in board.queens],
    }[kind]
    return None if set(turned) == set(board.queens) else board.draw(turned)


def _others(board: BoardSubject, too: bool) -> Candidate:
    """The solution of another board, in place of this one's or beside it."""
    picture = board.draw(board.other.queens)
    return board.draw(board.queens, picture) if too else picture


def _everywhere(board: BoardSubject, radius: float) -> Candidate:
    return board.draw(board.everywhere, radius=radius)


def _twice(board: BoardSubject) -> Candidate:
    """All queens stand, one of them twice in its cell."""
    (row, column), *rest = board.queens
    picture = board.draw(rest)
    return board.draw([(row, column - 0.25), (row, column + 0.25)], picture, radius=7)


def _two_for_one(board: BoardSubject) -> Candidate:
    """One queen is missing, and another stands twice, so that the number is right."""
    _, (row, column), *rest = board.queens
    return board.draw([(row, column - 0.25), (row, column + 0.25)], board.draw(rest), radius=7)


def _small_extra(board: BoardSubject) -> Candidate:
    """The solution, and a second, smaller queen in each row."""
    others = [(row, (column + 2) % board.n) for row, column in board.queens]
    return board.draw(others, board.solution, radius=6)


CONFLICTS = ("ROW_CONFLICT", "COLUMN_CONFLICT", "REGION_CONFLICT", "QUEENS_TOUCH", "WRONG_CELLS", "EXTRA_QUEENS")
PLACEMENTS: tuple[Cheat, ...] = (
    *variants(
        "one_off",
        "One queen more, less or elsewhere is not noticed.",
        (*CONFLICTS, "MISSING_QUEENS"),
        {"missing": _missing, "moved": _moved, "extra": _extra},
        ceiling=FLAWED,
    ),
    *variants(
        "single_queen",
        "One right queen breaks no rule.",
        ("MISSING_QUEENS",),
        {"one": _one},
        ceiling=FLAWED / 4,
    ),
    *variants(
        "simple_patterns",
        "A row, a diagonal or knights' moves hit some right cells without a look at the regions.",
        CONFLICTS,
        {"row": _row, "diagonal": _diagonal, "knights_moves": _knights},
        ceiling=FLAWED / 2,
    ),
    *variants(
        "turned_solution",
        "The right placement, mirrored or turned.",
        CONFLICTS,
        {kind: partial(_turned, kind=kind) for kind in ("mirrored", "upside_down", "transposed")},
        ceiling=FLAWED / 2,
    ),
    *variants(
        "other_solution",
        "The solution of another board, alone or beside the right one.",
        (*CONFLICTS, "QUEENS_EVERYWHERE"),
        {"alone": partial(_others, too=False), "beside_right_one": partial(_others, too=True)},
        ceiling=0.6,
    ),
    *variants(
        "queens_everywhere",
        "Where every cell has a queen, every right cell has one.",
        ("QUEENS_EVERYWHERE", "BOARD_COVERED", "REGIONS_ALTERED"),
        {"usual": partial(_everywhere, radius=12), "small": partial(_everywhere, radius=5),
         "large": partial(_everywhere, radius=22)},
    ),
    *variants(
        "two_in_a_cell",
        "The number of queens is right, or every right cell has one.",
        ("TWO_QUEENS_IN_CELL", "ROW_CONFLICT", "MARK_NOT_A_QUEEN"),
        {"one_too_many": _twice, "in_place_of_another": _two_for_one},
        ceiling=FLAWED,
    ),
    *variants(
        "small_extras",
        "Wrong queens too small to count, beside the right ones.",
        CONFLICTS,
        {"half_size": _small_extra},
        ceiling=FLAWED / 2,
    ),
)  # fmt: skip
