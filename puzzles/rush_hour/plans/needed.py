"""Which moves of a plan the red car needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.rules import Move, move_numbers
from puzzles.rush_hour.slides import SlideTable


def needed_moves(lot: Lot, moves: Sequence[Move]) -> tuple[Move, ...] | None:
    """Return a plan without the moves that the red car does not need to get to an exit.

    They are taken out one by one, from the first to the last, and so is what comes after the red car was at an exit.

    Parameters
    ----------
    lot : Lot
        The lot.
    moves : sequence of Move
        Moves of vehicles that can move.

    Returns
    -------
    tuple of Move, optional
        ``None`` if the moves do not bring the red car to an exit at any point.
    """
    numbers, table = move_numbers(lot), SlideTable(lot)
    left = _until_free(table, [numbers[move] for move in moves])
    if left is None:
        return None
    place = 0
    while place < len(left):
        shorter = _until_free(table, left[:place] + left[place + 1 :])
        place, left = (place + 1, left) if shorter is None else (place, shorter)
    named = tuple(numbers)
    return tuple(named[number] for number in left)


def _until_free(table: SlideTable, moves: list[int]) -> list[int] | None:
    """Return the moves up to the first after which the red car is at an exit; ``None`` if it never is."""
    state = table.start[None, :]
    for place, move in enumerate(moves):
        if table.solved(state)[0]:
            return moves[:place]
        number = np.array([move])
        state = table.after(state, number, table.slide(state, number)[0])
    return moves if table.solved(state)[0] else None
