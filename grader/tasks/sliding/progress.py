"""How much of a plan for a sliding puzzle is left."""

from __future__ import annotations

from puzzles.common.search import StateLimitError
from puzzles.sliding.tiles import State, solve


def least_moves_of_tiles(state: State, target: State, most_states: int) -> int | None:
    """The least number of moves from a state to another; None if none was found within the bound on states."""
    try:
        return len(solve(state, target, max_states=most_states))
    except StateLimitError:
        return None
