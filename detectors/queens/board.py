"""The picture of an empty Queens board, understood, and what a candidate changed of its colours and lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.queens.config import BoardConfig
from grader.media.pyramid import reduce_picture


@dataclass(frozen=True)
class Board:
    """A board's picture, understood.

    Attributes
    ----------
    size : (width, height) of the picture in pixels
    factor : picture pixels per working pixel
    n : cells in a row, and rows
    regions : (n, n) int, the region of each cell
    picture : (h, w, 3) uint8, in the working frame
    config : how it is looked at
    """

    size: tuple[int, int]
    factor: int
    n: int
    regions: NDArray[np.int64]
    picture: NDArray[np.uint8]
    config: BoardConfig

    @cached_property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell in working pixels."""
        return self.size[0] / self.n / self.factor, self.size[1] / self.n / self.factor

    @cached_property
    def cell_colors(self) -> NDArray[np.float32]:
        """(n, n, 3) OKLab colour of each cell in the puzzle."""
        return cell_colors(self.picture, self)

    @cached_property
    def region_brightness(self) -> NDArray[np.float64]:
        """Brightness, 0 to 255, of each region of the puzzle."""
        return region_brightness_of(np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_RGB2GRAY), np.uint8), self)

    @cached_property
    def wide_grid(self) -> NDArray[np.bool_]:
        """(h, w) bool, grid lines and a pixel around them."""
        return np.asarray(cv2.dilate(self.grid.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)

    @cached_property
    def line_width(self) -> float:
        """The mean width of a grid line in working pixels."""
        height, width = self.grid.shape
        return float(np.count_nonzero(self.grid) / (self.n * (height + width)))

    @cached_property
    def sample(self) -> NDArray[np.intp]:
        """Flat positions of a thousand or so pixels off the grid lines, evenly taken."""
        at = np.flatnonzero(~self.wide_grid)
        return at[:: max(1, at.size // self.config.samples)]

    @cached_property
    def grid(self) -> NDArray[np.bool_]:
        """(h, w) bool, pixels of grid lines: what is much darker than the cell it lies in."""
        grey = cv2.cvtColor(self.picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
        return np.asarray(grey < self.config.line * _cell_brightness(grey, self), np.bool_)


def read_board(picture: NDArray[np.uint8], n: int, regions: NDArray[np.int64], config: BoardConfig) -> Board:
    """Reads the picture of an empty board whose n x n cells fill it."""
    height, width = picture.shape[:2]
    factor = 1
    while min(width, height) / (2 * factor) >= max(config.min_px, n * config.min_cell_px):
        factor *= 2
    return Board((width, height), factor, n, regions, reduce_picture(picture, factor), config)


def cell_colors(picture: NDArray[np.uint8], board: Board) -> NDArray[np.float32]:
    """The colour of each cell, (n, n, 3) OKLab: the median over its four corners, which a queen leaves free."""
    medians = np.median(corner_samples(picture, board), axis=2)
    return oklab(medians.round().astype(np.uint8))


def corner_samples(picture: NDArray[np.uint8], board: Board) -> NDArray[np.uint8]:
    """Pixels from the four corners of each cell, which a queen leaves free: (n, n, samples, ...)."""
    width, height = board.cell
    offsets = np.array(board.config.corners)
    rows = np.clip(((np.arange(board.n)[:, None] + offsets) * height).astype(np.intp), 0, picture.shape[0] - 1)
    columns = np.clip(((np.arange(board.n)[:, None] + offsets) * width).astype(np.intp), 0, picture.shape[1] - 1)
    samples = picture[rows[:, None, :, None], columns[None, :, None, :]]
    return np.asarray(samples.reshape(board.n, board.n, len(offsets) ** 2, *picture.shape[2:]), np.uint8)


def region_brightness_of(grey: NDArray[np.uint8], board: Board) -> NDArray[np.float64]:
    """Median brightness of each region's cells, by the corners of the cells."""
    cells = corner_brightness(grey, board)
    return np.array([float(np.median(cells[board.regions == region])) for region in np.unique(board.regions)])


def corner_brightness(grey: NDArray[np.uint8], board: Board) -> NDArray[np.float64]:
    """Median brightness of each cell, (n, n), by its corners."""
    return np.asarray(np.median(corner_samples(grey, board), axis=2), np.float64)


def _cell_brightness(grey: NDArray[np.float32], board: Board) -> NDArray[np.float32]:
    """For each pixel, the brightness of the cell that it lies in."""
    width, height = board.cell
    cells = corner_brightness(grey.astype(np.uint8), board)
    rows = np.minimum((np.arange(grey.shape[0]) / height).astype(np.intp), board.n - 1)
    columns = np.minimum((np.arange(grey.shape[1]) / width).astype(np.intp), board.n - 1)
    return np.asarray(cells[np.ix_(rows, columns)], np.float32)


def changed_regions(
    picture: NDArray[np.uint8], board: Board
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Cells that left their region's colour, and regions that ran together."""
    colors = cell_colors(picture, board)
    names = np.unique(board.regions)
    now = np.stack([np.median(colors[board.regions == region], axis=0) for region in names])
    before = np.stack([np.median(board.cell_colors[board.regions == region], axis=0) for region in names])
    own = now[np.searchsorted(names, board.regions)]
    drift = np.linalg.norm(colors - own, axis=2)
    to_each = np.linalg.norm(colors[:, :, None, :] - now[None, None], axis=3)
    nearest = names[to_each.argmin(axis=2)]
    recolored = np.argwhere(
        (drift > board.config.cell_drift) | ((nearest != board.regions) & (drift > board.config.other_drift))
    )
    merged: list[tuple[int, int]] = []
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            was = float(np.linalg.norm(before[first] - before[second]))
            if float(np.linalg.norm(now[first] - now[second])) < board.config.region_contrast * was:
                merged.append((int(names[first]), int(names[second])))
    return tuple((int(row), int(column)) for row, column in recolored), tuple(merged)
