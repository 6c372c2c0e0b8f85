"""What is asked and seen of a maze: plain data."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from grader.model.jobs import TaskInput
from grader.model.observations import Observation, SceneEvent
from grader.model.places import Cell


class MazeGeometry(enum.Enum):
    """The shape of a maze's cells."""

    SQUARE = "square"
    HEXAGON = "hexagon"
    TRIANGLE = "triangle"
    CIRCLE = "circle"


class PathColor(enum.Enum):
    """A colour that a path can be asked for."""

    BLUE = "blue"
    GREEN = "green"
    RED = "red"
    ORANGE = "orange"
    MAGENTA = "magenta"
    BLACK = "black"
    WHITE = "white"
    YELLOW = "yellow"
    CYAN = "cyan"
    PURPLE = "purple"


@dataclass(frozen=True)
class MazeBox:
    """Where a maze lies in its picture, in pixels; what lies beside it is margin."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class MazeGridInput:
    """A maze of square cells, as it is declared.

    Attributes
    ----------
    rows : a sign for each cell, row by row: S start, G goal, . floor, # wall, T trap
    walls : pairs of cells between which there is a wall
    """

    rows: tuple[str, ...]
    walls: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class MazeFloorInput:
    """What is declared of a maze without cells, beside the masks.

    Attributes
    ----------
    start, goal : (x, y) in pixels of the picture, or None where their markers have masks
    way : points (x, y) of the way that lengths are held against; none for a shortest one
    """

    start: tuple[float, float] | None = None
    goal: tuple[float, float] | None = None
    way: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class MazeInput(TaskInput):
    """A maze with its truth. Pictures are encoded bytes; ``None`` means that the field was missing.

    Without a cell map the cells are where the geometry puts them, without a box the maze is its picture, and a cell
    size of 0 lets squares take up all of that. A grid says which cells there are and where walls stand; without a width
    of walls its cells lie side by side. A maze without a way is one whose goal can't be reached: its path is start and
    goal alone. A floor with its mask stands for all of that: it has no cells, and any way over it is right.
    """

    image: bytes | None = field(metadata={"path": "maze.puzzle.image"})
    cell_map: bytes | None = field(metadata={"path": "maze.puzzle.cell_map"})
    geometry: MazeGeometry | None
    width_cells: int
    height_cells: int
    rings: int
    cell_size_px: float
    wall_width_px: float
    path_cell_ids: tuple[int, ...]
    solution_image: bytes | None = field(metadata={"path": "maze.truth.solution_image"})
    mask: bytes | None = field(metadata={"path": "maze.truth.mask"})
    path_color: PathColor
    any_solution: bool = False
    box: MazeBox | None = None
    goal_may_change: bool = False
    grid: MazeGridInput | None = None
    without_way: bool = False
    floor: MazeFloorInput | None = None
    floor_mask: bytes | None = field(default=None, metadata={"path": "maze.puzzle.floor.mask"})
    start_mask: bytes | None = field(default=None, metadata={"path": "maze.puzzle.floor.start_mask"})
    goal_mask: bytes | None = field(default=None, metadata={"path": "maze.puzzle.floor.goal_mask"})


@dataclass(frozen=True)
class WallCrossing:
    """A stroke through a wall: the cells on both sides and the point (x, y) in puzzle pixels."""

    from_cell: Cell
    to_cell: Cell
    at: tuple[float, float]


@dataclass(frozen=True)
class PathObservation(Observation):
    """A drawn path as seen. Points are (x, y) in puzzle pixels."""

    polyline: tuple[tuple[float, float], ...]
    visited_cells: tuple[Cell, ...]
    wall_crossings: tuple[WallCrossing, ...]
    color_hex: str
    color_as_asked: bool
    stroke_width_px: float
    pieces: int
    confidence: float


@dataclass(frozen=True)
class MazeRolloutObservation(Observation):
    """A way through a maze in a clip.

    Attributes
    ----------
    kind : GROWING_PATH, MOVING_MARKER or NOTHING
    policy : FINAL_FRAME or BEST_FRAME
    trajectory : (time_s, x, y) of the path's tip or the marker's middle, in puzzle pixels
    visited_cells : in the order in which they are reached
    wall_crossings : passages through walls
    events : jumps, erasures, changes of the maze
    path : the path in the frame that the verdict rests on; None where a marker travels
    """

    kind: str
    policy: str
    trajectory: tuple[tuple[float, float, float], ...]
    visited_cells: tuple[Cell, ...]
    wall_crossings: tuple[WallCrossing, ...]
    events: tuple[SceneEvent, ...]
    path: PathObservation | None
