"""Agreement of any number of raters, of whom each may have labelled some items only.

A table of counts says, for each item (row), how many raters put it into each class (column). Items with one label say
how often classes are given, where a statistic asks for that, and nothing about agreement.

References
----------
.. [1] J. Cohen, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit",
   Psychological Bulletin 70, 1968.
.. [2] K. Krippendorff, "Computing Krippendorff's alpha-reliability", 2011.
.. [3] K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of high agreement", British
   Journal of Mathematical and Statistical Psychology 61, 2008.
"""

from __future__ import annotations

import enum

import numpy as np

from calibration.statistics.undefined import Floats, Undefined

_NO_PAIRS = Undefined("no item has labels by two people")
_ONE_CLASS = "all labels are in one and the same class"


class Distance(enum.Enum):
    """How far two classes are from each other: all alike, by how often those between are given, or by their values."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def percent_agreement(counts: Floats) -> float | Undefined:
    """The share of pairs of labels of one item that are equal.

    Examples
    --------
    >>> percent_agreement(np.array([[2.0, 1.0], [0.0, 2.0]]))  # 1 of 3 pairs, and 1 of 1
    0.5
    """
    per_item = counts.sum(axis=1)
    pairs = float((per_item * (per_item - 1)).sum())
    return float((counts * (counts - 1)).sum()) / pairs if pairs else _NO_PAIRS


def weighted_kappa(table: Floats, power: int) -> float | Undefined:
    """Agreement of two raters beyond chance, where near classes disagree less [1]_.

    1 less the mean of ``|i - j| ** power`` over the mean that chance would give.

    Parameters
    ----------
    table : (K, K) float64
        Items by the first rater's class (row) and the second's (column), in the order of the classes.
    power : int
        1 for linear weights, 2 for quadratic ones.
    """
    total = float(table.sum())
    if not total:
        return _NO_PAIRS
    places = np.arange(len(table))
    apart = np.abs(places[:, None] - places[None, :]).astype(np.float64) ** power
    by_chance = float((apart * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    if not by_chance:
        return Undefined(_ONE_CLASS)
    return 1.0 - total * float((apart * table).sum()) / by_chance


def krippendorff_alpha(counts: Floats, values: Floats, distance: Distance) -> float | Undefined:
    """1 less the disagreement that is there over the one to be expected by chance [2]_.

    Parameters
    ----------
    counts : (N, K) float64
        Labels of each item by class.
    values : (K,) float64
        The values of classes, rising; for distances by value.
    distance : Distance
        How far classes are from each other.
    """
    several = counts[counts.sum(axis=1) >= 2]
    if not len(several):
        return _NO_PAIRS
    per_item = several.sum(axis=1)
    # Pairs within items, each item weighing as many labels as it has.
    pairs = (several / (per_item - 1)[:, None]).T @ several
    pairs[np.diag_indices(len(pairs))] -= (several / (per_item - 1)[:, None]).sum(axis=0)
    given = several.sum(axis=0)
    apart = _squares(given, values, distance)
    by_chance = float(given @ apart @ given)
    if not by_chance:
        return Undefined(f"{_ONE_CLASS}, of items with several")
    return 1.0 - (float(given.sum()) - 1.0) * float((pairs * apart).sum()) / by_chance


def _squares(given: Floats, values: Floats, distance: Distance) -> Floats:
    """Squared distances of classes."""
    if distance is Distance.NOMINAL:
        return 1.0 - np.eye(len(given))
    if distance is Distance.ORDINAL:
        # From the middle of one class to the middle of the other, in ranks.
        middles = np.cumsum(given) - given / 2
        return np.asarray((middles[:, None] - middles[None, :]) ** 2, np.float64)
    return np.asarray((values[:, None] - values[None, :]) ** 2, np.float64)


def gwet_ac1(counts: Floats) -> float | Undefined:
    """Agreement beyond chance, where chance is that of guesses at hard items [3]_; stable where one class is rare.

    Parameters
    ----------
    counts : (N, K) float64
        Labels of each item by class; K counts all classes that there are, given or not.
    """
    per_item = counts.sum(axis=1)
    several = per_item >= 2
    if not several.any():
        return _NO_PAIRS
    if counts.shape[1] < 2:
        return Undefined("there is one class only")
    pairs = per_item[several] * (per_item[several] - 1)
    same = float(((counts[several] * (counts[several] - 1)).sum(axis=1) / pairs).mean())
    there = per_item > 0
    shares = (counts[there] / per_item[there][:, None]).mean(axis=0)
    by_chance = float((shares * (1.0 - shares)).sum()) / (counts.shape[1] - 1)
    return float((same - by_chance) / (1.0 - by_chance))


def best_agreement(counts: Floats) -> float | Undefined:
    """The share of labels that a grader meets which gives each item the class that most people gave it.

    No grader agrees with these labels more. It is over items with several labels: of one label all can be met.
    """
    several = counts[counts.sum(axis=1) >= 2]
    return float(several.max(axis=1).sum() / several.sum()) if len(several) else _NO_PAIRS
