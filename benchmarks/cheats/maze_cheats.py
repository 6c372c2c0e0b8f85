"""All cheats on mazes."""

from __future__ import annotations

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.files import file_cheats
from benchmarks.cheats.frames import frame_cheats
from benchmarks.cheats.maze_fills import FILLS
from benchmarks.cheats.maze_markers import MARKERS
from benchmarks.cheats.maze_parts import PARTS
from benchmarks.cheats.maze_strokes import STROKES
from benchmarks.cheats.maze_walls import WALLS
from benchmarks.cheats.maze_ways import WAYS
from benchmarks.cheats.mazes import MazeSubject

_NOTHING = ("NOTHING_DRAWN",)
_ALTERED = (
    *("NOT_THE_PUZZLE", "PUZZLE_REPLACED", "WALLS_ERASED", "WALLS_ADDED", "CELLS_COVERED", "CUT_OFF"),
    *("MARKER_ERASED", "MARKER_MOVED", "MARKER_ADDED", "FLOODED", "TEXTURE"),
)
_MISSING = (
    *("DOTS", "FOREIGN_STROKES", "WALL_CROSSED", "SHORTCUT", "OUTSIDE_MAZE", "WRONG_COLOR", "START_NOT_REACHED"),
    "GOAL_NOT_REACHED",
)


def _solved(maze: MazeSubject) -> Candidate:
    return maze.other.solution


def _unsolved(maze: MazeSubject) -> Candidate:
    return maze.other.input


def _right_path_on_it(maze: MazeSubject) -> Candidate:
    return maze.draw(maze.path, maze.other.input, walls_over=False)


_OTHER_MAZE = variants(
    "other_maze",
    "Another maze that is easier, or already solved.",
    _ALTERED,
    {"solved": _solved, "unsolved": _unsolved, "with_this_path": _right_path_on_it},
)

MAZE_CHEATS: tuple[Cheat, ...] = (
    *FILLS,
    *WALLS,
    *MARKERS,
    *PARTS,
    *WAYS,
    *STROKES,
    *_OTHER_MAZE,
    *frame_cheats(_NOTHING, _ALTERED, _MISSING),
    *file_cheats(_NOTHING, _ALTERED),
)
"""Every cheat on a maze, by theme."""
