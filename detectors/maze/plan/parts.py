"""Cells cut into parts, so that what is drawn in large cells is looked at as in small ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.cell_maps import OUTSIDE

_WHOLE = 0.3  # not a threshold: of a part that is less of a square no usual contrast is told


def largest_of_each(
    values: NDArray[np.float32], order: NDArray[np.intp], starts: NDArray[np.intp]
) -> NDArray[np.float64]:
    """(n,), the largest of (h, w) values over each run of flat positions; 0 where a run is empty."""
    inside = np.diff(np.append(starts, order.size)) > 0
    most = np.zeros(len(starts))
    most[inside] = np.maximum.reduceat(values.ravel()[order], starts[inside])
    return most


@dataclass(frozen=True, eq=False)
class CellParts:
    """The parts of all cells: the cells themselves, unless they are large.

    Attributes
    ----------
    order, starts : flat positions of the pixels of all parts, and where each part's begin
    cells : (n,) of which cell each part is, by its position in the plan's ``cell_ids``
    outside : (n,) bool, which are no cell's
    pairs : (m, 2) parts that adjoin
    whole : (n,) bool, which are large enough to tell what is usual; none is outside
    side_px : of the squares into which large cells are cut; 0 where none is
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    cells: NDArray[np.intp]
    outside: NDArray[np.bool_]
    pairs: NDArray[np.intp]
    whole: NDArray[np.bool_]
    side_px: int = 0

    def inner(self, values: NDArray[np.float32], window_px: int) -> NDArray[np.float32]:
        """Values (h, w), 0 where a window of that side shows what lies in the next square."""
        rows, columns = (np.arange(length) % self.side_px for length in values.shape)
        reach = window_px // 2 + 1
        inside = [(reach <= place) & (place < self.side_px - reach) for place in (rows, columns)]
        return values * (inside[0][:, None] & inside[1])

    def maxima(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """(n,), the largest of (h, w) values in each part; 0 outside and where a part has no pixel."""
        return np.where(self.outside, 0.0, largest_of_each(values, self.order, self.starts))

    def sums(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """(n,), the sum of (h, w) values over each part; 0 outside."""
        totals = np.concatenate([[0.0], np.cumsum(values.ravel()[self.order], dtype=np.float64)])
        sums = totals[np.append(self.starts[1:], self.order.size)] - totals[self.starts]
        return np.where(self.outside, 0.0, np.maximum(sums, 0.0))

    def by_cell(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(len(cell_ids),), the largest of values (n,) of the parts of each cell."""
        most = np.zeros(int(self.cells.max()) + 1)
        np.maximum.at(most, self.cells, values)
        return most


def whole_cells(
    order: NDArray[np.intp], starts: NDArray[np.intp], cell_ids: NDArray[np.int32], pairs: NDArray[np.intp]
) -> CellParts:
    """Cells as they are, given the pixels of each and which adjoin."""
    outside = cell_ids == OUTSIDE
    return CellParts(order, starts, np.arange(len(cell_ids), dtype=np.intp), outside, pairs, ~outside)


def cut_cells(labels: NDArray[np.int32], cell_ids: NDArray[np.int32], unit_px: float) -> CellParts:
    """Cuts cells, by their labels (h, w), into parts about as wide as a unit."""
    side = round(unit_px)
    height, width = labels.shape
    across = -(-width // side)
    squares = (np.arange(height) // side)[:, None] * across + np.arange(width) // side
    count = int(squares.max()) + 1
    keys, part = np.unique(np.searchsorted(cell_ids, labels) * count + squares, return_inverse=True)
    part = part.reshape(height, width)
    owner = np.asarray(keys // count, np.intp)
    outside = cell_ids[owner] == OUTSIDE
    sizes = np.bincount(part.ravel(), minlength=len(keys))
    beside = ((part[:, :-1], part[:, 1:]), (part[:-1], part[1:]))
    touching = [np.stack([one[one != other], other[one != other]], axis=1) for one, other in beside]
    pairs = np.unique(np.sort(np.concatenate(touching), axis=1), axis=0)
    return CellParts(
        order=np.argsort(part.ravel(), kind="stable"),
        starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        cells=owner,
        outside=outside,
        pairs=pairs[~outside[pairs].any(axis=1)],
        whole=~outside & (sizes >= _WHOLE * side**2),
        side_px=side,
    )
