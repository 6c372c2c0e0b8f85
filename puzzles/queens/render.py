"""Draws Queens boards in the look of the AMAZE records, and any queen on them, right or wrong."""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture
from puzzles.common.texture import Texture, lay_texture
from puzzles.queens.board import QueensBoard

_RIM_REACH_PX = 0.34
_FILL_REACH_PX = 0.5


@dataclass(frozen=True)
class QueensStyle:
    """How a board looks; the defaults are the published look.

    Attributes
    ----------
    cell_size_px, queen_radius_px, rim_width_px, line_width_px
        Whole pixels, positive; the lines lie on the top and the left of each cell.
    saturation, value
        Of the region colours, from 0 to 1; region i of n has the hue i / n.
    odd_value
        Value of the regions 1, 3, 5 ... as a share of ``value``, from 0 to 1.
    line, queen, rim
        RGB colours from 0 to 255.
    texture
        Laid on the cells; none where left out.
    """

    cell_size_px: int = 64
    queen_radius_px: int = 16
    rim_width_px: int = 2
    line_width_px: int = 2
    saturation: float = 0.38
    value: float = 0.95
    odd_value: float = 1.0
    line: Color = (45, 45, 45)
    queen: Color = (15, 15, 15)
    rim: Color = (250, 250, 250)
    texture: Texture | None = None

    def __post_init__(self) -> None:
        for name in ("cell_size_px", "queen_radius_px", "rim_width_px", "line_width_px"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("saturation", "value", "odd_value"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)}")

    def resized(self, cell_size_px: int) -> QueensStyle:
        """Return this look at another cell size; the other lengths keep their share of it, in whole pixels from 1."""
        factor = cell_size_px / self.cell_size_px
        return replace(
            self,
            cell_size_px=cell_size_px,
            queen_radius_px=max(1, round(self.queen_radius_px * factor)),
            rim_width_px=max(1, round(self.rim_width_px * factor)),
            line_width_px=max(1, round(self.line_width_px * factor)),
        )


@dataclass(frozen=True)
class QueensPictures:
    """The pictures of a board, all of one size.

    Attributes
    ----------
    input, solution
        Shape (H, W, 3), uint8, RGB: without and with queens.
    cell_map
        Shape (H, W), int32: row * n + column, from 0.
    """

    input: Picture
    solution: Picture
    cell_map: NDArray[np.int32]


def render_queens(board: QueensBoard, style: QueensStyle | None = None) -> QueensPictures:
    """Draw a board without and with its queens.

    Parameters
    ----------
    board
        The board.
    style
        The published look where left out.

    Returns
    -------
    QueensPictures
        The same arguments give the same bytes.
    """
    style = style or QueensStyle()
    size = style.cell_size_px
    regions = np.array(board.regions).repeat(size, axis=0).repeat(size, axis=1)
    colors = [region_color(region, board.n, style) for region in range(board.n)]
    empty = np.array(colors, dtype=np.uint8)[regions]
    if style.texture is not None:
        lay_texture(empty, style.texture, size)
    for cell in range(board.n):
        line = slice(cell * size, cell * size + style.line_width_px)
        empty[line, :] = style.line
        empty[:, line] = style.line
    solution = empty
    for row, column in board.queens:
        solution = draw_queen(solution, row, column, style=style)
    cells = np.arange(board.n * board.n, dtype=np.int32).reshape(board.n, board.n)
    return QueensPictures(empty, solution, cells.repeat(size, axis=0).repeat(size, axis=1))


def region_color(region: int, n: int, style: QueensStyle | None = None) -> Color:
    """Return the RGB colour of a region: HSV(region / n, saturation, value), rounded down as published."""
    style = style or QueensStyle()
    value = style.value * style.odd_value if region % 2 else style.value
    red, green, blue = colorsys.hsv_to_rgb(region / n, style.saturation, value)
    return (int(red * 255), int(green * 255), int(blue * 255))


def draw_queen(
    picture: Picture,
    row: float,
    column: float,
    *,
    radius_px: float | None = None,
    color: Color | None = None,
    rim: Color | None = None,
    style: QueensStyle | None = None,
) -> Picture:
    """Draw a queen on a copy of a picture, with hard edges as published.

    Parameters
    ----------
    picture
        Shape (H, W, 3), uint8, RGB, at the style's size.
    row, column
        The cell. Fractions move the queen: column 1.5 lies between columns 1 and 2. What falls outside the picture is
        left out.
    radius_px, color, rim
        The style's where left out.
    style
        The published look where left out.

    Returns
    -------
    ndarray
        A new picture.

    Raises
    ------
    ValueError
        If the radius is not positive or the picture is not uint8 RGB.
    """
    style = style or QueensStyle()
    radius = style.queen_radius_px if radius_px is None else radius_px
    if radius <= 0:
        raise ValueError(f"the radius must be positive, not {radius}")
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError("the picture must be uint8 RGB")
    drawn = picture.copy()
    # The published discs are centred on the pixel at half a cell. The two shares of a pixel were measured on them.
    reach = radius + max(_RIM_REACH_PX, _FILL_REACH_PX) + 1
    middles = ((place + 0.5) * style.cell_size_px for place in (row, column))
    (top, y), (left, x) = (_near(middle, reach, side) for middle, side in zip(middles, picture.shape[:2], strict=True))
    around = drawn[top : top + len(y), left : left + len(x)]
    distance = np.hypot(x[None, :], y[:, None])
    around[distance <= radius + _RIM_REACH_PX] = style.rim if rim is None else rim
    around[distance <= radius - style.rim_width_px + _FILL_REACH_PX] = style.queen if color is None else color
    return drawn


def _near(middle: float, reach: float, side: int) -> tuple[int, FloatArray]:
    """Return the first of a side's pixels within reach of a middle, and how far each of them lies from it."""
    first = min(max(0, math.floor(middle - reach)), side)
    last = min(max(first, math.ceil(middle + reach) + 1), side)
    return first, np.arange(first, last, dtype=np.float64) - middle
