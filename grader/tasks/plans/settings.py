"""How plans are judged, whatever puzzle they are for: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlanRules:
    """How long a plan may be, what it earns, and how far its progress is looked for.

    A plan longer than need be is right by the rules. But long lists of moves at random free most red cars some time,
    and say nothing of planning: what is allowed is left to detours and second thoughts.

    Attributes
    ----------
    most_factor, most_more : a plan may have so many times the least number of moves, and so many more
    graded : whether plans that are longer than need be, or have moves that do not matter, earn less reward; if not,
        PASS earns 1 and FAIL 0.9 times the progress
    free_more, free_share : a plan of moves that all matter earns all with so many more moves than the least number, or
        with so large a share of it more, whichever is more
    idle_power : the share of the moves that matter, raised to this power, is what a plan earns; and the share of the
        least number in the free moves, raised to it, is the most that progress earns where a plan fails, times 0.9
    most_states : states that a search for the moves left may meet; a search that needs more says nothing
    """

    most_factor: int = 5
    most_more: int = 10
    graded: bool = True
    free_more: int = 2
    free_share: float = 0.25
    idle_power: float = 3.0
    most_states: int = 60_000

    def most_moves(self, needed: int) -> int:
        """How many moves a plan may have that needs at least so many."""
        return self.most_factor * needed + self.most_more

    def free_moves(self, needed: int) -> float:
        """How many moves earn all, if they all matter, where at least so many are needed."""
        return needed + max(self.free_more, self.free_share * needed)


@dataclass(frozen=True)
class TrackRules:
    """How exactly the tracks of an observation are kept.

    Attributes
    ----------
    tolerance : by how much a kept track may differ from the one that was seen, in cells, or units of the lot and
        radians
    """

    tolerance: float = 0.05


PLAN_RULES = PlanRules()
"""The rules in use."""
