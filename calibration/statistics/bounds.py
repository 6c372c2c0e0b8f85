"""Exact bounds of shares.

References
----------
.. [1] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
   binomial", Biometrika 26, 1934.
"""

from __future__ import annotations

from scipy.special import betaincinv

from grader.metrics.runs.bootstrap import Interval


def upper_bound(count: int, n: int, level: float = 0.95) -> float:
    """The share that the true one exceeds with a chance of at most 1 - level, given count of n trials [1]_.

    Raises
    ------
    ValueError
        Unless 0 <= count <= n, n >= 1 and level is within (0, 1).

    Examples
    --------
    >>> round(upper_bound(0, 59), 4)  # 1 - 0.05 ** (1 / 59)
    0.0495
    """
    if n < 1 or not 0 <= count <= n or not 0.0 < level < 1.0:
        raise ValueError(f"a bound needs 0 <= count <= n, n >= 1 and a level in (0, 1); got {count}, {n}, {level}")
    return 1.0 if count == n else float(betaincinv(count + 1, n - count, level))


def exact_interval(count: int, n: int, level: float = 0.95) -> Interval:
    """Both bounds of a share, each exceeded with a chance of at most (1 - level) / 2 [1]_."""
    side = (1.0 + level) / 2
    return Interval(1.0 - upper_bound(n - count, n, side), upper_bound(count, n, side))
