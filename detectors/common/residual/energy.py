"""Adds up the energy of a residual, as the eye does, whatever its shape, its direction and its sign.

A window's average (`windows`) sees what has one colour over all of it. What is hatched, dotted, hollow or thin and
crooked has none, but its energy adds up all the same: contrast times the root of the area.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.common.residual.mixing import lengths


@dataclass(frozen=True)
class EnergyConfig:
    """How plain the energy of a residual is to see.

    Attributes
    ----------
    side_px : it is summed over windows of this side, in pixels of the candidate; what lies farther apart adds up by the
        fourth power only, as chances to see one of several things do
    blur_px : sigma of the eye's blur, in pixels of the candidate
    own : the root of the energy of a window, contrast times pixels of the candidate, that is at the threshold of sight
    most : more contrast than this does not count for more: a strong speck is no large mark
    visible : so many times the threshold is plain to see...
    times : ...if it is also so many times what places without a mark have, noise and what compression leaves...
    usual : ...which is told by this quantile of them: noise is everywhere, and marks may be in most
    """

    side_px: float = 16.0
    blur_px: float = 1.0
    own: float = 0.18
    most: float = 0.1
    visible: float = 4.3
    times: float = 2.0
    usual: float = 0.1

    def plainness(
        self, power: NDArray[np.float64], area: NDArray[np.float64], told: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """How many times as plain as what is just seen what is left is at each of n places.

        Parameters
        ----------
        power : ndarray of shape (n,)
            The sum of `energies` over each.
        area : ndarray of shape (n,)
            How many pixels of each are in sight.
        told : ndarray of shape (n,), bool
            Those that tell what noise and compression leave.
        """
        told = told & (area > 0.0)
        noise = quantile((power[told] / area[told]).astype(np.float32), self.usual) if told.any() else 0.0
        # As much of it lies on each as that has pixels.
        hidden = self.times * np.asarray((noise * area) ** 0.25, np.float64)
        return np.asarray(np.maximum(power, 0.0) ** 0.25 / np.maximum(self.visible, hidden), np.float64)


def energies(values: NDArray[np.float32], pixel: float, config: EnergyConfig) -> NDArray[np.float32]:
    """What each pixel adds to the visibility of what is left; the fourth root of a sum over pixels is one.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        A residual in the colours of `detectors.common.residual.mixing.seen`; 0 where nothing is told.
    pixel : float
        Side of a pixel in pixels of the candidate.
    config : EnergyConfig

    Returns
    -------
    ndarray of shape (h, w), float32
        In units of the threshold of sight; for a thing that fills a window, its area times contrast squared is squared.
    """
    sigma = config.blur_px / pixel
    # not a threshold: a blur by less changes nothing of a pixel
    soft = np.asarray(cv2.GaussianBlur(values, (0, 0), sigma), np.float32) if sigma > 0.5 else values
    size = np.minimum(lengths(soft), np.float32(config.most))
    side = max(1, round(config.side_px / pixel))
    summed = cv2.boxFilter(size * size, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    power = summed * np.float32((pixel / config.own) ** 2)
    return np.asarray(power * power * np.float32((pixel / config.side_px) ** 2), np.float32)
