"""How often random moves solve a puzzle: the level that accuracies are held against.

A number means nothing without its walk. The text of MentisOculi [1]_ says six random actions; its published numbers are
close to six moves among those that move something for rush hour, and equal to twelve for the sliding puzzle.

References
----------
.. [1] MentisOculi, section 3.4 and its table of chance levels.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from grader.media.types import DEFAULT_LIMITS
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import CandidateKind, RushHourInput, SlidingInput, TaskInput
from grader.tasks.rush_hour.puzzle import read_lot
from puzzles.rush_hour.chance import Draw
from puzzles.rush_hour.chance import chances as lot_chances
from puzzles.sliding import chance as sliding_chance


class Walk(enum.Enum):
    """A random walk: a key for columns, and what it is. It succeeds once it has been at the goal."""

    SIX_THAT_MOVE = "six_that_move"
    SIX_OF_ALL = "six_of_all"
    TWELVE = "twelve"
    SIX = "six"

    @property
    def title(self) -> str:
        """For the heading of a column."""
        return _TITLES[self]

    @property
    def meaning(self) -> str:
        """A sentence for people."""
        return _MEANINGS[self]


_TITLES = {
    Walk.SIX_THAT_MOVE: "chance (6 that move)",
    Walk.SIX_OF_ALL: "chance (6 of all)",
    Walk.TWELVE: "chance (12 moves)",
    Walk.SIX: "chance (6 moves)",
}
_MEANINGS = {
    Walk.SIX_THAT_MOVE: "6 moves, each uniform among those by which a vehicle moves; close to the published levels.",
    Walk.SIX_OF_ALL: "6 moves, each uniform among both directions of every vehicle, also where it can't move.",
    Walk.TWELVE: "12 moves, each uniform among those that keep the blank on the board; equal to the published levels.",
    Walk.SIX: "6 such moves, as the text of MentisOculi, 3.4, has it.",
}
_LOT_MOVES = 6
_DRAWS = {Walk.SIX_THAT_MOVE: Draw.MOVING, Walk.SIX_OF_ALL: Draw.ALL}
_TILE_MOVES = {Walk.TWELVE: 12, Walk.SIX: 6}
_WALKS = {"rush_hour": tuple(_DRAWS), "sliding": tuple(_TILE_MOVES)}


@dataclass(frozen=True)
class ChanceLevel:
    """The probability that a walk solves a puzzle, 0 to 1; ``exact`` says whether all states were followed."""

    walk: Walk
    probability: float
    exact: bool


def walks_of(task: str) -> tuple[Walk, ...]:
    """The walks of a task, the one that the published levels are by first; none for a task that is no plan."""
    return _WALKS.get(task, ())


def chance_levels(task: TaskInput) -> tuple[ChanceLevel, ...]:
    """Works out the chance of each of a puzzle's walks; a second or less for a public lot.

    Returns
    -------
    tuple of ChanceLevel
        In the order of `walks_of`; empty for a task that is no plan.

    Raises
    ------
    InvalidRequestError
        If the puzzle is none.
    """
    if isinstance(task, RushHourInput):
        lot = read_lot(task, DEFAULT_LIMITS, CandidateKind.TEXT)
        found = lot_chances(lot, _LOT_MOVES, tuple(_DRAWS.values()))
        return tuple(ChanceLevel(walk, one.probability, one.exact) for walk, one in zip(_DRAWS, found, strict=True))
    if isinstance(task, SlidingInput):
        try:
            return tuple(
                ChanceLevel(walk, sliding_chance.chance(task.tiles, task.target_tiles, moves), True)
                for walk, moves in _TILE_MOVES.items()
            )
        except ValueError as error:
            raise InvalidRequestError(FieldViolation("sliding", "OUT_OF_RANGE", str(error))) from error
    return ()
