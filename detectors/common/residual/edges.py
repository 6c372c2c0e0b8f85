"""How far what is left is trusted near edges, which are never just as they were."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEWEST = 60  # not a threshold: of fewer pixels no quantile is told


def ring(where: NDArray[np.bool_], distance: NDArray[np.float32], step: int) -> NDArray[np.bool_]:
    """Those pixels whose distance rounds to a step."""
    # not a threshold: half a pixel to either side
    return where & (distance > step - 0.5) & (distance <= step + 0.5)


def distrust(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    distance: NDArray[np.float32],
    near_px: int,
    quantile: float,
    visible: float,
) -> None:
    """Lowers, in place, what is left at distances at which something is left nearly everywhere.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        A residual.
    usable : ndarray of shape (h, w), bool
        Where it is told, and lowered.
    distance : ndarray of shape (h, w), float32
        From the edges.
    near_px : int
        So far from them it is lowered.
    quantile : float
        What is left counts as noise up to this quantile of all that is as near...
    visible : float
        ...where that is above this contrast, to which it is lowered.
    """
    for step in range(near_px + 1):
        at = np.flatnonzero(ring(usable, distance, step))
        if at.size < FEWEST:
            continue
        flat = values.reshape(-1, 3)
        own = flat[at]
        usual = float(np.quantile(np.sqrt((own**2).sum(axis=1)), quantile))
        if usual > visible:
            flat[at] = own * np.float32(visible / usual)
