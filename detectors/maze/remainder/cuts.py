"""Thin cuts through several walls: each is less than a hole, and together they are plain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.maze.plan.floorplan import Floorplan


@dataclass(frozen=True)
class CutsConfig:
    """When several walls have the same thin cut, each less than a hole by itself.

    Attributes
    ----------
    many : so many walls have one
    least : where each is paler, in its palest place, by this share than its middle one...
    times : ...and by so many times what the middle one of all walls is...
    rises : ...and by so many times what as many walls are darker in their darkest place: what a resized picture does to
        slant walls it does both ways
    thin_px : it is no longer than so many working pixels, where it is at least half as deep: what is longer is how a
        part of a wall is drawn, as the side of a corner on which light falls
    wall_px : thinner walls, in working pixels, vary by as much
    end_px : nearer to a wall's ends than so many working pixels it mixes with what lies there
    least_px : of a wall of which fewer working pixels are in sight besides nothing is told
    """

    many: int = 3
    least: float = 0.05
    times: float = 4.5
    rises: float = 1.2
    thin_px: float = 5.5
    wall_px: float = 3.0
    end_px: float = 3.0
    least_px: int = 8


def cut_walls(
    share: NDArray[np.float32], which: NDArray[np.intp], wall_px: float, plan: Floorplan, config: CutsConfig
) -> NDArray[np.intp]:
    """Walls that are paler at one place by far more than most are at any, where there are several of them.

    Parameters
    ----------
    share : ndarray of shape (n,), float32
        How much of the wall is there at some pixels of borders.
    which : ndarray of shape (n,)
        Their positions in the plan's ``border_pixels``.
    wall_px : float
        Width of the candidate's walls, in working pixels.
    plan : Floorplan
    config : CutsConfig
    """
    if wall_px < config.wall_px:
        return np.zeros(0, np.intp)
    at, owner = (one[which] for one in plan.border_pixels)
    order = np.argsort(owner, kind="stable")
    walls, starts = np.unique(owner[order], return_index=True)
    places = np.stack(np.divmod(at[order], plan.labels.shape[1]), axis=1)
    counts = np.diff(starts, append=len(order))
    middle = np.add.reduceat(places, starts, axis=0) / counts[:, None]
    off = np.hypot(*(places - np.repeat(middle, counts, axis=0)).T)
    within = off <= np.repeat(np.maximum.reduceat(off, starts), counts) - config.end_px
    counts = np.add.reduceat(within.astype(np.intp), starts)
    long = counts >= config.least_px
    if np.count_nonzero(long) <= config.many:
        return np.zeros(0, np.intp)
    values, wall = share[order][within], np.repeat(np.arange(len(walls)), counts)
    values = values[np.lexsort((values, wall))]
    first = (np.cumsum(counts) - counts)[long]
    last = first + counts[long] - 1
    middles = 0.5 * (values[(first + last) // 2] + values[(first + last + 1) // 2])
    dips, rises = (one.astype(np.float64) for one in (middles - values[first], values[last] - middles))
    usual = float(np.partition(rises, -config.many)[-config.many])
    found = dips >= max(config.least, config.times * median(dips), config.rises * usual)
    if np.count_nonzero(found) >= config.many:
        low = np.zeros(len(walls))
        low[long] = middles - 0.5 * dips  # not a threshold: half as deep
        pixels = np.bincount(wall[values < low[wall]], minlength=len(walls))[long]
        # not a threshold: a border between cells is two pixels wide
        found &= pixels <= 2.0 * config.thin_px
    return np.asarray(walls[long][found], np.intp) if np.count_nonzero(found) >= config.many else np.zeros(0, np.intp)
