"""Right and wrong queens on a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.accuracy.instances import BoardInstance
from benchmarks.accuracy.plans import BoardCell, BoardPlan
from benchmarks.accuracy.seeds import dice_of


def legal(queens: Sequence[BoardCell], regions: Sequence[Sequence[int]]) -> bool:
    """Whether there are n queens, one in each row, column and region, and no two touch."""
    n = len(regions)
    kinds = (
        {row for row, _ in queens},
        {column for _, column in queens},
        {regions[row][column] for row, column in queens},
    )
    apart = all(
        max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 1 for place, a in enumerate(queens) for b in queens[place + 1 :]
    )
    return len(queens) == n and all(len(kind) == n for kind in kinds) and apart


def board_plan(instance: BoardInstance, name: str) -> BoardPlan | None:
    """A plan on a board, or ``None`` where this board has no place for it. ValueError if there is no such plan."""
    if name not in BOARD_PLANS:
        raise ValueError(f"there is no plan {name!r} for boards; there are: {', '.join(BOARD_PLANS)}")
    queens = BOARD_PLANS[name](instance, dice_of(f"{instance.name}/{name}"))
    if queens is None:
        return None
    right = legal(queens, instance.board.regions)
    if right != (name == "right"):
        return None
    return BoardPlan(name, tuple(sorted(queens)), right)


_Queens = list[BoardCell] | None


def _solution(instance: BoardInstance) -> list[BoardCell]:
    return list(instance.board.queens)


def _free(instance: BoardInstance) -> list[BoardCell]:
    n = instance.board.n
    return [(row, column) for row in range(n) for column in range(n) if (row, column) not in instance.board.queens]


def _choose(cells: Sequence[BoardCell], dice: np.random.Generator) -> BoardCell:
    return cells[int(dice.integers(len(cells)))]


def _moved(instance: BoardInstance, dice: np.random.Generator) -> _Queens:
    """One queen stands elsewhere."""
    queens = _solution(instance)
    queens[int(dice.integers(len(queens)))] = _choose(_free(instance), dice)
    return queens


def _missing(instance: BoardInstance, dice: np.random.Generator) -> _Queens:
    queens = _solution(instance)
    del queens[int(dice.integers(len(queens)))]
    return queens


def _extra(instance: BoardInstance, dice: np.random.Generator) -> _Queens:
    return [*_solution(instance), _choose(_free(instance), dice)]


def _touching(instance: BoardInstance, dice: np.random.Generator) -> _Queens:
    """One queen stands beside another."""
    queens = _solution(instance)
    place, other = (int(one) for one in dice.choice(len(queens), 2, replace=False))
    row, column = queens[other]
    near = [cell for cell in _free(instance) if max(abs(cell[0] - row), abs(cell[1] - column)) == 1]
    queens[place] = _choose(near, dice)
    return queens


def _swapped(instance: BoardInstance, dice: np.random.Generator) -> _Queens:
    """Two queens have each other's column."""
    queens = _solution(instance)
    one, other = (int(place) for place in dice.choice(len(queens), 2, replace=False))
    (row, column), (other_row, other_column) = queens[one], queens[other]
    queens[one], queens[other] = (row, other_column), (other_row, column)
    return queens


def _two_in_a_row(instance: BoardInstance, dice: np.random.Generator) -> _Queens:
    """One queen stands in the row of another, in a cell that is free."""
    queens = _solution(instance)
    place, other = (int(one) for one in dice.choice(len(queens), 2, replace=False))
    row = queens[other][0]
    queens[place] = _choose([cell for cell in _free(instance) if cell[0] == row], dice)
    return queens


BOARD_PLANS: dict[str, Callable[[BoardInstance, np.random.Generator], _Queens]] = {
    "right": lambda instance, _: _solution(instance),
    "moved": _moved,
    "missing": _missing,
    "extra": _extra,
    "touching": _touching,
    "swapped": _swapped,
    "none": lambda _instance, _dice: [],
    "two-in-row": _two_in_a_row,
}
"""Plans by name; ``right`` alone is right."""
