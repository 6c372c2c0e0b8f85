"""How much of a plan for a lot is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from puzzles.common.search import StateLimitError
from puzzles.rush_hour.lot import Lot, Pose
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
