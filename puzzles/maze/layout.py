"""Where a tiling lies in a picture, and its map from pixels to cell ids.

Pixel coordinates are continuous: pixel (column i, row j) covers [i, i + 1) x [j, j + 1) and its middle is (i + 0.5, j
+ 0.5).
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.maze.circles import CircleGrid
from puzzles.maze.geometry import CellGrid, Geometry, IdArray, Point

NATIVE_CELL_SIZE_PX = 102.4
NATIVE_WALL_WIDTH_PX = 10.24


class CellMapKind(enum.Enum):
    """Which cell map.

    The maps that AMAZE publishes are laid over the picture by a rule of their own and sit some pixels from its
    drawing (measured on the published pictures: up to 11 px for circles, 7.5 px for squares); DRAWN is where the
    cells truly are.
    """

    PUBLISHED = "published"
    DRAWN = "drawn"


# Measured on published cell maps: the empty rim that is kept around the tiling, as a share of a cell at the picture's
# full size.
_PUBLISHED_RIM = {Geometry.HEXAGON: 0.075, Geometry.TRIANGLE: 0.04, Geometry.CIRCLE: 0.075}
# Measured likewise: published circle cells are this much larger on every side, and of two that overlap the higher id
# counts.
_PUBLISHED_RING_MARGIN_PX = 0.5
_PUBLISHED_ANGLE_MARGIN_RAD = 0.002
_BAND_ROWS = 128


@dataclass(frozen=True)
class Layout:
    """A tiling drawn at a cell size, half a wall from the picture's left and top edges.

    Attributes
    ----------
    grid
        The tiling.
    cell_size_px, wall_width_px
        Positive; a side for squares and triangles, a radius for hexagons, a ring's width for circles.
    """

    grid: CellGrid
    cell_size_px: float = NATIVE_CELL_SIZE_PX
    wall_width_px: float = NATIVE_WALL_WIDTH_PX

    def __post_init__(self) -> None:
        for name, value in (("cell_size_px", self.cell_size_px), ("wall_width_px", self.wall_width_px)):
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be positive, not {value}")

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height in pixels: the drawing with half a wall all round, up to the next even number.

        Circles leave one wall width more on the right and below; the published pictures do.
        """
        rim = self.wall_width_px * (2 if self.grid.geometry is Geometry.CIRCLE else 1)
        width, height = (self._even(length * self.cell_size_px + rim) for length in self.grid.extent)
        return width, height

    @staticmethod
    def _even(length: float) -> int:
        # The small number keeps rounding noise from adding two pixels to an exact even length.
        return 2 * math.ceil(length / 2 - 1e-9)

    def to_pixels(self, points: FloatArray) -> FloatArray:
        """Turn points (..., 2) from cell units to pixels."""
        return points * self.cell_size_px + self.wall_width_px / 2

    def to_units(self, points: FloatArray) -> FloatArray:
        """Turn points (..., 2) from pixels to cell units."""
        return (points - self.wall_width_px / 2) / self.cell_size_px

    def centre(self, cell_id: int) -> Point:
        """Return a cell's centre in pixels; ValueError if there is no such cell."""
        x, y = self.to_pixels(np.array(self.grid.centre(cell_id), dtype=np.float64))
        return (float(x), float(y))

    def cell_at(self, point: Point) -> int:
        """Return the id of the cell drawn at a point in pixels, 0 outside."""
        x, y = self.to_units(np.array(point, dtype=np.float64))
        return self.grid.cell_at((float(x), float(y)))


def fitting_cell_size(grid: CellGrid, wall_share: float, longest_px: int) -> float:
    """Return the cell size in pixels at which a picture's longest side is as asked, or one less where that is odd.

    Parameters
    ----------
    grid
        The tiling.
    wall_share
        Width of a wall as a share of the cell size; positive.
    longest_px
        The longest side in pixels; at least 2.
    """
    rim = wall_share * (2 if grid.geometry is Geometry.CIRCLE else 1)
    return (longest_px - longest_px % 2) / (max(grid.extent) + rim)


def rasterise_cell_map(layout: Layout, kind: CellMapKind = CellMapKind.PUBLISHED) -> IdArray:
    """Return the cell id of every pixel's middle, 0 outside every cell. Walls belong to the cells beside them.

    Parameters
    ----------
    layout
        The tiling in its picture.
    kind
        PUBLISHED reproduces the maps of the AMAZE records; DRAWN follows the drawing.

    Returns
    -------
    ndarray
        Shape (height, width), int32.
    """
    width, height = layout.picture_size
    x = np.arange(width) + 0.5
    cell_map = np.empty((height, width), dtype=np.int32)
    # In bands, because the coordinates of a large picture take many times its memory.
    for top in range(0, height, _BAND_ROWS):
        y = np.arange(top, min(top + _BAND_ROWS, height)) + 0.5
        cell_map[top : top + _BAND_ROWS] = _cells_of(layout, kind, np.stack(np.meshgrid(x, y), axis=-1))
    return cell_map


def _cells_of(layout: Layout, kind: CellMapKind, pixels: FloatArray) -> IdArray:
    """Return the ids of pixels (..., 2), given by their middles."""
    if kind is CellMapKind.DRAWN:
        return layout.grid.cells_at(layout.to_units(pixels))
    if layout.grid.geometry is Geometry.SQUARE:
        return _published_squares(layout, pixels)
    scale, rim = _published_scale(layout)
    if isinstance(layout.grid, CircleGrid):
        width, height = layout.picture_size
        return _published_circles(layout.grid, pixels - (width / 2, height / 2), scale)
    return layout.grid.cells_at((pixels - rim) / scale)


def _published_squares(layout: Layout, pixels: FloatArray) -> IdArray:
    """Whole pixels a cell, from the picture's corner; what is left over belongs to no cell."""
    width, height = layout.picture_size
    columns, rows = layout.grid.extent
    return layout.grid.cells_at(np.floor(pixels) / (width // int(columns), height // int(rows)))


def _published_scale(layout: Layout) -> tuple[float, float]:
    """Return the pixels a cell and the rim in pixels of a published map.

    A first scale fills the picture; the rim is a share of a cell at it; the second scale fills what is left. The
    scale that fits both ways counts, and the map is not centred.
    """
    lengths = list(zip(layout.picture_size, layout.grid.extent, strict=True))
    full = min(pixels / units for pixels, units in lengths)
    rim = _PUBLISHED_RIM[layout.grid.geometry] * full
    return min((pixels - 2 * rim) / units for pixels, units in lengths), rim


def _published_circles(grid: CircleGrid, offsets: FloatArray, scale: float) -> IdArray:
    radius = np.hypot(offsets[..., 0], offsets[..., 1])
    rings = (radius + _PUBLISHED_RING_MARGIN_PX) / scale
    within = radius <= grid.rings * scale + _PUBLISHED_RING_MARGIN_PX
    rings = np.where(within, np.minimum(rings, np.nextafter(grid.rings, 0)), rings)
    full, margin = 2 * math.pi, _PUBLISHED_ANGLE_MARGIN_RAD
    angle = np.arctan2(offsets[..., 0], -offsets[..., 1])
    angle = np.where(angle < 0, angle + full, angle)
    # Across north the last cell of a ring has the higher id, so it reaches over on this side of north and keeps its
    # own side.
    last = np.nextafter(full, 0)
    angle = np.where(angle < margin, last, np.minimum(angle + margin, last))
    return grid.cells_at_polar(rings, angle)
