"""How much of a plan for a sliding puzzle is left, and how much of it matters."""

from __future__ import annotations

from collections.abc import Sequence

from puzzles.common.search import StateLimitError
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, State, simulate, solve


def least_moves_of_tiles(state: State, target: State, most_states: int) -> int | None:
    """The least number of moves from a state to another; None if none was found within the bound on states."""
    try:
        return len(solve(state, target, max_states=most_states))
    except StateLimitError:
        return None


def until_target(puzzle: SlidingPuzzle, moves: Sequence[str]) -> tuple[str, ...]:
    """The moves up to the first after which the tiles are in their places; all if they never are."""
    states = simulate(puzzle.start, [BlankMove(move) for move in moves]).states
    return tuple(moves[: states.index(puzzle.target)] if puzzle.target in states else moves)


def moves_that_matter(puzzle: SlidingPuzzle, moves: Sequence[str]) -> int | None:
    """How many moves of a plan are left once those are taken out that lead from a state back to itself.

    Parameters
    ----------
    puzzle : SlidingPuzzle
    moves : sequence of str
        Such as ``up``, of the blank.

    Returns
    -------
    int or None
        None if a move leads off the board, or the tiles are not in their places after the last.
    """
    run = simulate(puzzle.start, [BlankMove(move) for move in moves])
    if not run.reaches(puzzle.target):
        return None
    way: list[State] = []
    for state in run.states:
        if state in way:
            del way[way.index(state) :]
        way.append(state)
    return len(way) - 1
