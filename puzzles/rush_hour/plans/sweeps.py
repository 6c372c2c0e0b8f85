"""A dozen plans for a lot that look at nothing but the vehicles' labels and sizes and the red car's way out.

What they solve, nobody had to see: accuracies and rewards are held against them, as against random moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from puzzles.rush_hour.lot import RED_LABEL, Lot, Side
from puzzles.rush_hour.rules import Direction, Move, simulate

_OUTWARDS = {Side.LEFT: (-1.0, 0.0), Side.RIGHT: (1.0, 0.0), Side.BOTTOM: (0.0, -1.0), Side.TOP: (0.0, 1.0)}
_F, _B = Direction.FORWARD, Direction.BACKWARD

Plan = tuple[Move, ...]


class _Seen:
    """What a sweep knows: the other vehicles' labels, in their order and by size, and the red car's move out."""

    def __init__(self, lot: Lot, most: int) -> None:
        others = [vehicle for vehicle in lot.vehicles if vehicle.label != RED_LABEL and vehicle.movable]
        self.labels = sorted(vehicle.label for vehicle in others)
        self.large_first = [one.label for one in sorted(others, key=lambda one: (-one.length * one.width, one.label))]
        x, y = _OUTWARDS[lot.exits[0].side]
        self.out = Move(RED_LABEL, _F if lot.red.axis[0] * x + lot.red.axis[1] * y > 0 else _B)
        self.most = most

    def again(self, moves: Sequence[Move]) -> list[Move]:
        """The moves over and over, as many as there may be."""
        return list(moves) * (self.most // max(1, len(moves))) + list(moves[: self.most % max(1, len(moves))])


def _all(labels: Sequence[str], way: Direction) -> list[Move]:
    return [Move(label, way) for label in labels]


def _in_turns(seen: _Seen, first: Direction) -> list[Move]:
    other = _B if first is _F else _F
    return [Move(label, other if place % 2 else first) for place, label in enumerate(seen.labels)]


def _at_random(seen: _Seen) -> list[Move]:
    """Drawn by the labels alone, so that a lot has the same each time."""
    dice = random.Random("".join(seen.labels))
    choices = [*_all(seen.labels, _F), *_all(seen.labels, _B), seen.out]
    return [choices[int(dice.random() * len(choices))] for _ in range(seen.most)]


def _red_after_each(moves: Sequence[Move], out: Move) -> list[Move]:
    return [out, *(move for one in moves for move in (one, out))]


_SWEEPS: dict[str, Callable[[_Seen], list[Move]]] = {
    "all forward, red": lambda seen: [*_all(seen.labels, _F), seen.out],
    "all backward, red": lambda seen: [*_all(seen.labels, _B), seen.out],
    "all forward from the last label, red": lambda seen: [*_all(seen.labels[::-1], _F), seen.out],
    "forward and backward in turns, red": lambda seen: [*_in_turns(seen, _F), seen.out],
    "backward and forward in turns, red": lambda seen: [*_in_turns(seen, _B), seen.out],
    "all forward, red, all backward, red": lambda seen: [
        *_all(seen.labels, _F), seen.out, *_all(seen.labels, _B), seen.out,
    ],
    "all backward, red, all forward, red": lambda seen: [
        *_all(seen.labels, _B), seen.out, *_all(seen.labels, _F), seen.out,
    ],
    "all forward, all backward, red": lambda seen: [*_all(seen.labels, _F), *_all(seen.labels, _B), seen.out],
    "largest first: forward, red, backward, red": lambda seen: [
        *_all(seen.large_first, _F), seen.out, *_all(seen.large_first, _B), seen.out,
    ],
    "red after every one": lambda seen: _red_after_each([*_all(seen.labels, _F), *_all(seen.labels, _B)], seen.out),
    "round robin": lambda seen: seen.again(
        [*(Move(label, way) for label in seen.labels for way in (_F, _B)), seen.out]
    ),
    "at random": _at_random,
}  # fmt: skip
SWEEPS = tuple(_SWEEPS)
"""The names of the dozen."""


def sweep(lot: Lot, name: str, most: int) -> Plan:
    """The plan of a sweep.

    Parameters
    ----------
    lot
        Of which it looks at labels, sizes, and on which side the first exit is.
    name
        One of `SWEEPS`.
    most
        How many moves it may have.
    """
    return tuple(_SWEEPS[name](_Seen(lot, most))[:most])


def sweeps_that_solve(lot: Lot, moves: int) -> tuple[bool, ...]:
    """Of each of `SWEEPS`, whether within so many moves it brings the red car to an exit at any point."""
    return tuple(simulate(lot, sweep(lot, name, moves)).first_solved is not None for name in SWEEPS)
