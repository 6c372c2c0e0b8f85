"""What marks the start or the goal of a maze without cells, told by its colours."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.widths import Mask, distance_into


def find_mark(
    picture: NDArray[np.uint8],
    floor: Mask,
    spot: tuple[int, int],
    ends: Sequence[tuple[int, int]],
    unit: float,
    config: FloorConfig,
) -> Mask:
    """(H, W) bool, what lies at a spot in colours that the floor has nowhere else; nothing where there is no such.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    floor : ndarray of shape (H, W), bool
    spot : tuple of int
        Row and column.
    ends : sequence of tuple of int
        Those of start and goal, whose surroundings say nothing of the floor.
    unit : float
        Of corridor and wall, in pixels.
    config : FloorConfig
    """
    height, width = floor.shape
    row, column = np.ogrid[:height, :width]
    step = config.binned
    codes = picture.astype(np.int64) // step
    kinds = 256 // step + 1  # not a threshold: the values that a channel can have
    flat = (codes[..., 0] * kinds + codes[..., 1]) * kinds + codes[..., 2]
    elsewhere = np.ones(floor.shape, np.bool_)
    for end_row, end_column in ends:
        elsewhere &= (row - end_row) ** 2 + (column - end_column) ** 2 > (config.mark_away * unit) ** 2
    near = (row - spot[0]) ** 2 + (column - spot[1]) ** 2 <= (config.mark * unit) ** 2
    found = np.zeros(floor.shape, np.uint8)
    # A letter in the walls' colour marks the floor, too; the edges of walls are mixed with it, and tell nothing.
    inner = distance_into(floor) > config.edge_px
    for place, known in ((inner, elsewhere & inner), (np.ones_like(inner), elsewhere)):
        at_home = np.bincount(flat[known], minlength=kinds**3)
        rare = at_home <= config.rare * max(1, int(np.count_nonzero(known)))
        found[near & place & rare[flat]] = 1
    reach = 2 * max(1, round(config.mark_closed * unit)) + 1
    closed = cv2.morphologyEx(found, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    # not a threshold: a pixel's neighbours
    count, parts, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    if count < 2:
        return np.zeros(floor.shape, np.bool_)
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < config.least_mark * unit**2:
        return np.zeros(floor.shape, np.bool_)
    return np.asarray((parts == largest) & (found > 0), np.bool_)
