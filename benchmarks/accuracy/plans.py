"""What is drawn, right or wrong, and what has to be said of it: by counting cells, never by the grader.

The definitions are those of docs/tasks/maze.md and docs/tasks/queens.md: with G the right cells and V what is drawn,
coverage = |V and G| / |G| and violation = |V without G| / |V|, 0 where nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass

from puzzles.common.arrays import FloatArray

BoardCell = tuple[int, int]


@dataclass(frozen=True)
class Expectation:
    """The truth about a candidate: whether it has to pass, and its coverage and violation, 0 to 1."""

    passes: bool
    coverage: float
    violation: float


@dataclass(frozen=True, eq=False)
class MazePlan:
    """Lines on a maze, each (k, 2) float64 in cell units, the cells that they visit, and whether that is right."""

    name: str
    lines: tuple[FloatArray, ...]
    visited: frozenset[int]
    passes: bool


@dataclass(frozen=True)
class BoardPlan:
    """Queens on a board as (row, column), and whether that is right."""

    name: str
    queens: tuple[BoardCell, ...]
    passes: bool


def expectation(drawn: Collection[Hashable], right: Collection[Hashable], passes: bool) -> Expectation:
    """Counts what was drawn against what is right.

    Examples
    --------
    >>> expectation([1, 2, 9], [1, 2, 3, 4], False)  # 2 of 4 right cells; 1 of 3 drawn cells is wrong
    Expectation(passes=False, coverage=0.5, violation=0.3333333333333333)
    """
    drawn, right = set(drawn), set(right)
    wrong = len(drawn - right) / len(drawn) if drawn else 0.0
    return Expectation(passes, len(drawn & right) / len(right), wrong)
