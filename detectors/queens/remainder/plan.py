"""A board seen closely: which cell each pixel is of, how far off the lines it is, and how dark the lines are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import rings
from detectors.common.residual.mixing import distance_to, seen
from detectors.queens.board import Board
from detectors.queens.remainder.config import BoardMixingConfig, GridConfig


_STEP = 2  # not a threshold: every other pixel will do for a median


@dataclass(frozen=True)
class CloseBoard:
    """A board in the frame in which remainders are looked for.

    Attributes
    ----------
    board : read at that frame
    grid : how its lines are looked at
    mixing : how far they mix into cells
    """

    board: Board
    grid: GridConfig
    mixing: BoardMixingConfig

    @property
    def cell_px(self) -> float:
        """The shorter side of a cell in working pixels."""
        return min(self.board.cell)

    @cached_property
    def bounds(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """First row, and first column, of each row and column of cells, and one past the last."""
        height, width = self.board.picture.shape[:2]
        at = np.arange(self.board.n + 1)
        rows, columns = np.rint(at * self.board.cell[1]), np.rint(at * self.board.cell[0])
        return np.minimum(rows, height).astype(np.intp), np.minimum(columns, width).astype(np.intp)

    @cached_property
    def regions(self) -> NDArray[np.intp]:
        """(h, w), the position of each pixel's region in the sorted regions."""
        return self.spread(np.searchsorted(np.unique(self.board.regions), self.board.regions))

    def spread(self, cells: NDArray[np.integer]) -> NDArray[np.intp]:
        """(h, w), the value of the cell of each pixel, of values (n, n)."""
        height, width = self.board.picture.shape[:2]
        last = self.board.n - 1
        rows = np.clip(np.searchsorted(self.bounds[0], np.arange(height), side="right") - 1, 0, last)
        columns = np.clip(np.searchsorted(self.bounds[1], np.arange(width), side="right") - 1, 0, last)
        return np.asarray(cells[np.ix_(rows, columns)], np.intp)

    @cached_property
    def line_distance(self) -> NDArray[np.float32]:
        """(h, w), the distance of each pixel to a grid line or a border of cells, if it is not drawn."""
        lines = self.board.grid.copy()
        rows, columns = self.bounds
        lines[rows[1:-1]] = True
        lines[:, columns[1:-1]] = True
        return distance_to(lines)

    @cached_property
    def rings(self) -> tuple[NDArray[np.intp], ...]:
        """Flat positions of pixels by their distance to lines, as far as lines can mix into cells."""
        return rings(self.line_distance, max(1, int(self.mixing.most_reach * self.cell_px)))

    def near_crossings(self, reach: int) -> NDArray[np.bool_]:
        """(h, w), pixels as near as this to a line in both directions: what mixes there has no one axis."""
        height, width = self.board.picture.shape[:2]
        near = []
        for bounds, side in zip(self.bounds, (height, width), strict=True):
            at = np.zeros(side, np.bool_)
            for line in bounds.tolist():
                at[max(0, line - reach) : line + reach + 1] = True
            near.append(at)
        return np.asarray(near[0][:, None] & near[1][None, :], np.bool_)

    @cached_property
    def inner(self) -> NDArray[np.bool_]:
        """(h, w), pixels that no line reaches."""
        # not a threshold: a pixel of a line that was smoothed, and one of a place that was rounded
        return np.asarray(self.line_distance > 2.0, np.bool_)

    @cached_property
    def colors(self) -> NDArray[np.float32]:
        """(regions, 3), the median colour of each region, in the colours of `seen`."""
        return region_colors(seen(self.board.picture), self.inner, self)

    @cached_property
    def line_color(self) -> NDArray[np.float32]:
        """(3,), the middle colour of the grid lines."""
        lab = seen(self.board.picture)
        return np.asarray(np.median(lab[self.board.grid], axis=0) if self.board.grid.any() else lab[0, 0], np.float32)

    @cached_property
    def darkness(self) -> LineDarkness:
        """How dark the puzzle's lines are."""
        lab = seen(self.board.picture)
        return line_darkness(self.colors[self.regions][..., 0] - lab[..., 0], self)


@dataclass(frozen=True)
class LineDarkness:
    """How dark a picture is, summed across each inner line at each pixel along it, and at crossings.

    Attributes
    ----------
    down : (h, n - 1), of the lines that lead down
    across : (n - 1, w), of those that lead across
    crossings : (n - 1, n - 1), summed over a square
    """

    down: NDArray[np.float32]
    across: NDArray[np.float32]
    crossings: NDArray[np.float32]


def line_darkness(deeper: NDArray[np.float32], plan: CloseBoard) -> LineDarkness:
    """Sums how much darker pixels are than their cells, (h, w), in a strip along each line."""
    # not a threshold: what is lighter than its cell is no line
    dark = np.clip(deeper, -0.05, None)
    reach = max(2, round(plan.grid.reach * plan.cell_px))
    rows, columns = plan.bounds
    height, width = dark.shape
    left = np.concatenate([np.zeros((height, 1), np.float32), np.cumsum(dark, axis=1, dtype=np.float32)], axis=1)
    above = np.concatenate([np.zeros((1, width), np.float32), np.cumsum(dark, axis=0, dtype=np.float32)], axis=0)
    low, high = np.maximum(columns[1:-1] - reach, 0), np.minimum(columns[1:-1] + reach + 1, width)
    top, bottom = np.maximum(rows[1:-1] - reach, 0), np.minimum(rows[1:-1] + reach + 1, height)
    down = left[:, high] - left[:, low]
    across = above[bottom] - above[top]
    total = np.concatenate([np.zeros((1, down.shape[1]), np.float32), np.cumsum(down, axis=0, dtype=np.float32)], axis=0)
    return LineDarkness(down, across, total[bottom] - total[top])


def region_colors(lab: NDArray[np.float32], at: NDArray[np.bool_], plan: CloseBoard) -> NDArray[np.float32]:
    """(regions, 3), the median colour of each region over given pixels, (h, w) bool."""
    positions = np.flatnonzero(at[::_STEP, ::_STEP])
    names = plan.regions[::_STEP, ::_STEP].ravel()[positions]
    colors = lab[::_STEP, ::_STEP].reshape(-1, 3)[positions]
    order = np.argsort(names, kind="stable")
    count = int(plan.regions.max()) + 1
    ends = np.searchsorted(names[order], np.arange(count + 1))
    found = np.zeros((count, 3), np.float32)
    for region, (start, stop) in enumerate(zip(ends[:-1], ends[1:], strict=True)):
        # A region of which nothing is in sight has what is there.
        own = colors[order[start:stop]] if stop > start else lab[plan.regions == region]
        found[region] = np.median(own, axis=0)
    return found
