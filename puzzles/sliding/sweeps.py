"""A dozen plans for a sliding puzzle that look at nothing but where the blank is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from puzzles.sliding.tiles import BlankMove, State, apply_move, legal_moves

_UP, _DOWN, _LEFT, _RIGHT = BlankMove.UP, BlankMove.DOWN, BlankMove.LEFT, BlankMove.RIGHT
_RING = (_RIGHT, _DOWN, _LEFT, _UP)
_NAMES = ("right", "down", "left", "up")

Choice = Callable[[int, Sequence[BlankMove]], BlankMove]
"""The next move, of how many were made and which can be made."""


def _cycle(order: Sequence[BlankMove], stay: int = 1) -> Choice:
    """The moves of an order, each ``stay`` times; those that can't be made are left out."""

    def choose(made: int, legal: Sequence[BlankMove]) -> BlankMove:
        places = [(made // stay + ahead) % len(order) for ahead in range(len(order))]
        return next((order[place] for place in places if order[place] in legal), legal[0])

    return choose


def _at_random(made: int, legal: Sequence[BlankMove]) -> BlankMove:
    return legal[int(random.Random(made).random() * len(legal))]


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
    state, found = start, []
    for made in range(moves):
        move = _SWEEPS[name](made, legal_moves(state))
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
