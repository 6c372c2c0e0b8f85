"""Makes the tiling of a geometry."""

from __future__ import annotations

from puzzles.maze.circles import CircleGrid
from puzzles.maze.geometry import CellGrid, Geometry
from puzzles.maze.polygons import HexagonGrid, SquareGrid, TriangleGrid


def make_grid(geometry: Geometry, *, width: int = 0, height: int = 0, rings: int = 0) -> CellGrid:
    """Return the tiling of a geometry.

    Parameters
    ----------
    geometry
        The shape of the cells.
    width, height
        Columns and rows, at least 1; 0 for circles.
    rings
        Rings including the middle cell, from 1 to 1000, for circles; 0 otherwise.

    Raises
    ------
    ValueError
        If a number is out of its range or not one of the geometry's.
    """
    if geometry is Geometry.CIRCLE:
        if (width, height) != (0, 0):
            raise ValueError("a circle has rings, no width and height")
        return CircleGrid(rings)
    if rings != 0:
        raise ValueError(f"a {geometry.value} maze has no rings")
    if geometry is Geometry.SQUARE:
        return SquareGrid(width, height)
    return HexagonGrid(width, height) if geometry is Geometry.HEXAGON else TriangleGrid(width, height)
