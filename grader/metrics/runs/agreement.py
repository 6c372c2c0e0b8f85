"""How far two ways of rating agree: the share of equal classes, and what chance leaves of it.

References
----------
.. [1] J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20, 1960.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.metrics.runs.bootstrap import Interval, percentile_interval, resampled_sums


def agreement(counts: NDArray[np.float64]) -> float | None:
    """The share of pairs in which both ways gave the same class; None without pairs.

    Parameters
    ----------
    counts : (K, K) float64
        Pairs by the first way's class (row) and the second's (column).

    Raises
    ------
    ValueError
        If it is not square, or counts are negative or not finite.

    Examples
    --------
    >>> agreement(np.array([[20.0, 5.0], [10.0, 15.0]]))
    0.7
    """
    _check(counts)
    total = float(counts.sum())
    return float(np.trace(counts)) / total if total else None


def cohens_kappa(counts: NDArray[np.float64]) -> float | None:
    """Agreement beyond chance [1]_: (p_o - p_e) / (1 - p_e), at most 1; 0 where it is that of chance.

    p_o is the share of equal classes, p_e the one to be expected of two ways that give their classes as often, but
    regardless of each other. It does not know that one class may be nearer to another.

    Parameters
    ----------
    counts : (K, K) float64
        As for `agreement`.

    Returns
    -------
    float or None
        None without pairs, and where both ways gave one and the same class throughout: chance explains all of that.

    Raises
    ------
    ValueError
        As for `agreement`.

    Examples
    --------
    >>> round(cohens_kappa(np.array([[20.0, 5.0], [10.0, 15.0]])), 12)  # p_o = 35/50, p_e = (25 x 30 + 25 x 20) / 50^2
    0.4
    """
    _check(counts)
    size = counts.shape[0]
    found = _kappas(counts.reshape(1, size * size), size)
    return float(found[0]) if len(found) else None


def kappa_interval(counts: NDArray[np.float64], *, resamples: int, seed: int, level: float = 0.95) -> Interval | None:
    """A percentile interval of `cohens_kappa`, by drawing whole clusters with replacement.

    Parameters
    ----------
    counts : (C, K, K) float64
        The pairs of each of C clusters.
    resamples, seed, level : int, int, float
        As for `grader.metrics.runs.bootstrap.ratio_intervals`.

    Returns
    -------
    Interval or None
        None where fewer than two clusters have pairs, or all resamples have the same kappa. Resamples in which kappa
        says nothing are left out.

    Raises
    ------
    ValueError
        If counts are not (C, K, K), negative or not finite, or resamples or level are out of range.
    """
    if resamples < 1 or not 0.0 < level < 1.0:
        raise ValueError(f"resamples is {resamples} and level is {level}; they are at least 1, and within (0, 1)")
    if counts.ndim != 3:
        raise ValueError(f"pairs of clusters are (C, K, K), not {counts.shape}")
    for one in counts:
        _check(one)
    if np.count_nonzero(counts.sum(axis=(1, 2))) < 2:
        return None
    clusters, size = counts.shape[:2]
    drawn = resampled_sums(counts.reshape(clusters, size * size), resamples=resamples, seed=seed)
    found = _kappas(drawn, size)
    if not len(found) or bool((found == found[0]).all()):
        return None
    return percentile_interval(found, level)


def _check(counts: NDArray[np.float64]) -> None:
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or not counts.shape[0]:
        raise ValueError(f"pairs are counted in a square, not in {counts.shape}")
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError("counts are finite and not negative")


def _kappas(flat: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Kappa of each (size * size) row of counts, those left out of which it says nothing."""
    squares = flat.reshape(-1, size, size)
    totals = squares.sum(axis=(1, 2))
    same = np.trace(squares, axis1=1, axis2=2)
    # In counts and not in shares: n^2 p_e is a whole number, so that a chance of 1 is met exactly.
    by_chance = (squares.sum(axis=1) * squares.sum(axis=2)).sum(axis=1)
    says = by_chance < totals * totals
    beyond = totals[says] * totals[says] - by_chance[says]
    return np.asarray((totals[says] * same[says] - by_chance[says]) / beyond, np.float64)
