"""What a plan earns: all of the reward only where its moves serve a purpose.

Lists of moves that look at nothing, such as all vehicles one way, the red car, all the other way, free many red cars.
Their length does not tell them: all vehicles one way and then the red car are five moves on a lot of level 3, which is
two more than the least, and free it in a quarter of such lots. But most of their moves are of no use. So what counts is
how many are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.tasks.common.progress import FAILED_REWARD
from grader.tasks.plans.settings import PlanRules

Matter = Callable[[Sequence[str]], int | None]
"""How many moves of a plan matter; None where they do not lead to the goal by the rules alone."""


def plan_reward(
    moves: Sequence[str], *, passed: bool, progress: float, needed: int | None, matter: Matter, rules: PlanRules
) -> float:
    """The reward of a plan, 0 to 1.

    Parameters
    ----------
    moves : sequence of str
        As they were read or seen.
    passed : bool
        Whether the verdict is PASS.
    progress : float
        0 to 1; 1 on PASS.
    needed : int or None
        The least number of moves; None where it is not known.
    matter : callable
        Counts the moves that matter; asked only of longer plans than need be that pass.
    rules : PlanRules

    Notes
    -----
    On PASS 1 for a plan of at most `PlanRules.free_moves`, else least over taken; on FAIL 0.9 times the progress, times
    what a plan earns that solves the puzzle with all free moves wasted, so that none that fails earns more than one
    that solves it within the free moves. Either is multiplied by the share of the moves that matter, raised to
    `PlanRules.idle_power`. Of a plan that fails as many matter as it came nearer to the goal.
    """
    earned = 1.0 if passed else FAILED_REWARD * progress
    taken = len(moves)
    if not rules.graded or not taken or not earned:
        return earned
    length = 1.0
    if needed is not None and taken > rules.free_moves(needed):
        length = needed / taken
    if not passed:
        mattering: float = progress * (needed or 0)
        if needed:
            earned *= (needed / rules.free_moves(needed)) ** rules.idle_power
    elif taken == needed:
        mattering = taken
    else:
        found = matter(moves)
        # A clip may pass by moves that the rules alone do not repeat: then the least number are taken to matter.
        mattering = min(taken, needed or taken) if found is None else found
    return earned * length * float((min(mattering, taken) / taken) ** rules.idle_power)
