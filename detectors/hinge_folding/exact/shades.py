"""Companions of pieces: shadows on the ground or on other pieces, bevels, gloss. They only darken or lighten.

A companion has no edge of its own, as gloss has none, or follows the edges of pieces: it fades away from them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.hinge_folding.exact.config import ShadeConfig
from detectors.hinge_folding.view import Field, farthest

Flags = NDArray[np.bool_]
_WHITE = np.float32(255)  # not a threshold: the lightest that there is
_NOTHING = np.zeros(3, np.float32)
_SLOPE = 1 / 32  # not a threshold: it makes Scharr's sum a slope


@dataclass(frozen=True, eq=False)
class ShadeView:
    """What shades are told by.

    Attributes
    ----------
    residual : (h, w, 3), what a picture has more than pieces and ground
    surfaces : (h, w, 3), these
    away : (h, w), how far from the nearest edge of a piece, in pixels
    told : (h, w) bool, where neither a piece's edge nor a disc is
    unit : pixels of a unit
    config : when something is a shade
    """

    residual: Field
    surfaces: Field
    away: Field
    told: Flags
    unit: float
    config: ShadeConfig

    def is_shade(self, part: Flags, corner: tuple[int, int]) -> bool:
        """Whether what differs in a part, (h, w) bool with its first pixel at a corner (x, y), is a companion."""
        config, (left, top) = self.config, corner
        pad = config.pad_px
        height, width = self.away.shape
        rows = slice(max(0, top - pad), min(height, top + part.shape[0] + pad))
        columns = slice(max(0, left - pad), min(width, left + part.shape[1] + pad))
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        y, x = top - rows.start, left - columns.start
        mask[y : y + part.shape[0], x : x + part.shape[1]] = part
        own = (cv2.dilate(mask, np.ones((2 * pad - 1,) * 2, np.uint8)) > 0) & self.told[rows, columns]
        values = np.asarray(cv2.blur(self.residual[rows, columns], (3, 3)), np.float32)  # not a threshold: neighbours
        surfaces = self.surfaces[rows, columns]
        here = (mask > 0) & own
        if not here.any():
            return False
        darker = float(values[here].sum()) < 0
        axis = -surfaces if darker else _WHITE - surfaces
        length = np.maximum(channel_sums(axis * axis), np.float32(1))
        share = np.asarray(channel_sums(values * axis) / length, np.float32)
        beside = farthest(np.asarray(values - share[..., None] * axis, np.float32), _NOTHING)
        strength = farthest(np.asarray(values, np.float32), _NOTHING)
        foreign = beside > np.maximum(config.tinted, config.tint * strength)
        most = config.darkest if darker else config.lightest
        if np.count_nonzero(foreign & here) > config.foreign * np.count_nonzero(here) or share[here].max() > most:
            return False
        # Where it can't be told, it goes on as beside.
        level = share * np.sqrt(length)
        across, down = (np.asarray(cv2.Scharr(level, cv2.CV_32F, dx, 1 - dx, scale=_SLOPE)) for dx in (1, 0))
        inner = cv2.erode(own.view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        steep = np.hypot(across, down)
        least = config.hard * float(np.abs(level[here]).max()) / max(config.step_px, config.step * self.unit)
        edges = inner & (steep > least)
        if np.count_nonzero(edges) <= config.smooth * np.count_nonzero(here):
            return True
        far = self.away[rows, columns]
        outward = [np.asarray(cv2.Scharr(far, cv2.CV_32F, dx, 1 - dx, scale=_SLOPE), np.float32) for dx in (1, 0)]
        fading = -(across * outward[0] + down * outward[1])
        along = edges & (fading >= config.along * steep) & (far <= config.reach * self.unit)
        return float(steep[along].sum()) >= config.follows * float(steep[edges].sum())
