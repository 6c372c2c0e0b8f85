"""What hangs on a line in its own colour, and is no part of it: a ring, a scribble, a word, a blot."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.strokes.config import OutgrowthConfig
from detectors.maze.strokes.network import Crossing


def outgrowths(
    strokes: NDArray[np.bool_],
    route: NDArray[np.intp],
    middles: NDArray[np.intp],
    crossings: Sequence[Crossing],
    half_width: float,
    plan: Floorplan,
    config: OutgrowthConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool, strokes that lie outside of the tube that a line is, as wide as it is around, and are more than a
    point of it.

    Heads of arrows and the wobble of a hand reach as far, but are small there. What accompanies the line all its way,
    as the second one of two rails does, is how it is drawn. What leads into other cells is a branch.

    Parameters
    ----------
    strokes : ndarray of shape (h, w), bool
    route : ndarray of shape (n, 2), int
        (row, column) of the pixels of the line's middle, from its start to its end.
    middles : ndarray of shape (m, 2), int
        The same of all strokes.
    crossings : sequence of Crossing
        Where strokes pass through walls, which is told as such.
    half_width : float
        Half the line's width in working pixels.
    plan : Floorplan
    config : OutgrowthConfig
    """
    found = np.zeros_like(strokes)
    if not len(route):
        return found
    off_line = np.ones(strokes.shape, np.uint8)
    off_line[tuple(route.T)] = 0
    # not a threshold: the side of OpenCV's larger mask
    distance, labels = cv2.distanceTransformWithLabels(off_line, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    at = np.flatnonzero(strokes)
    # The tube is nowhere narrower than the line is on the whole, and most lines reach nowhere beyond that.
    beyond = distance.ravel()[at] > config.beyond * half_width + config.beyond_px
    beyond &= plan.marker_distance.ravel()[at] > max(config.marker_px, half_width)
    if not beyond.any():
        return found
    place = np.zeros(int(labels.max()) + 1, np.intp)
    place[labels[tuple(route.T)]] = np.arange(len(route))
    beside, far = place[labels.ravel()[at]], distance.ravel()[at]
    reach = np.zeros(len(route), np.float32)
    np.maximum.at(reach, beside, far)
    tube = np.maximum(_usual(reach, round(config.around * plan.cell_width_px)), half_width)
    beyond &= far > config.beyond * tube[beside] + config.beyond_px
    # A second rail that a corner takes apart is none either.
    railed = float((reach > config.beyond * half_width + config.beyond_px).mean()) > config.all_along
    if not beyond.any() or railed:
        return found
    # What leads into another cell, or through a wall, is told as such, with all that hangs together with it.
    outer = np.zeros_like(found)
    besides = far > config.edge * tube[beside] + config.edge_px
    outer.ravel()[at[besides]] = True
    # not a threshold: a pixel's neighbours
    _, parts, stats, _ = cv2.connectedComponentsWithStats(outer.view(np.uint8), connectivity=8)
    # not a threshold: beyond half of a wall another cell begins
    deep = middles[plan.depth[tuple(middles.T)] > 0.5 * plan.wall_px]
    deep = tuple(deep[~np.isin(plan.labels[tuple(deep.T)], plan.labels[tuple(route.T)])].T)
    # So is a second way.
    extent = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    known = [parts[deep], np.flatnonzero(extent > config.way * plan.cell_width_px)]
    for one in crossings:
        column, row = (round(value / plan.factor - 0.5) for value in one.at)
        known.append(parts[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3].ravel())
    besides &= ~np.isin(parts.ravel()[at], np.setdiff1d(np.concatenate(known), [0]))
    beyond &= besides
    if not beyond.any():
        return found
    # Clusters along the line, both of its sides together.
    count = np.bincount(beside[beyond], minlength=len(route))
    shown = np.flatnonzero(count)
    gap = max(1.0, config.together * half_width)
    cluster = np.zeros(len(route), np.intp)
    cluster[shown] = np.cumsum(np.diff(shown, prepend=shown[0]) > gap)
    first = np.flatnonzero(np.diff(cluster[shown], prepend=-1))
    spans = np.append(shown[first[1:] - 1], shown[-1]) - shown[first] + 1
    area = np.bincount(cluster[beside[beyond]])
    # A line may end in the head of an arrow.
    head = config.head * half_width
    ending = np.bincount(cluster[shown], weights=(shown > head) & (shown < len(route) - head)) == 0
    least = np.maximum(config.area * half_width**2, config.least_px) * np.where(ending, config.pointed, 1.0)
    high = np.zeros(len(area))
    np.maximum.at(high, cluster[beside[beyond]], far[beyond] - tube[beside[beyond]])
    # A hand that turns back sharply draws a point, all of which hangs on one place of the middle.
    long = np.zeros(len(area))
    np.maximum.at(long, cluster[beside[beyond]], (far - config.beyond * tube[beside] - config.beyond_px)[beyond])
    # It comes and goes, so that a point is as wide as two lines, and as a hand wobbles, which thin lines show as well.
    wobble = config.point_wide * plan.cell_width_px
    wide = 4.0 * half_width + wobble  # not a threshold: two lines
    # Before its edges part, the middle of a wide line has turned back already.
    point = (spans <= max(config.point * half_width, wobble)) & (
        long <= config.point_long * plan.cell_width_px + half_width
    )
    point &= area <= wide * (long + 1.0)  # not a threshold: half a pixel at either end
    middles_at = (shown[first] + 0.5 * spans).astype(np.intp)
    point &= _turns(route, middles_at, max(wobble, config.point * half_width)) >= config.point_deg
    large = ~point & (area >= least)
    # So is what is repeated alike all the way: heads of arrows that show where it leads.
    alike = np.flatnonzero((config.similar * high >= high.max()) & (config.similar * area >= area.max()))
    over = shown[first[alike[-1]]] - shown[first[alike[0]]]
    if len(alike) >= config.repeated and over >= config.spread * len(route):
        return found
    found.ravel()[at[besides & large[cluster[beside]] & (count[beside] > 0)]] = True
    return found


def _turns(route: NDArray[np.intp], places: NDArray[np.intp], reach: float) -> NDArray[np.float64]:
    """By how many degrees a route turns at some of its places, from so many pixels before to as many after."""
    steps = max(1, round(reach))
    before, after = np.maximum(places - steps, 0), np.minimum(places + steps, len(route) - 1)
    ways = [route[places] - route[before], route[after] - route[places]]
    angles = [np.degrees(np.arctan2(way[:, 0], way[:, 1])) for way in ways]
    # not a threshold: a half turn
    return np.asarray(np.abs((angles[1] - angles[0] + 180.0) % 360.0 - 180.0), np.float64)


def _usual(values: NDArray[np.float32], around: int) -> NDArray[np.float32]:
    """The median of so many values to either side of each."""
    step = max(1, around // 4)  # not a threshold: it changes slowly
    places = np.arange(0, len(values), step)
    medians = [float(np.median(values[max(0, at - around) : at + around + 1])) for at in places.tolist()]
    return np.interp(np.arange(len(values)), places, medians).astype(np.float32)
