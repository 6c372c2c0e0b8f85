"""The mazes that cheats are drawn on, and where one can go wrong in them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.cheats.subjects import Subject
from grader.face.mazes import maze_from_mask
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from puzzles.amaze.files import encode_ids, png_bytes
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Picture
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import CellMapKind, Layout, rasterise_cell_map
from puzzles.maze.maze import Maze, Passage, generate_maze, solve
from puzzles.maze.render import MazePictures, MazeStyle, draw_polyline, render_maze

# Half the published sizes: small enough to be quick, with walls a tenth of a cell as published.
MAZE_STYLE = MazeStyle(cell_size_px=51.2, wall_width_px=5.12, path_width_px=5.12)
_SEEDS = 60


@dataclass(frozen=True, eq=False)
class MazeSubject(Subject):
    """A generated maze with its only path; without cells it is told by the mask of its floor."""

    maze: Maze
    scale: int
    pictures: MazePictures
    path: tuple[int, ...]
    without_cells: bool = False

    @property
    def input(self) -> Picture:
        """The maze with its markers."""
        return self.pictures.input

    @property
    def solution(self) -> Picture:
        """The maze with the right path."""
        return self.pictures.solution

    @cached_property
    def task(self) -> MazeInput:
        """The maze and its path."""
        if self.without_cells:
            start, goal = (self.centre(cell) for cell in (self.path[0], self.path[-1]))
            return maze_from_mask(
                self.input,
                (self.input.max(axis=2) > 128) & (self.labels > 0),
                start=(float(start[0]), float(start[1])),
                goal=(float(goal[0]), float(goal[1])),
            )
        return MazeInput(
            image=png_bytes(self.pictures.input),
            cell_map=png_bytes(encode_ids(self.pictures.cell_map)),
            geometry=MazeGeometry(self.maze.geometry.value),
            width_cells=self.maze.width,
            height_cells=self.maze.height,
            rings=self.maze.rings,
            cell_size_px=MAZE_STYLE.cell_size_px,
            wall_width_px=MAZE_STYLE.wall_width_px,
            path_cell_ids=self.path,
            solution_image=None,
            mask=None,
            path_color=PathColor.BLUE,
        )

    @property
    def cell(self) -> float:
        """Length of a cell in pixels."""
        return MAZE_STYLE.cell_size_px

    @property
    def room(self) -> float:
        """Diameter in pixels of the largest disc that fits into the narrowest kind of cell."""
        share = {Geometry.TRIANGLE: math.tan(math.pi / 6), Geometry.HEXAGON: math.sqrt(3)}
        return self.cell * share.get(self.maze.geometry, 1.0)

    @property
    def wall(self) -> float:
        """Width of a wall in pixels."""
        return MAZE_STYLE.wall_width_px

    @property
    def layout(self) -> Layout:
        """Where the maze lies in its picture."""
        return MAZE_STYLE.layout(self.maze)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """(H, W), the id of the cell drawn at each pixel, 0 outside."""
        return rasterise_cell_map(self.layout, CellMapKind.DRAWN)

    @cached_property
    def walls(self) -> NDArray[np.bool_]:
        """(H, W), pixels of walls within cells."""
        return np.asarray((self.input.max(axis=2) < 128) & (self.labels > 0))

    @cached_property
    def floor(self) -> NDArray[np.bool_]:
        """(H, W), white pixels within cells."""
        return np.asarray((self.input.min(axis=2) > 200) & (self.labels > 0))

    @cached_property
    def markers(self) -> NDArray[np.bool_]:
        """(H, W), pixels of disc and cross."""
        return np.asarray((self.input[..., 0] > 150) & (self.input[..., 1] < 140))

    @cached_property
    def rest(self) -> tuple[int, ...]:
        """Cells off the path, ascending."""
        return tuple(sorted(set(self.maze.grid.cell_ids) - set(self.path)))

    def centre(self, cell: int) -> FloatArray:
        """Return the centre of a cell in pixels, (2,)."""
        return np.array(self.layout.centre(cell), np.float64)

    def route(self, cells: Sequence[int]) -> FloatArray:
        """Return the line through cells in pixels, (k, 2)."""
        return self.layout.to_pixels(self.maze.grid.route(cells))

    def border(self, pair: Passage) -> FloatArray:
        """Return the line between two neighbours in pixels, (k, 2)."""
        return self.layout.to_pixels(self.maze.grid.border(*pair).points())

    def draw(
        self,
        line: Sequence[int] | FloatArray,
        on: Picture | None = None,
        *,
        color: tuple[int, int, int] | None = None,
        width: float | None = None,
        opacity: float = 1.0,
        markers_over: bool = True,
        walls_over: bool | None = None,
    ) -> Picture:
        """Draw a line through cells, or through points (k, 2) in pixels, as a solution is drawn."""
        points = line if isinstance(line, np.ndarray) else self.route(line)
        return draw_polyline(
            self.input if on is None else on,
            self.maze,
            points,
            color=color,
            width_px=width,
            opacity=opacity,
            markers_over=markers_over,
            walls_over=walls_over,
            style=MAZE_STYLE,
        )

    @cached_property
    def _before(self) -> dict[int, int]:
        """Each cell's predecessor on the way from the start, which is the only way in a perfect maze."""
        before = {self.maze.start: 0}
        waiting = deque(before)
        while waiting:
            cell = waiting.popleft()
            for other in self.maze.grid.neighbours(cell):
                if other not in before and self.maze.linked(cell, other):
                    before[other] = cell
                    waiting.append(other)
        return before

    def way_to(self, goal: int) -> tuple[int, ...]:
        """Return the cells from the start to another goal."""
        way = [goal]
        while way[-1] != self.maze.start:
            way.append(self._before[way[-1]])
        return tuple(reversed(way))

    def opened(self, passages: Sequence[Passage]) -> Picture:
        """Return the maze's picture without the walls between some pairs of cells."""
        pairs = {(min(pair), max(pair)) for pair in passages}
        return render_maze(replace(self.maze, passages=self.maze.passages | pairs), MAZE_STYLE).input

    def moved(self, *, start: int | None = None, goal: int | None = None) -> Picture:
        """Return the maze's picture with its markers in other cells."""
        ends = replace(self.maze, start=start or self.maze.start, goal=goal or self.maze.goal)
        return render_maze(ends, MAZE_STYLE).input

    @cached_property
    def astray(self) -> tuple[int, ...] | None:
        """The longest way from the start into a dead end; None where every way leads through the goal."""
        ways = [self.way_to(cell) for cell in self.rest]
        return max((way for way in ways if self.maze.goal not in way), key=len, default=None)

    @cached_property
    def straight(self) -> FloatArray | None:
        """The line from start to goal, (2, 2) in pixels; None where it crosses no wall, and so is right."""
        ends = np.stack([self.centre(self.maze.start), self.centre(self.maze.goal)])
        points = ends[0] + np.linspace(0.0, 1.0, 20 * len(self.path))[:, None] * (ends[1] - ends[0])
        cells = [self.layout.cell_at((float(x), float(y))) for x, y in points]
        open_all_along = all(one == other or self.maze.linked(one, other) for one, other in pairwise(cells))
        return None if open_all_along else ends

    @cached_property
    def shortcut(self) -> tuple[int, ...] | None:
        """The path with a step through a wall, by which most cells are left out; None where none adjoin."""
        best: tuple[int, ...] | None = None
        for first, cell in enumerate(self.path):
            for second in range(first + 2, len(self.path)):
                shorter = (*self.path[: first + 1], *self.path[second:])
                if self.path[second] in self.maze.grid.neighbours(cell) and (best is None or len(shorter) < len(best)):
                    best = shorter
        return best

    @property
    def floor_alone(self) -> MazeSubject:
        """The same maze, told by the mask of its floor."""
        return replace(self, without_cells=True)

    @cached_property
    def other(self) -> MazeSubject:
        """Another maze of the same size, with another path."""
        seed = self.maze.seed + 1
        while True:
            found = _maze(self.maze.geometry, self.scale, seed)
            if set(found.path) != set(self.path):
                return found
            seed += 1


def _maze(geometry: Geometry, scale: int, seed: int) -> MazeSubject:
    maze = generate_maze(geometry, scale, seed=seed)
    return MazeSubject(maze, scale, render_maze(maze, MAZE_STYLE), solve(maze))


@cache
def maze_subject(geometry: Geometry, scale: int) -> MazeSubject:
    """Return the first maze, by seed, with all ways to go wrong, or with most of them."""
    best: tuple[int, MazeSubject] | None = None
    for seed in range(_SEEDS):
        maze = generate_maze(geometry, scale, seed=seed)
        bare = MazeSubject(maze, scale, _NO_PICTURES, solve(maze))
        merits = (
            bare.astray is not None,
            bare.shortcut is not None,
            bare.straight is not None,
            len(bare.path) > 4,
            len(bare.rest) > 2,
        )
        if best is None or sum(merits) > best[0]:
            best = (sum(merits), bare)
        if all(merits):
            break
    if best is None:
        raise RuntimeError("no seed was tried")
    return _maze(geometry, scale, best[1].maze.seed)


_NOTHING = np.zeros((1, 1, 3), np.uint8)
_NO_PICTURES = MazePictures(_NOTHING, _NOTHING, _NOTHING, np.zeros((1, 1), np.bool_), np.zeros((1, 1), np.int32))
