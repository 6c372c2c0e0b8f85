"""How often random moves solve a sliding puzzle."""

from __future__ import annotations

from grader.model.errors import FieldViolation, InvalidRequestError
from grader.tasks.common.chance import ChanceLevel, PlanChance, Walk
from grader.tasks.sliding.model import SlidingInput
from puzzles.sliding.chance import chance

TWELVE = Walk(
    "twelve",
    "chance (12 moves)",
    "12 moves, each uniform among those that keep the blank on the board; equal to the published levels.",
)
SIX = Walk("six", "chance (6 moves)", "6 such moves, as the text of MentisOculi, 3.4, has it.")
_MOVES = {TWELVE: 12, SIX: 6}


def _levels(task: SlidingInput) -> tuple[ChanceLevel, ...]:
    try:
        return tuple(
            ChanceLevel(walk, chance(task.tiles, task.target_tiles, moves), True) for walk, moves in _MOVES.items()
        )
    except ValueError as error:
        raise InvalidRequestError(FieldViolation("sliding", "OUT_OF_RANGE", str(error))) from error


CHANCE = PlanChance(tuple(_MOVES), _levels)
"""The chance levels of a sliding puzzle."""
