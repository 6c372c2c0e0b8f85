"""Signs in the corners of a maze's picture, of which the floor may show only a part."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima, distance_to, lengths, seen, seen_color
from detectors.common.residual.signs import SignConfig, signs
from detectors.maze.plan.floorplan import Floorplan


def corner_signs(
    picture: NDArray[np.uint8],
    values: NDArray[np.float32],
    corners: NDArray[np.bool_],
    reach_px: float,
    noise: float,
    wall_rgb: NDArray[np.float64],
    around: NDArray[np.float64] | None,
    plan: Floorplan,
    config: SignConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool, where signs lie in the corners of a picture.

    A sign that lies on walls, or on what lies around a ragged maze, may reach into a cell with its tip, which alone
    looks like any mark. So where the floor shows something in a corner all of that corner is looked at.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    values : ndarray of shape (h, w, 3), float32
        What is left of the floor, in the colours of `seen`; 0 elsewhere.
    corners : ndarray of shape (h, w), bool
        Where signs may lie.
    reach_px : float
        So near to the floor walls mix with it.
    noise : float
        Of the contrast where nothing is.
    wall_rgb : ndarray of shape (3,)
        The candidate's colour of walls.
    around : ndarray of shape (3,), or None
        Its colour of what lies around the maze; None where nothing does.
    plan : Floorplan
        Of the puzzle.
    config : SignConfig
    """
    shown = corners & _shown(values, config)
    if not shown.any():
        return np.zeros(corners.shape, np.bool_)
    # Into what is dark the floor shines farther.
    beyond = corners & ~plan.open_floor & (distance_to(plan.open_floor) > 2.0 * reach_px)
    whole = np.zeros_like(values)
    # Outer walls may lie around the cells; what is mixed of both tells nothing.
    off_wall, off_around = (channel_maxima(np.abs(plan.picture - rgb)) for rgb in (plan.wall_rgb, plan.exterior_rgb))
    beyond &= np.minimum(off_wall, off_around) <= 2.0  # not a threshold: rounding
    walls = off_wall <= off_around
    for region, rgb in ((walls, wall_rgb), (~walls, around)):
        at = beyond & region
        if rgb is not None and at.any():
            whole[at] = seen(picture[at]) - seen_color(rgb)
    # What compression leaves beside walls elsewhere is no part of what shows on the floor.
    near = np.ones((round(4.0 * reach_px) | 1,) * 2, np.uint8)  # not a threshold: as far as that is left out
    _, groups = cv2.connectedComponents(cv2.dilate((shown | (beyond & _shown(whole, config))).view(np.uint8), near))
    whole[~np.isin(groups, np.unique(groups[shown]))] = 0.0
    return signs(values + whole, corners, noise, config)


def _shown(values: NDArray[np.float32], config: SignConfig) -> NDArray[np.bool_]:
    # not a threshold: a pixel's neighbours
    return np.asarray(lengths(np.asarray(cv2.blur(values, (3, 3)), np.float32)) > config.visible, np.bool_)
