"""Which way leads across a border, pixel by pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.rims import RimConfig


def normals_across(pixels: NDArray[np.intp], config: RimConfig) -> NDArray[np.float64]:
    """(n, 2), unit vectors (row, column) across a border of two cells, at each of its pixels.

    A straight border has one for all. Where it is bent, as an arc or around a corner of a floor's wall, each pixel's is
    told by the pixels near it: that of the whole would lead along the wall in places.

    Parameters
    ----------
    pixels : ndarray of shape (n, 2)
        Row and column of each.
    config : RimConfig
    """
    offset = (pixels - pixels.mean(axis=0)).astype(np.float64)
    across = _least_spread(*(np.array([one]) for one in _products(offset).mean(axis=0)))
    normals: NDArray[np.float64] = np.broadcast_to(across, pixels.shape)
    if np.abs(offset @ across[0]).max(initial=0.0) <= config.bent_px:
        return normals
    steps = offset[None] - offset[:, None]
    near = ((steps**2).sum(axis=2) <= config.along_px**2).astype(np.float64)
    counts = near.sum(axis=1)
    means = (near @ offset) / counts[:, None]
    spread = (near @ _products(offset)) / counts[:, None] - _products(means)
    bent = _least_spread(*spread.T)
    # To one side of the border, as far as it does not turn back.
    return np.where((bent @ across[0])[:, None] < 0.0, -bent, bent)


def _products(offset: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3), of (n, 2) the squares of either and their product."""
    return np.stack([offset[:, 0] ** 2, offset[:, 1] ** 2, offset[:, 0] * offset[:, 1]], axis=1)


def _least_spread(
    down: NDArray[np.float64], right: NDArray[np.float64], both: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(n, 2), the directions in which pixels spread least, by their variances and covariance."""
    angle = 0.5 * np.arctan2(2.0 * both, right - down)
    return np.stack([np.cos(angle), -np.sin(angle)], axis=1)
