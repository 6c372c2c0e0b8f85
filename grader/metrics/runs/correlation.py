"""How far two series of numbers go together: by their values, by their ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's coefficient, -1 to 1; None for fewer than three pairs, or where either does not vary.

    Raises
    ------
    ValueError
        If they are not equally long.

    Examples
    --------
    >>> pearson([1, 2, 3], [2, 4, 9])  # deviations (-1, 0, 1) and (-3, -1, 4): 7 / sqrt(2 x 26)
    0.9707253433941511
    """
    if len(one) != len(other):
        raise ValueError(f"there are {len(one)} and {len(other)} numbers; give pairs")
    if len(one) < 3:
        return None
    means = math.fsum(one) / len(one), math.fsum(other) / len(other)
    first, second = [value - means[0] for value in one], [value - means[1] for value in other]
    squares = math.fsum(value**2 for value in first), math.fsum(value**2 for value in second)
    if min(squares) <= 1e-12 * max(1.0, *map(abs, means)) ** 2:
        return None
    product = math.fsum(a * b for a, b in zip(first, second, strict=True))
    return max(-1.0, min(1.0, product / math.sqrt(squares[0] * squares[1])))


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's coefficient of the ranks; equal values share the mean of theirs.

    Examples
    --------
    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])  # ranks 1 2 3 4 and 1 2 4 3: 1 - 6 x 2 / (4 x 15)
    0.8
    """
    return pearson(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks
