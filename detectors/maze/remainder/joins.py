"""Holes that join floor to floor through what was wall: at posts, and aslant through rock, where no border runs."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import project
from detectors.maze.ink import Ink
from detectors.maze.plan.floorplan import Floorplan

_AROUND = np.ones((3, 3), np.uint8)  # not a threshold: a pixel's neighbours
_RINGS = 12  # not a threshold: farther from the floor than this nothing differs by its distance
_FEWEST = 20  # not a threshold: of fewer pixels no quantile is told


@dataclass(frozen=True)
class JoinConfig:
    """What counts as a hole that joins floor to floor.

    Attributes
    ----------
    opened : how far, of 1, a pixel of a wall is nearer to the floor's colour than the puzzle's and its neighbours...
    usual, noisy : ...and so many times as far as this quantile of all walls...
    ringing, smeared : ...and as this other quantile of all that is as near to the floor
    hue : it differs from a mixture of the two colours by no more than this share of their difference
    deep_px : in its deepest place a hole is so deep in the wall, in working pixels
    least_px : smallest hole, in working pixels
    reach_px : so near to floor, in working pixels, it reaches that...
    touch_px : ...if it does so with at least so many pixels...
    along_px : ...and what floor joins, nearer to the hole than so many working pixels, is one place: it lies along
        one side of a wall that is drawn thinner, or around its end
    line_px : nearer to strokes than so many working pixels is their edge
    around : in mazes with cells, of a hole less than this share lies around the maze
    slit, bare : the clearest tenth of it is so far on the way to the floor's colour; of one that is three pixels wide
        nothing dilutes it
    """

    opened: float = 0.22
    usual: float = 0.6
    noisy: float = 4.5
    ringing: float = 1.6
    smeared: float = 0.9
    hue: float = 0.25
    deep_px: float = 1.9
    least_px: int = 4
    reach_px: int = 2
    touch_px: int = 2
    along_px: int = 3
    line_px: int = 2
    around: float = 0.5
    slit: float = 0.4
    bare: float = 0.6


@dataclass(frozen=True)
class Join:
    """A hole: its middle, (row, column) in the working frame, and how far it reaches, in working pixels."""

    middle: tuple[float, float]
    length: float


def joins(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    plan: Floorplan,
    ink: Ink,
    config: JoinConfig,
) -> tuple[Join, ...]:
    """Looks through all that is wall in the puzzle, however wide, for floor that leads from floor to floor.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    plan : Floorplan
        Of the puzzle.
    ink : Ink
        Its colours of floor and walls; a stroke over a wall is a crossing and no hole.
    config : JoinConfig
    """
    depth = plan.solid_depth
    # not a threshold: a pixel beside the floor is mixed with it
    core = depth > 1.0
    if covered is not None:
        # not a threshold: pixels at the candidate's own edge are mixed with what it is continued by
        core &= cv2.erode(covered.view(np.uint8), np.ones((5, 5), np.uint8)) > 0
    deep = core & (depth >= config.deep_px)
    if not ink.has_walls or not deep.any():
        return ()
    now = project(picture, ink.wall_rgb, ink.floor_rgb)
    # A wall may lie a pixel aside.
    own = cv2.dilate(project(plan.picture, plan.wall_rgb, plan.floor_rgb), _AROUND)
    more = np.asarray(now - own, np.float32)
    if not (more[deep] > config.opened).any():
        return ()
    side = 2 * config.line_px + 1
    drawn = cv2.dilate((ink.asked | ink.other).view(np.uint8), np.ones((side, side), np.uint8)) > 0
    core &= ~drawn
    if not core.any():
        return ()
    opened = core & (more > _least(more, core, depth, config))
    at = np.flatnonzero(opened)
    step = ink.floor_rgb - ink.wall_rgb
    mixed = ink.wall_rgb + np.clip(now.ravel()[at], 0.0, 1.0)[:, None] * step
    off = np.abs(picture.reshape(-1, 3)[at] - mixed).max(axis=1)
    opened.ravel()[at[off > config.hue * np.abs(step).max()]] = False
    # Strokes hide where a hole ends that leads to them.
    floor = ~(plan.walls | plan.outside) | drawn
    # not a threshold: a gap of a pixel, as a slit aslant leaves
    shown = cv2.morphologyEx(opened.view(np.uint8), cv2.MORPH_CLOSE, _AROUND)
    # not a threshold: a pixel's neighbours
    count, parts, stats, _ = cv2.connectedComponentsWithStats(shown, connectivity=8)
    found: list[Join] = []
    for part in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[part])
        if area < config.least_px:
            continue
        # not a threshold: as far as floor is looked for, and a pixel more
        out = max(config.reach_px, config.along_px) + 1
        box = (slice(max(0, top - out), top + height + out), slice(max(0, left - out), left + width + out))
        pixels = parts[box] == part
        if plan.pieces is None and float(plan.outside[box][pixels].mean()) > config.around:
            continue  # a sign or a caption on what lies around the maze
        # not a threshold: the clearest tenth
        clear = float(np.quantile(now[box][pixels], 0.9))
        light = now[box] > 0.5 * clear  # not a threshold: what is half as clear leads on
        deepest = float(depth[box][pixels].max())
        if deepest < config.deep_px:
            continue
        # Of three pixels side by side the middle one is mixed with nothing; what is grey there is a mark.
        inner = pixels & (depth[box] > deepest - 1.0) & (cv2.erode(light.view(np.uint8), _AROUND) > 0)
        if clear <= (config.bare if inner.any() else config.slit):
            continue
        if _reached(pixels, light, floor[box], config) > 1:
            rows, columns = np.nonzero(parts == part)
            found.append(Join((float(rows.mean()), float(columns.mean())), float(max(width, height))))
    return tuple(found)


def _least(
    more: NDArray[np.float32], core: NDArray[np.bool_], depth: NDArray[np.float32], config: JoinConfig
) -> NDArray[np.float32]:
    """(h, w) float32, from which a pixel is no noise, nor what blur and compression leave beside the floor."""
    usual = float(np.quantile(np.abs(more[core]), config.usual))
    least = np.full(depth.shape, max(config.opened, config.noisy * usual), np.float32)
    for distance in range(1, _RINGS + 1):
        ring = core & (depth > distance) & (depth <= distance + 1)
        if np.count_nonzero(ring) >= _FEWEST:
            least[ring] = np.maximum(least[ring], config.ringing * np.quantile(more[ring], config.smeared))
    return least


def _reached(pixels: NDArray[np.bool_], light: NDArray[np.bool_], floor: NDArray[np.bool_], config: JoinConfig) -> int:
    """At how many places apart from each other a hole reaches floor: around a wall's end that is one."""
    near = np.asarray(pixels, np.uint8)
    leads = (light | floor).view(np.uint8)
    # What stands between a hole and the floor beside it keeps them apart.
    for _ in range(config.reach_px):
        near = np.asarray(cv2.bitwise_and(cv2.dilate(near, _AROUND), leads), np.uint8)
    side = 2 * config.along_px + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    beside = cv2.dilate(pixels.view(np.uint8), disc) & floor.view(np.uint8)
    # not a threshold: a pixel's neighbours
    _, places = cv2.connectedComponents(beside | (near & floor.view(np.uint8)), connectivity=8)
    touched = np.bincount(places[(near > 0) & floor])
    return int(np.count_nonzero(touched >= config.touch_px))
