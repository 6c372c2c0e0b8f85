"""Intervals of rates and means whose items come in clusters, such as the attempts at one puzzle.

A rate or a mean over items is a ratio of sums over clusters, so a resample of clusters needs nothing but each
cluster's two sums; memory does not depend on how many items there are.

References
----------
.. [1] B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13: percentile intervals.
.. [2] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_CHUNK_DRAWS = 2_000_000
"""Draws that are held at a time: 16 MB of indices."""


@dataclass(frozen=True)
class Interval:
    """Two bounds, low <= high."""

    low: float
    high: float


def ratio_intervals(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    *,
    resamples: int,
    seed: int,
    level: float = 0.95,
) -> list[Interval | None]:
    """Percentile intervals of ratios of sums, by drawing whole clusters with replacement [1]_.

    All statistics are taken from the same resamples. A resample in which a statistic's denominator is 0 says nothing
    about it and is left out for it.

    Parameters
    ----------
    numerators, denominators : (C, S) float64
        The sums of C clusters for S statistics; statistic s is numerators[:, s].sum() / denominators[:, s].sum().
    resamples : int
        How often C clusters are drawn.
    seed : int
        Same seed, same intervals.
    level : float
        Coverage, in (0, 1).

    Returns
    -------
    list of S Interval or None
        None where fewer than two clusters have the statistic, or all of them have the same ratio: a bootstrap of equal
        values has no width, which is not to be taken for certainty.

    Raises
    ------
    ValueError
        If shapes differ, a number is not finite, a denominator is negative, or resamples or level are out of range.

    Examples
    --------
    >>> passed, tried = np.array([[1.0], [0.0], [1.0], [0.0]]), np.ones((4, 1))
    >>> ratio_intervals(passed, tried, resamples=1000, seed=0)
    [Interval(low=0.0, high=1.0)]
    """
    if numerators.ndim != 2 or numerators.shape != denominators.shape:
        raise ValueError(f"sums of clusters have shapes {numerators.shape} and {denominators.shape}; both are (C, S)")
    if not (np.isfinite(numerators).all() and np.isfinite(denominators).all() and (denominators >= 0).all()):
        raise ValueError("sums of clusters are finite, and denominators are not negative")
    _check_options(resamples, level)
    statistics = numerators.shape[1]
    told = [_varies(numerators[:, s], denominators[:, s]) for s in range(statistics)]
    if not any(told):
        return [None] * statistics
    sums = np.concatenate([numerators, denominators], axis=1)
    drawn = resampled_sums(sums, resamples=resamples, seed=seed)
    intervals: list[Interval | None] = []
    for s in range(statistics):
        there = drawn[:, statistics + s] > 0
        if not told[s] or not there.any():
            intervals.append(None)
            continue
        intervals.append(percentile_interval(drawn[there, s] / drawn[there, statistics + s], level))
    return intervals


def resampled_sums(sums: NDArray[np.float64], *, resamples: int, seed: int) -> NDArray[np.float64]:
    """Sums over clusters that are drawn with replacement, for statistics that are more than a ratio of two of them.

    Parameters
    ----------
    sums : (C, K) float64
        K sums of each of C clusters, C at least 1.
    resamples : int
        How often C clusters are drawn.
    seed : int
        Same seed and C, same draws.

    Returns
    -------
    (resamples, K) float64
    """
    return np.concatenate([times @ sums for times in resampled_times(len(sums), resamples=resamples, seed=seed)])


def resampled_times(clusters: int, *, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """How often each cluster is drawn, in each resample: in parts of (some, C), for statistics of any kind.

    Parameters
    ----------
    clusters : int
        C, at least 1.
    resamples : int
        How often C clusters are drawn with replacement.
    seed : int
        Same seed and C, same draws.
    """
    dice = np.random.default_rng(seed)
    step = max(1, _CHUNK_DRAWS // clusters)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        picks = dice.integers(0, clusters, (rows, clusters))
        picks += np.arange(rows)[:, None] * clusters
        yield np.bincount(picks.ravel(), minlength=rows * clusters).reshape(rows, clusters)


def percentile_interval(values: NDArray[np.float64], level: float = 0.95) -> Interval:
    """The bounds between which a share ``level`` of resampled values lies, as much beyond each of them [1]_.

    Parameters
    ----------
    values : (R,) float64
        At least one.
    level : float
        Coverage, in (0, 1).
    """
    low, high = np.quantile(values, ((1.0 - level) / 2, (1.0 + level) / 2))
    return Interval(float(low), float(high))


def _check_options(resamples: int, level: float) -> None:
    if resamples < 1 or not 0.0 < level < 1.0:
        raise ValueError(f"resamples is {resamples} and level is {level}; they are at least 1, and within (0, 1)")


def _varies(numerators: NDArray[np.float64], denominators: NDArray[np.float64]) -> bool:
    there = denominators > 0
    if np.count_nonzero(there) < 2:
        return False
    ratios = numerators[there] / denominators[there]
    return bool((ratios != ratios[0]).any())


def wilson_interval(passed: int, n: int, level: float = 0.95) -> Interval:
    """The score interval of a share [2]_: where nothing or everything passed it still has a width.

    Raises
    ------
    ValueError
        Unless 0 <= passed <= n, n >= 1 and level is within (0, 1).

    Examples
    --------
    >>> bounds = wilson_interval(0, 10)  # 0 to z^2 / (n + z^2) with z = 1.96
    >>> bounds.low, round(bounds.high, 4)
    (0.0, 0.2775)
    """
    if n < 1 or not 0 <= passed <= n or not 0.0 < level < 1.0:
        raise ValueError(f"a share needs 0 <= passed <= n, n >= 1 and a level in (0, 1); got {passed}, {n}, {level}")
    z = NormalDist().inv_cdf((1.0 + level) / 2)
    share, weight = passed / n, z * z / n
    middle = (share + weight / 2) / (1.0 + weight)
    half = z / (1.0 + weight) * math.sqrt(share * (1.0 - share) / n + weight / (4 * n))
    return Interval(0.0 if passed == 0 else middle - half, 1.0 if passed == n else middle + half)
