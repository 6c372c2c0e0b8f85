"""The colour of an even ground as a candidate shows it: a smooth surface, fitted where nothing is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class GroundConfig:
    """How the ground's colour is told.

    Attributes
    ----------
    samples : it is fitted to about so many pixels...
    tolerance : ...of which those that deviate by this contrast count half
    rounds : how often it is fitted, each time with less weight on what deviates
    quantile : the noise is this quantile of what deviates
    """

    samples: int = 3000
    tolerance: float = 0.015
    rounds: int = 4
    quantile: float = 0.9


@dataclass(frozen=True)
class Ground:
    """An even ground.

    Attributes
    ----------
    surface : (h, w, 3) float32, its colour at each pixel, in the colours of `seen`
    color : (3,) float32, its median colour
    noise : contrast that most of its pixels stay below
    """

    surface: NDArray[np.float32]
    color: NDArray[np.float32]
    noise: float


def fit_ground(lab: NDArray[np.float32], at: NDArray[np.intp], config: GroundConfig) -> Ground:
    """Fits a polynomial of second degree in x and y to each axis of the colours, robustly.

    Parameters
    ----------
    lab : ndarray of shape (h, w, 3), float32
        A picture in the colours of `seen`.
    at : ndarray of int
        Flat positions of pixels of the ground; some of them may be drawn on.
    config : GroundConfig
    """
    height, width = lab.shape[:2]
    at = at[:: max(1, at.size // config.samples)]
    colors = lab.reshape(-1, 3)[at].astype(np.float64)
    middle = np.median(colors, axis=0) if len(at) else np.zeros(3)
    row, column = np.divmod(at, width)
    basis = _basis(2.0 * column / max(width - 1, 1) - 1.0, 2.0 * row / max(height - 1, 1) - 1.0)
    off = np.sqrt(((colors - middle) ** 2).sum(axis=1))
    fit = np.zeros((len(basis), 3))
    if not len(at) or not off.any():
        surface = np.broadcast_to(middle.astype(np.float32), lab.shape)
        return Ground(surface, middle.astype(np.float32), 0.0)
    tolerance = 2.0 * config.tolerance
    for _ in range(config.rounds):
        weighted = basis / (1.0 + (off / tolerance) ** 2)
        # Sums, not products of matrices: a BLAS may add in another order with another number of threads.
        # not a threshold: a millionth keeps a system solvable that has no answer
        system = (weighted[:, None, :] * basis[None, :, :]).sum(axis=2) + 1e-6 * np.eye(len(basis))
        fit = np.linalg.solve(system, (weighted[:, :, None] * colors[None]).sum(axis=1))
        left = colors - (fit[:, None, :] * basis[:, :, None]).sum(axis=0)
        off = np.sqrt((left**2).sum(axis=1))
        tolerance = max(config.tolerance, 2.0 * float(np.median(off)))
    across = np.linspace(-1.0, 1.0, width)[None, :, None]
    down = np.linspace(-1.0, 1.0, height)[:, None, None]
    # Terms of x alone and of y alone are rows and columns; only the mixed one has to be computed pixel by pixel.
    in_x = (fit[0] + fit[1] * across + fit[3] * across**2).astype(np.float32)
    in_y = (fit[2] * down + fit[5] * down**2).astype(np.float32)
    surface = in_x + in_y + (fit[4] * down).astype(np.float32) * across.astype(np.float32)
    return Ground(surface, middle.astype(np.float32), float(np.quantile(off, config.quantile)))


def _basis(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])
