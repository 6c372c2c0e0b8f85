"""Sliding puzzles: tiles on an n x n grid with one blank; rules, shortest solutions, generator.

A state is the tiles in row-major order, with -1 for the blank. Moves say where the blank goes.
"""

from __future__ import annotations

import enum
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from puzzles.common.search import StateLimitError
from puzzles.sliding.shape import BLANK, MAX_SIZE, MIN_SIZE

State = tuple[int, ...]

MAX_STATES = 400_000
# Up to this size all states at a distance can be listed: 12 and 181,440.
_LISTED_SIZE = 3
# Longer ones of larger puzzles take the solver too long.
_MAX_WALK = 24
_MAX_TRIES = 1000


class BlankMove(enum.Enum):
    """Where the blank goes; the tile there takes its place."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"

    @property
    def opposite(self) -> BlankMove:
        """The move that undoes this one."""
        return _OPPOSITE[self]


_STEPS = {BlankMove.UP: (-1, 0), BlankMove.DOWN: (1, 0), BlankMove.LEFT: (0, -1), BlankMove.RIGHT: (0, 1)}
_OPPOSITE = {
    BlankMove.UP: BlankMove.DOWN,
    BlankMove.DOWN: BlankMove.UP,
    BlankMove.LEFT: BlankMove.RIGHT,
    BlankMove.RIGHT: BlankMove.LEFT,
}


@dataclass(frozen=True)
class SlidingFailure:
    """The first move that cannot be made: its place in the list, from 0, and why."""

    place: int
    move: BlankMove
    message: str


@dataclass(frozen=True)
class SlidingRun:
    """What a list of moves does: the states, the first included, and the first move that cannot be made, if any."""

    states: tuple[State, ...]
    failure: SlidingFailure | None

    def reaches(self, target: State) -> bool:
        """Whether all moves were made and end at a state."""
        return self.failure is None and self.states[-1] == target


@dataclass(frozen=True)
class SlidingPuzzle:
    """A state and the one to be reached.

    Attributes
    ----------
    start, target
        States of one size, 2 x 2 to 5 x 5, with the same tiles.
    seed
        What it was made with; 0 if it was not generated here.

    Raises
    ------
    ValueError
        If a state is none, the tiles differ, or no moves lead from one to the other.
    """

    start: State
    target: State
    seed: int = 0

    def __post_init__(self) -> None:
        if not is_solvable(self.start, self.target):
            raise ValueError("no moves lead from the start to the target: the tiles are an odd number of swaps away")

    @property
    def size(self) -> int:
        """Rows and columns."""
        return math.isqrt(len(self.start))


def state_size(state: State) -> int:
    """Return the rows, and columns, of a state.

    Raises
    ------
    ValueError
        If it is not a square of 2 x 2 to 5 x 5, holds a number twice, or does not hold one blank.
    """
    size = math.isqrt(len(state))
    if size * size != len(state) or not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"a state must have n x n places, n from {MIN_SIZE} to {MAX_SIZE}, not {len(state)} places")
    if state.count(BLANK) != 1:
        raise ValueError(f"a state must hold one blank, {BLANK}, not {state.count(BLANK)}")
    if len(set(state)) != len(state):
        raise ValueError(f"a state must hold each tile once, not {state}")
    return size


def legal_moves(state: State) -> tuple[BlankMove, ...]:
    """Return the moves that keep the blank on the grid, in the order up, down, left, right."""
    return tuple(move for move, _ in _ways(state_size(state))[state.index(BLANK)])


def apply_move(state: State, move: BlankMove) -> State:
    """Return the state after a move; ValueError if the blank would leave the grid."""
    run = simulate(state, (move,))
    if run.failure is not None:
        raise ValueError(run.failure.message)
    return run.states[1]


def simulate(state: State, moves: Sequence[BlankMove]) -> SlidingRun:
    """Make moves one after another, up to the first one that cannot be made; ValueError if the state is none."""
    size = state_size(state)
    states = [state]
    for place, move in enumerate(moves):
        blank = states[-1].index(BLANK)
        to = dict(_ways(size)[blank]).get(move)
        if to is None:
            row, column = divmod(blank, size)
            message = (
                f"move {place + 1} takes the blank {move.value} from row {row + 1}, column {column + 1}, off the grid"
            )
            return SlidingRun(tuple(states), SlidingFailure(place, move, message))
        states.append(_swapped(states[-1], blank, to))
    return SlidingRun(tuple(states), None)


def is_solvable(start: State, target: State) -> bool:
    """Whether moves lead from one state to another.

    Each move swaps the blank with a tile and takes it one step, so the parity of the swaps between two states must be
    that of the blank's way; on a square grid that is also enough.

    Raises
    ------
    ValueError
        If a state is none, or the sizes or tiles differ.
    """
    size = state_size(start)
    if state_size(target) != size or set(start) != set(target):
        raise ValueError("start and target must have the same size and the same tiles")
    goes_to = [target.index(tile) for tile in start]
    swaps, seen = 0, [False] * len(goes_to)
    for place in range(len(goes_to)):
        while not seen[place]:
            seen[place] = True
            place = goes_to[place]
            swaps += not seen[place]  # a cycle of k places takes k - 1 swaps
    (row, column), (to_row, to_column) = (divmod(state.index(BLANK), size) for state in (start, target))
    return (swaps + abs(row - to_row) + abs(column - to_column)) % 2 == 0


def solve(start: State, target: State, max_states: int = MAX_STATES) -> tuple[BlankMove, ...]:
    """Return a shortest list of moves, found breadth first from both ends; the same one for the same arguments.

    Parameters
    ----------
    start, target
        States of one size with the same tiles.
    max_states
        How many states may be met. 3 x 3 never needs more than the default; 4 x 4 does beyond some 30 moves.

    Raises
    ------
    ValueError
        If a state is none, the sizes or tiles differ, or no moves lead to the target.
    StateLimitError
        If more states are met.
    """
    if not is_solvable(start, target):
        raise ValueError("no moves lead from the start to the target")
    if start == target:
        return ()
    ways = _ways(state_size(start))
    # For each end: the move by which a state was met first, going away from that end.
    met: tuple[dict[State, BlankMove | None], ...] = ({start: None}, {target: None})
    layers = [[start], [target]]
    while True:
        end = 0 if len(layers[0]) <= len(layers[1]) else 1
        mine, others = met[end], met[1 - end]
        layer, touching = [], None
        for state in layers[end]:
            blank = state.index(BLANK)
            for move, to in ways[blank]:
                following = _swapped(state, blank, to)
                if following not in mine:
                    mine[following] = move
                    layer.append(following)
                    # Both searches have met all nearer states, so the first that both met is on a shortest way.
                    if touching is None and following in others:
                        touching = following
        if touching is not None:
            back = _moves_from(met[1], touching)
            return (*reversed(_moves_from(met[0], touching)), *(move.opposite for move in back))
        if len(met[0]) + len(met[1]) > max_states:
            raise StateLimitError(f"the search met more than {max_states} states; raise max_states")
        layers[end] = layer


def generate_sliding(size: int, moves: int, seed: int = 0, target: State | None = None) -> SlidingPuzzle:
    """Return a puzzle that needs a number of moves. The same arguments give the same puzzle.

    Up to 3 x 3 each state at that distance from the target is as likely; for larger puzzles the start is the end of a
    random walk that does not turn back and is as short as can be.

    Parameters
    ----------
    size
        Rows and columns, 2 to 5.
    moves
        The least number of moves, at least 1; at most 6 for 2 x 2, 31 for 3 x 3 (fewer for some targets), 24 beyond.
    seed
        Any whole number that is not negative.
    target
        Any state of that size; if it is ``None``, tiles 1, 2, ... in order with the blank at a random place.

    Raises
    ------
    ValueError
        If an argument is out of range, the target has another size, or no state is that far away.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"the size must be from {MIN_SIZE} to {MAX_SIZE}, not {size}")
    if moves < 1 or (size > _LISTED_SIZE and moves > _MAX_WALK):
        raise ValueError(f"the number of moves must be at least 1, and at most {_MAX_WALK} from 4 x 4 on, not {moves}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    dice = random.Random(seed)
    if target is None:
        tiles = list(range(1, size * size))
        tiles.insert(int(dice.random() * size * size), BLANK)
        target = tuple(tiles)
    if state_size(target) != size:
        raise ValueError(f"the target is {state_size(target)} x {state_size(target)}, not {size} x {size}")
    if size <= _LISTED_SIZE:
        far = _states_at(target, moves)
        if not far:
            raise ValueError(f"no state is {moves} moves away from {target}")
        return SlidingPuzzle(far[int(dice.random() * len(far))], target, seed)
    for _ in range(_MAX_TRIES):
        start = _walk(target, moves, dice)
        if len(solve(start, target)) == moves:
            return SlidingPuzzle(start, target, seed)
    raise ValueError(f"no state {moves} moves away was found in {_MAX_TRIES} tries; take fewer moves or another seed")


@cache
def _ways(size: int) -> tuple[tuple[tuple[BlankMove, int], ...], ...]:
    """Return, for each place of the blank, the moves it can make with the places they lead to."""
    ways = []
    for row in range(size):
        for column in range(size):
            there = [(move, row + down, column + right) for move, (down, right) in _STEPS.items()]
            ways.append(tuple((move, r * size + c) for move, r, c in there if 0 <= r < size and 0 <= c < size))
    return tuple(ways)


def _swapped(state: State, blank: int, to: int) -> State:
    tiles = list(state)
    tiles[blank], tiles[to] = tiles[to], BLANK
    return tuple(tiles)


def _moves_from(met: dict[State, BlankMove | None], state: State) -> list[BlankMove]:
    """Return the moves that led from an end of the search to a state, the last one first."""
    moves = []
    while (move := met[state]) is not None:
        moves.append(move)
        state = apply_move(state, move.opposite)
    return moves


def _states_at(target: State, distance: int) -> list[State]:
    """Return all states at a distance, in the order of a search breadth first."""
    ways = _ways(state_size(target))
    seen, layer = {target}, [target]
    for _ in range(distance):
        following = []
        for state in layer:
            blank = state.index(BLANK)
            for _, to in ways[blank]:
                near = _swapped(state, blank, to)
                if near not in seen:
                    seen.add(near)
                    following.append(near)
        layer = following
    return layer


def _walk(state: State, moves: int, dice: random.Random) -> State:
    last: BlankMove | None = None
    for _ in range(moves):
        choices = [move for move in legal_moves(state) if last is None or move is not last.opposite]
        # Only random() is promised to give the same numbers in every Python version.
        last = choices[int(dice.random() * len(choices))]
        state = apply_move(state, last)
    return state
