"""Shortest solutions of a lot, breadth first over its states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from puzzles.common.search import StateLimitError
from puzzles.rush_hour.contact import Floats
from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.rules import Move, move_numbers
from puzzles.rush_hour.slides import SlideTable

MAX_STATES = 200_000


@dataclass(frozen=True)
class ShortestSolutions:
    """The shortest lists of moves that bring the red car to an exit.

    Attributes
    ----------
    length
        Moves of each.
    solutions
        Some of them or all, in the order of the search: by vehicles in the lot's order, forward first.
    complete
        Whether these are all.
    states
        How many states the search met.
    """

    length: int
    solutions: tuple[tuple[Move, ...], ...]
    complete: bool
    states: int


def solve(
    lot: Lot, limit: int = 1, max_moves: int | None = None, max_states: int = MAX_STATES, margin: float = 0.0
) -> ShortestSolutions | None:
    """Return shortest solutions, or ``None`` if there is none.

    Parameters
    ----------
    lot
        The lot.
    limit
        How many solutions to return at most, at least 1.
    max_moves
        Longer solutions are not looked for; ``None`` for no bound.
    max_states
        How many states the search may meet.
    margin
        By how much each side of each vehicle is moved outwards.

    Raises
    ------
    ValueError
        If the limit is below 1.
    StateLimitError
        If more states are met than ``max_states``.

    Notes
    -----
    Two orders of moves that lead to one state differ as solutions. The state is known to `STATE_QUANTUM`. A shortest
    solution ends with a move of the red car, so only that is tried from the states farthest from the start.
    """
    if limit < 1:
        raise ValueError(f"the limit must be at least 1, not {limit}")
    table = SlideTable(lot, margin)
    search = _Search(table, max_states)
    depth = 0
    if table.solved(table.start[None, :])[0]:
        return ShortestSolutions(0, ((),), True, 1)
    while len(search.layer) and (max_moves is None or depth < max_moves):
        goals = search.goals()
        depth += 1
        if goals:
            moves = tuple(move_numbers(lot))
            paths = list(islice((path for goal in goals for path in search.paths(*goal)), limit + 1))
            solutions = tuple(tuple(moves[number] for number in path) for path in paths[:limit])
            return ShortestSolutions(depth, solutions, len(paths) <= limit, len(search.parents))
        if max_moves is None or depth < max_moves:
            search.advance()
    return None


class _Search:
    """States by layers, with the ways into each from the layer before."""

    def __init__(self, table: SlideTable, max_states: int) -> None:
        self._table = table
        self._max_states = max_states
        self.layer: Floats = table.start[None, :]
        self._numbers = {table.keys(self.layer)[0]: 0}
        self._first = 0  # number of the layer's first state
        self.parents: list[list[tuple[int, int]]] = [[]]  # of each state: (state before, move)

    def goals(self) -> list[tuple[int, int]]:
        """Return the (state, move) of the layer that bring the red car to an exit."""
        found = []
        for move in self._table.red_moves:
            moves = np.full(len(self.layer), move)
            after = self._table.after(self.layer, moves, self._table.slide(self.layer, moves)[0])
            found += [(self._first + int(place), move) for place in np.flatnonzero(self._table.solved(after))]
        return sorted(found)

    def advance(self) -> None:
        """Go on to the next layer."""
        begin = len(self.parents)
        before = self._first
        fresh: list[Floats] = []
        for part in self._table.chunks(self.layer):
            following = self._table.successors(part)
            flat = following.reshape(-1, following.shape[2])
            for place, key in enumerate(self._table.keys(flat)):
                number = self._numbers.setdefault(key, len(self.parents))
                if number == len(self.parents):
                    self.parents.append([])
                    fresh.append(flat[place])
                if number >= begin:
                    self.parents[number].append((before + place // self._table.moves, place % self._table.moves))
            before += len(part)
            if len(self.parents) > self._max_states:
                raise StateLimitError(
                    f"the search met more than {self._max_states} states; raise max_states or bound max_moves"
                )
        self.layer, self._first = np.array(fresh).reshape(-1, self.layer.shape[1]), begin

    def paths(self, state: int, move: int) -> Iterator[tuple[int, ...]]:
        """Yield the shortest lists of moves that lead to a state, each with one more move."""
        if not self.parents[state]:
            yield (move,)
        for before, its_move in self.parents[state]:
            for path in self.paths(before, its_move):
                yield (*path, move)
