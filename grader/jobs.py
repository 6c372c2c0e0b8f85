"""What the engine is asked to grade: typed inputs, still encoded, without protobuf.

Encoded pictures carry the path of their field in the contract. Field paths in violations are those of
``grader.v1.GradeRequest``, so that a caller finds the field by its name.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


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
class MazeInput:
    """A maze with its truth. Pictures are encoded bytes; ``None`` means that the field was missing."""

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


@dataclass(frozen=True)
class QueensInput:
    """A Queens board with its truth. ``regions`` has n * n numbers, row by row; ``queens`` are (row, column)."""

    image: bytes | None = field(metadata={"path": "queens.puzzle.image"})
    size_cells: int
    regions: tuple[int, ...]
    queens: tuple[tuple[int, int], ...]
    solution_image: bytes | None = field(metadata={"path": "queens.truth.solution_image"})


TaskInput = MazeInput | QueensInput


@dataclass(frozen=True)
class GradeJob:
    """One candidate and what to judge it by."""

    request_id: str
    task: TaskInput
    candidate: bytes
    profile: str = "default"
    overlay: bool = False
    puzzle_id: str = ""
    model: str = ""
    attempt: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
