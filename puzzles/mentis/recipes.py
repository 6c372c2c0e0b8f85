"""What an instance of rush hour or of a sliding puzzle is made from. A recipe's name is its folder's name."""

from __future__ import annotations

from dataclasses import dataclass

from puzzles.amaze.recipes import MAX_SEED
from puzzles.rush_hour.generator import MAX_LEVEL, RushHourPuzzle, generate_lot
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, generate_sliding, solve

MIN_TILES = 2
MAX_TILES = 4
MOST_MOVES = {2: 6, 3: 31, 4: 24}
"""The most moves by size: no state of 2 x 2 or 3 x 3 is farther away, and 4 x 4 is not searched farther."""


@dataclass(frozen=True)
class RushHourRecipe:
    """A lot that can be made: its level, 1 to 7, is its least number of moves; seed 0 to 9,999,999. Else ValueError."""

    level: int
    seed: int

    def __post_init__(self) -> None:
        _require("level", self.level, 1, MAX_LEVEL)
        _require("seed", self.seed, 0, MAX_SEED)

    @property
    def name(self) -> str:
        """Such as ``rush-hour-3-0000012``."""
        return f"rush-hour-{self.level}-{self.seed:07}"

    def puzzle(self) -> RushHourPuzzle:
        """Return the lot with a shortest solution; RuntimeError if none was found from this seed."""
        return generate_lot(self.level, self.seed)


@dataclass(frozen=True)
class SlidingRecipe:
    """A sliding puzzle that can be made, with the target's blank at the end, as the public ones have it.

    Attributes
    ----------
    size
        Rows and columns, 2 to 4.
    moves
        The least number of moves: at most 6 for 2 x 2, 31 for 3 x 3, 24 for 4 x 4.
    seed
        From 0 to 9,999,999; also of the picture.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    size: int
    moves: int
    seed: int

    def __post_init__(self) -> None:
        _require("size", self.size, MIN_TILES, MAX_TILES)
        _require("moves", self.moves, 1, MOST_MOVES[self.size])
        _require("seed", self.seed, 0, MAX_SEED)

    @property
    def name(self) -> str:
        """Such as ``sliding-3x3-05-0000012``."""
        return f"sliding-{self.size}x{self.size}-{self.moves:02}-{self.seed:07}"

    def puzzle(self) -> tuple[SlidingPuzzle, tuple[BlankMove, ...]]:
        """Return the puzzle with a shortest solution; ValueError if no state is that far away."""
        target = (*range(1, self.size * self.size), -1)
        puzzle = generate_sliding(self.size, self.moves, self.seed, target)
        return puzzle, solve(puzzle.start, puzzle.target)


PlanRecipe = RushHourRecipe | SlidingRecipe


def _require(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {value}")
