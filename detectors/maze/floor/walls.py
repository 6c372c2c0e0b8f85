"""Where walls end: from there the floor is cut to both sides, so that no piece of it lies on both sides of a wall."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.morphology import skeletonize

from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.widths import Mask, distance_into

Spot = tuple[int, int]
Floats = NDArray[np.float64]
_AROUND = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))


def cut_floor(floor: Mask, unit: float, config: FloorConfig) -> NDArray[np.int32]:
    """(h, w) int32, the cuts, numbered from 1; 0 elsewhere.

    Parameters
    ----------
    floor : ndarray of shape (h, w), bool
    unit : float
        Of its corridors and walls, in its pixels.
    config : FloorConfig
    """
    rim = 2  # not a threshold: what lies beyond the picture is no floor
    padded = np.pad(floor, rim)
    depth = distance_into(~padded)
    cuts = np.zeros(padded.shape, np.int32)
    number = 0
    for spot, direction in _wall_ends(padded, depth, unit, config):
        for side in (-1.0, 1.0):
            ray = shortest_ray(
                padded, spot, direction + side * 0.5 * math.pi, config.sector_deg, config.longest_cut * unit, config
            )
            if ray is not None:
                number += 1
                draw_line(cuts, *ray, number)
    cuts[~padded] = 0
    return np.ascontiguousarray(cuts[rim:-rim, rim:-rim])


def draw_line(canvas: NDArray[np.int32], first: Floats, last: Floats, number: int) -> None:
    """Draws a line between two places (row, column) that no diagonal step can pass."""
    one, other = ((round(float(end[1])), round(float(end[0]))) for end in (first, last))
    cv2.line(canvas, one, other, number, 1, cv2.LINE_4)


def shortest_ray(
    floor: Mask, spot: Spot, angle: float, sector_deg: float, longest: float, config: FloorConfig
) -> tuple[Floats, Floats] | None:
    """The shortest way straight over the floor to a wall, from a spot on it or in a wall beside it.

    Parameters
    ----------
    floor : ndarray of shape (h, w), bool
    spot : tuple of int
        Row and column.
    angle, sector_deg : float
        Where to, in radians from the direction of columns, and how far off that.
    longest : float
        Of the way over the floor, in pixels.
    config : FloorConfig

    Returns
    -------
    tuple of ndarray, or None
        The spot, and the first place in the wall behind the floor.
    """
    height, width = floor.shape
    off = math.radians(sector_deg)
    count = math.ceil(config.rays * sector_deg / config.sector_deg)
    angles = np.linspace(angle - off, angle + off, count)
    # not a threshold: steps of less than a pixel
    steps = np.arange(0.0, 2.0 * longest, 0.7)
    rows = np.rint(spot[0] + np.sin(angles)[:, None] * steps).astype(np.intp)
    columns = np.rint(spot[1] + np.cos(angles)[:, None] * steps).astype(np.intp)
    within = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    on = np.zeros(rows.shape, np.bool_)
    on[within] = floor[rows[within], columns[within]]
    entered = on.argmax(axis=1)
    beyond = np.arange(len(steps))[None] > entered[:, None]
    left = (~on & beyond).argmax(axis=1)
    known = on.any(axis=1) & (left > entered) & (steps[left] - steps[entered] <= longest)
    if not known.any():
        return None
    best = int(np.where(known, left, len(steps)).argmin())
    place = np.array([rows[best, left[best]], columns[best, left[best]]], np.float64)
    return np.array(spot, np.float64), place


def _wall_ends(
    floor: Mask, depth: NDArray[np.float32], unit: float, config: FloorConfig
) -> Iterator[tuple[Spot, float]]:
    """The ends of walls' middle lines, with the direction in which they end, in radians from that of columns."""
    thin: Mask = skeletonize(~floor)  # type: ignore[no-untyped-call]
    line = _Line(thin & (depth <= config.longest_cut * unit))
    # The shortest first: what is left of the others is longer then.
    for share in (0.25, 0.5, 0.75, 1.0, 1.0):  # not a threshold: in steps
        for end in line.ends(1):
            branch, joint = line.branch(end, depth.size)
            if joint is None:
                continue
            deep = float(depth[joint])
            if len(branch) < share * (config.spur * deep + config.spur_more * unit):
                line.take_off(branch)
    for spot in line.ends(0):
        # A pillar.
        yield spot, 0.0
        yield spot, 0.5 * math.pi
    for spot in line.ends(1):
        branch, _ = line.branch(spot, math.ceil(max(config.tip_px, float(depth[spot]))))
        row, column = branch[-1]
        yield spot, math.atan2(spot[0] - row, spot[1] - column)


class _Line:
    """The pixels of a line a pixel wide, and which of them follow each other."""

    def __init__(self, thin: Mask) -> None:
        self._spots: set[Spot] = {(row, column) for row, column in np.argwhere(thin).tolist()}
        self._beside = {spot: self._near(spot) for spot in sorted(self._spots)}

    def ends(self, count: int) -> list[Spot]:
        """Pixels that so many others follow: 1 at an end, 0 for one that is alone."""
        return sorted(spot for spot, near in self._beside.items() if len(near) == count)

    def branch(self, end: Spot, longest: int) -> tuple[list[Spot], Spot | None]:
        """The pixels from an end to where lines meet, without that place; None where they don't, or so far off."""
        branch = [end]
        before: Spot | None = None
        here = end
        while len(branch) <= longest:
            ahead = [one for one in self._beside[here] if one != before]
            if not ahead:
                return branch, None
            if len(ahead) > 1 and here != end:
                return branch[:-1] or branch, here
            before, here = here, ahead[0]
            branch.append(here)
        return branch, None

    def take_off(self, branch: list[Spot]) -> None:
        """Leaves pixels out."""
        self._spots -= set(branch)
        for spot in branch:
            self._beside.pop(spot, None)
        around = {(row + down, column + right) for row, column in branch for down, right in _AROUND}
        for spot in around & self._spots:
            self._beside[spot] = self._near(spot)

    def _near(self, spot: Spot) -> list[Spot]:
        """The pixels beside one; of those that touch each other only the straight ones."""
        row, column = spot
        straight = [
            one
            for one in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
            if one in self._spots
        ]
        slant = [
            (row + down, column + right)
            for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1))
            if (row + down, column + right) in self._spots
            and (row + down, column) not in straight
            and (row, column + right) not in straight
        ]
        return straight + slant
