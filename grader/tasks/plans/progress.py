"""How much of a plan is done: by how many moves are left, of those that are needed at first.

It is for rewards. A state from which more moves are needed than at first has made no progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.model.verdict import Reason
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.solver import StateLimitError, solve
from puzzles.sliding import tiles as sliding
from puzzles.sliding.tiles import State

_MOST_STATES = 60_000
"""States that a search for the moves left may meet; a search that needs more says nothing."""


def least_moves_in_lot(lot: Lot, poses: Sequence[Pose] | None = None) -> int | None:
    """The least number of moves that bring the red car to an exit.

    Parameters
    ----------
    lot : Lot
    poses : sequence of Pose, optional
        Where the vehicles stand, in the lot's order; by default at their first places.

    Returns
    -------
    int or None
        None if there is no solution, or none was found within the bound on states.
    """
    if poses is not None:
        vehicles = tuple(replace(body, pose=pose) for body, pose in zip(lot.vehicles, poses, strict=True))
        lot = replace(lot, vehicles=vehicles)
    try:
        found = solve(lot, max_states=_MOST_STATES)
    except StateLimitError:
        return None
    return None if found is None else found.length


def least_moves_of_tiles(state: State, target: State) -> int | None:
    """The least number of moves from a state to another; None if none was found within the bound on states."""
    try:
        return len(sliding.solve(state, target, max_states=_MOST_STATES))
    except sliding.StateLimitError:
        return None


def progress_made(needed: int | None, left: int | None) -> float:
    """1 - left / needed, in [0, 1]; 0 where one of them is not known."""
    if needed is None or left is None:
        return 0.0
    return max(0.0, 1.0 - left / needed) if needed else 1.0


def most_moves(needed: int) -> int:
    """How many moves a plan may have that needs at least so many.

    A plan longer than need be is right by the rules. But long lists of moves at random free most red cars some time,
    and say nothing of planning: 10 moves more than five times the least are left to detours and second thoughts.
    """
    return 5 * needed + 10


def too_long(moves: int, needed: int | None) -> Reason | None:
    """The reason against a plan of so many moves, if there is one."""
    if needed is None or moves <= most_moves(needed):
        return None
    text = f"{moves} moves, where {needed} do; at most {most_moves(needed)} count as a plan."
    return Reason("PLAN_TOO_LONG", text)
