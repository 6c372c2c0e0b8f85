"""What is seen along rays from the middles of holes."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import seen
from detectors.paper_fold.closer.config import HoleShapeConfig

Values = NDArray[np.float32]
Floats = NDArray[np.float64]


class HoleRays:
    """What is seen along rays from the middles of n holes, and where something else is drawn.

    Parameters
    ----------
    view : (h, w, 3) uint8 RGB
    holes : (m, 3) float64
        Middle x, y and radius of all of them, in pixels.
    at : (n,) int
        Which ones these are.
    near : (h, w) bool
        Where the sheet's own edges are drawn, by working pixels...
    unit : float
        ...of so many pixels.
    config : HoleShapeConfig
    """

    def __init__(
        self, view: NDArray[np.uint8], holes: Floats, at: NDArray[np.intp], near: NDArray[np.bool_],
        unit: float, config: HoleShapeConfig,
    ) -> None:  # fmt: skip
        self.at = at
        x, y, self.radius = holes[at].T
        self._x, self._y = x[:, None, None], y[:, None, None]
        # not a threshold: pixels that a blur reaches
        reach = np.ceil(config.reach * self.radius).astype(np.intp) + 3
        self._side = int(2 * reach.max() + 2)  # not a threshold: both sides of the middle, wherever it is in its pixel
        self._left, self._top = (np.floor(one).astype(np.intp) - reach for one in (x, y))
        parts = [
            _part(view, left, top, self._side, config.smooth_px)
            for left, top in zip(self._left.tolist(), self._top.tolist(), strict=True)
        ]
        # One below the other.
        self._lab = seen(np.concatenate(parts))
        self.angles = np.asarray(np.arange(config.rays) * (2 * math.pi / config.rays), np.float64)
        self._turns = np.cos(self.angles), np.sin(self.angles)
        far = config.own * holes[:, 2] + config.own_px
        apart = np.hypot(holes[:, 0] - x[:, None], holes[:, 1] - y[:, None])
        close = (apart <= reach[:, None] + far) & (np.arange(len(holes)) != at[:, None])
        self._others = [(hole, *holes[other, :2].tolist(), float(far[other])) for hole, other in np.argwhere(close)]
        self._near, self._unit = near, unit

    def _places(self, depths: Floats) -> tuple[Floats, Floats]:
        return self._x + depths * self._turns[0], self._y + depths * self._turns[1]

    def colors(self, depths: Floats) -> Values:
        """(n, k, rays, 3), the colours at depths (n, k, rays) in pixels."""
        x, y = self._places(depths)
        rows = (np.arange(len(self.at)) * self._side - self._top)[:, None, None]
        # not a threshold: centres of pixels lie at whole numbers there
        to_x, to_y = (x - self._left[:, None, None] - 0.5, y + rows - 0.5)
        maps = [np.asarray(one, np.float32).reshape(-1, depths.shape[2]) for one in (to_x, to_y)]
        found = cv2.remap(self._lab, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.float32).reshape(*depths.shape, 3)

    def hidden(self, depths: Floats) -> NDArray[np.bool_]:
        """(n, k, rays), where another hole is, or an edge."""
        x, y = self._places(depths)
        columns = np.clip((x / self._unit).astype(np.intp), 0, self._near.shape[1] - 1)
        rows = np.clip((y / self._unit).astype(np.intp), 0, self._near.shape[0] - 1)
        found = self._near[rows, columns]
        for hole, other_x, other_y, far in self._others:
            found[hole] |= (x[hole] - other_x) ** 2 + (y[hole] - other_y) ** 2 <= far**2
        return found


def _part(view: NDArray[np.uint8], left: int, top: int, side: int, smooth_px: float) -> NDArray[np.uint8]:
    """A square of a picture, smoothed; where it goes beyond the picture, that is continued."""
    height, width = view.shape[:2]
    part = view[max(0, top) : top + side, max(0, left) : left + side]
    smooth = cv2.GaussianBlur(part, (0, 0), smooth_px)
    beyond = (max(0, -top), max(0, top + side - height), max(0, -left), max(0, left + side - width))
    if any(beyond):
        smooth = cv2.copyMakeBorder(smooth, *beyond, cv2.BORDER_REPLICATE)
    return np.asarray(smooth, np.uint8)
