"""The puzzles of the suite, by name: lots kept as public records, sliding puzzles made anew, and their pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.importers.mentisoculi.records import RushHourRecord, read_rush_hour
from puzzles.common.raster import Picture
from puzzles.sliding.pictures import make_lookalikes, make_picture
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, generate_sliding, solve

PUZZLE_FOLDER = Path(__file__).parent / "puzzles"
"""Records of lots made by `puzzles.rush_hour.generator.generate_lot`: ``lot-LEVEL-SEED.json``."""

LEVELS = (1, 2, 3, 4, 5)
LOTS_A_LEVEL = 6
_SOURCE_PX = 600


@dataclass(frozen=True)
class TilePuzzle:
    """A sliding puzzle of the suite: its name, the puzzle, a shortest solution, and whether its tiles look alike."""

    name: str
    puzzle: SlidingPuzzle
    solution: tuple[BlankMove, ...]
    alike: bool

    def picture(self) -> Picture:
        """Return what its tiles show in the target, (600, 600, 3) uint8 RGB."""
        if self.alike:
            return make_lookalikes(_SOURCE_PX, self.puzzle.size, self.puzzle.seed)
        return make_picture(_SOURCE_PX, self.puzzle.seed)


def lot_names() -> tuple[str, ...]:
    """The names of all lots, by level, then by seed."""
    return tuple(f"lot-{level}-{seed}" for level in LEVELS for seed in range(LOTS_A_LEVEL))


@cache
def lot_record(name: str) -> RushHourRecord:
    """Return a lot with its solution."""
    return read_rush_hour(PUZZLE_FOLDER / f"{name}.json")


def tile_names() -> tuple[str, ...]:
    """The names of all sliding puzzles: ``tiles-SIZE-MOVES-SEED``, with ``-alike`` where all tiles look alike."""
    small = [f"tiles-2-{moves}-{moves}" for moves in (1, 2, 3, 4, 5, 6)]
    middle = [f"tiles-3-{moves}-{10 + moves}" for moves in (1, 2, 3, 4, 5, 6, 8, 10)]
    return (*small, *middle, "tiles-4-5-31", "tiles-2-4-41-alike", "tiles-3-5-42-alike")


@cache
def tile_puzzle(name: str) -> TilePuzzle:
    """Return a sliding puzzle; ValueError if the name is none of the suite's."""
    if name not in tile_names():
        raise ValueError(f"there is no sliding puzzle {name!r}; there are {', '.join(tile_names())}")
    size, moves, seed = (int(part) for part in name.split("-")[1:4])
    # The public puzzles have the target's blank at the end; every third one here has it elsewhere.
    tiles = tuple(range(1, size * size))
    target = None if seed % 3 == 2 else (*tiles, -1)
    puzzle = generate_sliding(size, moves, seed, target)
    return TilePuzzle(name, puzzle, solve(puzzle.start, puzzle.target), name.endswith("alike"))
