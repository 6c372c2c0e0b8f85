"""A statistic, or why there is none; and intervals by a bootstrap over puzzles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.metrics.runs.bootstrap import percentile_interval, resampled_times
from grader.report.data.estimates import Estimate, Resampling

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Undefined:
    """Why a statistic says nothing of its data; a sentence without its full stop."""

    why: str


OfTable = Callable[[Floats], float | Undefined]
"""A statistic of the rows of a table."""
Statistic = Callable[[Indices], float | Undefined]
"""A statistic of chosen items, of which one may be chosen several times."""


def estimate_of(statistic: Statistic, clusters: Indices, how: Resampling) -> Estimate:
    """A statistic of all items, with a percentile interval that draws whole puzzles with replacement.

    Parameters
    ----------
    statistic : callable
        Is given the places of items.
    clusters : (N,) int
        The puzzle of each item.
    how : Resampling
        How often puzzles are drawn.

    Returns
    -------
    Estimate
        Without an interval where fewer than two puzzles are there, or all resamples have the same value. Resamples of
        which the statistic says nothing are left out.
    """
    n = len(clusters)
    found = statistic(np.arange(n)) if n else Undefined("no items")
    if isinstance(found, Undefined):
        return Estimate(None, n, why=found.why)
    names, where = np.unique(clusters, return_inverse=True)
    if not how.resamples or len(names) < 2:
        return Estimate(found, n)
    drawn: list[float] = []
    for times in resampled_times(len(names), resamples=how.resamples, seed=how.seed):
        for one in times:
            value = statistic(np.repeat(np.arange(n), one[where]))
            if not isinstance(value, Undefined):
                drawn.append(value)
    values = np.array(drawn)
    if not len(values) or bool((values == values[0]).all()):
        return Estimate(found, n)
    return Estimate(found, n, percentile_interval(values, how.level))


def estimate_rows(statistic: OfTable, rows: Floats, clusters: Indices, how: Resampling) -> Estimate:
    """As `estimate_of`, of a statistic of the rows of a table."""
    return estimate_of(lambda places: statistic(rows[places]), clusters, how)
