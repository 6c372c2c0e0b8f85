"""Side faces and shadows of walls: the walls themselves, moved a little, between floor and wall in colour.

A maze may be redrawn in relief. Then all its walls have a face, or a shadow, at the same side and as far off; it is no
drawing, and is replaced by floor before anything is looked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import median_rgb, project
from detectors.common.residual.mixing import channel_maxima
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.shapes.cast import LineShadowConfig, cast_shadow


@dataclass(frozen=True)
class FacesConfig:
    """What counts as a face or a shadow of all walls.

    Attributes
    ----------
    reach, reach_px : it reaches this share of a unit from its wall at most, but so many working pixels may be in any
        case...
    least_px : ...and so many at least
    edges_px : nearer to walls than this, in working pixels, lies their own edge: that of soft walls, then of sharp ones
    glanced : where less than this share of the floor beside walls shows anything, there is none
    shown, most : its colour is between these shares of the way from floor to wall: what is darker is wall, displaced
    aside : what is off that way by more than this share of its length, and more levels, 0 to 255, than...
    aside_levels : ...this, is something else
    strong : it is told by its strongest pixels, this share of them
    alike : difference of a channel, 0 to 255, up to which what lies around looks like floor, on which it falls as well
    cast : how it is looked for
    """

    reach: float = 0.25
    reach_px: float = 5.0
    least_px: float = 2.5
    edges_px: tuple[float, ...] = (2.0, 1.0)
    glanced: float = 0.06
    shown: float = 0.06
    most: float = 0.8
    aside: float = 0.12
    aside_levels: float = 10.0
    strong: float = 0.3
    alike: float = 24.0
    cast: LineShadowConfig = field(
        default_factory=lambda: LineShadowConfig(
            lengths=(0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), samples=2000, share=0.6, other=0.3, soft=1.0
        )
    )


def without_faces(
    picture: NDArray[np.uint8], covered: NDArray[np.bool_] | None, plan: Floorplan, config: FacesConfig
) -> NDArray[np.uint8]:
    """Puts floor where all walls of an aligned candidate have a face or a shadow at the same side.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    plan : Floorplan
        Of the puzzle.
    config : FacesConfig

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
        The picture itself where there is none.
    """
    if plan.texture is not None or not plan.floor_sample.size or not plan.wall_sample.size:
        return picture  # no colour tells its floor or its walls
    flat = picture.reshape(-1, 3)
    floor, wall = (median_rgb(flat[at]) for at in (plan.floor_sample, plan.wall_sample))
    near = (plan.wall_distance > min(config.edges_px)) & (plan.wall_distance <= config.least_px) & plan.open_floor
    glance = project(picture[near], floor, wall)
    if not glance.size or float((glance > config.shown).mean()) < config.glanced:
        return picture
    toward = project(picture, floor, wall)
    least = max(config.aside * float(np.abs(wall - floor).max()), config.aside_levels)
    off = picture - floor.astype(np.float32) - toward[..., None] * (wall - floor).astype(np.float32)
    mixed = channel_maxima(np.abs(off)) <= least
    shown = (toward > config.shown) & (toward < config.most)
    free = plan.open_floor.copy()
    if float(np.abs(plan.exterior_rgb - plan.floor_rgb).max()) <= config.alike:
        free |= plan.outside
    if covered is not None:
        free &= covered
    reach = max(config.reach * plan.unit_px, config.reach_px)
    solid = (plan.solid_depth > 0.0) & (plan.solid_depth <= reach)
    lengths = tuple(length for length in config.cast.lengths if length * reach >= config.least_px)
    for edge in config.edges_px:
        beside = free & mixed & (plan.marker_distance > edge) & (plan.wall_distance > edge)
        zone = cast_shadow(solid, beside, shown, reach, replace(config.cast, lengths=lengths))
        if zone is not None:
            break
    else:
        return picture
    told = toward[zone & beside & shown]
    if not told.size:
        return picture
    strong = float(np.median(told[told >= np.quantile(told, 1.0 - config.strong)]))
    face = zone & free & mixed & (toward > 0.0)
    # What is darker than a face is a mixture of it and a wall, whose share stays.
    left = np.maximum((toward[face] - strong) / (1.0 - strong), 0.0)
    bare = picture.copy()
    bare[face] = np.clip(np.rint(picture[face] - (toward[face] - left)[:, None] * (wall - floor)), 0, 255)
    return bare
