"""What an instance is made from: geometry, size, algorithm and seed. A recipe's name is its folder's name."""

from __future__ import annotations

from dataclasses import dataclass

from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, MazeAlgorithm, generate_maze
from puzzles.queens.board import MAX_SIZE, MIN_SIZE, QueensBoard, generate_queens

MIN_SCALE = 3
MAX_SCALE = 30
MAX_SEED = 9_999_999
"""Larger ones would not fit the digits that keep names in order."""

ALGORITHM_TAGS = {MazeAlgorithm.DEPTH_FIRST: "dfs", MazeAlgorithm.BREADTH_FIRST: "bfs"}


@dataclass(frozen=True)
class MazeRecipe:
    """A maze that can be made.

    Attributes
    ----------
    geometry
        The shape of the cells.
    scale
        Rows and columns, or rings for circles, from 3 to 30.
    algorithm
        How passages are carved.
    seed
        From 0 to 9,999,999.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    geometry: Geometry
    scale: int
    algorithm: MazeAlgorithm
    seed: int

    def __post_init__(self) -> None:
        _require("scale", self.scale, MIN_SCALE, MAX_SCALE)
        _require("seed", self.seed, 0, MAX_SEED)

    @property
    def name(self) -> str:
        """Such as ``square-05-dfs-0000012``: unique, and in order of scale and seed when sorted."""
        return f"{self.geometry.value}-{self.scale:02}-{ALGORITHM_TAGS[self.algorithm]}-{self.seed:07}"

    def maze(self) -> Maze:
        """Return the maze."""
        return generate_maze(self.geometry, self.scale, self.algorithm, self.seed)


@dataclass(frozen=True)
class QueensRecipe:
    """A board that can be made: n from 4 to 12, the seed from 0 to 9,999,999. ValueError otherwise."""

    n: int
    seed: int

    def __post_init__(self) -> None:
        _require("n", self.n, MIN_SIZE, MAX_SIZE)
        _require("seed", self.seed, 0, MAX_SEED)

    @property
    def name(self) -> str:
        """Such as ``queens-08-0000012``."""
        return f"queens-{self.n:02}-{self.seed:07}"

    def board(self) -> QueensBoard:
        """Return the board."""
        return generate_queens(self.n, self.seed)


Recipe = MazeRecipe | QueensRecipe


def _require(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {value}")
