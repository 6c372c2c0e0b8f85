"""How well a number orders items by what people said, whatever its scale.

References
----------
.. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic (ROC)
   curve", Radiology 143, 1982.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from calibration.statistics.undefined import Floats, Undefined

Bools = NDArray[np.bool_]


def auroc(scores: Floats, right: Bools) -> float | Undefined:
    """The chance that a right item has a higher score than a wrong one, ties counting a half [1]_.

    Examples
    --------
    >>> auroc(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))  # 3.5 of 4 pairs
    0.875
    """
    good = int(right.sum())
    bad = len(right) - good
    if not good or not bad:
        return Undefined("people called all of them right" if good else "people called none of them right")
    ranks = float(rankdata(scores)[right].sum())
    return (ranks - good * (good + 1) / 2) / (good * bad)


def average_precision(scores: Floats, right: Bools) -> float | Undefined:
    """The mean, over right items, of the share of right ones among all that score at least as high.

    Items of one score are taken together, so that their order does not matter.

    Examples
    --------
    >>> round(average_precision(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, True])), 6)
    0.805556
    """
    good = int(right.sum())
    if not good:
        return Undefined("people called none of them right")
    order = np.argsort(-scores, kind="stable")
    sorted_scores = scores[order]
    last = np.append(np.flatnonzero(np.diff(sorted_scores)), len(scores) - 1)
    found = np.cumsum(right[order])[last]
    precision = found / (last + 1)
    return float((np.diff(found, prepend=0) * precision).sum()) / good


def spearman(one: Floats, other: Floats) -> float | Undefined:
    """Correlation of ranks, those of ties averaged."""
    if len(one) < 2:
        return Undefined("fewer than two items")
    if bool((one == one[0]).all()) or bool((other == other[0]).all()):
        return Undefined("one of the two is the same throughout")
    first, second = (rankdata(side) - (len(one) + 1) / 2 for side in (one, other))
    return float((first * second).sum() / np.sqrt((first * first).sum() * (second * second).sum()))
