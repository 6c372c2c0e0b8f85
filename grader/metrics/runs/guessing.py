"""What a rate has to be so that guessing is not a likely reason for it."""

from __future__ import annotations

from scipy.special import bdtrc


def least_beyond_chance(n: int, chance: float, level: float = 0.05) -> int | None:
    """The least number of right answers that guessing reaches with a probability below a level.

    One-sided: the least k with P(X >= k) < level, X binomial.

    Parameters
    ----------
    n : int
        Questions, at least 1.
    chance : float
        That a guess is right, in [0, 1].
    level : float
        In (0, 1).

    Returns
    -------
    int or None
        None where even n right answers of n are not so unlikely.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> least_beyond_chance(5, 0.5)  # all five right: 1/32; four and more: 6/32
    5
    """
    if n < 1 or not 0 <= chance <= 1 or not 0 < level < 1:
        raise ValueError(f"{n} questions, chance {chance}, level {level}: give 1 or more, 0 to 1, and between 0 and 1")
    low, high = 0, n + 1  # P(X >= 0) = 1 is not below the level, P(X >= n + 1) = 0 is
    while high - low > 1:
        middle = (low + high) // 2
        if float(bdtrc(middle - 1, n, chance)) < level:
            high = middle
        else:
            low = middle
    return high if high <= n else None
