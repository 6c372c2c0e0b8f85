"""A glance at a page at half its size, which says of most that nothing is drawn there beside what was given."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import median_rgb
from detectors.common.residual.mixing import channel_sums, contrasts, seen
from detectors.form_board.page.config import LeftOverConfig
from detectors.form_board.page.frame import GlanceFrame
from detectors.form_board.shapes import Mask

_MOST = 255  # not a threshold: the range of a channel
_CORNERS = np.stack(np.meshgrid(*[(-1, 1)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
"""Of a cube around a colour."""


def is_bare(
    picture: NDArray[np.uint8], covered: Mask, frame: GlanceFrame, reach: float, config: LeftOverConfig
) -> bool:
    """Whether a page shows paper and whole pieces where they were given, and nothing else that a closer look finds.

    Parameters
    ----------
    picture : (h, w, 3) uint8 RGB
        The candidate in the puzzle's frame, at the size of the glance, smoothed.
    covered : (h, w) bool
        What of that it shows.
    frame : GlanceFrame
    reach : float
        How far lines around the silhouette may reach, in pixels of the glance.
    config : LeftOverConfig
    """
    if not frame.free.size:
        return False
    paper = median_rgb(picture.reshape(-1, 3).take(frame.free, axis=0))
    levels = _levels(paper, config.glance * config.contrast)
    low, high = np.maximum(np.floor(paper) - levels, 0), np.minimum(np.ceil(paper) + levels, _MOST)
    drawn = (cv2.inRange(picture, low, high) == 0) & covered
    if (drawn & frame.bare & (frame.outside > reach)).any():
        return False
    color = seen(np.rint(paper).astype(np.uint8))
    for window, own, inner in frame.pieces:
        # One that is gone leaves paper; what is a part of one is looked at.
        if (drawn[window] & own).any():
            plain = contrasts(seen(picture[window]), color) > config.contrast
            if (inner & ~plain).any():
                return False
    return True


def _levels(paper: NDArray[np.float64], contrast: float) -> int:
    """By how many levels each channel of a colour may differ with no more than a contrast in all."""
    steps = np.arange(1, _MOST + 1)
    around = np.clip(np.rint(paper + steps[:, None, None] * _CORNERS), 0, _MOST).astype(np.uint8)
    off = seen(around) - seen(np.rint(paper).astype(np.uint8))
    beyond = np.sqrt(channel_sums(off * off).max(axis=1)) > contrast
    return int(np.argmax(beyond)) if beyond.any() else _MOST
