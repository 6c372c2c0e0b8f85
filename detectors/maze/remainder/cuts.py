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
    wall_px : thinner walls, in working pixels, vary by as much
    least_px : of a wall of which fewer working pixels are in sight nothing is told
    """

    many: int = 3
    least: float = 0.05
    times: float = 4.5
    rises: float = 1.2
    wall_px: float = 3.0
    least_px: int = 8


def cut_walls(
    share: NDArray[np.float32], owner: NDArray[np.intp], plan: Floorplan, config: CutsConfig
) -> NDArray[np.intp]:
    """Walls that are paler at one place by far more than most are at any, where there are several of them.

    ``share`` is how much of each pixel's wall is there, ``owner`` the wall of each.
    """
    if plan.wall_px < config.wall_px:
        return np.zeros(0, np.intp)
    order = np.argsort(owner, kind="stable")
    walls, starts = np.unique(owner[order], return_index=True)
    parts = np.split(share[order], starts[1:])
    long = np.array([len(part) >= config.least_px for part in parts], np.bool_)
    if np.count_nonzero(long) <= config.many:
        return np.zeros(0, np.intp)
    told = [part for part, enough in zip(parts, long, strict=True) if enough]
    middles = [median(part) for part in told]
    dips = np.array([middle - part.min() for part, middle in zip(told, middles, strict=True)], np.float64)
    rises = np.array([part.max() - middle for part, middle in zip(told, middles, strict=True)], np.float64)
    usual = float(np.partition(rises, -config.many)[-config.many])
    found = dips >= max(config.least, config.times * median(dips), config.rises * usual)
    return np.asarray(walls[long][found], np.intp) if np.count_nonzero(found) >= config.many else np.zeros(0, np.intp)
