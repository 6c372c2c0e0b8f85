"""The tiling of rings: a disc, and around it rings of width 1, each cut into equal cells from north clockwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.maze.geometry import (
    Arc,
    Border,
    CellGrid,
    Geometry,
    IdArray,
    Point,
    Segment,
    arc_points,
    polar_point,
)

RING_STRIDE = 10_000
_MAX_RINGS = 1000  # below it no ring has as many cells as the ids leave room for
_TURN = 2 * math.pi


def ring_counts(rings: int) -> tuple[int, ...]:
    """Return how many cells each ring has: 1, then the one before times round(2 pi ring / the one before)."""
    counts = [1]
    for ring in range(1, rings):
        counts.append(counts[-1] * round(_TURN * ring / counts[-1]))
    return tuple(counts)


class CircleGrid(CellGrid):
    """Rings of cells. A (ring, index) has the id ``ring * 10000 + index + 1``; the middle has ring 0 and id 1."""

    geometry = Geometry.CIRCLE

    def __init__(self, rings: int) -> None:
        if not 1 <= rings <= _MAX_RINGS:
            raise ValueError(f"rings must be from 1 to {_MAX_RINGS}, not {rings}")
        self.rings = rings
        self.counts = ring_counts(rings)

    @property
    def middle(self) -> Point:
        """The middle of all rings, in cell units."""
        return (float(self.rings), float(self.rings))

    @cached_property
    def cell_ids(self) -> tuple[int, ...]:
        """All ids, ascending."""
        return tuple(ring * RING_STRIDE + index + 1 for ring, n in enumerate(self.counts) for index in range(n))

    @property
    def extent(self) -> Point:
        """Width and height of the tiling, in cell units."""
        return (2.0 * self.rings, 2.0 * self.rings)

    def row_column(self, cell_id: int) -> tuple[int, int]:
        """Return (ring, index) of an id; ValueError if it is of no cell."""
        ring, index = divmod(cell_id - 1, RING_STRIDE)
        if not (0 <= ring < self.rings and index < self.counts[ring]):
            raise ValueError(f"no cell has the id {cell_id}")
        return ring, index

    def id_of(self, row: int, column: int) -> int:
        """Return the id of ring ``row`` and index ``column``; ValueError if there is no such cell."""
        if not (0 <= row < self.rings and 0 <= column < self.counts[row]):
            raise ValueError(f"no cell at ring {row}, index {column}")
        return row * RING_STRIDE + column + 1

    def centre(self, cell_id: int) -> Point:
        """Return the point at radius ring + 0.5 and the middle angle; the middle itself for the middle cell."""
        ring, angle = self._polar(cell_id)
        return polar_point(self.middle, ring, angle)

    def outline(self, cell_id: int) -> FloatArray:
        """Return points along the outer arc clockwise, then along the inner arc back; shape (k, 2), float64."""
        ring, index = self.row_column(cell_id)
        start, end = self._span(ring, index)
        outer = arc_points(self.middle, ring + 1, start, end)
        if ring == 0:
            return outer[:-1]  # the last point of a full turn is the first one
        return np.concatenate([outer, arc_points(self.middle, ring, end, start)])

    def cells_at(self, points: FloatArray) -> IdArray:
        """Return the id of the cell that holds each point (x, y), 0 outside; shape (..., 2) to (...), int32."""
        x, y = points[..., 0] - self.rings, points[..., 1] - self.rings
        return self.cells_at_polar(np.hypot(x, y), np.arctan2(x, -y))

    def cells_at_polar(self, radius: FloatArray, angle_rad: FloatArray) -> IdArray:
        """Return the ids at radii in cell units and angles clockwise from north, 0 outside; any one shape, int32."""
        ring = np.floor(radius).astype(np.int64)
        inside = ring < self.rings
        counts = np.array(self.counts, dtype=np.int64)[np.where(inside, ring, 0)]
        turns = angle_rad / _TURN
        index = np.floor((turns - np.floor(turns)) * counts).astype(np.int64)
        # An angle just below a full turn may have been rounded to it.
        index = np.where(index == counts, 0, index)
        return np.where(inside, ring * RING_STRIDE + index + 1, 0).astype(np.int32)

    def route(self, cells: Sequence[int]) -> FloatArray:
        """Return the line along the rings' middles, and straight between rings at the outer cell's angle; shape (k, 2).

        A cell entered from or left to the ring outside is passed without going round by its own centre, unless the
        path also goes inwards there. Cells that are not adjacent are joined by a straight line. ValueError for an
        empty list or an unknown id.
        """
        self._require_cells(cells)
        parts = [np.empty((0, 2))]
        angle = 0.0
        for place, cell in enumerate(cells):
            ring, _ = self.row_column(cell)
            radius, _ = self._polar(cell)
            before = cells[place - 1] if place > 0 else None
            after = cells[place + 1] if place + 1 < len(cells) else None
            along_ring = before in self._borders[cell] and self._ring_of(before) == ring
            for stop in self._stops(cell, before, after):
                if along_ring:
                    # The short way round: neighbours across north differ by almost a full turn.
                    end = angle + math.remainder(stop - angle, _TURN)
                    parts.append(arc_points(self.middle, radius, angle, end)[1:])
                else:
                    parts.append(np.array([polar_point(self.middle, radius, stop)]))
                angle, along_ring = stop, True
        return np.concatenate(parts)

    def _stops(self, cell: int, before: int | None, after: int | None) -> list[float]:
        """Return the angles where a route enters, turns in and leaves one of its cells, as far as they matter."""
        ring, _ = self.row_column(cell)
        _, own = self._polar(cell)
        if ring == 0:
            return [own]
        from_outside, to_outside = (
            other in self._borders[cell] and self._ring_of(other) > ring for other in (before, after)
        )
        passed = all(other in self._borders[cell] and self._ring_of(other) >= ring for other in (before, after))
        stops = [self._polar(before)[1]] if from_outside and before is not None else []
        if not (passed and (from_outside or to_outside)):
            stops.append(own)
        if to_outside and after is not None:
            stops.append(self._polar(after)[1])
        return stops

    def _ring_of(self, cell_id: int | None) -> int:
        """Return a cell's ring, -1 for no cell."""
        return -1 if cell_id is None else self.row_column(cell_id)[0]

    def _polar(self, cell_id: int) -> tuple[float, float]:
        """Return the radius and angle where a path passes the cell."""
        ring, index = self.row_column(cell_id)
        start, end = self._span(ring, index)
        return (0.0 if ring == 0 else ring + 0.5), (start + end) / 2

    def _span(self, ring: int, index: int) -> tuple[float, float]:
        return index * _TURN / self.counts[ring], (index + 1) * _TURN / self.counts[ring]

    @cached_property
    def _borders(self) -> dict[int, dict[int, Border]]:
        borders: dict[int, dict[int, Border]] = {cell: {} for cell in self.cell_ids}

        def share(first: int, second: int, border: Border) -> None:
            borders[first][second] = border
            borders[second][first] = border

        for cell in self.cell_ids[1:]:
            ring, index = self.row_column(cell)
            start, end = self._span(ring, index)
            inner = self.id_of(ring - 1, index * self.counts[ring - 1] // self.counts[ring])
            share(cell, inner, Arc(self.middle, ring, start, end))
            following = self.id_of(ring, (index + 1) % self.counts[ring])
            share(
                cell,
                following,
                Segment(polar_point(self.middle, ring, end), polar_point(self.middle, ring + 1, end)),
            )
        return borders

    @cached_property
    def _outer_borders(self) -> dict[int, tuple[Border, ...]]:
        last = self.rings - 1
        return {
            self.id_of(last, index): (Arc(self.middle, self.rings, *self._span(last, index)),)
            for index in range(self.counts[last])
        }
