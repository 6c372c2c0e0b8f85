"""A dozen plans for a sliding puzzle that look at nothing but where the blank is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from puzzles.sliding.tiles import BlankMove, State, apply_move, legal_moves

_UP, _DOWN, _LEFT, _RIGHT = BlankMove.UP, BlankMove.DOWN, BlankMove.LEFT, BlankMove.RIGHT
_RING = (_RIGHT, _DOWN, _LEFT, _UP)
_NAMES = ("right", "down", "left", "up")

Choice = Callable[[Sequence[BlankMove], Sequence[BlankMove]], BlankMove]
"""The next move, of those that were made and those that can be made."""


def _cycle(order: Sequence[BlankMove], stay: int = 1) -> Choice:
    """The moves of an order, each ``stay`` times; those are left out that can't be made or undo the last one."""

    def choose(made: Sequence[BlankMove], legal: Sequence[BlankMove]) -> BlankMove:
        places = [(len(made) // stay + ahead) % len(order) for ahead in range(len(order))]
        fresh = [order[place] for place in places if order[place] in legal and order[place] is not _undoing(made)]
        return fresh[0] if fresh else legal[0]

    return choose


def _undoing(made: Sequence[BlankMove]) -> BlankMove | None:
    return made[-1].opposite if made else None


def _at_random(made: Sequence[BlankMove], legal: Sequence[BlankMove]) -> BlankMove:
    return legal[int(random.Random(len(made)).random() * len(legal))]


_SWEEPS: dict[str, Choice] = {
    **{
        f"clockwise from {_NAMES[first]}": _cycle(tuple(_RING[(first + step) % 4] for step in range(4)))
        for first in range(4)
    },
    **{
        f"anticlockwise from {_NAMES[first]}": _cycle(tuple(_RING[(first - step) % 4] for step in range(4)))
        for first in range(4)
    },
    "clockwise, two by two": _cycle(_RING, stay=2),
    "anticlockwise, two by two": _cycle(_RING[::-1], stay=2),
    "right and down, then left and up": _cycle((_RIGHT, _DOWN, _RIGHT, _DOWN, _LEFT, _UP, _LEFT, _UP)),
    "at random": _at_random,
}
SWEEPS = tuple(_SWEEPS)
"""The names of the dozen."""


def sweep(start: State, name: str, moves: int) -> tuple[BlankMove, ...]:
    """The plan of a sweep, one of `SWEEPS`, of so many moves."""
    state = start
    found: list[BlankMove] = []
    for _ in range(moves):
        move = _SWEEPS[name](found, legal_moves(state))
        found.append(move)
        state = apply_move(state, move)
    return tuple(found)


def sweeps_that_solve(start: State, target: State, moves: int) -> tuple[bool, ...]:
    """Of each of `SWEEPS`, whether within so many moves it has been at the target at any point."""
    solving = []
    for name in SWEEPS:
        state, reached = start, start == target
        for move in sweep(start, name, moves):
            state = apply_move(state, move)
            reached = reached or state == target
        solving.append(reached)
    return tuple(solving)
