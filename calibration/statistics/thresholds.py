"""A threshold on a number, fitted on some items: the least cost, or as many passes as a bound on false ones allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.statistics.bounds import upper_bound
from calibration.statistics.ranking import Bools
from calibration.statistics.undefined import Floats, Undefined


@dataclass(frozen=True)
class Tally:
    """What a threshold does with items.

    Attributes
    ----------
    passed : items that pass: their number is at least the threshold
    false_passes, wrong : of the items that people call wrong, those that pass, and all
    false_fails, right : of the items that people call right, those that do not pass, and all
    """

    passed: int
    false_passes: int
    wrong: int
    false_fails: int
    right: int

    def cost(self, false_pass: float, false_fail: float) -> float:
        """Its mean cost an item."""
        return (false_pass * self.false_passes + false_fail * self.false_fails) / max(1, self.wrong + self.right)


def tally(scores: Floats, right: Bools, threshold: float) -> Tally:
    """Counts what a threshold does."""
    passes = scores >= threshold
    return Tally(
        passed=int(passes.sum()),
        false_passes=int((passes & ~right).sum()),
        wrong=int((~right).sum()),
        false_fails=int((~passes & right).sum()),
        right=int(right.sum()),
    )


def least_cost(scores: Floats, right: Bools, false_pass: float, false_fail: float) -> float | Undefined:
    """The threshold of least cost; of several the highest, which lets fewest pass.

    Thresholds are numbers of items, and one beyond all of them where letting nothing pass costs least: infinity.
    """
    if not len(scores):
        return Undefined("no items to fit to")
    tried = [float("inf"), *np.unique(scores)[::-1].tolist()]
    return float(min(tried, key=lambda one: tally(scores, right, one).cost(false_pass, false_fail)))


def bounded(scores: Floats, right: Bools, most: float, level: float) -> float | Undefined:
    """The lowest threshold at which the share of wrong items that pass is below a bound, with a chance of ``level``.

    Thresholds are tried from the highest down, and the first at which the bound is not met ends the search; so that
    many are tried takes nothing from the chance. It holds where items are independent.

    Parameters
    ----------
    scores, right : (N,) float64, (N,) bool
        The number of each item, and what people said.
    most : float
        The bound on false passes among wrong items.
    level : float
        The chance with which the bound holds.
    """
    wrong = int((~right).sum())
    if not wrong:
        return Undefined("people called none of the items to fit to wrong, so nothing says how many of such pass")
    found: float | None = None
    for threshold in np.unique(scores)[::-1].tolist():
        if upper_bound(tally(scores, right, threshold).false_passes, wrong, level) > most:
            break
        found = threshold
    if found is not None:
        return found
    needed = _wrong_items_needed(most, level)
    more = f"; it takes at least {needed} wrong items, here are {wrong}" if needed > wrong else ""
    return Undefined(f"no threshold keeps false passes below {most:g} with a chance of {level:g}{more}")


def _wrong_items_needed(most: float, level: float) -> int:
    """How many wrong items, none of which passes, show that a share is below a bound."""
    return int(np.ceil(np.log1p(-level) / np.log1p(-most)))
