"""A grid maze: tiles in rows, of which walls and traps can't be entered, and moves by one tile.

A grid is written as text with one sign a tile: ``S`` start, ``G`` goal, ``.`` floor, ``#`` wall, ``T`` trap [1]_.

References
----------
.. [1] MazeBench, section 3.2 and the text grids of section 6.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LEAST_SIDE = 2
MOST_SIDE = 64
"""Rows and columns."""


class Tile(enum.Enum):
    """What a tile is, by its sign in text."""

    START = "S"
    GOAL = "G"
    FLOOR = "."
    WALL = "#"
    TRAP = "T"


class MazeStep(enum.Enum):
    """A move by one tile, by its letter in answers; U is to the row above."""

    UP = "U"
    DOWN = "D"
    LEFT = "L"
    RIGHT = "R"


OFFSETS = {MazeStep.UP: (-1, 0), MazeStep.DOWN: (1, 0), MazeStep.LEFT: (0, -1), MazeStep.RIGHT: (0, 1)}
"""Rows and columns that a step goes on."""
STEPS = {step.value: step for step in MazeStep}
Spot = tuple[int, int]
"""Row and column, from 0."""
_SIGNS = {tile.value: tile for tile in Tile}


@dataclass(frozen=True)
class GridMaze:
    """A maze.

    Attributes
    ----------
    tiles : of each row, as many in each

    Raises
    ------
    ValueError
        If there are too few or too many rows or columns, rows differ in length, or there is not one start and one goal.
    """

    tiles: tuple[tuple[Tile, ...], ...]

    def __post_init__(self) -> None:
        for name, side in (("rows", self.rows), ("columns", self.cols)):
            if not LEAST_SIDE <= side <= MOST_SIDE:
                raise ValueError(f"there are {side} {name}; a grid has {LEAST_SIDE} to {MOST_SIDE}")
        odd = next((place for place, row in enumerate(self.tiles) if len(row) != self.cols), None)
        if odd is not None:
            raise ValueError(f"row {odd} has {len(self.tiles[odd])} tiles, and row 0 has {self.cols}")
        for tile, name in ((Tile.START, "start"), (Tile.GOAL, "goal")):
            count = sum(row.count(tile) for row in self.tiles)
            if count != 1:
                raise ValueError(f"there are {count} tiles {tile.value} ({name}); a grid has one")

    @property
    def rows(self) -> int:
        """How many rows."""
        return len(self.tiles)

    @property
    def cols(self) -> int:
        """How many columns."""
        return len(self.tiles[0]) if self.tiles else 0

    @property
    def start(self) -> Spot:
        """Where it begins."""
        return self._place_of(Tile.START)

    @property
    def goal(self) -> Spot:
        """Where it ends."""
        return self._place_of(Tile.GOAL)

    def _place_of(self, tile: Tile) -> Spot:
        return next((row, line.index(tile)) for row, line in enumerate(self.tiles) if tile in line)

    def tile(self, spot: Spot) -> Tile | None:
        """The tile at a place; None beside the grid."""
        row, col = spot
        return self.tiles[row][col] if 0 <= row < self.rows and 0 <= col < self.cols else None

    def is_free(self, spot: Spot) -> bool:
        """Whether a place can be entered."""
        return self.tile(spot) not in (None, Tile.WALL, Tile.TRAP)

    def neighbours(self, spot: Spot) -> Iterator[tuple[MazeStep, Spot]]:
        """The places that one step leads to, with the step, in the order U, D, L, R."""
        for step, (down, right) in OFFSETS.items():
            there = (spot[0] + down, spot[1] + right)
            if self.is_free(there):
                yield step, there

    def count(self, tile: Tile) -> int:
        """How many tiles of a kind there are."""
        return sum(row.count(tile) for row in self.tiles)

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows as text, a sign a tile and nothing between."""
        return tuple("".join(tile.value for tile in row) for row in self.tiles)

    @property
    def text(self) -> str:
        """The grid as models are given it: signs with spaces between them, a line a row."""
        return "\n".join(" ".join(line) for line in self.lines) + "\n"


def parse_lines(lines: Sequence[str]) -> GridMaze:
    """The grid that rows of text describe, with or without spaces between signs; ValueError naming what is wrong."""
    tiles = []
    for number, line in enumerate(lines):
        signs = "".join(line.split())
        strange = next((sign for sign in signs if sign not in _SIGNS), None)
        if strange is not None:
            raise ValueError(f"row {number} has {strange!r}; signs are {' '.join(_SIGNS)}")
        tiles.append(tuple(_SIGNS[sign] for sign in signs))
    return GridMaze(tuple(tiles))


def parse_grid(text: str) -> GridMaze:
    """The grid of a text, a line a row; empty lines are left out, and errors are as of `parse_lines`."""
    return parse_lines([line for line in text.splitlines() if line.strip()])


def parse_steps(letters: str) -> tuple[MazeStep, ...]:
    """The steps of letters such as ``RRDD``; ValueError for another letter."""
    strange = next((letter for letter in letters if letter not in STEPS), None)
    if strange is not None:
        raise ValueError(f"{letters[:60]!r} has {strange!r}; steps are {' '.join(STEPS)}")
    return tuple(STEPS[letter] for letter in letters)


def letters_of(steps: Sequence[MazeStep]) -> str:
    """Steps as letters, such as ``RRDD``."""
    return "".join(step.value for step in steps)
