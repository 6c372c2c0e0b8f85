"""Tilings of squares, of hexagons with a corner at the top, and of triangles, as in the AMAZE drawings."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.maze.geometry import Border, CellGrid, Geometry, IdArray, Point, Segment

SIN60 = math.sqrt(3) / 2


class CellSide(NamedTuple):
    """One side of a cell: what lies behind it, whether or not that is in the grid, and where it runs."""

    row: int
    column: int
    segment: Segment


class PolygonGrid(CellGrid):
    """Rows and columns of polygons; the subclasses say where the corners are."""

    def __init__(self, width: int, height: int) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"width and height must be at least 1, not {width} and {height}")
        self.width = width
        self.height = height

    @cached_property
    def cell_ids(self) -> tuple[int, ...]:
        """All ids, ascending."""
        return tuple(range(1, self.width * self.height + 1))

    def row_column(self, cell_id: int) -> tuple[int, int]:
        """Return (row, column) of an id; ValueError if it is of no cell."""
        if not 1 <= cell_id <= self.width * self.height:
            raise ValueError(f"no cell has the id {cell_id}")
        return divmod(cell_id - 1, self.width)

    def id_of(self, row: int, column: int) -> int:
        """Return ``row * width + column + 1``; ValueError if there is no such cell."""
        if not self._inside(row, column):
            raise ValueError(f"no cell at row {row}, column {column}")
        return row * self.width + column + 1

    def centre(self, cell_id: int) -> Point:
        """Return the centroid, which is the mean of the corners for regular polygons."""
        x, y = self.outline(cell_id).mean(axis=0)
        return (float(x), float(y))

    def outline(self, cell_id: int) -> FloatArray:
        """Return the corners clockwise from the top, shape (k, 2), float64."""
        row, column = self.row_column(cell_id)
        return np.array([side.segment.start for side in self._sides(row, column)], dtype=np.float64)

    def route(self, cells: Sequence[int]) -> FloatArray:
        """Return the centres of the cells, shape (k, 2); ValueError for an empty list or an unknown id."""
        self._require_cells(cells)
        return np.array([self.centre(cell) for cell in cells], dtype=np.float64)

    @abstractmethod
    def _sides(self, row: int, column: int) -> tuple[CellSide, ...]:
        """Return the sides clockwise from the top, each starting where the one before ended."""

    def _inside(self, row: int, column: int) -> bool:
        return 0 <= row < self.height and 0 <= column < self.width

    def _ids(self, rows: np.ndarray, columns: np.ndarray) -> IdArray:
        """Return the ids at whole rows and columns, 0 where these lie outside the grid."""
        inside = (rows >= 0) & (rows < self.height) & (columns >= 0) & (columns < self.width)
        return np.where(inside, rows * self.width + columns + 1, 0).astype(np.int32)

    @cached_property
    def _borders(self) -> dict[int, dict[int, Border]]:
        return {
            cell: {
                self.id_of(side.row, side.column): side.segment
                for side in self._sides(*self.row_column(cell))
                if self._inside(side.row, side.column)
            }
            for cell in self.cell_ids
        }

    @cached_property
    def _outer_borders(self) -> dict[int, tuple[Border, ...]]:
        return {
            cell: tuple(
                side.segment for side in self._sides(*self.row_column(cell)) if not self._inside(side.row, side.column)
            )
            for cell in self.cell_ids
        }


def _closed(corners: Sequence[Point], behind: Sequence[tuple[int, int]]) -> tuple[CellSide, ...]:
    """Return sides from corners in order and the (row, column) behind each side."""
    ends = [*corners[1:], corners[0]]
    return tuple(
        CellSide(row, column, Segment(start, end))
        for start, end, (row, column) in zip(corners, ends, behind, strict=True)
    )


class SquareGrid(PolygonGrid):
    """Unit squares; the centre of column x, row y is (x + 0.5, y + 0.5)."""

    geometry = Geometry.SQUARE

    @property
    def extent(self) -> Point:
        """Width and height of the tiling, in cell units."""
        return (float(self.width), float(self.height))

    def cells_at(self, points: FloatArray) -> IdArray:
        """Return the id of the cell that holds each point (x, y), 0 outside; shape (..., 2) to (...), int32."""
        whole = np.floor(points).astype(np.int64)
        return self._ids(whole[..., 1], whole[..., 0])

    def _sides(self, row: int, column: int) -> tuple[CellSide, ...]:
        left, top, right, bottom = float(column), float(row), column + 1.0, row + 1.0
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        behind = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        return _closed(corners, behind)


class HexagonGrid(PolygonGrid):
    """Hexagons of radius 1, odd rows shifted right: centre ((y mod 2 + 2 x + 1) v, 1.5 y + 1), v = sin 60 degrees."""

    geometry = Geometry.HEXAGON

    @property
    def extent(self) -> Point:
        """Width and height of the tiling, in cell units."""
        shifted = 1 if self.height > 1 else 0
        return ((2 * self.width + shifted) * SIN60, 1.5 * self.height + 0.5)

    def cells_at(self, points: FloatArray) -> IdArray:
        """Return the id of the cell that holds each point (x, y), 0 outside; shape (..., 2) to (...), int32."""
        x, y = points[..., 0], points[..., 1]
        # Regular hexagons are the places nearest to their centres, and the nearest centre is in the row above or
        # below the point.
        upper = np.floor((y - 1) / 1.5).astype(np.int64)
        rows, columns, distances = [], [], []
        for row in (upper, upper + 1):
            shift = (row % 2) * SIN60
            column = np.rint((x - shift - SIN60) / (2 * SIN60)).astype(np.int64)
            rows.append(row)
            columns.append(column)
            distances.append((x - shift - (2 * column + 1) * SIN60) ** 2 + (y - 1.5 * row - 1) ** 2)
        first = distances[0] < distances[1]
        return self._ids(np.where(first, rows[0], rows[1]), np.where(first, columns[0], columns[1]))

    def _sides(self, row: int, column: int) -> tuple[CellSide, ...]:
        odd = row % 2
        x = odd * SIN60 + (2 * column + 1) * SIN60
        y = 1.5 * row + 1
        corners = [
            (x, y - 1),
            (x + SIN60, y - 0.5),
            (x + SIN60, y + 0.5),
            (x, y + 1),
            (x - SIN60, y + 0.5),
            (x - SIN60, y - 0.5),
        ]
        right, left = column + odd, column + odd - 1
        behind = [
            (row - 1, right),
            (row, column + 1),
            (row + 1, right),
            (row + 1, left),
            (row, column - 1),
            (row - 1, left),
        ]
        return _closed(corners, behind)


class TriangleGrid(PolygonGrid):
    """Triangles of side 1, each half a side right of the one before; base south where x + y is odd, else north."""

    geometry = Geometry.TRIANGLE

    @property
    def extent(self) -> Point:
        """Width and height of the tiling, in cell units."""
        return ((self.width + 1) / 2, self.height * SIN60)

    def cells_at(self, points: FloatArray) -> IdArray:
        """Return the id of the cell that holds each point (x, y), 0 outside; shape (..., 2) to (...), int32."""
        rows = np.floor(points[..., 1] / SIN60).astype(np.int64)
        down = points[..., 1] / SIN60 - rows
        half_sides = np.floor(2 * points[..., 0]).astype(np.int64)
        along = 2 * points[..., 0] - half_sides
        # In each half side one slanted border parts the triangle that begins there from the one before.
        border = np.where((half_sides + rows) % 2 == 0, down, 1 - down)
        return self._ids(rows, np.where(along >= border, half_sides, half_sides - 1))

    def route(self, cells: Sequence[int]) -> FloatArray:
        """Return the first centre, the middles of the borders crossed, and the last centre; shape (k, 2).

        From the first centre the line goes straight to the second border, as published. Between cells that are not
        adjacent it runs from centre to centre. ValueError for an empty list or an unknown id.
        """
        self._require_cells(cells)
        points = [self.centre(cells[0])]
        for before, after in pairwise(cells):
            if after in self._borders[before]:
                points.append(self._borders[before][after].midpoint)
            else:
                points.extend([self.centre(before), self.centre(after)])
        points.append(self.centre(cells[-1]))
        if len(cells) > 2 and cells[1] in self._borders[cells[0]] and cells[2] in self._borders[cells[1]]:
            del points[1]
        return np.array(points, dtype=np.float64)

    def _sides(self, row: int, column: int) -> tuple[CellSide, ...]:
        left, middle, right = column / 2, (column + 1) / 2, column / 2 + 1
        top, bottom = row * SIN60, (row + 1) * SIN60
        if (row + column) % 2 == 1:
            corners = [(middle, top), (right, bottom), (left, bottom)]
            return _closed(corners, [(row, column + 1), (row + 1, column), (row, column - 1)])
        corners = [(left, top), (right, top), (middle, bottom)]
        return _closed(corners, [(row - 1, column), (row, column + 1), (row, column - 1)])
