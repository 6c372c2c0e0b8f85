"""The four tilings that mazes are drawn on: cells, neighbours, borders, centres and outlines.

All lengths here are in cell units, x to the right and y downwards, and the first cell touches the origin's two axes;
``puzzles.maze.layout`` turns them into pixels. Ids are those of the AMAZE records: ``y * width + x + 1``, or ``ring *
10000 + index + 1`` for circles (1 is the centre, 0 is no cell).
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray

IdArray = NDArray[np.int32]
Point = tuple[float, float]

# A chord over this angle strays from a circle of 1700 px by 0.06 px, less than can be seen.
ARC_STEP_RAD = math.radians(1.0)


class Geometry(enum.Enum):
    """The shape of a maze's cells."""

    SQUARE = "square"
    HEXAGON = "hexagon"
    TRIANGLE = "triangle"
    CIRCLE = "circle"


@dataclass(frozen=True)
class Segment:
    """A straight border from ``start`` to ``end``, in cell units."""

    start: Point
    end: Point

    def points(self) -> FloatArray:
        """Return the ends, shape (2, 2), float64, (x, y) rows."""
        return np.array([self.start, self.end], dtype=np.float64)

    @property
    def midpoint(self) -> Point:
        """The point half way."""
        return ((self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2)

    @property
    def length(self) -> float:
        """The length in cell units."""
        return math.dist(self.start, self.end)


@dataclass(frozen=True)
class Arc:
    """A border along a circle; angles in radians, clockwise from north, ``start_rad`` before ``end_rad``."""

    centre: Point
    radius: float
    start_rad: float
    end_rad: float

    def points(self) -> FloatArray:
        """Return points along the arc, both ends included, shape (k, 2), float64, (x, y) rows."""
        return arc_points(self.centre, self.radius, self.start_rad, self.end_rad)

    @property
    def midpoint(self) -> Point:
        """The point half way along the arc."""
        return polar_point(self.centre, self.radius, (self.start_rad + self.end_rad) / 2)

    @property
    def length(self) -> float:
        """The length along the arc in cell units."""
        return self.radius * (self.end_rad - self.start_rad)


Border = Segment | Arc


def polar_point(centre: Point, radius: float, angle_rad: float) -> Point:
    """Return the point at an angle clockwise from north (y points down)."""
    return (centre[0] + radius * math.sin(angle_rad), centre[1] - radius * math.cos(angle_rad))


def arc_points(centre: Point, radius: float, start_rad: float, end_rad: float) -> FloatArray:
    """Return points along an arc, in the direction from start to end, both included.

    Parameters
    ----------
    centre, radius
        The circle, in any unit.
    start_rad, end_rad
        Angles clockwise from north; the end may be the smaller one.

    Returns
    -------
    ndarray
        Shape (k, 2), float64, k >= 2, neighbours at most 1 degree apart.
    """
    count = max(2, math.ceil(abs(end_rad - start_rad) / ARC_STEP_RAD - 1e-9) + 1)
    angles = np.linspace(start_rad, end_rad, count)
    return np.stack([centre[0] + radius * np.sin(angles), centre[1] - radius * np.cos(angles)], axis=-1)


class CellGrid(ABC):
    """A tiling with numbered cells. Instances are made by `puzzles.maze.grids.make_grid` and never change."""

    geometry: Geometry

    @property
    @abstractmethod
    def cell_ids(self) -> tuple[int, ...]:
        """All ids, ascending."""

    @property
    @abstractmethod
    def extent(self) -> Point:
        """Width and height of the whole tiling, in cell units."""

    @abstractmethod
    def row_column(self, cell_id: int) -> tuple[int, int]:
        """Return (row, column), or (ring, index) for circles.

        Raises
        ------
        ValueError
            If the id is of no cell.
        """

    @abstractmethod
    def id_of(self, row: int, column: int) -> int:
        """Return the id of a (row, column), or of a (ring, index) for circles.

        Raises
        ------
        ValueError
            If there is no such cell.
        """

    @abstractmethod
    def centre(self, cell_id: int) -> Point:
        """Return where a path turns in the cell: its centroid, or ring + 0.5 for circles (0 in the middle)."""

    @abstractmethod
    def outline(self, cell_id: int) -> FloatArray:
        """Return the cell's corners in order, shape (k, 2), float64; arcs as points 1 degree apart, not closed."""

    @abstractmethod
    def cells_at(self, points: FloatArray) -> IdArray:
        """Return the id of the cell that holds each point, 0 outside.

        Parameters
        ----------
        points
            Shape (..., 2), float64, (x, y) in cell units.

        Returns
        -------
        ndarray
            Shape (...), int32.
        """

    @abstractmethod
    def route(self, cells: Sequence[int]) -> FloatArray:
        """Return the line that the public drawing lays through a list of cells.

        Cells that are not adjacent are joined by a straight line from centre to centre, so that wrong plans can be
        drawn.

        Parameters
        ----------
        cells
            Ids, at least one.

        Returns
        -------
        ndarray
            Shape (k, 2), float64, (x, y) in cell units.

        Raises
        ------
        ValueError
            If the list is empty or an id is of no cell.
        """

    @cached_property
    @abstractmethod
    def _borders(self) -> dict[int, dict[int, Border]]: ...

    @cached_property
    @abstractmethod
    def _outer_borders(self) -> dict[int, tuple[Border, ...]]: ...

    def neighbours(self, cell_id: int) -> tuple[int, ...]:
        """Return the ids of the cells that share a border with this one, ascending; ValueError if it is no cell."""
        self.row_column(cell_id)
        return tuple(sorted(self._borders[cell_id]))

    def border(self, first: int, second: int) -> Border:
        """Return the border that two adjacent cells share.

        Raises
        ------
        ValueError
            If an id is of no cell, or the two share no border.
        """
        self.row_column(first)
        self.row_column(second)
        border = self._borders[first].get(second)
        if border is None:
            raise ValueError(f"cells {first} and {second} share no border")
        return border

    def outer_borders(self, cell_id: int) -> tuple[Border, ...]:
        """Return a cell's borders with the outside, clockwise from the top; ValueError if it is no cell."""
        self.row_column(cell_id)
        return self._outer_borders.get(cell_id, ())

    def cell_at(self, point: Point) -> int:
        """Return the id of the cell that holds a point in cell units, 0 outside."""
        return int(self.cells_at(np.array(point, dtype=np.float64)))

    def _require_cells(self, cells: Sequence[int]) -> None:
        if not cells:
            raise ValueError("a route needs at least one cell")
        for cell in cells:
            self.row_column(cell)
