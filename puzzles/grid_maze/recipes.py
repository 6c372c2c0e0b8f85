"""What a grid maze is made from; and the groups of MazeBench, each of which changes one thing.

The groups have the published sizes, densities and numbers of mazes [1]_, 110 in all; the mazes are this project's own.

References
----------
.. [1] MazeBench, section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from puzzles.grid_maze.generator import MOST_SEED, MazeParameters
from puzzles.grid_maze.palettes import PALETTES

GROUPS = {
    "A": "diagnostic: next to nothing in the way",
    "B": "size of the grid, 5 to 13, at one density of walls",
    "C": "density of walls, 0 to 0.45, at one size",
    "D": "traps: pairs of mazes without and with them",
    "E": "unreachable goals",
    "F": "border: pairs of mazes without and with a ring of walls",
    "G": "hard: large, dense, with traps and borders",
    "H": "palettes: the same maze in each",
    "X": "ultra-hard: 20 x 20, long paths",
}
"""What each group is about."""
CORE = "ABCDEFGH"
"""The groups that the leaderboard is about; X stands apart."""
_NAMES = tuple(PALETTES)
_LONG = 28  # steps of the shortest paths in the last group


@dataclass(frozen=True)
class GridMazeRecipe:
    """A grid maze that can be made.

    Attributes
    ----------
    parameters : of the maze
    palette : how it is drawn
    group : of MazeBench; empty for one that is in none
    number : from 1 in the order of the groups; 0 for one that is in none
    """

    parameters: MazeParameters
    palette: str
    group: str = ""
    number: int = 0

    def __post_init__(self) -> None:
        if self.palette not in PALETTES:
            raise ValueError(f"there is no palette {self.palette!r}; there are {', '.join(PALETTES)}")

    @property
    def name(self) -> str:
        """Such as ``gen_maze_012``, or ``grid-maze-09x09-250-03-meadow-0000012`` with what it was made with."""
        if self.number:
            return f"gen_maze_{self.number:03}"
        one = self.parameters
        marks = "u" * one.force_unreachable + "b" * one.border_walls
        size = f"{one.rows:02}x{one.cols:02}-{round(1000 * one.wall_density):03}-{one.trap_count:02}{marks}"
        return f"grid-maze-{size}-{self.palette}-{one.seed:07}"


def group_recipes(seed: int = 0) -> tuple[GridMazeRecipe, ...]:
    """The 110 mazes of the groups, in their order; another seed gives others of the same kinds."""
    found = [*_diagnostic(), *_sizes(), *_densities(), *_traps(), *_unreachable(), *_borders(), *_hard(), *_palettes()]
    found += _ultra_hard()
    return tuple(
        replace(
            one,
            number=number,
            parameters=replace(one.parameters, seed=(one.parameters.seed + 10_000 * seed) % (MOST_SEED + 1)),
        )
        for number, one in enumerate(found, 1)
    )


def _one(
    group: str,
    number: int,
    size: int,
    density: float,
    traps: int = 0,
    *,
    cut: bool = False,
    border: bool = False,
    least: int = 0,
) -> GridMazeRecipe:
    """A maze of a group; its seed tells the group and its number in it."""
    seed = 1000 * (1 + "ABCDEFGHX".index(group)) + number
    parameters = MazeParameters(size, size, density, traps, cut, border, seed, least)
    return GridMazeRecipe(parameters, _NAMES[number % len(_NAMES)], group)


def _diagnostic() -> Iterator[GridMazeRecipe]:
    plans = ((5, 0.0, 0), (5, 0.0, 0), (5, 0.0, 2), (5, 0.05, 0), (7, 0.0, 0), (7, 0.0, 2), (7, 0.05, 0), (7, 0.05, 2))
    return (_one("A", number, *plan) for number, plan in enumerate(plans, 1))


def _sizes() -> Iterator[GridMazeRecipe]:
    sizes = (5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 11, 11, 12, 13)
    return (_one("B", number, size, 0.25) for number, size in enumerate(sizes, 1))


def _densities() -> Iterator[GridMazeRecipe]:
    """The two densest that are not to be solved come last."""
    densities = (0, 0, 0.05, 0.1, 0.1, 0.15, 0.2, 0.2, 0.25, 0.3, 0.3, 0.35, 0.4, 0.4, 0.45)
    return (_one("C", number, 9, density, cut=number in (14, 15)) for number, density in enumerate(densities, 1))


def _traps() -> Iterator[GridMazeRecipe]:
    for number, (size, density, traps) in enumerate(
        ((7, 0.2, 3), (7, 0.25, 3), (9, 0.2, 4), (9, 0.3, 4), (11, 0.3, 5), (11, 0.25, 6)), 1
    ):
        for count in (0, traps):
            yield _one("D", number, size, density, count, cut=number == 5)


def _unreachable() -> Iterator[GridMazeRecipe]:
    sizes = (5, 5, 6, 7, 7, 8, 9, 9, 10, 11, 11, 12, 13, 13)
    for number, size in enumerate(sizes, 1):
        density, traps = (0.2, 0.25, 0.3, 0.35)[number % 4], (0, 0, 2, 4)[number % 4] if size > 6 else 0
        yield _one("E", number, size, density, traps, cut=True, border=number in (9, 14))


def _borders() -> Iterator[GridMazeRecipe]:
    for number, size in enumerate((7, 8, 9, 10, 11), 1):
        for border in (False, True):
            yield _one("F", number, size, 0.25, border=border, cut=number == 4)


def _hard() -> Iterator[GridMazeRecipe]:
    sizes = (9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13)
    for number, size in enumerate(sizes, 1):
        yield _one(
            "G",
            number,
            size,
            (0.35, 0.4, 0.45)[number % 3],
            2 + number * 6 // len(sizes),
            border=number % 2 == 0 and number < len(sizes),
            cut=number in (3, 6, 8, 11, 13, 16),
        )


def _palettes() -> Iterator[GridMazeRecipe]:
    """Two mazes in each palette, and two that are not to be solved."""
    for number, (size, traps) in enumerate(((8, 2), (10, 3)), 1):
        yield from (replace(_one("H", number, size, 0.25, traps), palette=palette) for palette in PALETTES)
    yield from (_one("H", number, 9, 0.3, 2, cut=True) for number in (3, 4))


def _ultra_hard() -> Iterator[GridMazeRecipe]:
    plans = (
        (0.45, 12),
        (0.3, 8),
        (0.5, 15),
        (0.5, 20),
        (0.3, 10),
        (0.4, 15),
        (0.55, 25),
        (0.35, 12),
        (0.4, 20),
        (0.55, 8),
    )
    for number, (density, traps) in enumerate(plans, 1):
        cut = number in (4, 7, 10)
        yield _one(
            "X",
            number,
            20,
            density,
            traps,
            border=number % 2 == 1,
            cut=cut,
            least=0 if cut else _LONG,
        )
