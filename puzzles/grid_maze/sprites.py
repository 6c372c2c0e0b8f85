"""Pixel art of grid mazes, made by code: squares of 16 x 16 pixels, one for each kind of tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.grid_maze.maze import Tile
from puzzles.grid_maze.palettes import Color, Palette

SIDE = 16
VARIANTS = 4
"""Floors and walls that differ a little, so that a picture is no repetition."""
Pixels = NDArray[np.uint8]

# A letter a pixel: h hair, s skin, c coat, d dark of the coat, e eyes, b boots; . is see-through.
_PLAYER = (
    "................",
    ".....hhhhhh.....",
    "....hhhhhhhh....",
    "....hhsssshh....",
    "....hsessesh....",
    "....hssssssh....",
    ".....ssssss.....",
    "......ssss......",
    "....cccccccc....",
    "...cccccccccc...",
    "...cc.cccc.cc...",
    "...ss.cccc.ss...",
    "......dddd......",
    "......dddd......",
    ".....bb..bb.....",
    "................",
)
# w wood, k its bands, g gold, l the lock.
_CHEST = (
    "................",
    "................",
    "................",
    ".......gg.......",
    "....g.gggg.g....",
    "...gggggggggg...",
    "..kkkkkkkkkkkk..",
    "..kwwwwwwwwwwk..",
    "..kwwwwggwwwwk..",
    "..kkkkkllkkkkk..",
    "..kwwwwllwwwwk..",
    "..kwwwwwwwwwwk..",
    "..kwwwwwwwwwwk..",
    "..kkkkkkkkkkkk..",
    "................",
    "................",
)
# p pit, r its rim, t spikes.
_SPIKES = (
    "rrrrrrrrrrrrrrrr",
    "rppppppppppppppr",
    "rppppppppppppppr",
    "rpptppppptpppppr",
    "rpptppppptpppppr",
    "rpttpppptttppppr",
    "rptttppptttppppr",
    "rppppppppppppppr",
    "rpppppptpppppppr",
    "rpppppptpppptppr",
    "rptppppttppptppr",
    "rpttppptttpttppr",
    "rptttptttptttppr",
    "rptttptttptttppr",
    "rppppppppppppppr",
    "rrrrrrrrrrrrrrrr",
)


def sprite(tile: Tile, palette: Palette, variant: int = 0) -> Pixels:
    """The square of a tile, (16, 16, 3) uint8 RGB; ``variant`` is one of `VARIANTS`."""
    if tile is Tile.WALL:
        return _wall(palette, variant)
    if tile is Tile.TRAP:
        dark = {"p": palette.trap, "r": palette.trap_dark, "t": palette.trap_light}
        return _over(_floor(palette, variant), _SPIKES, dark)
    floor = _floor(palette, variant)
    if tile is Tile.START:
        coat = _shaded(palette.coat, 0.65)
        letters = {"h": palette.hair, "s": palette.skin, "e": (24, 20, 24), "c": palette.coat}
        return _over(floor, _PLAYER, letters | {"d": coat, "b": _shaded(palette.hair, 0.5)})
    if tile is Tile.GOAL:
        letters = {"w": palette.chest, "k": palette.chest_dark, "g": palette.gold, "l": _shaded(palette.gold, 0.8)}
        return _over(floor, _CHEST, letters)
    return floor


def _shaded(color: Color, share: float) -> Color:
    red, green, blue = (round(share * one) for one in color)
    return red, green, blue


def _over(below: Pixels, letters: tuple[str, ...], colors: dict[str, Color]) -> Pixels:
    made = below.copy()
    for row, line in enumerate(letters):
        for col, letter in enumerate(line):
            if letter in colors:
                made[row, col] = colors[letter]
    return made


def _noise(variant: int, salt: int) -> NDArray[np.int64]:
    """Numbers from 0 to 99 for each pixel, the same on every machine."""
    rows, cols = np.mgrid[:SIDE, :SIDE].astype(np.int64)
    mixed = (rows * 7919 + cols * 104_729 + (variant + 1) * 15_485_863 + salt * 32_452_843) % 1_000_003
    return np.asarray(mixed * mixed % 1_000_003 % 100, np.int64)


def _floor(palette: Palette, variant: int) -> Pixels:
    made = np.full((SIDE, SIDE, 3), palette.floor, np.uint8)
    made[_noise(variant, 1) < 5] = palette.floor_mark
    return made


def _wall(palette: Palette, variant: int) -> Pixels:
    rows, cols = np.mgrid[:SIDE, :SIDE]
    made = np.full((SIDE, SIDE, 3), palette.wall, np.uint8)
    if palette.wall_kind == "hedge":
        made[_noise(variant, 2) < 30] = palette.wall_light
        made[_noise(variant, 3) < 20] = palette.wall_dark
        return made
    if palette.wall_kind == "stones":
        # Round stones on the corners of squares of 8 pixels, every other row between them.
        shift = np.where(rows // 8 % 2, 4, 0) + 2 * (variant % 2)
        off = np.hypot(rows % 8 - 3.5, (cols + shift) % 8 - 3.5)
        made[off > 3.9] = palette.wall_dark
        made[(off < 2.6) & (rows % 8 < 3)] = palette.wall_light
        return made
    high, wide = (4, 8) if palette.wall_kind == "bricks" else (8, 16)
    shift = np.where(rows // high % 2, wide // 2, 0)
    joint = (rows % high == high - 1) | ((cols + shift) % wide == wide - 1)
    made[rows % high == 0] = palette.wall_light
    made[(_noise(variant, 4) < 8) & ~joint] = palette.wall_light
    made[joint] = palette.wall_dark
    return made
