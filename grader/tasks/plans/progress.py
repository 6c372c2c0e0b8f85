"""How much of a plan is done: by how many moves are left, of those that are needed at first.

It is for rewards. A state from which more moves are needed than at first has made no progress.
"""

from __future__ import annotations

from grader.model.verdict import Reason
from grader.tasks.plans.settings import PlanRules


def progress_made(needed: int | None, left: int | None) -> float:
    """1 - left / needed, in [0, 1]; 0 where one of them is not known."""
    if needed is None or left is None:
        return 0.0
    return max(0.0, 1.0 - left / needed) if needed else 1.0


def too_long(moves: int, needed: int | None, rules: PlanRules) -> Reason | None:
    """The reason against a plan of so many moves, if there is one."""
    if needed is None or moves <= rules.most_moves(needed):
        return None
    text = f"{moves} moves, where {needed} do; at most {rules.most_moves(needed)} count as a plan."
    return Reason("PLAN_TOO_LONG", text)
