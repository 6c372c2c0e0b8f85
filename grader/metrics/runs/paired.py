"""Two models at the same puzzles: the difference of their rates, and how surprising it would be if there were none.

References
----------
.. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions", Psychometrika 12,
   1947; here its exact form, the binomial test on the pairs that differ.
.. [2] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from grader.metrics.runs.bootstrap import Interval, ratio_intervals


def difference_intervals(
    differences: NDArray[np.float64], there: NDArray[np.bool_], *, resamples: int, seed: int, level: float = 0.95
) -> list[Interval | None]:
    """Percentile intervals of mean differences, by drawing whole puzzles with replacement.

    A puzzle is drawn with the results of both models, so what makes it easy or hard for both widens no interval.

    Parameters
    ----------
    differences : (C, S) float64
        At each of C puzzles, how much the first model of each of S pairs is ahead of the second.
    there : (C, S) bool
        Where both of them have a result; differences elsewhere don't count.
    resamples, seed, level : int, int, float
        As for `grader.metrics.runs.bootstrap.ratio_intervals`.

    Returns
    -------
    list of S Interval or None
        None where fewer than two puzzles are there, or all of them differ alike.
    """
    return ratio_intervals(
        np.where(there, differences, 0.0), there.astype(np.float64), resamples=resamples, seed=seed, level=level
    )


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """The chance, were two models equally good, of counts of one-sided wins at least as uneven as these [1]_.

    Puzzles that both or none of them solved don't count. Two-sided: min(1, 2 P(X <= the smaller count)), X binomial
    with a half.

    Raises
    ------
    ValueError
        If a count is negative.

    Examples
    --------
    >>> mcnemar_exact(1, 5)  # 2 (1 + 6) / 2^6
    0.21875
    """
    if min(only_first, only_second) < 0:
        raise ValueError(f"puzzles that one model alone solved are counted; got {only_first} and {only_second}")
    total = only_first + only_second
    return min(1.0, 2.0 * float(bdtr(min(only_first, only_second), total, 0.5))) if total else 1.0


def holm(chances: Sequence[float]) -> list[float]:
    """Adjusts the p of several tests, so that the chance of any false alarm among them stays below the level [2]_.

    Examples
    --------
    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03])]  # 3 x .01, then 2 x .03, then no less than that
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(chances)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=lambda one: chances[one])):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = highest
    return adjusted
