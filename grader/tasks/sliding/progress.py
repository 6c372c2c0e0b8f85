"""How much of a plan for a sliding puzzle is left."""

from __future__ import annotations

from grader.tasks.plans.progress import MOST_STATES
from puzzles.sliding.tiles import State, StateLimitError, solve


def least_moves_of_tiles(state: State, target: State) -> int | None:
    """The least number of moves from a state to another; None if none was found within the bound on states."""
    try:
        return len(solve(state, target, max_states=MOST_STATES))
    except StateLimitError:
        return None
