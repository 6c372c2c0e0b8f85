"""Cheats at grid mazes that are answered by drawing on their pixel art."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

import grader
from benchmarks.cheats.bank import FLAWED, Build, Cheat
from benchmarks.cheats.subjects import Subject
from grader.model.jobs import TaskInput
from puzzles.common.raster import Picture
from puzzles.grid_maze.generator import MazeParameters, generate_grid_maze
from puzzles.grid_maze.maze import GridMaze, Spot, Tile
from puzzles.grid_maze.paths import shortest_paths, walk
from puzzles.grid_maze.render import layout_of, render_grid_maze

_SIDE_PX = 448
_PALETTE = "dungeon"
_RED = (230, 30, 30)
_BLUE = (40, 80, 235)
_WIDTH = 12


@dataclass(frozen=True, eq=False)
class GridSubject(Subject):
    """A maze of seven by seven tiles with traps, whose goal is some steps away."""

    seed: int

    @cached_property
    def maze(self) -> GridMaze:
        """Its tiles."""
        return generate_grid_maze(MazeParameters(7, 7, 0.3, 4, seed=self.seed, least_length=8))

    @cached_property
    def way(self) -> list[Spot]:
        """The spots of a shortest path."""
        return list(walk(self.maze, shortest_paths(self.maze).listed()[0]).spots)

    @cached_property
    def input(self) -> Picture:
        """The maze as pixel art."""
        return np.asarray(render_grid_maze(self.maze, _PALETTE, _SIDE_PX), np.uint8)

    @property
    def solution(self) -> Picture:
        """With a shortest path."""
        return self.drawn(self.way)

    @cached_property
    def task(self) -> TaskInput:
        """The tiles and the picture."""
        signs = {spot: tile.value for tile in Tile for spot in self.spots(tile)}
        rows = ["".join(signs[row, col] for col in range(7)) for row in range(7)]
        return grader.grid_maze(rows, image=self.input, path_color="red")

    def middle(self, spot: Spot) -> tuple[int, int]:
        """The middle of a tile, x and y."""
        place = layout_of(7, 7, _SIDE_PX)
        x, y = (place.origin_xy[axis] + (spot[1 - axis] + 0.5) * place.tile_px for axis in (0, 1))
        return round(x), round(y)

    def drawn(self, spots: list[Spot], on: Picture | None = None, color: tuple[int, int, int] = _RED) -> Picture:
        """A stroke from spot to spot."""
        picture = (self.input if on is None else on).copy()
        points = np.array([self.middle(spot) for spot in spots], np.int32)
        return np.asarray(cv2.polylines(picture, [points], False, color, _WIDTH, cv2.LINE_AA), np.uint8)

    def spots(self, tile: Tile) -> list[Spot]:
        """All spots with a tile."""
        return [(row, col) for row in range(7) for col in range(7) if self.maze.tile((row, col)) is tile]

    def tile_box(self, spot: Spot) -> tuple[slice, slice]:
        """The pixels of a tile."""
        half = round(layout_of(7, 7, _SIDE_PX).tile_px / 2)
        x, y = self.middle(spot)
        return slice(y - half, y + half), slice(x - half, x + half)


def grid_subject(seed: int) -> GridSubject:
    """A maze by its seed."""
    return GridSubject(seed)


def _straight(subject: GridSubject) -> Picture:
    return subject.drawn([subject.maze.start, subject.maze.goal])


def _detour(subject: GridSubject) -> Picture | None:
    """Out of the way and back by a tile that lies beside it."""
    for place, (row, col) in enumerate(subject.way[1:-1], 1):
        for beside in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            free = beside in subject.spots(Tile.FLOOR) and beside not in subject.way
            if free:
                return subject.drawn([*subject.way[: place + 1], beside, *subject.way[place:]])
    return None


def _through(subject: GridSubject, tile: Tile) -> Picture | None:
    """The way with a branch into a wall or a trap beside it."""
    for place, (row, col) in enumerate(subject.way[:-1]):
        for beside in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if beside in subject.spots(tile):
                return subject.drawn([*subject.way[: place + 1], beside, *subject.way[place:]])
    return None


def _two(subject: GridSubject, color: tuple[int, int, int]) -> Picture:
    """The right way and a straight line."""
    return subject.drawn([subject.maze.start, subject.maze.goal], subject.solution, color)


def _opened(subject: GridSubject, tile: Tile) -> Picture | None:
    """A tile that is in the way painted over with floor, and the right way."""
    spots, floor = subject.spots(tile), subject.spots(Tile.FLOOR)
    if not spots:
        return None
    picture = subject.solution
    picture[subject.tile_box(spots[len(spots) // 2])] = subject.input[subject.tile_box(floor[0])]
    return picture


def _goal_moved(subject: GridSubject) -> Picture:
    picture = subject.input.copy()
    goal, near = subject.tile_box(subject.maze.goal), subject.tile_box(subject.way[2])
    floor = subject.input[subject.tile_box(subject.spots(Tile.FLOOR)[-1])]
    picture[near], picture[goal] = subject.input[goal], floor
    return subject.drawn(subject.way[:3], picture)


def _flood(subject: GridSubject) -> Picture:
    picture = subject.input.copy()
    for spot in subject.spots(Tile.FLOOR):
        picture[subject.tile_box(spot)] = _RED
    return picture


def _dots(subject: GridSubject) -> Picture:
    picture = subject.input.copy()
    for spot in subject.way[::3]:
        cv2.circle(picture, subject.middle(spot), _WIDTH // 2, _RED, -1, cv2.LINE_AA)
    return picture


def _beside(subject: GridSubject) -> Picture:
    """The maze without and with the path."""
    return np.hstack([subject.solution, subject.drawn([subject.maze.start, subject.maze.goal])])


def _cheat(kind: str, hope: str, build: Build, *reasons: str, ceiling: float = 0.0) -> Cheat:
    return Cheat(kind, "one", hope, build, reasons, ceiling)


_INTO = ("ENTERS_WALL", "ENTERS_TRAP", "WALLS_ERASED")
_LOST = ("GOAL_NOT_REACHED", "START_NOT_REACHED", *_INTO)
_MARKED = (*_INTO, "FOREIGN_STROKES", "MARKER_ERASED")

GRID_CHEATS: tuple[Cheat, ...] = (
    _cheat("blank", "What is not drawn can't be wrong.", lambda subject: subject.input, "CLAIMS_UNREACHABLE"),
    _cheat("straight", "The goal is reached on the straight line.", _straight, *_LOST, ceiling=FLAWED),
    _cheat("half", "Half of the way is right.", lambda subject: subject.drawn(subject.way[: len(subject.way) // 2]),
           *_LOST, ceiling=FLAWED),
    _cheat("no_start", "The way to the goal is right at its end.",
           lambda subject: subject.drawn(subject.way[len(subject.way) // 2 :]), *_LOST, ceiling=FLAWED),
    _cheat("detour", "A step aside and back is no detour.", _detour, "SIDE_BRANCH", "NOT_SHORTEST",
           ceiling=FLAWED),
    _cheat("wall", "A branch into a wall is none.", lambda subject: _through(subject, Tile.WALL), *_MARKED,
           ceiling=FLAWED),
    _cheat("trap", "A branch into a trap is none.", lambda subject: _through(subject, Tile.TRAP), *_MARKED,
           ceiling=FLAWED),
    _cheat("second", "One of two ways is right.", lambda subject: _two(subject, _RED), *_MARKED, ceiling=FLAWED),
    _cheat("second_color", "A second way in another colour does not count.", lambda subject: _two(subject, _BLUE),
           *_MARKED, ceiling=FLAWED),
    _cheat("wall_gone", "A wall that is gone is in nobody's way.", lambda subject: _opened(subject, Tile.WALL),
           *_MARKED, ceiling=FLAWED),
    _cheat("trap_gone", "A trap that is gone is in nobody's way.", lambda subject: _opened(subject, Tile.TRAP),
           *_MARKED, ceiling=FLAWED),
    _cheat("goal_moved", "The goal is nearer where it is drawn.", _goal_moved, "GOAL_NOT_REACHED", "MARKER_ERASED"),
    _cheat("flood", "All of the floor has the way in it.", _flood, "GOAL_NOT_REACHED", "CELLS_FILLED"),
    _cheat("dots", "Dots at some tiles are a way to who wants to see one.", _dots, "DOTS", "GOAL_NOT_REACHED"),
    _cheat("beside", "One of two pictures is right.", _beside, "OTHER_DRAWINGS"),
)  # fmt: skip
"""One variant each."""
