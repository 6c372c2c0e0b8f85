"""Pictures of grid mazes: square tiles in the middle of a square, as many pixels as MazeBench has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.grid_maze.maze import GridMaze, Tile
from puzzles.grid_maze.palettes import PALETTES, Palette
from puzzles.grid_maze.sprites import SIDE, VARIANTS, sprite

PICTURE_PX = 1024
_GRID_PX = 901  # of a picture of 1024 pixels, what the longer side of the grid may take
_FRAME_PX = 3


@dataclass(frozen=True)
class MazeLayout:
    """Where the tiles of a picture are: the side of one in pixels, and the grid's top left pixel, x and y."""

    tile_px: int
    origin_xy: tuple[int, int]


def layout_of(rows: int, cols: int, side_px: int = PICTURE_PX) -> MazeLayout:
    """Where the tiles of a grid are in a square picture of so many pixels."""
    tile = _GRID_PX * side_px // PICTURE_PX // max(rows, cols)
    return MazeLayout(tile, ((side_px - cols * tile) // 2, (side_px - rows * tile) // 2))


def render_grid_maze(maze: GridMaze, palette: str = "forest", side_px: int = PICTURE_PX) -> NDArray[np.uint8]:
    """A maze as a model is shown it, (side, side, 3) uint8 RGB; KeyError for another palette."""
    colors = PALETTES[palette]
    place = layout_of(maze.rows, maze.cols, side_px)
    tile, (left, top) = place.tile_px, place.origin_xy
    picture = np.full((side_px, side_px, 3), colors.around, np.uint8)
    high, wide = maze.rows * tile, maze.cols * tile
    picture[top - _FRAME_PX : top + high + _FRAME_PX, left - _FRAME_PX : left + wide + _FRAME_PX] = colors.frame
    drawn = {(kind, variant): _tile(kind, colors, variant, tile) for kind in Tile for variant in range(VARIANTS)}
    for row, line in enumerate(maze.tiles):
        for col, kind in enumerate(line):
            y, x = top + row * tile, left + col * tile
            picture[y : y + tile, x : x + tile] = drawn[kind, (row * 5 + col * 3 + row * col) % VARIANTS]
    return picture


def _tile(kind: Tile, colors: Palette, variant: int, side_px: int) -> NDArray[np.uint8]:
    """A sprite as large as a tile, with a line at its right and its bottom."""
    picked = np.arange(side_px) * SIDE // side_px
    made = sprite(kind, colors, variant)[picked][:, picked]
    line = colors.wall_dark if kind is Tile.WALL else colors.line
    made[-1:], made[:, -1:] = line, line
    return made
