"""How winding a maze's path is, by the numbers and under the names that the AMAZE records use.

The formulas were found from published records and reproduce them: the entropy of the turns, the entropy of a turn given
the one before, a norm of each, and 0.6 and 0.4 of the two norms as the difficulty. Nothing is judged by these numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from puzzles.maze.geometry import CellGrid, Geometry

_BASE_ANGLE_DEG = {Geometry.SQUARE: 90, Geometry.HEXAGON: 60, Geometry.TRIANGLE: 60, Geometry.CIRCLE: 90}
# Published hexagon and triangle paths name their turns as if a step by these rows and columns went at these angles,
# clockwise, whatever the picture shows. (-1, -1) and (1, 1) do not occur in the records at hand; theirs are inferred.
_HEADING_DEG = {
    (0, -1): 0,
    (-1, -1): 0,
    (-1, 0): 60,
    (-1, 1): 120,
    (0, 1): 120,
    (1, 1): 180,
    (1, 0): 240,
    (1, -1): 300,
}


@dataclass(frozen=True)
class Difficulty:
    """The measures of a path; entropies in bits.

    Attributes
    ----------
    difficulty
        0.6 ``turn_entropy_norm`` + 0.4 ``turn_rate_norm``.
    turn_entropy, turn_entropy_norm
        Entropy of the turns, and the same divided by log2 of the kinds of turns that occur (0 if there is one).
    turn_rate, turn_rate_norm
        Entropy of a turn given the one before, and the same with each part divided by
        log2 of the kinds of turns that follow there.
    turns
        One name for each pair of steps: STRAIGHT, RIGHT_<degrees>, LEFT_<degrees> or UTURN_180.
    steps
        Moves from cell to cell; for circles only those between rings count, as published.
    base_angle_deg
        The smallest turn of the geometry.
    """

    difficulty: float
    turn_entropy: float
    turn_entropy_norm: float
    turn_rate: float
    turn_rate_norm: float
    turns: tuple[str, ...]
    steps: int
    base_angle_deg: int


def path_difficulty(grid: CellGrid, path: Sequence[int]) -> Difficulty:
    """Measure a path of adjacent cells.

    Raises
    ------
    ValueError
        If an id is of no cell or two cells in a row are not adjacent.
    """
    headings = [_heading(grid, before, after) for before, after in pairwise(path)]
    moves = [heading for heading in headings if heading is not None]
    turns = tuple(_turn_name(after - before) for before, after in pairwise(moves))
    turn_norm = _normed_entropy(turns)
    rate, rate_norm = _rates(turns)
    return Difficulty(
        difficulty=0.6 * turn_norm + 0.4 * rate_norm,
        turn_entropy=_entropy(turns),
        turn_entropy_norm=turn_norm,
        turn_rate=rate,
        turn_rate_norm=rate_norm,
        turns=turns,
        steps=len(moves),
        base_angle_deg=_BASE_ANGLE_DEG[grid.geometry],
    )


def _heading(grid: CellGrid, before: int, after: int) -> int | None:
    """Return the direction of a move in degrees, clockwise; ``None`` for a move along a ring, which does not count."""
    grid.border(before, after)
    (row, column), (next_row, next_column) = grid.row_column(before), grid.row_column(after)
    if grid.geometry is Geometry.CIRCLE:
        return None if row == next_row else (0 if next_row > row else 180)
    if grid.geometry is Geometry.SQUARE:
        return round(math.degrees(math.atan2(next_row - row, next_column - column)))
    return _HEADING_DEG[next_row - row, next_column - column]


def _turn_name(difference_deg: int) -> str:
    turn = (difference_deg + 180) % 360 - 180
    if turn == 0:
        return "STRAIGHT"
    if turn == -180:
        return "UTURN_180"
    return f"RIGHT_{turn}" if turn > 0 else f"LEFT_{-turn}"


def _entropy(names: Sequence[str]) -> float:
    shares = [count / len(names) for count in Counter(names).values()]
    return sum(share * math.log2(1 / share) for share in shares)


def _rates(turns: Sequence[str]) -> tuple[float, float]:
    """Return the entropy of the next turn given one, averaged over the turns that have a next one, plain and normed.

    The norm divides each entropy by log2 of the kinds of turns that follow.
    """
    following: dict[str, list[str]] = {}
    for before, after in pairwise(turns):
        following.setdefault(before, []).append(after)
    weighted = [(len(nexts) / (len(turns) - 1), nexts) for nexts in following.values()]
    return (
        sum(weight * _entropy(nexts) for weight, nexts in weighted),
        sum(weight * _normed_entropy(nexts) for weight, nexts in weighted),
    )


def _normed_entropy(names: Sequence[str]) -> float:
    """Return the entropy divided by log2 of the kinds of names, 0 if there is only one kind."""
    kinds = len(set(names))
    return _entropy(names) / math.log2(kinds) if kinds > 1 else 0.0
