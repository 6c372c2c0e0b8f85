"""Labels of markers: what is written over or under a marker, told by its place, for small writing can't be read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.ground import Ground
from detectors.common.residual.mixing import lengths, seen
from detectors.maze.plan.floorplan import Floorplan, Marker


@dataclass(frozen=True)
class LabelConfig:
    """What is told to be a marker's label.

    Attributes
    ----------
    least, noisy : what differs from the floor by this contrast, and by so many times its noise, is drawn
    joined : across gaps of this share of the marker's size letters belong together, and across the line
    near, over : it lies as near to the marker as this share of its size, or reaches so far into its box...
    high, wide : ...is at most as high and as wide as these shares of it...
    long : ...is at least so many times as wide as high...
    centered, centered_px : ...its middle is right over or under the marker's, up to this share of its width, or so many
        working pixels...
    clear_px, clear : ...and to both sides of it there is floor, so wide or wider, along this share of its height: what
        is drawn from wall to wall is a wall
    """

    least: float = 0.08
    noisy: float = 3.0
    joined: float = 0.35
    near: float = 0.9
    over: float = 0.2
    high: float = 0.8
    wide: float = 3.0
    long: float = 1.3
    centered: float = 0.12
    centered_px: float = 1.5
    clear_px: int = 2
    clear: float = 0.35


def marker_labels(
    picture: NDArray[np.uint8],
    ground: Ground,
    reach_px: float,
    strokes: NDArray[np.bool_],
    plan: Floorplan,
    config: LabelConfig,
) -> NDArray[np.bool_]:
    """Where labels of markers are drawn, with their soft edges.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    ground : Ground
        Its floor.
    reach_px : float
        How far walls and markers mix into the floor.
    strokes : ndarray of shape (h, w), bool
        The line that was read: a label may lie over it.
    plan : Floorplan
    config : LabelConfig

    Returns
    -------
    ndarray of shape (h, w), bool
    """
    found = np.zeros(strokes.shape, np.bool_)
    edge = np.ones((2 * math.ceil(reach_px) + 1,) * 2, np.uint8)
    for marker in plan.markers:
        size = max(marker.mask.shape)
        reach = round((config.near + config.high) * size) + edge.shape[0]
        across = round(0.5 * config.wide * size) + edge.shape[0]  # not a threshold: half of it to either side
        rows, columns = marker.box
        box = (
            slice(max(0, rows.start - reach), rows.stop + reach),
            slice(max(0, columns.start - across), columns.stop + across),
        )
        solid = plan.walls[box] | plan.outside[box]
        off = lengths(seen(picture[box]) - ground.surface[box]) > max(config.least, config.noisy * ground.noise)
        off &= ~solid & ~strokes[box] & (plan.marker_distance[box] > 0.0)
        # What lies within reach of walls, markers and the line may be their own soft edge.
        drawn = off & (plan.wall_distance[box] > reach_px) & (plan.outside_distance[box] > reach_px)
        line = cv2.dilate(strokes[box].view(np.uint8), edge) > 0
        drawn &= (plan.marker_distance[box] > reach_px) & ~line
        if drawn.any():
            labels = _labels(drawn, line, solid, marker, (box[0].start, box[1].start), config)
            found[box] |= off & (cv2.dilate(labels.view(np.uint8), edge) > 0)
    return found


def _labels(
    drawn: NDArray[np.bool_],
    line: NDArray[np.bool_],
    solid: NDArray[np.bool_],
    marker: Marker,
    corner: tuple[int, int],
    config: LabelConfig,
) -> NDArray[np.bool_]:
    """Of what is drawn around a marker, in a window with a corner (row, column), its labels."""
    size = max(marker.mask.shape)
    top, left = marker.top - corner[0], marker.left - corner[1]
    bottom, middle = top + marker.mask.shape[0], left + 0.5 * marker.mask.shape[1]  # not a threshold: its middle
    joined = _joined(drawn, config.joined * size) | (_joined(drawn, config.wide * size) & line)
    count, parts = cv2.connectedComponents(joined.view(np.uint8), connectivity=8)  # not a threshold: neighbours
    found = np.zeros_like(drawn)
    for part in range(1, count):
        own = drawn & (parts == part)
        rows, columns = np.nonzero(own)
        if not rows.size:
            continue
        first, last = int(rows.min()), int(rows.max()) + 1
        start, stop = int(columns.min()), int(columns.max()) + 1
        height, width = last - first, stop - start
        # Letters at its end may lie beneath the line.
        hidden = line[first:last].mean(axis=0) >= 0.5  # not a threshold: most of its rows
        before, after = _run(hidden[:start][::-1]), _run(hidden[stop:])
        if height > config.high * size or width > config.wide * size or width + before + after < config.long * height:
            continue
        away = top - last if first + last < top + bottom else first - bottom
        near = -config.over * size <= away <= config.near * size
        # not a threshold: its middle, and the marker's
        off = max(0.5 * (start + stop - before) - middle, middle - 0.5 * (start + stop + after), 0.0)
        if not near or off > max(config.centered_px, config.centered * width):
            continue
        beside = slice(max(0, start - config.clear_px), start), slice(stop, stop + config.clear_px)
        if min(float((~solid[first:last, side].any(axis=1)).mean()) for side in beside) >= config.clear:
            found |= own
    return found


def _run(hidden: NDArray[np.bool_]) -> int:
    """How many of the first are hidden."""
    return int(np.argmin(np.append(hidden, False)))


def _joined(drawn: NDArray[np.bool_], gap: float) -> NDArray[np.bool_]:
    """What is drawn, and gaps of up to so many pixels along the rows between it."""
    side = 2 * round(0.5 * gap) + 1  # not a threshold: half of it from either side
    padded = np.pad(drawn.view(np.uint8), ((0, 0), (side, side)))
    return cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((1, side), np.uint8))[:, side:-side] > 0
