"""How often random moves, and plans that look at nothing, solve a sliding puzzle."""

from __future__ import annotations

from grader.model.errors import FieldViolation, InvalidRequestError
from grader.tasks.common.chance import ChanceLevel, PlanChance, Sweeps, Walk
from grader.tasks.sliding.model import SlidingInput
from puzzles.sliding.chance import chance
from puzzles.sliding.sweeps import SWEEPS, sweeps_that_solve

TWELVE = Walk(
    "twelve",
    "chance (12 moves)",
    "12 moves, each uniform among those that keep the blank on the board; equal to the published levels.",
)
SIX = Walk("six", "chance (6 moves)", "6 such moves, as the text of MentisOculi, 3.4, has it.")
BEST_SWEEP = Walk(
    "best_sweep",
    "best sweep (12 moves)",
    "measured, not computed: of a dozen plans that look at nothing but where the blank is, such as round and round, "
    "each cut off after 12 moves, the one that has been at the target at the most of the level's puzzles.",
)
_MOVES = {TWELVE: 12, SIX: 6}


def _levels(task: SlidingInput) -> tuple[ChanceLevel, ...]:
    try:
        return tuple(
            ChanceLevel(walk, chance(task.tiles, task.target_tiles, moves), True) for walk, moves in _MOVES.items()
        )
    except ValueError as error:
        raise InvalidRequestError(FieldViolation("sliding", "OUT_OF_RANGE", str(error))) from error


def _swept(task: SlidingInput) -> tuple[bool, ...]:
    try:
        return sweeps_that_solve(task.tiles, task.target_tiles, _MOVES[TWELVE])
    except ValueError as error:
        raise InvalidRequestError(FieldViolation("sliding", "OUT_OF_RANGE", str(error))) from error


CHANCE = PlanChance(tuple(_MOVES), _levels, Sweeps(BEST_SWEEP, SWEEPS, _swept))
"""The chance levels of a sliding puzzle."""
