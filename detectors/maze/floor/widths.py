"""How wide corridors and walls are, by a mask of the floor."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.floor.config import FloorConfig

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class FloorWidths:
    """Widths in pixels of the mask.

    Attributes
    ----------
    corridor : of most corridors
    wall : of most walls between corridors; as wide as a corridor at most
    """

    corridor: float
    wall: float

    @property
    def unit(self) -> float:
        """Both together."""
        return self.corridor + self.wall


def distance_into(mask: Mask) -> NDArray[np.float32]:
    """(h, w) float32, how far each pixel of a mask is from what is none of it; what lies beyond the picture is none."""
    padded = np.pad(mask.view(np.uint8), 1)
    # not a threshold: the side of OpenCV's larger mask
    return np.ascontiguousarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1], np.float32)


def measure_widths(floor: Mask, config: FloorConfig) -> FloorWidths | None:
    """Tells widths by the middle lines of floor and walls; None where there is no floor or no wall.

    Parameters
    ----------
    floor : ndarray of shape (H, W), bool
    config : FloorConfig
    """
    corridor = _middle_width(floor, distance_into(floor), np.inf, config)
    if corridor is None:
        return None
    walls = ~floor
    depth = distance_into(walls)
    # What lies beyond the picture is no floor, so that only walls with floor on both sides count.
    # not a threshold: the side of OpenCV's larger mask
    depth = np.maximum(depth, cv2.distanceTransform(walls.view(np.uint8), cv2.DIST_L2, 5))
    wall = _middle_width(walls, depth, config.widest_wall * corridor, config)
    return FloorWidths(corridor, corridor if wall is None else min(wall, corridor))


def _middle_width(mask: Mask, depth: NDArray[np.float32], widest: float, config: FloorConfig) -> float | None:
    """The middle width at the ridges of a mask, of those up to the widest; None where these are hardly any."""
    # not a threshold: a pixel's neighbours
    ridge = mask & (depth >= cv2.dilate(depth, np.ones((3, 3), np.uint8)))
    at = np.flatnonzero(ridge & (depth <= 0.5 * widest))
    if at.size <= config.few * np.count_nonzero(ridge):
        return None
    chosen = depth.ravel()[at[:: max(1, at.size // config.samples)]]
    return max(1.0, 2.0 * float(np.median(chosen)) - 1.0)
