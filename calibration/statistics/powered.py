"""The rate of all items from the labels of a few: from these alone, and with what the grader says of all others.

References
----------
.. [1] A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic, "Prediction-powered inference", Science
   382, 2023.
.. [2] A. N. Angelopoulos, J. C. Duchi and T. Zrnic, "PPI++: efficient prediction-powered inference", 2023: the weight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from calibration.statistics.undefined import Floats, Indices, Undefined
from grader.metrics.runs.bootstrap import Interval
from grader.report.data.estimates import Estimate


@dataclass(frozen=True)
class PoweredRates:
    """Two estimates of one rate.

    Attributes
    ----------
    classical : from the labels alone
    powered : with the verdicts of all items
    weight : how much the verdicts count, 0 (not at all) to 1; None where there is no such estimate
    """

    classical: Estimate
    powered: Estimate
    weight: float | None


@dataclass(frozen=True)
class LabelledPart:
    """Items with labels, a random part of a run, and those without.

    Attributes
    ----------
    said, verdicts, clusters : of items with a label: it, 0 to 1, the grader's 0 or 1, and the puzzle
    other_verdicts, other_clusters : of items without one
    """

    said: Floats
    verdicts: Floats
    clusters: Indices
    other_verdicts: Floats
    other_clusters: Indices


def powered_rates(part: LabelledPart, level: float = 0.95) -> PoweredRates:
    """Both estimates [1]_, with intervals that take the items of one puzzle for dependent.

    The weight of the verdicts is the one of least variance [2]_. Intervals are those of Student's t with as many
    degrees of freedom as labelled puzzles, less one.
    """
    n, others = len(part.said), len(part.other_verdicts)
    if not n:
        none = Undefined("no item has a label")
        return PoweredRates(Estimate(None, 0, why=none.why), Estimate(None, others, why=none.why), None)
    puzzles = len(np.unique(part.clusters))
    mean = float(part.said.mean())
    names, where = np.unique(np.concatenate([part.clusters, part.other_clusters]), return_inverse=True)
    own = _pulls(part.said - mean, where[:n], len(names))
    classical = Estimate(mean, n, _interval(mean, own, puzzles, level))
    if not others:
        why = "all items have labels, so verdicts add nothing"
        return PoweredRates(classical, Estimate(None, n, why=why), None)
    labelled, rest = float(part.verdicts.mean()), float(part.other_verdicts.mean())
    theirs = _pulls(part.other_verdicts - rest, where[n:], len(names))
    theirs -= _pulls(part.verdicts - labelled, where[:n], len(names))
    strength = float(theirs @ theirs)
    weight = min(1.0, max(0.0, -float(own @ theirs) / strength)) if strength else 0.0
    value = min(1.0, max(0.0, mean + weight * (rest - labelled)))
    both = own + weight * theirs
    return PoweredRates(classical, Estimate(value, n + others, _interval(value, both, puzzles, level)), weight)


def _pulls(differences: Floats, where: Indices, clusters: int) -> Floats:
    """How much each puzzle pulls a mean."""
    return np.bincount(where, weights=differences, minlength=clusters) / len(differences)


def _interval(value: float, pulls: Floats, puzzles: int, level: float) -> Interval | None:
    """None where the puzzles say nothing of how much the value varies."""
    if puzzles < 2:
        return None
    half = float(stdtrit(puzzles - 1, (1.0 + level) / 2)) * math.sqrt(float(pulls @ pulls) * puzzles / (puzzles - 1))
    return Interval(max(0.0, value - half), min(1.0, value + half)) if half else None
