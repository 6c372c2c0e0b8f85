"""Fits a cell map to the picture that it belongs to.

Published cell maps lie up to 11 pixels off their drawings, more than a wall is wide: circles are displaced, squares
have cells of whole pixels where the drawing has not. A wall found a few pixels on the wrong side of a border would
turn a passage into a wall, so the map is brought onto the drawing before it is used. The answer is not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

OUTSIDE = 0
"""The label of what lies outside every cell."""


@dataclass(frozen=True)
class CellMapConfig:
    """How a cell map is fitted.

    Attributes
    ----------
    max_shift : how far a map may lie off its picture, as a share of the cell length
    coarse : steps in which that is searched first, on either side
    voters : most pixels that vote on a shift; a lattice of them keeps a large picture as cheap as a small one
    """

    max_shift: float = 0.15
    coarse: int = 4
    voters: int = 40_000


@dataclass(frozen=True)
class FittedMap:
    """A cell map on its drawing: labels (H, W) int32, the shift (x, y) that was applied, and what still disagrees.

    ``misfit`` is the mean distance in pixels by which a pixel contradicts the map, walls and floor weighing alike.
    """

    labels: NDArray[np.int32]
    shift: tuple[int, int]
    misfit: float


def fit_cell_map(
    picture: NDArray[np.uint8],
    candidates: tuple[NDArray[np.int32], ...],
    cell_size_px: float,
    wall_width_px: float,
    config: CellMapConfig,
) -> FittedMap:
    """Chooses the cell map, and the shift of it, that the drawn walls agree with best.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    candidates : tuple of ndarray of shape (H, W), int32
        Maps to choose from, 0 outside every cell.
    cell_size_px, wall_width_px : float
        Length of a cell and width of a wall in pixels.
    config : CellMapConfig

    Returns
    -------
    FittedMap
        Of equally good ones, the earlier candidate and the smaller shift.
    """
    reach = max(1, round(config.max_shift * cell_size_px))
    beyond = min(wall_width_px, beyond_walls(cell_size_px, wall_width_px))
    fitted = [_fit_one(picture, labels, reach, (wall_width_px, beyond), config) for labels in candidates]
    # not a threshold: decimals that are no noise
    return min(fitted, key=lambda one: round(one.misfit, 6))


def beyond_walls(cell_px: float, wall_px: float) -> float:
    """How deep in a cell only floor lies, however wide walls are: a quarter of the corridor behind half a wall."""
    return 0.5 * wall_px + 0.25 * (cell_px - wall_px)  # not a threshold: halfway to the corridor's middle


def depth_in_cell(labels: NDArray[np.int32]) -> NDArray[np.float32]:
    """Distance in pixels of each pixel's centre to the border of its own cell, (H, W) float32."""
    edge = np.zeros(labels.shape, np.bool_)
    down = labels[1:] != labels[:-1]
    across = labels[:, 1:] != labels[:, :-1]
    edge[1:] |= down
    edge[:-1] |= down
    edge[:, 1:] |= across
    edge[:, :-1] |= across
    # An edge pixel's centre is half a pixel from the border itself.
    # not a threshold: the side of OpenCV's larger mask
    distance = cv2.distanceTransform((~edge).astype(np.uint8), cv2.DIST_L2, 5)
    return np.asarray(distance + 0.5, np.float32)


def _fit_one(
    picture: NDArray[np.uint8],
    labels: NDArray[np.int32],
    reach: int,
    walls: tuple[float, float],
    config: CellMapConfig,
) -> FittedMap:
    """Fits one map; ``walls`` are their width, and the depth in a cell at which none reaches."""
    wall_px, beyond = walls
    outside = labels == OUTSIDE
    depth = depth_in_cell(labels)
    dark = _unlike_floor(picture, ~outside & (depth > beyond))
    # What is not floor may lie outside, or within half a wall of a border; floor inside, or in an opening of the rim.
    dark_cost = np.where(outside, 0.0, np.clip(depth - 0.5 * wall_px - 0.5, 0.0, wall_px)).astype(np.float32)
    light_cost = np.where(outside, np.clip(depth, 0.0, wall_px), 0.0).astype(np.float32)
    far = dark[outside & (depth > wall_px)]
    if far.size and np.count_nonzero(far) < 0.5 * far.size:
        # What lies around looks like floor, which therefore says nothing.
        light_cost[:] = 0.0
    dark_cost = np.pad(dark_cost, reach, mode="edge")
    light_cost = np.pad(light_cost, reach, mode="edge")
    width = dark_cost.shape[1]
    # Places as numbers in the flat array, where a shift is another start: this is done some hundred times.
    voting = [
        ((rows - reach) * width + columns - reach, costs.ravel())
        for (rows, columns), costs in (
            (_lattice(dark, reach, config.voters), dark_cost),
            (_lattice(~dark, reach, config.voters), light_cost),
        )
        if rows.size
    ]

    def cost(shift_x: int, shift_y: int) -> tuple[float, int, int, int]:
        total = 0.0
        for at, costs in voting:
            start = (reach - shift_y) * width + reach - shift_x
            total += float(cv2.sumElems(costs[start:].take(at))[0]) / at.size
        # not a threshold: decimals that are no noise
        return round(total, 4), shift_x**2 + shift_y**2, shift_x, shift_y

    step = max(1, reach // config.coarse)
    coarse = range(-(reach // step) * step, reach + 1, step)
    best = min(cost(x, y) for x in coarse for y in coarse)
    while step > 1:
        step = max(1, step // 2)
        _, _, x, y = best
        near = [(x + dx * step, y + dy * step) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        best = min([best, *(cost(x, y) for x, y in near if max(abs(x), abs(y)) <= reach)])
    misfit, _, shift_x, shift_y = best
    return FittedMap(_shifted(labels, (shift_x, shift_y)), (shift_x, shift_y), misfit)


def _unlike_floor(picture: NDArray[np.uint8], deep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is not floor, be it darker or, on a dark board, lighter. Deep in the cells most is floor."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.float32)
    contrast = np.abs(grey - float(np.median(grey[deep]) if deep.any() else np.median(grey)))
    return np.asarray(contrast > 0.5 * float(contrast.max()), np.bool_)


def _lattice(mask: NDArray[np.bool_], offset: int, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.nonzero(mask)
    # Rounded positions, not every n-th: a fixed stride would beat against the period of the cells.
    picked = np.linspace(0, max(rows.size - 1, 0), min(rows.size, most)).astype(np.intp)
    picked = picked[np.diff(picked, prepend=-1) > 0]
    if not rows.size:
        return rows, columns
    return rows[picked] + offset, columns[picked] + offset


def _shifted(labels: NDArray[np.int32], shift: tuple[int, int]) -> NDArray[np.int32]:
    if shift == (0, 0):
        return labels
    height, width = labels.shape
    rows = np.clip(np.arange(height) - shift[1], 0, height - 1)
    columns = np.clip(np.arange(width) - shift[0], 0, width - 1)
    return labels[np.ix_(rows, columns)]


def nearest_cell(labels: NDArray[np.int32], row: int, column: int) -> int:
    """The cell that lies nearest to a pixel."""
    at = np.argwhere(labels != OUTSIDE)
    nearest = at[int(((at - (row, column)) ** 2).sum(axis=1).argmin())]
    return int(labels[tuple(nearest)])


def sample(mask: NDArray[np.bool_], about: int) -> NDArray[np.intp]:
    """Flat positions of about so many pixels of a mask, evenly taken."""
    at = np.flatnonzero(mask)
    return at[:: max(1, at.size // about)]
