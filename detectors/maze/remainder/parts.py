"""Cells cut into parts, so that what is drawn in large cells is looked at as in small ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan

_WHOLE = 0.3  # not a threshold: of a part that is less of a square no usual contrast is told


@dataclass(frozen=True, eq=False)
class CellParts:
    """The parts of all cells: the cells themselves, unless they are large.

    Attributes
    ----------
    order, starts : flat positions of the pixels of all parts, and where each part's begin
    cells : (n,) of which cell each part is, by its position in the plan's ``cell_ids``
    pairs : (m, 2) parts that adjoin
    whole : (n,) bool, which are large enough to tell what is usual; none is outside
    side_px : of the squares into which large cells are cut; 0 where none is
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    cells: NDArray[np.intp]
    pairs: NDArray[np.intp]
    whole: NDArray[np.bool_]
    side_px: int = 0

    def inner(self, values: NDArray[np.float32], window_px: int) -> NDArray[np.float32]:
        """Values (h, w), 0 where a window of that side shows what lies in the next square."""
        rows, columns = (np.arange(length) % self.side_px for length in values.shape)
        reach = window_px // 2 + 1
        inside = [(reach <= place) & (place < self.side_px - reach) for place in (rows, columns)]
        return values * (inside[0][:, None] & inside[1])

    def maxima(self, values: NDArray[np.float32], plan: Floorplan) -> NDArray[np.float64]:
        """(n,), the largest of (h, w) values in each part; 0 outside and where a part has no pixel."""
        inside = np.diff(np.append(self.starts, self.order.size)) > 0
        most = np.zeros(len(self.starts))
        most[inside] = np.maximum.reduceat(values.ravel()[self.order], self.starts[inside])
        most[plan.cell_ids[self.cells] == OUTSIDE] = 0.0
        return most

    def by_cell(self, values: NDArray[np.float64], plan: Floorplan) -> NDArray[np.float64]:
        """(len(cell_ids),), the largest of values (n,) of the parts of each cell."""
        most = np.zeros(len(plan.cell_ids))
        np.maximum.at(most, self.cells, values)
        return most


def parts_of(plan: Floorplan) -> CellParts:
    """Cuts the cells of a plan into parts about as wide as its unit."""
    order, starts = plan.by_cell
    if plan.unit_px >= plan.cell_px:
        everyone = np.arange(len(plan.cell_ids), dtype=np.intp)
        return CellParts(order, starts, everyone, plan.corridors.pairs, plan.cell_ids != OUTSIDE)
    side = round(plan.unit_px)
    height, width = plan.labels.shape
    across = -(-width // side)
    squares = (np.arange(height) // side)[:, None] * across + np.arange(width) // side
    cells = np.searchsorted(plan.cell_ids, plan.labels)
    keys, part = np.unique(cells * (int(squares.max()) + 1) + squares, return_inverse=True)
    part = part.reshape(height, width)
    owner = np.asarray(keys // (int(squares.max()) + 1), np.intp)
    outside = plan.cell_ids[owner] == OUTSIDE
    sizes = np.bincount(part.ravel(), minlength=len(keys))
    touching = [np.stack([one[one != other], other[one != other]], axis=1) for one, other in (
        (part[:, :-1], part[:, 1:]), (part[:-1], part[1:]))]  # fmt: skip
    pairs = np.unique(np.sort(np.concatenate(touching), axis=1), axis=0)
    pairs = pairs[~outside[pairs].any(axis=1)]
    return CellParts(
        order=np.argsort(part.ravel(), kind="stable"),
        starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        cells=owner,
        pairs=pairs,
        whole=~outside & (sizes >= _WHOLE * side**2),
        side_px=side,
    )
