"""What hangs on a line in its own colour, and is no part of it: a ring, a scribble, a word, a blot."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.strokes.config import OutgrowthConfig


def outgrowths(
    strokes: NDArray[np.bool_],
    route: NDArray[np.intp],
    half_width: float,
    plan: Floorplan,
    config: OutgrowthConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool, strokes that lie farther beside a route than its line is wide, and are more than a point of it.

    Heads of arrows and the wobble of a hand reach as far, but are small there. What accompanies the line all its way,
    as the second one of two rails does, is how it is drawn. What leads into other cells is a branch.

    Parameters
    ----------
    strokes : ndarray of shape (h, w), bool
    route : ndarray of shape (n, 2), int
        (row, column) of the pixels of the line's middle, from its start to its end.
    half_width : float
        Half the line's width in working pixels.
    plan : Floorplan
    config : OutgrowthConfig
    """
    none = np.zeros_like(strokes)
    if not len(route):
        return none
    line = none.copy()
    line[tuple(route.T)] = True
    beyond = strokes & (distance_to(line) > config.beyond * half_width + config.beyond_px)
    beyond &= plan.marker_distance > max(config.marker_px, half_width)
    if np.count_nonzero(beyond) > config.all_along * np.count_nonzero(strokes):
        return none
    near = np.ones((2 * round(config.together * plan.unit_px) + 1,) * 2, np.uint8)
    # not a threshold: a pixel's neighbours
    count, parts, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(beyond.view(np.uint8), near), connectivity=8)
    large = np.bincount(parts[beyond], minlength=count) >= max(config.area * half_width**2, config.least_px)
    # not a threshold: beyond half of a wall another cell begins
    deep = beyond & (plan.depth > 0.5 * plan.wall_px)
    large[np.unique(parts[deep & ~np.isin(plan.labels, plan.labels[tuple(route.T)])])] = False
    # What leads from one of the route's cells to another is a shortcut.
    long = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) > config.spread * plan.cell_width_px
    for part in np.flatnonzero(large & long).tolist():
        large[part] = len(np.unique(plan.labels[deep & (parts == part)])) <= 1
    return np.asarray(beyond & large[parts], np.bool_)
