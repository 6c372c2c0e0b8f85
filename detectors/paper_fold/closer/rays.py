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
        self._x, self._y = (one.astype(np.float32)[:, None, None] for one in (x, y))
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
        angles = np.arange(config.rays) * (2 * math.pi / config.rays)
        self._turns = [turn.astype(np.float32) for turn in (np.cos(angles), np.sin(angles))]
        far = config.own * holes[:, 2] + config.own_px
        apart = np.hypot(holes[:, 0] - x[:, None], holes[:, 1] - y[:, None])
        close = (apart <= reach[:, None] + far) & (np.arange(len(holes)) != at[:, None])
        self._others = [(hole, *holes[other, :2].tolist(), float(far[other])) for hole, other in np.argwhere(close)]
        self._near, self._unit = near, unit

    def look(self, depths: Values) -> tuple[Values, NDArray[np.bool_]]:
        """Colours at depths (n, k, rays) in pixels, (n, k, rays, 3), and where another hole or an edge is."""
        x, y = self._x + depths * self._turns[0], self._y + depths * self._turns[1]
        return self._colors(x, y), self._hidden(x, y)

    def _colors(self, x: Values, y: Values) -> Values:
        rows = np.arange(len(self.at)) * self._side - self._top
        # not a threshold: centres of pixels lie at whole numbers there
        across, down = ((one - 0.5).astype(np.float32)[:, None, None] for one in (-self._left, rows))
        maps = [one.reshape(-1, x.shape[2]) for one in (x + across, y + down)]
        found = cv2.remap(self._lab, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.float32).reshape(*x.shape, 3)

    def _hidden(self, x: Values, y: Values) -> NDArray[np.bool_]:
        height, width = self._near.shape
        columns = np.clip((x * np.float32(1.0 / self._unit)).astype(np.int32), 0, width - 1)
        rows = np.clip((y * np.float32(1.0 / self._unit)).astype(np.int32), 0, height - 1)
        found = self._near.ravel().take(rows * width + columns)
        for hole, other_x, other_y, far in self._others:
            off_x, off_y = x[hole] - np.float32(other_x), y[hole] - np.float32(other_y)
            found[hole] |= off_x * off_x + off_y * off_y <= far**2
        return np.asarray(found, np.bool_)


def _part(view: NDArray[np.uint8], left: int, top: int, side: int, smooth_px: float) -> NDArray[np.uint8]:
    """A square of a picture, smoothed; where it goes beyond the picture, that is continued."""
    height, width = view.shape[:2]
    part = view[max(0, top) : top + side, max(0, left) : left + side]
    smooth = cv2.GaussianBlur(part, (0, 0), smooth_px)
    beyond = (max(0, -top), max(0, top + side - height), max(0, -left), max(0, left + side - width))
    if any(beyond):
        smooth = cv2.copyMakeBorder(smooth, *beyond, cv2.BORDER_REPLICATE)
    return np.asarray(smooth, np.uint8)
