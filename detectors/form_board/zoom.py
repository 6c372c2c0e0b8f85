"""The part of a picture that holds the silhouette, at the size at which it is looked at."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import seen
from detectors.form_board.config import SegmentConfig
from detectors.form_board.scene import BoardScene, Mask, Outline, filled

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the puzzle's picture."""


class Zoom:
    """The silhouette and what is around it.

    Parameters
    ----------
    view : (h, w, 3) uint8 RGB
        The candidate in the puzzle's frame, reduced by the scene's factor.
    scene : BoardScene
    config : SegmentConfig
    """

    def __init__(self, view: NDArray[np.uint8], scene: BoardScene, config: SegmentConfig) -> None:
        left, top, right, bottom = _zone(scene, view.shape[:2], config.zone)
        ratio = min(1.0, config.side_px * scene.factor / scene.side)
        size = (max(1, round((right - left) * ratio)), max(1, round((bottom - top) * ratio)))
        self.view = view
        self.picture = np.asarray(
            cv2.resize(view[top:bottom, left:right], size, interpolation=cv2.INTER_AREA), np.uint8
        )
        self.size = size
        self.side = scene.side / scene.factor * ratio
        self._factor, self._config, self._scene = scene.factor, config, scene
        self._corner = (left, top)
        self._scales = np.array([size[0] / (right - left), size[1] / (bottom - top)])
        near = scene.near[top:bottom, left:right].astype(np.uint8)
        self.given: Mask = cv2.resize(near, size, interpolation=cv2.INTER_NEAREST) > 0
        self.silhouette = filled(self.here(scene.silhouette), size)

    @cached_property
    def lab(self) -> NDArray[np.float32]:
        """(h, w, 3), the picture without specks, in the colours of `seen`."""
        return smoothed(self.picture, self._config)

    @cached_property
    def colors(self) -> NDArray[np.float32]:
        """(h, w, 3), the picture without specks, 0 to 255."""
        # not a threshold: a pixel's neighbours
        smooth = cv2.GaussianBlur(cv2.medianBlur(self.picture, 3), (0, 0), self._config.smooth_px)
        return np.asarray(smooth, np.float32)

    def closer(self, box: Box, mask: Mask) -> tuple[NDArray[np.float32], Mask, float]:
        """What is in a box of the zoom as the view has it, in the colours of `seen`.

        Parameters
        ----------
        box : (left, top, right, bottom)
        mask : (h, w) bool
            Of the zoom.

        Returns
        -------
        colors : (h, w, 3) float32
        mask : (h, w) bool
            The mask there.
        side : float
            The silhouette's longer side, in pixels of the view.
        """
        left, top, right, bottom = (int(value) for value in box)
        left, top = max(0, left - 2), max(0, top - 2)  # not a threshold: some pixels around
        part = mask[top : bottom + 2, left : right + 2].astype(np.uint8)  # not a threshold: some pixels around
        across, down = self._scales
        x, y = self._corner[0] + round(left / across), self._corner[1] + round(top / down)
        size = (max(1, round(part.shape[1] / across)), max(1, round(part.shape[0] / down)))
        size = (min(size[0], self.view.shape[1] - x), min(size[1], self.view.shape[0] - y))
        near = smoothed(np.ascontiguousarray(self.view[y : y + size[1], x : x + size[0]]), self._config)
        there = cv2.resize(part, size, interpolation=cv2.INTER_NEAREST) > 0
        return near, np.asarray(there, np.bool_), self.side / float(across)

    @cached_property
    def small(self) -> NDArray[np.float32]:
        """The whole view at the size at which what lies elsewhere is looked for, in the same colours."""
        return seen(reduced(self.view, self._scene))

    def here(self, outline: Outline) -> Outline:
        """An outline in the puzzle's pixels, in pixels of the zoom."""
        return np.asarray((outline / self._factor - self._corner) * self._scales, np.float64)

    def there(self, box: tuple[float, ...]) -> Box:
        """A box in pixels of the zoom, in the puzzle's."""
        x0, y0, x1, y1 = (float(value) for value in box)
        across, down = self.pixel
        left, top = (part * self._factor for part in self._corner)
        return x0 * across + left, y0 * down + top, x1 * across + left, y1 * down + top

    @property
    def pixel(self) -> tuple[float, float]:
        """Width and height of a pixel, in the puzzle's."""
        across, down = (self._factor / float(scale) for scale in self._scales)
        return across, down


def smoothed(picture: NDArray[np.uint8], config: SegmentConfig) -> NDArray[np.float32]:
    """A picture without specks, in the colours of `seen`."""
    # not a threshold: a pixel's neighbours
    smooth = cv2.GaussianBlur(cv2.medianBlur(picture, 3), (0, 0), config.smooth_px)
    return seen(np.asarray(smooth, np.uint8))


def reduced(view: NDArray[np.uint8], scene: BoardScene) -> NDArray[np.uint8]:
    """A view at the size at which what lies elsewhere is looked for."""
    size = (scene.small.shape[1], scene.small.shape[0])
    return np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.uint8)


def _zone(scene: BoardScene, shape: tuple[int, int], zone: float) -> tuple[int, int, int, int]:
    """The part of the view that holds the silhouette with some room: left, top, right, bottom."""
    low = (scene.silhouette.min(axis=0) - zone * scene.side) / scene.factor
    high = (scene.silhouette.max(axis=0) + zone * scene.side) / scene.factor
    left, top = (max(0, int(np.floor(value))) for value in low)
    right, bottom = (min(most, int(np.ceil(value))) for value, most in zip(high, (shape[1], shape[0]), strict=True))
    return left, top, right, bottom
