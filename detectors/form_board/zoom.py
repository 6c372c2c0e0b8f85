"""The part of a picture that holds the silhouette, at the size at which it is looked at."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.light import LightConfig, light_gain
from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import channel_sums, seen
from detectors.form_board.config import BoardShadeConfig, SegmentConfig
from detectors.form_board.scene import BoardScene, Box, shrunk
from detectors.form_board.shapes import Mask
from grader.media.pyramid import Pyramid

_MOST = np.float32(255)  # not a threshold: the range of a channel


class Zoom:
    """The silhouette and what is around it, as a picture shows it.

    Parameters
    ----------
    view : Pyramid
        Of the candidate in the puzzle's frame, reduced by the scene's factor: (h, w, 3) uint8 RGB.
    scene : BoardScene
    config : SegmentConfig
    light : LightConfig
        What counts as light, which is evened out.
    covered : (h, w) bool, or None
        What of the view the candidate shows; None for all of it.
    """

    def __init__(
        self, view: Pyramid, scene: BoardScene, config: SegmentConfig, light: LightConfig, covered: Mask | None = None
    ) -> None:
        self.frame, self._scene, self._covered = scene.zoom, scene, covered
        left, top, right, bottom = self.frame.box
        self._view, self._config = view, config
        height, width = scene.shrunk.shape[:2]
        self.shrunk = shrunk(view, (width, height))
        """(h, w, 3) uint8 RGB, the whole view at the size at which what lies elsewhere is looked for, evenly lit."""
        shown = view.picture[top:bottom, left:right]
        picture = np.asarray(cv2.resize(shown, self.frame.size, interpolation=cv2.INTER_AREA), np.uint8)
        gain = self._gain = light_gain(self.shrunk, scene.shrunk, scene.free, light)
        if gain is not None:
            whole = cv2.resize(gain, (view.picture.shape[1], view.picture.shape[0]), interpolation=cv2.INTER_LINEAR)
            part = np.asarray(whole[top:bottom, left:right], np.float32)
            over = np.asarray(cv2.resize(part, self.frame.size, interpolation=cv2.INTER_AREA), np.float32)
            picture, self.shrunk = _lit(picture, over), _lit(self.shrunk, gain)
        self.sharp = picture
        """The same with specks and thin strokes."""
        self.plain = _without_specks(picture, config)
        """(h, w, 3) uint8 RGB, the picture without specks, evenly lit."""

    @cached_property
    def lab(self) -> NDArray[np.float32]:
        """The same in the colours of `seen`."""
        return seen(self.plain)

    def page(self, size: tuple[int, int]) -> NDArray[np.uint8]:
        """The whole view, evenly lit, at a (width, height): (h, w, 3) uint8 RGB."""
        picture = shrunk(self._view, size)
        if self._gain is None:
            return picture
        return _lit(picture, np.asarray(cv2.resize(self._gain, size, interpolation=cv2.INTER_LINEAR), np.float32))

    @property
    def halved(self) -> NDArray[np.uint8] | None:
        """The whole view at half its size, (h, w, 3) uint8 RGB, smoothed; None where its light had to be evened out."""
        if self._gain is not None:
            return None
        return np.asarray(cv2.GaussianBlur(self._view.reduced(2), (0, 0), self._config.smooth_px), np.uint8)

    def covered(self, size: tuple[int, int]) -> Mask:
        """What of that the candidate shows, without its rim: (h, w) bool."""
        if self._covered is None:
            return np.ones((size[1], size[0]), np.bool_)
        here = cv2.resize(self._covered.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        return np.asarray(cv2.erode(here, np.ones((5, 5), np.uint8)) > 0, np.bool_)  # not a threshold: without its rim

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
        view = self._view.picture
        across, down = self.frame.scales.tolist()
        x, y = self.frame.box[0] + round(left / across), self.frame.box[1] + round(top / down)
        size = (max(1, round(part.shape[1] / across)), max(1, round(part.shape[0] / down)))
        size = (min(size[0], view.shape[1] - x), min(size[1], view.shape[0] - y))
        near = smoothed(np.ascontiguousarray(view[y : y + size[1], x : x + size[0]]), self._config)
        there = cv2.resize(part, size, interpolation=cv2.INTER_NEAREST) > 0
        return near, np.asarray(there, np.bool_), self.frame.side / across

    @cached_property
    def is_as_given(self) -> bool:
        """Whether the view is as the puzzle's picture, to the last level, wherever nothing is given."""
        alike = cv2.inRange(cv2.absdiff(self.shrunk, self._scene.shrunk), (0, 0, 0), (0, 0, 0)) > 0
        return not (self._scene.elsewhere & ~alike).any()

    @cached_property
    def small(self) -> NDArray[np.float32]:
        """`shrunk` in the same colours."""
        return seen(self.shrunk)


def _lit(picture: NDArray[np.uint8], gain: NDArray[np.floating]) -> NDArray[np.uint8]:
    # not a threshold: the range of a channel
    return np.asarray(np.clip(np.rint(picture * gain[..., None]), 0, 255), np.uint8)


def smoothed(picture: NDArray[np.uint8], config: SegmentConfig) -> NDArray[np.float32]:
    """A picture without specks, in the colours of `seen`."""
    return seen(_without_specks(picture, config))


def _without_specks(picture: NDArray[np.uint8], config: SegmentConfig) -> NDArray[np.uint8]:
    # not a threshold: a pixel's neighbours
    return np.asarray(cv2.GaussianBlur(cv2.medianBlur(picture, 3), (0, 0), config.smooth_px), np.uint8)


def lit_surface(lab: NDArray[np.float32], at: NDArray[np.intp], config: BoardShadeConfig) -> NDArray[np.float32] | None:
    """The colour of a piece that is unevenly lit, (h, w, 3) like ``lab``; None where it is even, or otherwise uneven.

    Parameters
    ----------
    lab : (h, w, 3) float32
        In the colours of `seen`.
    at : ndarray of int
        Flat positions of pixels of the piece, away from its rim.
    config : BoardShadeConfig
    """
    if not at.size:
        return None
    ground = fit_ground(lab, at, config.surface)
    own = ground.surface.reshape(-1, 3).take(at, axis=0)
    if not config.uneven <= float(np.ptp(own[:, 0])) <= config.most:
        return None
    off = np.asarray(own - ground.color, np.float32)
    # Towards black or white its hue gets weaker, and is no other one; a piece that is mostly in the shade is lighter
    # elsewhere, away from black.
    white = np.array([1, 0, 0], np.float32)  # not a threshold: in the colours of `seen`
    most = config.tinted + config.tint * np.sqrt(channel_sums(off * off))
    shaded = _beside(off, ground.color, config) <= most
    lit = (_beside(off, white - ground.color, config) <= most) & (off[:, 0] > 0)
    return ground.surface if bool((shaded | lit).all()) else None


def _beside(off: NDArray[np.float32], axis: NDArray[np.float32], config: BoardShadeConfig) -> NDArray[np.float32]:
    """How far what differs, (n, 3), is from an axis, (3,)."""
    share = channel_sums(off * axis) / np.float32(max(float((axis * axis).sum()), config.tinted))
    across = np.asarray(off - share[:, None] * axis, np.float32)
    return np.asarray(np.sqrt(channel_sums(across * across)), np.float32)


def levels_of(picture: NDArray[np.uint8], at: NDArray[np.intp], config: BoardShadeConfig) -> NDArray[np.float32]:
    """The same of an RGB picture, 0 to 255, where it is known to be unevenly lit."""
    return np.asarray(fit_ground(picture.astype(np.float32) / _MOST, at, config.surface).surface * _MOST, np.float32)
