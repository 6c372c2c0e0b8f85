"""How far what is left is trusted near edges, which are never just as they were."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.common.residual.mixing import channel_sums

FEWEST = 60  # not a threshold: of fewer pixels no quantile is told


def rings(distance: NDArray[np.float32], last: int) -> tuple[NDArray[np.intp], ...]:
    """Flat positions of the pixels whose distance rounds to 0, to 1, ... and to the last step."""
    at = np.flatnonzero(distance <= last + 0.5)
    steps = np.ceil(distance.ravel()[at] - 0.5).astype(np.intp)  # not a threshold: half a pixel to either side
    order = np.argsort(steps, kind="stable")
    ends = np.searchsorted(steps[order], np.arange(last + 2))
    return tuple(at[order[start:stop]] for start, stop in pairwise(ends))


def distrust(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    near: Sequence[NDArray[np.intp]],
    trusted: float,
    visible: float,
) -> None:
    """Lowers, in place, what is left at distances at which something is left nearly everywhere.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        A residual.
    usable : ndarray of shape (h, w), bool
        Where it is told, and lowered.
    near : sequence of ndarray of int
        Flat positions of pixels that are alike far from an edge.
    trusted : float
        What is left counts as noise up to this quantile of all that is as near...
    visible : float
        ...where that is above this contrast, to which it is lowered.
    """
    flat, told = values.reshape(-1, 3), usable.ravel()
    for positions in near:
        at = positions[told[positions]]
        if at.size < FEWEST:
            continue
        own = flat.take(at, axis=0)
        usual = quantile(np.sqrt(channel_sums(own * own)), trusted)
        if usual > visible:
            flat[at] = own * np.float32(visible / usual)
