"""The sets of the AMAZE paper ("Probing Visual Planning in Image Editing Models") as lists of recipes.

Sizes and scales are the paper's (sections 2.1 and 3.2 to 3.4). Where it is silent the choice is ours: half of each
set of mazes is made depth first and half breadth first, by turns; test, training and validation sets have seeds of
their own; 100 puzzles of a kind are held out for validation. The paper's 2,800 test mazes are 50 for each geometry and
scale, so 25 for each algorithm: 50 for each algorithm, as one of its sentences has it, would be 5,600.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from puzzles.amaze.recipes import MazeRecipe, QueensRecipe, Recipe
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import MazeAlgorithm

_TEST_SEED, _TRAINING_SEED, _VALIDATION_SEED = 0, 1_000_000, 2_000_000
_TURNS = (MazeAlgorithm.DEPTH_FIRST, MazeAlgorithm.BREADTH_FIRST)
_TRAINING = 800
_VALIDATION = 100
_GROWTH = (800, 1600, 3200, 6400)


@dataclass(frozen=True)
class MazeCounts:
    """Mazes of one geometry and scale: depth first and breadth first by turns, with seeds from ``first_seed`` on."""

    geometry: Geometry
    scale: int
    count: int
    first_seed: int

    def recipes(self) -> tuple[MazeRecipe, ...]:
        """Return the list; a smaller count gives its beginning."""
        return tuple(
            MazeRecipe(self.geometry, self.scale, _TURNS[place % 2], self.first_seed + place // 2)
            for place in range(self.count)
        )


@dataclass(frozen=True)
class QueensCounts:
    """Boards of one size, with seeds from ``first_seed`` on."""

    n: int
    count: int
    first_seed: int

    def recipes(self) -> tuple[QueensRecipe, ...]:
        """Return the list; a smaller count gives its beginning."""
        return tuple(QueensRecipe(self.n, self.first_seed + place) for place in range(self.count))


@dataclass(frozen=True)
class Preset:
    """A named set: what it is for, and how many puzzles of which kind it has."""

    meaning: str
    counts: tuple[MazeCounts | QueensCounts, ...]

    def recipes(self) -> tuple[Recipe, ...]:
        """Return what to make, always the same list."""
        return tuple(recipe for part in self.counts for recipe in part.recipes())

    def __len__(self) -> int:
        return sum(part.count for part in self.counts)


def _mazes(geometries: Iterable[Geometry], scales: Iterable[int], count: int, seed: int) -> tuple[MazeCounts, ...]:
    sizes = tuple(scales)
    return tuple(MazeCounts(geometry, scale, count, seed) for geometry in geometries for scale in sizes)


def _growing(geometry: Geometry) -> dict[str, Preset]:
    return {
        f"amaze-train-{geometry.value}-8-{count}": Preset(
            f"training, 8 x 8 {geometry.value}, {count} mazes; a larger set holds the smaller ones",
            _mazes([geometry], [8], count, _TRAINING_SEED),
        )
        for count in _GROWTH
    }


MAZE_PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "amaze-test": Preset(
            "test, four geometries, scales 3 to 16, 50 mazes each", _mazes(Geometry, range(3, 17), 50, _TEST_SEED)
        ),
        "amaze-train-3": Preset(
            "training, four geometries, 3 x 3, 800 mazes each", _mazes(Geometry, [3], _TRAINING, _TRAINING_SEED)
        ),
        "amaze-validation-3": Preset(
            "validation, four geometries, 3 x 3, 100 mazes each", _mazes(Geometry, [3], _VALIDATION, _VALIDATION_SEED)
        ),
        **{
            f"amaze-train-{geometry.value}-3-{_TRAINING}": Preset(
                f"training, 3 x 3 {geometry.value}, 800 mazes: that geometry's part of amaze-train-3",
                _mazes([geometry], [3], _TRAINING, _TRAINING_SEED),
            )
            for geometry in Geometry
        },
        f"amaze-train-hexagon-8-{_TRAINING}": Preset(
            "training, 8 x 8 hexagon, 800 mazes", _mazes([Geometry.HEXAGON], [8], _TRAINING, _TRAINING_SEED)
        ),
        **_growing(Geometry.SQUARE),
        **_growing(Geometry.CIRCLE),
    }
)
"""Sets of mazes by name."""

QUEENS_PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "amaze-test": Preset(
            "test, n from 4 to 10, 50 boards each", tuple(QueensCounts(n, 50, _TEST_SEED) for n in range(4, 11))
        ),
        f"amaze-train-4-{_TRAINING}": Preset(
            "training, n = 4, 800 boards", (QueensCounts(4, _TRAINING, _TRAINING_SEED),)
        ),
        "amaze-validation-4": Preset(
            "validation, n = 4, 100 boards", (QueensCounts(4, _VALIDATION, _VALIDATION_SEED),)
        ),
        **{
            f"amaze-train-7-{count}": Preset(
                f"training, n = 7, {count} boards; a larger set holds the smaller ones",
                (QueensCounts(7, count, _TRAINING_SEED),),
            )
            for count in _GROWTH
        },
    }
)
"""Sets of boards by name."""
