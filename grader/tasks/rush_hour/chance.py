"""How often random moves, and plans that look at nothing, free the red car."""

from __future__ import annotations

from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import ChanceLevel, PlanChance, Sweeps, Walk
from grader.tasks.rush_hour.model import RushHourInput
from grader.tasks.rush_hour.puzzle import read_lot
from puzzles.rush_hour.chance import Draw, chances
from puzzles.rush_hour.plans.sweeps import SWEEPS, sweeps_that_solve

SIX_THAT_MOVE = Walk(
    "six_that_move",
    "chance (6 that move)",
    "6 moves, each uniform among those by which a vehicle moves; close to the published levels.",
)
SIX_OF_ALL = Walk(
    "six_of_all",
    "chance (6 of all)",
    "6 moves, each uniform among both directions of every vehicle, also where it can't move.",
)
BEST_SWEEP = Walk(
    "best_sweep",
    "best sweep (6 moves)",
    "measured, not computed: of a dozen plans that look at nothing, such as all vehicles one way and then the red car, "
    "each cut off after 6 moves, the one that frees the red car at the most of the level's puzzles.",
)
_MOVES = 6
_DRAWS = {SIX_THAT_MOVE: Draw.MOVING, SIX_OF_ALL: Draw.ALL}


def _levels(task: RushHourInput) -> tuple[ChanceLevel, ...]:
    lot = read_lot(task, DEFAULT_LIMITS, CandidateKind.TEXT)
    found = chances(lot, _MOVES, tuple(_DRAWS.values()))
    return tuple(ChanceLevel(walk, one.probability, one.exact) for walk, one in zip(_DRAWS, found, strict=True))


def _swept(task: RushHourInput) -> tuple[bool, ...]:
    return sweeps_that_solve(read_lot(task, DEFAULT_LIMITS, CandidateKind.TEXT), _MOVES)


CHANCE = PlanChance(tuple(_DRAWS), _levels, Sweeps(BEST_SWEEP, SWEEPS, _swept))
"""The chance levels of a lot."""
