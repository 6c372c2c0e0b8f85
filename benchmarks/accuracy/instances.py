"""The puzzles of the benchmark: mazes and boards of every kind and size, in the looks that people use.

An instance is named by what it is, such as ``maze-hexagon-08-dfs-red``: geometry, scale, algorithm, look. The name
gives its seed, so the puzzle can be built from the name alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.larger import Margins, framed
from benchmarks.accuracy.scenes import encoded
from benchmarks.accuracy.seeds import number_of
from grader.tasks.maze.model import MazeBox, MazeGeometry, MazeInput, PathColor
from grader.tasks.queens.model import QueensInput
from puzzles.amaze.files import encode_ids
from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Picture, cover_line, new_coverage
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import CellMapKind, Layout, rasterise_cell_map
from puzzles.maze.maze import Maze, MazeAlgorithm, generate_maze, solve
from puzzles.maze.render import MazePictures, MazeStyle, draw_polyline, render_maze
from puzzles.queens.board import QueensBoard, generate_queens
from puzzles.queens.render import QueensPictures, QueensStyle, render_queens

MAZE_SCALES = (3, 5, 8, 12, 16)
BOARD_SIZES = (4, 5, 6, 7, 8, 9, 10)
BOARD_COPIES = 2
LONG_SIDE_PX = 1024
_SHORTEST_PATH = 6
_WIDE = 0.2
_TRIES = 400
_ALGORITHMS = {"dfs": MazeAlgorithm.DEPTH_FIRST, "bfs": MazeAlgorithm.BREADTH_FIRST}

# Diameter of the largest circle in a cell, in cell units: what a stroke has to fit into.
FREE_WIDTH = {Geometry.SQUARE: 1.0, Geometry.HEXAGON: 3.0**0.5, Geometry.TRIANGLE: 3.0**-0.5, Geometry.CIRCLE: 1.0}


@dataclass(frozen=True)
class MazeLook:
    """How mazes of one look are drawn.

    Attributes
    ----------
    style : colours and marker shapes; its lengths count only where ``native``
    asked : the colour that the request asks for
    native : at the published cell size; otherwise the longer side has about `LONG_SIDE_PX`
    wall, path : widths as shares of the cell size, where not native
    margins : what lies around; None where the maze is the picture
    """

    style: MazeStyle
    asked: PathColor = PathColor.BLUE
    native: bool = False
    wall: float = 0.1
    path: float = 0.1
    margins: Margins | None = None


def maze_looks() -> dict[str, MazeLook]:
    """The looks of mazes by name. Markers never have a hue near the path's."""
    blue_marks = (20, 70, 210)
    return {
        "native": MazeLook(MazeStyle(), native=True),
        "published": MazeLook(MazeStyle()),
        "red": MazeLook(MazeStyle(path=(225, 20, 20), marker=blue_marks), PathColor.RED),
        "green": MazeLook(MazeStyle(path=(0, 160, 60)), PathColor.GREEN),
        "orange": MazeLook(MazeStyle(path=(255, 140, 0), marker=blue_marks), PathColor.ORANGE),
        "magenta": MazeLook(MazeStyle(path=(220, 0, 200), marker=(0, 140, 60)), PathColor.MAGENTA),
        "thin": MazeLook(MazeStyle(), wall=0.04, path=0.06),
        "thick": MazeLook(MazeStyle(), wall=0.16, path=0.2),
        "dark": MazeLook(
            MazeStyle(
                outside=(16, 16, 20), floor=(38, 40, 46), wall=(225, 225, 225), path=(80, 160, 255), halo=(38, 40, 46)
            )
        ),
        "paper": MazeLook(
            MazeStyle(
                outside=(255, 255, 255),
                floor=(246, 241, 228),
                wall=(64, 60, 56),
                path=(30, 90, 200),
                marker=(190, 30, 30),
            )
        ),
    }


def square_looks() -> dict[str, MazeLook]:
    """More looks, of squares alone: walls as wide as corridors, and mazes within larger pictures."""
    black, white, ink = (0, 0, 0), (255, 255, 255), (70, 60, 30)
    # Markers lie within corridors of half a cell.
    wide = MazeStyle(disc_radius=0.16, disc_drop=0.0, cross_arm=0.2, cross_width=0.08, cross_rise=0.0)
    tinted = replace(wide, outside=ink, floor=(250, 240, 214), wall=ink, halo=(250, 240, 214))
    return {
        "wide": MazeLook(wide, wall=0.5, path=0.12),
        "solid": MazeLook(tinted, wall=0.4, path=0.16),
        "bars": MazeLook(wide, wall=0.5, path=0.12, margins=Margins(0.38, 0.0, 0.4, 0.0, black)),
        "axes": MazeLook(MazeStyle(outside=white), margins=Margins(0.5, 0.1, 0.4, 0.14, white, black)),
    }


@dataclass(frozen=True)
class BoardLook:
    """How boards of one look are drawn.

    Attributes
    ----------
    style : colours
    cell_px : cell size; ``None`` for a picture of about `LONG_SIDE_PX`
    radius : of a queen, as a share of the cell
    line : width of grid lines and of a queen's rim, as a share of the cell
    """

    style: QueensStyle
    cell_px: int | None = None
    radius: float = 0.25
    line: float = 1 / 32


def board_looks() -> dict[str, BoardLook]:
    """The looks of boards by name."""
    return {
        "native": BoardLook(QueensStyle(), cell_px=64),
        "published": BoardLook(QueensStyle()),
        "pale": BoardLook(QueensStyle(saturation=0.26, value=0.97)),
        "vivid": BoardLook(QueensStyle(saturation=0.6, value=0.92)),
        "large": BoardLook(QueensStyle(), radius=0.36),
        "small": BoardLook(QueensStyle(), cell_px=40, radius=0.22),
        "rimless": BoardLook(QueensStyle(rim=(15, 15, 15))),
        "ruled": BoardLook(QueensStyle(line=(20, 20, 20)), line=0.06),
    }


@dataclass(frozen=True, eq=False)
class MazeInstance:
    """A maze with its pictures and its request.

    Attributes
    ----------
    name, look : the instance's and the look's name
    maze, path : the maze and the cells of its right path in order
    style, asked : as drawn, and the colour that is asked for
    pictures : as rendered, without margins
    margins : what lies around, or None
    """

    name: str
    look: str
    maze: Maze
    path: tuple[int, ...]
    style: MazeStyle
    asked: PathColor
    pictures: MazePictures
    margins: Margins | None = None

    @property
    def free_px(self) -> float:
        """Diameter of the largest circle in a cell, pixels; between wide walls in a corridor."""
        free = float(FREE_WIDTH[self.maze.geometry] * self.style.cell_size_px)
        return free - self.style.wall_width_px if self.style.wall_width_px > _WIDE * self.style.cell_size_px else free

    def framed(self, picture: Picture) -> Picture:
        """A picture of the maze with what lies around."""
        if self.margins is None:
            return picture
        return framed(picture, self.margins, (self.maze.width, self.maze.height))

    @cached_property
    def layout(self) -> Layout:
        """Where the maze lies in its picture."""
        return self.style.layout(self.maze)

    @cached_property
    def cells(self) -> NDArray[np.int32]:
        """(H, W) ids where the cells are drawn, 0 outside."""
        return rasterise_cell_map(self.layout, CellMapKind.DRAWN)

    @cached_property
    def exterior(self) -> NDArray[np.bool_]:
        """(H, W), what lies outside the maze and its outer walls."""
        away = cv2.distanceTransform((self.cells == 0).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)
        return np.asarray(away > self.style.wall_width_px / 2 + 1.0)

    @cached_property
    def marked(self) -> NDArray[np.bool_]:
        """(H, W), pixels of start and goal."""
        return np.asarray((self.pictures.input != self.pictures.no_markers).any(axis=2))

    @cached_property
    def floor_share(self) -> NDArray[np.float32]:
        """(H, W), how much of each pixel is floor, 0 to 1."""
        wall, floor = (np.array(one, np.float32) for one in (self.style.wall, self.style.floor))
        along = (
            (self.pictures.no_markers.astype(np.float32) - wall) @ (floor - wall) / float(((floor - wall) ** 2).sum())
        )
        share = np.clip(along, 0.0, 1.0) * ~self.marked
        share[self.exterior] = 0.0
        return np.asarray(share, np.float32)

    @cached_property
    def above(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What lies over a stroke, markers and in triangle mazes walls: (H, W, 1) share and (H, W, 3) colour times it.

        Measured by laying black and white over everything with the public renderer: what stays alike lies above.
        """
        width, height = self.layout.picture_size
        if self.maze.geometry is Geometry.TRIANGLE:  # walls lie over strokes, so there is something everywhere
            discs, across = [(width / 2, height / 2)], 4.0 * (width + height)
        else:
            discs = [self.layout.centre(cell) for cell in (self.maze.start, self.maze.goal)]
            across = self.free_px
        laid = [self.pictures.input, self.pictures.input]
        covered = new_coverage(height, width)
        for centre in discs:
            point: FloatArray = np.array([centre], np.float64)
            cover_line(covered, point, across)
            for place, color in enumerate(((0, 0, 0), (255, 255, 255))):
                laid[place] = draw_polyline(
                    laid[place], self.maze, point, color=color, width_px=across, style=self.style
                )
        inside = (covered == 1)[..., None]
        black, white = laid
        share = np.where(inside, 1.0 - cv2.subtract(white, black).max(axis=2, keepdims=True) / np.float32(255), 0)
        return np.asarray(share, np.float32), np.where(inside, black, np.uint8(0)).astype(np.float32)

    @cached_property
    def task(self) -> MazeInput:
        """The request's puzzle and truth."""
        maze, style = self.maze, self.style
        height, width = self.pictures.input.shape[:2]
        left, top = self.margins.around((width, height))[:2] if self.margins else (0, 0)
        return MazeInput(
            image=encoded(self.framed(self.pictures.input)),
            cell_map=encoded(encode_ids(self.pictures.cell_map)),
            geometry=MazeGeometry(maze.geometry.value),
            width_cells=maze.width,
            height_cells=maze.height,
            rings=maze.rings,
            cell_size_px=style.cell_size_px,
            wall_width_px=style.wall_width_px,
            path_cell_ids=self.path,
            solution_image=None,
            mask=None,
            path_color=self.asked,
            box=MazeBox(left, top, width, height) if self.margins else None,
        )


@dataclass(frozen=True, eq=False)
class BoardInstance:
    """A board with its pictures and its request; attributes as of `MazeInstance`."""

    name: str
    look: str
    board: QueensBoard
    style: QueensStyle
    pictures: QueensPictures

    @property
    def free_px(self) -> float:
        """Cell size, pixels."""
        return float(self.style.cell_size_px)

    @cached_property
    def task(self) -> QueensInput:
        """The request's puzzle and truth."""
        return QueensInput(
            image=encoded(self.pictures.input),
            size_cells=self.board.n,
            regions=tuple(region for row in self.board.regions for region in row),
            queens=self.board.queens,
            solution_image=None,
        )


Instance = MazeInstance | BoardInstance


@dataclass(frozen=True)
class InstanceName:
    """What an instance's name says.

    Attributes
    ----------
    task : maze or queens
    kind : a geometry, or board
    scale : cells across, rings, or n
    variant : dfs or bfs; for boards a letter
    look : name of the look
    """

    task: str
    kind: str
    scale: int
    variant: str
    look: str

    def __str__(self) -> str:
        return f"{self.task}-{self.kind}-{self.scale:02d}-{self.variant}-{self.look}"


def parse_instance(name: str) -> InstanceName:
    """Reads an instance's name; ValueError if it is none."""
    parts = name.split("-")
    if len(parts) != 5 or not parts[2].isdigit():
        raise ValueError(f"{name!r} names no instance; they look like maze-hexagon-08-dfs-red")
    found = InstanceName(parts[0], parts[1], int(parts[2]), parts[3], parts[4])
    if found not in _known():
        raise ValueError(f"there is no instance {name!r}")
    return found


@cache
def _known() -> frozenset[InstanceName]:
    return frozenset(instance_names())


def instance_names() -> Iterator[InstanceName]:
    """Every instance of the benchmark, in a fixed order."""
    for geometry in Geometry:
        for scale in MAZE_SCALES:
            for variant in _ALGORITHMS:
                for look in maze_looks():
                    yield InstanceName("maze", geometry.value, scale, variant, look)
    for scale in MAZE_SCALES:
        for variant in _ALGORITHMS:
            for look in square_looks():
                yield InstanceName("maze", Geometry.SQUARE.value, scale, variant, look)
    for n in BOARD_SIZES:
        for copy in range(BOARD_COPIES):
            for look in board_looks():
                yield InstanceName("queens", "board", n, chr(ord("a") + copy), look)


@lru_cache(maxsize=2)
def build(name: str) -> Instance:
    """Makes and renders an instance; the last two are kept."""
    parsed = parse_instance(name)
    return _build_maze(parsed) if parsed.task == "maze" else _build_board(parsed)


def _build_maze(name: InstanceName) -> MazeInstance:
    geometry = Geometry(name.kind)
    maze, path = _maze(geometry, name.scale, _ALGORITHMS[name.variant], number_of(str(name)) % 10**6)
    look = (maze_looks() | square_looks())[name.look]
    style = look.style
    if not look.native:
        style = _sized(look, maze)
    return MazeInstance(str(name), name.look, maze, path, style, look.asked, render_maze(maze, style), look.margins)


def _sized(look: MazeLook, maze: Maze) -> MazeStyle:
    grid = make_grid(maze.geometry, width=maze.width, height=maze.height, rings=maze.rings)
    cell = LONG_SIDE_PX / (max(grid.extent) + 2 * look.wall)
    return replace(look.style, cell_size_px=cell, wall_width_px=look.wall * cell, path_width_px=look.path * cell)


def _maze(geometry: Geometry, scale: int, algorithm: MazeAlgorithm, seed: int) -> tuple[Maze, tuple[int, ...]]:
    """The first maze from a seed on whose path is long enough for every plan, or the one with the longest path."""
    best: tuple[Maze, tuple[int, ...]] | None = None
    for step in range(_TRIES):
        maze = generate_maze(geometry, scale, algorithm, seed + step)
        path = solve(maze)
        if best is None or len(path) > len(best[1]):
            best = maze, path
        if len(best[1]) >= _SHORTEST_PATH:
            break
    if best is None:
        raise RuntimeError("no maze was made")
    return best


def _build_board(name: InstanceName) -> BoardInstance:
    board = generate_queens(name.scale, number_of(str(name)) % 10**6)
    look = board_looks()[name.look]
    cell = look.cell_px or LONG_SIDE_PX // name.scale
    line = max(1, round(look.line * cell))
    style = replace(
        look.style,
        cell_size_px=cell,
        queen_radius_px=round(look.radius * cell),
        rim_width_px=max(1, round(cell / 32)),
        line_width_px=line,
    )
    return BoardInstance(str(name), name.look, board, style, render_queens(board, style))
