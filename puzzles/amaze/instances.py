"""Writes the instance of a recipe in a look: the AMAZE files, and ``recipe.json``, which says how it was made."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TypeVar

from puzzles.amaze.files import write_maze, write_queens
from puzzles.amaze.recipes import MazeRecipe, QueensRecipe, Recipe
from puzzles.amaze.styles import MAZE_STYLES, PUBLISHED, QUEENS_STYLES, random_maze_style, random_queens_style
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import Layout, fitting_cell_size
from puzzles.maze.render import MazeStyle
from puzzles.queens.render import QueensStyle

RECIPE_NAME = "recipe.json"
RANDOM = "random"
MAX_SIDE_PX = 3300
"""Longest side of a picture; the longest that AMAZE has, of circles with 16 rings, is 3298."""
MIN_CELL_PX = 16
"""Least cell size; smaller cells are not read reliably."""

_Style = TypeVar("_Style", MazeStyle, QueensStyle)
_MAZE_FILES = ("input.png", "solution.png", "mask.png", "cell_map.png", "metadata.json", RECIPE_NAME)
_QUEENS_FILES = ("input.png", "solution.png", "cell_map.png", "metadata.json", RECIPE_NAME)


@dataclass(frozen=True)
class Look:
    """How instances are to look.

    Attributes
    ----------
    style
        A name of ``MAZE_STYLES`` or ``QUEENS_STYLES``, or ``random`` for one of its own for each instance.
    cell_size_px
        The cell size in pixels; the style's where ``None``. It becomes less where the picture's longest side would be
        over ``MAX_SIDE_PX``.
    longest_px
        The picture's longest side in pixels, instead of a cell size.

    Raises
    ------
    ValueError
        If both sizes are given, or one is out of range.
    """

    style: str = PUBLISHED
    cell_size_px: float | None = None
    longest_px: int | None = None

    def __post_init__(self) -> None:
        if self.cell_size_px is not None and self.longest_px is not None:
            raise ValueError("give a cell size or a picture size, not both")
        size = self.cell_size_px
        if size is not None and not (math.isfinite(size) and MIN_CELL_PX <= size <= MAX_SIDE_PX):
            raise ValueError(f"the cell size must be from {MIN_CELL_PX} to {MAX_SIDE_PX} px, not {size:g}")
        if self.longest_px is not None and not MIN_CELL_PX <= self.longest_px <= MAX_SIDE_PX:
            raise ValueError(f"the picture size must be from {MIN_CELL_PX} to {MAX_SIDE_PX} px, not {self.longest_px}")


@dataclass(frozen=True)
class Instance:
    """An instance that can be made: a recipe with the style that its look gives it.

    Attributes
    ----------
    recipe, look
        What it is of.
    style
        Of the recipe's kind.
    shrunk
        Whether the cells are smaller than asked for, because the picture would have been too large.
    """

    recipe: Recipe
    look: Look
    style: MazeStyle | QueensStyle
    shrunk: bool

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.recipe.name

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that a whole instance has."""
        return _MAZE_FILES if isinstance(self.recipe, MazeRecipe) else _QUEENS_FILES

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""
        content: dict[str, object] = {"task": "maze" if isinstance(self.recipe, MazeRecipe) else "queens"}
        content |= {"name": self.recipe.name, **_plain(self.recipe)}
        content |= {"style": self.look.style, "instruction": instruction(self.style), "look": _plain(self.style)}
        return json.dumps(content, indent=1) + "\n"


def plan_instance(recipe: Recipe, look: Look) -> Instance:
    """Return the instance of a recipe in a look; nothing is made yet.

    Raises
    ------
    ValueError
        If no style has the look's name, or cells would be less than ``MIN_CELL_PX``.
    """
    if isinstance(recipe, MazeRecipe):
        return _plan_maze(recipe, look)
    return _plan_board(recipe, look)


def write_instance(folder: Path, instance: Instance) -> None:
    """Write an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder cannot be written. The same arguments give the same bytes.
    """
    if isinstance(instance.recipe, MazeRecipe) and isinstance(instance.style, MazeStyle):
        write_maze(folder, instance.recipe.maze(), instance.style)
    elif isinstance(instance.recipe, QueensRecipe) and isinstance(instance.style, QueensStyle):
        write_queens(folder, instance.recipe.board(), instance.style)
    else:
        raise TypeError("the style is not of the recipe's kind")
    (folder / RECIPE_NAME).write_text(instance.text, encoding="utf-8")


def instruction(style: MazeStyle | QueensStyle) -> str:
    """Return what to ask a model for, in words of this project's own, with the colours of the style."""
    if isinstance(style, QueensStyle):
        return (
            "Place queens on this board, each a solid black disc in the middle of a cell: one in every row, every "
            "column and every coloured region, and no two in cells that touch, not even at a corner. Leave everything "
            "else as it is."
        )
    return (
        f"Draw the way through this maze as one {style.path_color_name} line, from the {style.marker_color_name} disc "
        f"to the {style.marker_color_name} X. Pass through no wall, and leave everything else as it is."
    )


def _plan_maze(recipe: MazeRecipe, look: Look) -> Instance:
    style = random_maze_style(recipe.seed) if look.style == RANDOM else _named(look.style, MAZE_STYLES)
    if style.texture is not None:
        style = replace(style, texture=replace(style.texture, seed=recipe.seed))
    circle = recipe.geometry is Geometry.CIRCLE
    size = (0, recipe.scale) if circle else (recipe.scale, 0)
    grid = make_grid(recipe.geometry, width=size[0], height=size[0], rings=size[1])
    wall_share = style.wall_width_px / style.cell_size_px
    wanted = look.cell_size_px or style.cell_size_px
    if look.longest_px is not None:
        wanted = fitting_cell_size(grid, wall_share, look.longest_px)
    shrunk = max(Layout(grid, wanted, wall_share * wanted).picture_size) > MAX_SIDE_PX
    if shrunk:
        wanted = fitting_cell_size(grid, wall_share, MAX_SIDE_PX)
    _require_readable(recipe, wanted)
    return Instance(recipe, look, style if wanted == style.cell_size_px else style.resized(wanted), shrunk)


def _plan_board(recipe: QueensRecipe, look: Look) -> Instance:
    style = random_queens_style(recipe.seed) if look.style == RANDOM else _named(look.style, QUEENS_STYLES)
    if style.texture is not None:
        style = replace(style, texture=replace(style.texture, seed=recipe.seed))
    wanted = int(look.cell_size_px or style.cell_size_px)
    if look.longest_px is not None:
        wanted = look.longest_px // recipe.n
    shrunk = wanted * recipe.n > MAX_SIDE_PX
    if shrunk:
        wanted = MAX_SIDE_PX // recipe.n
    _require_readable(recipe, wanted)
    return Instance(recipe, look, style if wanted == style.cell_size_px else style.resized(wanted), shrunk)


def _named(name: str, styles: Mapping[str, _Style]) -> _Style:
    if name not in styles:
        raise ValueError(f"there is no style {name!r}; there are {', '.join(styles)} and {RANDOM}")
    return styles[name]


def _require_readable(recipe: Recipe, cell_size_px: float) -> None:
    if cell_size_px < MIN_CELL_PX:
        raise ValueError(
            f"{recipe.name} would have cells of {cell_size_px:.1f} px, the least is {MIN_CELL_PX}; ask for a larger "
            "picture or a smaller puzzle"
        )


def _plain(value: MazeRecipe | QueensRecipe | MazeStyle | QueensStyle) -> dict[str, object]:
    """Return a dataclass as what JSON has."""

    def plain(item: object) -> object:
        if isinstance(item, dict):
            return {key: plain(inner) for key, inner in item.items()}
        return item.value if isinstance(item, Enum) else item

    return {key: plain(item) for key, item in asdict(value).items()}
