"""Holes in the walls of a maze, however small, wherever they lie."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import project
from detectors.maze.ink import Ink
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.config import HoleConfig

_DARKEST = 3.0  # not a threshold: some walls may be faded, and others then lie beyond what is usual


def holes(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    plan: Floorplan,
    ink: Ink,
    config: HoleConfig,
) -> NDArray[np.float64]:
    """Length of the floor that shows in each wall, in working pixels, at the deepest places only.

    A wall that stands a pixel beside its place is no hole: of the pixels across it the darkest ones count.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    plan : Floorplan
    ink : Ink
    config : HoleConfig

    Returns
    -------
    ndarray of shape (len(plan.borders),), float64
        0 for passages, and for walls without a hole.
    """
    at, owner = plan.border_pixels
    known = plan.border_walls if covered is None else plan.border_walls & covered.ravel()[at]
    # A stroke over a wall is a crossing, or paint, and no hole.
    known = known & ~(ink.asked | ink.other).ravel()[at]
    which = np.flatnonzero(known)
    lengths = np.zeros(len(plan.borders))
    if not which.size:
        return lengths
    standing = _standing(picture, which, plan, (ink.floor_rgb, ink.wall_rgb), config)
    # Thin or short walls do not stand fully in the puzzle's own picture either.
    own = _standing(plan.picture, which, plan, (plan.floor_rgb, plan.wall_rgb), config)
    standing = standing + 1.0 - np.minimum(own, 1.0)
    # A wall is no more than there, unless the colour that was taken for the walls' is that of faded ones.
    standing = np.where(standing > config.darker, standing, np.minimum(standing, 1.0))
    height, width = plan.labels.shape
    values, weight = np.zeros(height * width, np.float32), np.zeros(height * width, np.float32)
    values[at[which]], weight[at[which]] = standing, 1.0
    size = (3, 3)  # not a threshold: a pixel's neighbours
    sums, counts = (
        cv2.boxFilter(part.reshape(height, width), -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT).ravel()
        for part in (values, weight)
    )
    smooth = sums[at[which]] / np.maximum(counts[at[which]], 1.0)
    usual = float(np.median(smooth))
    deviation = float(np.median(np.abs(smooth - usual)))
    deep = smooth < min(1.0 - config.depth, usual - config.noisy * deviation)
    count = np.bincount(owner[which[deep]], minlength=len(plan.borders)).astype(np.float64)
    known_px = np.bincount(owner[which], minlength=len(plan.borders))
    mean = np.bincount(owner[which], weights=smooth, minlength=len(plan.borders)) / np.maximum(known_px, 1)
    walls = known_px >= config.least_px
    if walls.any():
        # Walls that are all as pale are the puzzle's, drawn paler; some of them that are, are faded.
        usual = float(np.quantile(mean[walls], config.usual))
        usual = usual if usual > config.darker else min(usual, 1.0)
        faded = walls & (mean < usual - config.faded)
        count = np.where(faded, np.maximum(count, known_px), count)
    # A border between cells is two pixels wide, one with the outside one.
    return count / np.where(plan.outer_borders, 1.0, 2.0)


def _standing(
    picture: NDArray[np.uint8],
    which: NDArray[np.intp],
    plan: Floorplan,
    colors: tuple[NDArray[np.float64], NDArray[np.float64]],
    config: HoleConfig,
) -> NDArray[np.float32]:
    """How far (0 to 1) a wall stands at pixels of borders, or beside them."""
    at, owner = plan.border_pixels
    height, width = plan.labels.shape
    row, column = np.divmod(at[which], width)
    normal = plan.border_normals[which]
    outer = plan.outer_borders[owner[which]]
    # Where what lies around looks like a wall, the rim's wall stands wherever that begins.
    alike = bool(np.abs(plan.exterior_rgb - plan.wall_rgb).max() < config.alike)
    rows_of: list[NDArray[np.float32]] = []
    for step in (-2, -1, 0, 1, 2):
        by = (step + outer * (2 if alike else 1))[:, None] * normal
        rows = np.clip(np.rint(row + by[:, 0]), 0, height - 1).astype(np.intp)
        columns = np.clip(np.rint(column + by[:, 1]), 0, width - 1).astype(np.intp)
        rows_of.append(project(picture[rows, columns], *colors))
    ordered = np.sort(np.clip(np.stack(rows_of), 0.0, _DARKEST), axis=0)
    return np.asarray(ordered[-1 if plan.wall_px < config.hair_line_px else -2], np.float32)
