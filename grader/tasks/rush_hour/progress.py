"""How much of a plan for a lot is left, and how much of it matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from puzzles.common.search import StateLimitError
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.plans.needed import needed_moves
from puzzles.rush_hour.rules import move_numbers
from puzzles.rush_hour.solver import solve


def least_moves_in_lot(lot: Lot, most_states: int, poses: Sequence[Pose] | None = None) -> int | None:
    """The least number of moves that bring the red car to an exit.

    Parameters
    ----------
    lot : Lot
    most_states : int
        States that the search may meet.
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
        found = solve(lot, max_states=most_states)
    except StateLimitError:
        return None
    return None if found is None else found.length


def moves_that_matter(lot: Lot, moves: Sequence[str]) -> int | None:
    """How many moves of a plan are left once all are taken out that the red car does not need to get to an exit.

    They are taken out one by one, from the first to the last, and what comes after the red car was at an exit too.

    Parameters
    ----------
    lot : Lot
    moves : sequence of str
        Such as ``A forward``.

    Returns
    -------
    int or None
        None if they name a vehicle that can't move, or do not bring the red car to an exit at any point.
    """
    known = {str(move): move for move in move_numbers(lot)}
    if any(move not in known for move in moves):
        return None
    needed = needed_moves(lot, [known[move] for move in moves])
    return None if needed is None else len(needed)
