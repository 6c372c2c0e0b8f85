"""The colour of an even ground as a candidate shows it: a smooth surface, fitted where nothing is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median, quantile


@dataclass(frozen=True)
class GroundConfig:
    """How the ground's colour is told.

    Attributes
    ----------
    samples : it is fitted to about so many pixels...
    tolerance : ...of which those that deviate by this contrast count half
    rounds : how often it is fitted, each time with less weight on what deviates
    quantile : the noise is this quantile of what deviates
    most : where that is more than the tolerance, it is fitted to more pixels, by its square, and at most so many
    """

    samples: int = 3000
    tolerance: float = 0.015
    rounds: int = 4
    quantile: float = 0.9
    most: int = 40_000


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
    """Fits a polynomial of second degree in x and y, and what a lens darkens, to each axis of the colours, robustly.

    A lens darkens with the fourth power of the distance from the middle: what lies in one place never looks like that.

    Parameters
    ----------
    lab : ndarray of shape (h, w, 3), float32
        A picture in the colours of `seen`.
    at : ndarray of int
        Flat positions of pixels of the ground; some of them may be drawn on.
    config : GroundConfig
    """
    ground = _fit(lab, at, config.samples, config)
    # Where the ground goes on beyond the pixels that tell it, their noise does as well, and grows.
    more = min(config.samples * (ground.noise / config.tolerance) ** 2, config.most, at.size)
    # not a threshold: less than half as many more tell nothing
    return _fit(lab, at, round(more), config) if more > 1.5 * config.samples else ground


def _fit(lab: NDArray[np.float32], at: NDArray[np.intp], samples: int, config: GroundConfig) -> Ground:
    """An even ground as so many pixels tell it."""
    height, width = lab.shape[:2]
    at = at[:: max(1, at.size // samples)]
    # A row for each axis of the colours: NumPy is slow over an axis of three.
    colors = np.ascontiguousarray(lab.reshape(-1, 3)[at].T, np.float64)
    middle = np.array([median(one) for one in colors]) if len(at) else np.zeros(len(colors))
    row, column = np.divmod(at, width)
    basis = _basis(2.0 * column / max(width - 1, 1) - 1.0, 2.0 * row / max(height - 1, 1) - 1.0)
    off = np.sqrt(((colors - middle[:, None]) ** 2).sum(axis=0))
    fit = np.zeros((len(basis), 3))
    if not len(at) or not off.any():
        surface = np.broadcast_to(middle.astype(np.float32), lab.shape)
        return Ground(surface, middle.astype(np.float32), 0.0)
    tolerance = 2.0 * config.tolerance
    for _ in range(config.rounds):
        weighted = basis / (1.0 + (off / tolerance) ** 2)
        # Sums, not products of matrices: a BLAS may add in another order with another number of threads.
        # not a threshold: a millionth keeps a system solvable that has no answer
        system = np.einsum("in,jn->ij", weighted, basis, optimize=False) + 1e-6 * np.eye(len(basis))
        fit = np.linalg.solve(system, np.einsum("in,cn->ic", weighted, colors, optimize=False))
        left = colors - np.einsum("ic,in->cn", fit, basis, optimize=False)
        off = np.sqrt((left**2).sum(axis=0))
        tolerance = max(config.tolerance, 2.0 * median(off))
    across, down = np.linspace(-1.0, 1.0, width), np.linspace(-1.0, 1.0, height)[:, None]
    # Terms of x alone and of y alone are rows and columns; only the mixed one has to be computed pixel by pixel. Plane
    # by plane, for the same reason.
    along, planes = across.astype(np.float32), []
    radial = ((across**2 + down**2) ** 2).astype(np.float32)
    for one in fit.T:
        plane = (one[4] * down).astype(np.float32) * along
        plane += (one[2] * down + one[5] * down**2).astype(np.float32)
        plane += (one[0] + one[1] * across + one[3] * across**2).astype(np.float32)
        plane += radial * np.float32(one[6])
        planes.append(plane)
    surface = np.asarray(cv2.merge(planes), np.float32)
    return Ground(surface, middle.astype(np.float32), quantile(off, config.quantile))


def _basis(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, (x * x + y * y) ** 2])
