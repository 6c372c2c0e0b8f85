"""Soft edges of a maze's own, which are no ink."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.maze.plan.floorplan import Floorplan

if TYPE_CHECKING:
    from detectors.maze.ink import ColorConfig, InkConfig


def own_edges(
    at: NDArray[np.intp],
    lab: NDArray[np.float32],
    on_marker: NDArray[np.bool_],
    least: NDArray[np.float64],
    floor_rgb: NDArray[np.float64],
    wall_rgb: NDArray[np.float64],
    plan: Floorplan,
    config: InkConfig,
) -> NDArray[np.bool_]:
    """Which pixels, at flat positions, are soft edges of the maze's own."""
    # Where a marker's soft edge was, the floor is no ink.
    bare = oklab(floor_rgb.round().astype(np.uint8))[1:]
    found = plan.marker_rims.ravel()[at] & ~on_marker & (np.hypot(*(lab[:, 1:] - bare).T) < least)
    # The puzzle's own colours: a candidate whose walls took on the path's colour has ink on them.
    own_floor, own_wall = oklab(np.stack([plan.floor_rgb, plan.wall_rgb]).round().astype(np.uint8))
    if max(math.hypot(*own_floor[1:]), math.hypot(*own_wall[1:])) >= config.color.tinted:
        # A wall's edge, resampled, is no ink.
        found |= _mixed(lab, own_floor, own_wall, config.color)
    changes = np.abs(floor_rgb - plan.floor_rgb), np.abs(wall_rgb - plan.wall_rgb)
    if max(float(change.max()) for change in changes) > config.prefilter / 2:
        # A floor or walls that were repainted have their hue at their edges too, or what was there shows still.
        now_floor, now_wall = oklab(np.stack([floor_rgb, wall_rgb]).round().astype(np.uint8))
        own = np.sqrt(((lab - oklab(plan.picture.reshape(-1, 3)[at])) ** 2).sum(axis=1)) < config.color.same_marker
        found |= plan.wall_rims.ravel()[at] & (own | _mixed(lab, now_floor, now_wall, config.color))
    return np.asarray(found, np.bool_)


def _mixed(
    lab: NDArray[np.float32], floor: NDArray[np.float32], wall: NDArray[np.float32], config: ColorConfig
) -> NDArray[np.bool_]:
    """Which colours (n, 3) are mixed of floor and wall."""
    axis = wall - floor
    share = ((lab - floor) * axis).sum(axis=1) / max(float((axis**2).sum()), 1e-9)
    off = lab - floor - np.clip(share, -config.overshoot, 1.0 + config.overshoot)[:, None] * axis
    return np.asarray(np.sqrt((off**2).sum(axis=1)) < config.mixed, np.bool_)
