"""Companions of pieces: shadows on the ground or on other pieces, bevels, gloss. They only darken or lighten.

A companion has no edge of its own, as gloss has none, or follows the edges of pieces: it fades away from them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.common.shades import has_no_own_edge, window_around
from detectors.hinge_folding.exact.config import PieceShadeConfig
from detectors.hinge_folding.view import Field, farthest

Flags = NDArray[np.bool_]
_WHITE = np.float32(255)  # not a threshold: the lightest that there is
_NOTHING = np.zeros(3, np.float32)


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
    config: PieceShadeConfig

    def is_shade(self, part: Flags, corner: tuple[int, int], *, on_piece: bool = False) -> bool:
        """Whether what differs in a part, (h, w) bool with its first pixel at a corner (x, y), is a companion."""
        config = self.config
        edges = config.upon if on_piece else config.edges
        window, here, own = window_around(part, corner, self.told, edges)
        values = np.asarray(cv2.blur(self.residual[window], (3, 3)), np.float32)  # not a threshold: neighbours
        surfaces = self.surfaces[window]
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
        level = np.asarray((-share if darker else share) * np.sqrt(length), np.float32)
        far = self.away[window]
        told = own & (far <= config.reach * self.unit)
        beyond = here & ~told
        step = max(edges.step_px, config.step * self.unit)
        if has_no_own_edge(level, here, own, None, step, edges):
            return True
        return not beyond.any() and has_no_own_edge(level, here, told, far, step, edges)
