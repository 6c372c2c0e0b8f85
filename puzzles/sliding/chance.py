"""How often random moves solve a sliding puzzle, exactly.

The walk is uniform over the moves that keep the blank on the grid. A table must say which walk it uses: the text of the
MentisOculi paper (section 3.4) names 6 moves, its numbers are those of 12, both with success at any point.
"""

from __future__ import annotations

import enum

from puzzles.sliding.tiles import State, apply_move, is_solvable, legal_moves


class Success(enum.Enum):
    """When a walk counts as a success: once it has been at the target, or only if it ends there."""

    ANY_POINT = "any point"
    AT_END = "at end"


def chance(start: State, target: State, moves: int, success: Success = Success.ANY_POINT) -> float:
    """Return the probability that a walk of random legal moves reaches a target.

    Parameters
    ----------
    start, target
        States of one size with the same tiles.
    moves
        The length of the walk, not negative. All states that it can reach are held, so long walks on large grids take
        much memory: 12 moves reach at most some 10,000 states of 4 x 4.
    success
        Whether being at the target at any point counts, the start included, or the end alone.

    Returns
    -------
    float
        0 to 1, exact up to rounding.

    Raises
    ------
    ValueError
        If a state is none, the sizes or tiles differ, or the number of moves is negative.
    """
    if moves < 0:
        raise ValueError(f"the number of moves must not be negative, not {moves}")
    if not is_solvable(start, target):
        return 0.0
    reached = 0.0
    shares = {start: 1.0}
    ways: dict[State, tuple[State, ...]] = {}
    for _ in range(moves):
        if success is Success.ANY_POINT:
            reached += shares.pop(target, 0.0)
        following: dict[State, float] = {}
        for state, share in shares.items():
            if state not in ways:
                ways[state] = tuple(apply_move(state, move) for move in legal_moves(state))
            for near in ways[state]:
                following[near] = following.get(near, 0.0) + share / len(ways[state])
        shares = following
    return reached + shares.get(target, 0.0)
