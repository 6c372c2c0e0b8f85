"""Named looks of mazes and boards, and looks drawn by chance within bounds that stay readable.

Every look here can be graded: its solution passes and its puzzle, handed in unsolved, fails. Path and markers differ
in hue so far that nobody takes one for the other, and a path has one of the colours that a request can ask for.
"""

from __future__ import annotations

import colorsys
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from puzzles.common.raster import Color
from puzzles.common.texture import Texture, TextureKind
from puzzles.maze.layout import CellMapKind
from puzzles.maze.render import MazeStyle
from puzzles.queens.render import QueensStyle

PUBLISHED = "published"

_CELL_PX = MazeStyle().cell_size_px
_DRAWN = MazeStyle(cell_map=CellMapKind.DRAWN)
_GRAIN = Texture(TextureKind.GRAIN, amplitude=6, period=0.02)
_TILES = Texture(TextureKind.TILES, amplitude=6, period=0.25)
_DARK_FLOOR, _DARK_OUTSIDE, _LIGHT_WALL = (28, 30, 38), (12, 13, 16), (226, 228, 234)


def _colored(path: Color, marker: Color) -> MazeStyle:
    return replace(_DRAWN, path=path, marker=marker)


MAZE_STYLES: Mapping[str, MazeStyle] = MappingProxyType(
    {
        PUBLISHED: MazeStyle(),
        "thin_walls": replace(_DRAWN, wall_width_px=0.05 * _CELL_PX),
        "thick_walls": replace(_DRAWN, wall_width_px=0.18 * _CELL_PX),
        "thin_path": replace(_DRAWN, path_width_px=0.05 * _CELL_PX),
        "wide_path": replace(_DRAWN, path_width_px=0.22 * _CELL_PX),
        "colored_walls": replace(_DRAWN, wall=(20, 90, 70), outside=(20, 90, 70)),
        "dark": replace(
            _DRAWN,
            floor=_DARK_FLOOR,
            outside=_DARK_OUTSIDE,
            wall=_LIGHT_WALL,
            halo=_DARK_FLOOR,
            path=(90, 175, 255),
            marker=(255, 70, 60),
        ),
        "blueprint": replace(
            _DRAWN,
            floor=(24, 62, 128),
            outside=(15, 42, 92),
            wall=(232, 240, 252),
            halo=(24, 62, 128),
            path=(255, 150, 40),
            marker=(110, 235, 150),
        ),
        "red_path": _colored(path=(215, 30, 40), marker=(25, 70, 200)),
        "green_path": _colored(path=(0, 150, 60), marker=(120, 40, 190)),
        "orange_path": _colored(path=(240, 130, 0), marker=(30, 70, 200)),
        "magenta_path": _colored(path=(215, 0, 165), marker=(0, 165, 50)),
        "paper": replace(_DRAWN, floor=(243, 238, 226), wall=(60, 52, 46), outside=(60, 52, 46), texture=_GRAIN),
        "tiles": replace(_DRAWN, floor=(234, 235, 238), texture=_TILES),
    }
)
"""The looks of mazes by name; ``published`` is that of AMAZE, with its cell maps."""

QUEENS_STYLES: Mapping[str, QueensStyle] = MappingProxyType(
    {
        PUBLISHED: QueensStyle(),
        "pastel": QueensStyle(saturation=0.26, value=0.98, odd_value=0.86),
        "vivid": QueensStyle(saturation=0.62, value=0.98),
        "dark": QueensStyle(saturation=0.5, value=0.62, line=(20, 20, 24), queen=(5, 5, 5)),
        "thick_lines": QueensStyle(line_width_px=4, line=(20, 20, 20)),
        "textured": QueensStyle(texture=replace(_GRAIN, period=0.05)),
    }
)
"""The looks of boards by name; ``published`` is that of AMAZE."""

# What a path of each colour can have as markers, in hue degrees with some room on both sides; the two are at least 90
# degrees of hue apart.
_PATH_HUES_DEG = {"blue": 207.0, "red": 356.0, "green": 145.0, "orange": 32.0, "magenta": 315.0}
_MARKER_HUES_DEG = {
    "blue": (0.0, 315.0),
    "red": (215.0, 140.0),
    "green": (272.0, 0.0),
    "orange": (220.0, 272.0),
    "magenta": (140.0, 220.0),
}
_HUE_ROOM_DEG = 4.0
_Choice = TypeVar("_Choice")


def random_maze_style(seed: int) -> MazeStyle:
    """Return a look whose colours, widths and floor are drawn by chance; the same seed gives the same look.

    Walls are 5 to 16 % of a cell wide and paths 6 to 20 %. Three of ten floors are dark with light walls, and three of
    ten have a texture.

    Raises
    ------
    ValueError
        If the seed is negative.
    """
    dice = _dice(seed)
    dark = dice.random() < 0.3
    if dark:
        floor = _hsv(dice.random() * 360, _between(dice, 0.0, 0.35), _between(dice, 0.1, 0.22))
        wall = _hsv(dice.random() * 360, _between(dice, 0.0, 0.06), _between(dice, 0.9, 1.0))
        outside = (floor[0] // 2, floor[1] // 2, floor[2] // 2)
    else:
        floor = _hsv(dice.random() * 360, _between(dice, 0.0, 0.05), _between(dice, 0.94, 1.0))
        wall = _hsv(dice.random() * 360, _between(dice, 0.0, 0.8), _between(dice, 0.0, 0.3))
        outside = wall
    name = _pick(tuple(_PATH_HUES_DEG), dice)
    return MazeStyle(
        wall_width_px=_between(dice, 0.05, 0.16) * _CELL_PX,
        path_width_px=_between(dice, 0.06, 0.2) * _CELL_PX,
        outside=outside,
        floor=floor,
        wall=wall,
        path=_drawn_color(_PATH_HUES_DEG[name], dark, dice),
        marker=_drawn_color(_pick(_MARKER_HUES_DEG[name], dice), dark, dice),
        halo=floor,
        cell_map=CellMapKind.DRAWN,
        texture=_random_texture(tuple(TextureKind), dice),
    )


def random_queens_style(seed: int) -> QueensStyle:
    """Return a look whose colours, sizes and texture are drawn by chance; the same seed gives the same look.

    Raises
    ------
    ValueError
        If the seed is negative.
    """
    dice = _dice(seed)
    grey, ink = int(_between(dice, 10, 35)), int(_between(dice, 0, 25))
    return QueensStyle(
        queen_radius_px=int(_between(dice, 14, 20)),
        rim_width_px=_pick((1, 2, 3), dice),
        line_width_px=_pick((1, 2, 3, 4), dice),
        saturation=_between(dice, 0.32, 0.55),
        value=_between(dice, 0.8, 0.98),
        odd_value=_between(dice, 0.86, 1.0),
        line=(grey, grey, grey),
        queen=(ink, ink, ink),
        texture=_random_texture((TextureKind.GRAIN,), dice),
    )


def _dice(seed: int) -> random.Random:
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    return random.Random(seed)


def _between(dice: random.Random, least: float, most: float) -> float:
    return least + (most - least) * dice.random()


def _pick(choices: Sequence[_Choice], dice: random.Random) -> _Choice:
    # Only random() is promised to give the same numbers in every Python version.
    return choices[int(dice.random() * len(choices))]


def _random_texture(kinds: Sequence[TextureKind], dice: random.Random) -> Texture | None:
    """Return a texture of one of these kinds for three of ten; the rest have none."""
    wanted, kind, size, step = dice.random() < 0.3, _pick(kinds, dice), dice.random(), dice.random()
    if not wanted:
        return None
    period = 0.02 + 0.03 * size if kind is TextureKind.GRAIN else 0.15 + 0.2 * size
    return Texture(kind, amplitude=3 + int(4 * step), period=period)


def _drawn_color(hue_deg: float, dark: bool, dice: random.Random) -> Color:
    """Return a colour that stands out from a dark or a light floor."""
    hue = hue_deg + _between(dice, -_HUE_ROOM_DEG, _HUE_ROOM_DEG)
    if dark:
        return _hsv(hue, _between(dice, 0.7, 0.85), _between(dice, 0.95, 1.0))
    return _hsv(hue, _between(dice, 0.85, 1.0), _between(dice, 0.75, 0.92))


def _hsv(hue_deg: float, saturation: float, value: float) -> Color:
    red, green, blue = colorsys.hsv_to_rgb(hue_deg % 360 / 360, saturation, value)
    return (round(red * 255), round(green * 255), round(blue * 255))
