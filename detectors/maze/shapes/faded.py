"""Whether a part of a marker has faded into the floor while the rest of it has not."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to, seen, seen_color
from detectors.maze.plan.floorplan import Marker


@dataclass(frozen=True)
class FadedConfig:
    """When a part of a marker has faded.

    Attributes
    ----------
    rim_px : nearer to its own outline than so many working pixels a marker is mixed with the floor anyway...
    beside_px : ...and with the line that was read nearer to that
    least_px : of fewer pixels than this nothing is told
    mixed : what is off the way from floor to marker by more than this share of it is something else, as writing is
    opaque : the marker is as opaque as this quantile of its pixels...
    lost : ...and has faded where it is less so by this share...
    part, most : ...if that hangs together over this share of it or more, and all in all is no more than this one: a
        marker that is paler all over is still the marker
    """

    rim_px: float = 1.5
    beside_px: float = 3.0
    least_px: int = 30
    mixed: float = 0.3
    opaque: float = 0.85
    lost: float = 0.35
    part: float = 0.15
    most: float = 0.85


def is_partly_faded(
    picture: NDArray[np.uint8],
    marker: Marker,
    floor_rgb: NDArray[np.float64],
    hidden: NDArray[np.bool_],
    config: FadedConfig,
) -> bool:
    """Whether the floor shows through a part of a marker.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    marker : Marker
    floor_rgb : ndarray of shape (3,)
        The candidate's floor.
    hidden : ndarray of shape (h, w), bool
        What the line hides, and where markers are seen through it.
    config : FadedConfig
    """
    # not a threshold: the side of OpenCV's larger mask
    depth = cv2.distanceTransform(np.pad(marker.mask, 1).view(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    inner = (depth > config.rim_px) & (distance_to(hidden[marker.box]) > config.beside_px)
    shown = np.asarray(seen(picture[marker.box]) - seen_color(floor_rgb), np.float32)
    axis = seen_color(marker.rgb) - seen_color(floor_rgb)
    length = float(np.sqrt((axis**2).sum()))
    if length == 0.0 or np.count_nonzero(inner) < config.least_px:
        return False
    along = (shown * axis).sum(axis=2) / length**2
    aside = np.sqrt(((shown - along[..., None] * axis) ** 2).sum(axis=2))
    told = inner & (aside <= config.mixed * length)
    count = np.count_nonzero(told)
    if count < config.least_px:
        return False
    # Over neighbours, for single pixels are noise.
    weight = cv2.blur(told.astype(np.float32), (3, 3))  # not a threshold: a pixel's neighbours
    smooth = cv2.blur(np.where(told, along, 0.0).astype(np.float32), (3, 3))
    opacity = np.divide(smooth, weight, out=np.zeros_like(smooth), where=told)
    pale = told & (opacity < (1.0 - config.lost) * np.quantile(opacity[told], config.opaque))
    if not config.part * count <= np.count_nonzero(pale) <= config.most * count:
        return False
    # not a threshold: a pixel's neighbours
    _, _, stats, _ = cv2.connectedComponentsWithStats(pale.view(np.uint8), connectivity=8)
    return bool(stats[1:, cv2.CC_STAT_AREA].max() >= config.part * count)
