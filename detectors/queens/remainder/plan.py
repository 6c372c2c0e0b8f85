"""A board seen closely: which cell each pixel is of, how far off the lines it is, and how dark the lines are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import FEWEST, rings
from detectors.common.residual.mixing import channel_medians, distance_to, seen
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

    @property
    def strip(self) -> tuple[int, int]:
        """How far strips reach to either side of a line, and how far those around them, in working pixels."""
        reach = max(2, round(self.grid.reach * self.cell_px))
        return reach, max(reach + 2, round((1.0 + self.grid.around) * self.grid.reach * self.cell_px))

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

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """(h, w), the cell of each pixel, row * n + column."""
        return self.spread(np.arange(self.board.n**2).reshape(self.board.n, self.board.n))

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
        return region_colors(seen(self.board.picture), (self.inner,), self)

    @cached_property
    def line_color(self) -> NDArray[np.float32]:
        """(3,), the middle colour of the grid lines."""
        lab = seen(self.board.picture)
        return np.asarray(np.median(lab[self.board.grid], axis=0) if self.board.grid.any() else lab[0, 0], np.float32)

    @cached_property
    def darkness(self) -> LineDarkness:
        """How dark the puzzle's lines are."""
        return line_darkness(self.deeper(self.colors[self.regions][..., 0], seen(self.board.picture)[..., 0]), self)

    @property
    def core(self) -> int:
        """How far a line itself reaches to either side of its place, in working pixels."""
        return math.ceil(0.5 * self.board.line_width) + 1  # not a threshold: a pixel that anti-aliasing takes

    @cached_property
    def ridges(self) -> tuple[Ridges, Ridges]:
        """How far the puzzle's lines stand out from what lies close beside them; see `line_ridges`."""
        deeper = self.deeper(self.colors[self.regions][..., 0], seen(self.board.picture)[..., 0])
        return line_ridges(deeper, np.ones(deeper.shape, np.bool_), self)

    def deeper(self, base: NDArray[np.float32], lightness: NDArray[np.float32]) -> NDArray[np.float32]:
        """How far pixels are on the way from their cell's lightness, 0, to that of the puzzle's lines, 1."""
        # not a threshold: against a division by 0
        return np.asarray((base - lightness) / np.maximum(base - self.line_color[0], 0.1), np.float32)


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
    """Sums how much darker pixels are than their cells, (h, w), in a strip along each line.

    What the picture is darker there than on both sides of the strip is told, so that stains do not count.
    """
    # not a threshold: what is lighter than its cell is no line
    dark = np.clip(deeper, -0.05, None)
    reach, far = plan.strip
    near = strip_sums(integral(dark), plan, reach)
    # What lies beside a line as a mark does is no stain.
    stains = integral(np.minimum(dark, plan.grid.stain))
    inner, wide = strip_sums(stains, plan, reach), strip_sums(stains, plan, far)
    # not a threshold: widths of the strips
    side = (2 * reach + 1) / (2.0 * (far - reach))
    return LineDarkness(
        near.down - side * (wide.down - inner.down), near.across - side * (wide.across - inner.across), near.crossings
    )


@dataclass(frozen=True)
class Ridges:
    """How far lines in one direction stand out from what lies close beside them, and where they are in sight.

    Attributes
    ----------
    darkness : (lines, length) float32
    seen : (lines, length) bool
    """

    darkness: NDArray[np.float32]
    seen: NDArray[np.bool_]


def line_ridges(deeper: NDArray[np.float32], clear: NDArray[np.bool_], plan: CloseBoard) -> tuple[Ridges, Ridges]:
    """Looks at the lines that lead down, and at those across, no farther to either side than they are wide.

    So a line is told that a queen comes close to. Its darkness is summed over its own width, less what is as dark on
    both sides of it, or on the one that is in sight; and where a line lies beside its place it is looked for there, as
    far as strips reach.

    Parameters
    ----------
    deeper : ndarray of shape (h, w), float32
        How far each pixel is on the way from its cell's lightness to a line's.
    clear : ndarray of shape (h, w), bool
        Where something is in sight.
    plan : CloseBoard
        Of the puzzle.
    """
    core = plan.core
    wide = 2 * core + 1
    far = max(plan.strip[0], core)
    # not a threshold: what is lighter than its cell is no line
    sums, hidden = integral(np.clip(deeper, 0.0, None)), integral((~clear).view(np.uint8))
    found = []
    for turned, bounds in ((False, plan.bounds[1]), (True, plan.bounds[0])):
        along = Strips(sums.T, hidden.T) if turned else Strips(sums, hidden)
        middles = bounds[1:-1]
        darkness = np.zeros((len(middles), len(along.sums) - 1), np.float32)
        in_sight = np.zeros_like(darkness, np.bool_)
        for by in range(core - far, far - core + 1):
            first = middles + by - core
            own, told = along.between(first, wide)
            left, left_told = along.between(first - core, core)
            right, right_told = along.between(first + wide, core)
            sides = left_told.astype(np.float32) + right_told
            told &= sides > 0
            beside = (np.where(left_told, left, 0.0) + np.where(right_told, right, 0.0)) / np.maximum(sides, 1.0)
            darkness = np.maximum(darkness, np.where(told, own - beside * (wide / core), 0.0).T)
            if by == 0:
                in_sight = told.T
        found.append(Ridges(darkness.astype(np.float32), in_sight))
    return found[0], found[1]


def integral(values: NDArray[np.float32] | NDArray[np.uint8]) -> NDArray[np.float64]:
    """(h + 1, w + 1), the sum of all that lies above and left of each corner of a pixel of (h, w)."""
    return np.asarray(cv2.integral(values, sdepth=cv2.CV_64F), np.float64)


@dataclass(frozen=True)
class Strips:
    """Integrals of values and of what is hidden, (h + 1, w + 1), to be summed over columns in each row."""

    sums: NDArray[np.float64]
    hidden: NDArray[np.float64]

    def between(self, first: NDArray[np.intp], width: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(h, lines), sums over so many columns from first ones on, and whether all of them are in sight."""
        last = self.sums.shape[1] - 1
        low, high = np.clip(first, 0, last), np.clip(first + width, 0, last)
        total, hidden = (np.diff(one[:, high] - one[:, low], axis=0) for one in (self.sums, self.hidden))
        return total.astype(np.float32), (hidden == 0) & (high - low == width)[None, :]


def strip_sums(sums: NDArray[np.float64], plan: CloseBoard, reach: int) -> LineDarkness:
    """Sums of strips that reach as far to both sides of each inner line, and of squares at crossings.

    ``sums``, (h + 1, w + 1), is the `integral` of what is summed.
    """
    rows, columns = plan.bounds
    height, width = (side - 1 for side in sums.shape)
    low, high = np.maximum(columns[1:-1] - reach, 0), np.minimum(columns[1:-1] + reach + 1, width)
    top, bottom = np.maximum(rows[1:-1] - reach, 0), np.minimum(rows[1:-1] + reach + 1, height)
    down, across = sums[:, high] - sums[:, low], sums[bottom] - sums[top]
    return LineDarkness(
        np.diff(down, axis=0).astype(np.float32),
        np.diff(across, axis=1).astype(np.float32),
        (down[bottom] - down[top]).astype(np.float32),
    )


def region_colors(
    lab: NDArray[np.float32], places: Iterable[NDArray[np.bool_]], plan: CloseBoard
) -> NDArray[np.float32]:
    """(regions, 3), the median colour of each region over the first of several sets of pixels that has enough of it."""
    count = int(plan.regions.max()) + 1
    found = np.zeros((count, 3), np.float32)
    missing = np.ones(count, np.bool_)
    for number, place in enumerate(places):
        if not missing.any():
            break
        # What is left of a single cell beside its queen has few pixels.
        step = 1 if number else _STEP
        positions = np.flatnonzero(place[::step, ::step] & missing[plan.regions[::step, ::step]])
        names = plan.regions[::step, ::step].ravel()[positions]
        colors = lab[::step, ::step].reshape(-1, 3)[positions]
        # In few bits numbers are sorted by counting.
        order = np.argsort(names.astype(np.uint16), kind="stable")
        ends = np.searchsorted(names[order], np.arange(count + 1))
        for region in np.flatnonzero(missing & (np.diff(ends) >= FEWEST)).tolist():
            found[region] = channel_medians(colors[order[ends[region] : ends[region + 1]]])
            missing[region] = False
    for region in np.flatnonzero(missing).tolist():
        found[region] = np.median(lab[plan.regions == region], axis=0)
    return found
