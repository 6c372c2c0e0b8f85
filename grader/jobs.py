"""What the engine is asked to grade: typed inputs, still encoded, without protobuf.

Encoded pictures carry the path of their field in the contract. Field paths in violations are those of
``grader.v1.GradeRequest``, so that a caller finds the field by its name.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from puzzles.rush_hour.lot import Side


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


@dataclass(frozen=True)
class RectangleInput:
    """A rectangle in a lot: sides in units of the lot, centre, and angle of the length in radians."""

    length: float
    width: float
    x: float
    y: float
    theta_rad: float


@dataclass(frozen=True)
class VehicleInput:
    """A vehicle of a lot; see ``grader.v1.LotVehicle``."""

    label: str
    body: RectangleInput
    forward_reversed: bool
    fixed: bool
    color_hex: str


@dataclass(frozen=True)
class ExitInput:
    """An opening in a side of a lot; ``side`` is None where the request does not say it."""

    side: Side | None
    start: float
    end: float


@dataclass(frozen=True)
class RushHourInput:
    """A lot. Its rules are its truth."""

    width: float
    height: float
    exits: tuple[ExitInput, ...]
    vehicles: tuple[VehicleInput, ...]
    obstacles: tuple[RectangleInput, ...]


@dataclass(frozen=True)
class SlidingInput:
    """A sliding puzzle with the state to be reached. States are row by row, with -1 for the blank."""

    size_cells: int
    tiles: tuple[int, ...]
    image: bytes | None = field(metadata={"path": "sliding.puzzle.image"})
    target_tiles: tuple[int, ...]


TaskInput = MazeInput | QueensInput | RushHourInput | SlidingInput


class CandidateKind(enum.Enum):
    """What a model made, by the name of its field in the request."""

    IMAGE = "image"
    VIDEO = "video"
    FRAMES = "frames"
    TEXT = "text"


@dataclass(frozen=True)
class ImageCandidate:
    """An encoded picture."""

    data: bytes


@dataclass(frozen=True)
class VideoCandidate:
    """An encoded clip."""

    data: bytes


@dataclass(frozen=True)
class FramesCandidate:
    """Encoded pictures, one after every action, and all that the model wrote."""

    images: tuple[bytes, ...]
    text: str


@dataclass(frozen=True)
class TextCandidate:
    """All that the model wrote."""

    text: str


Candidate = ImageCandidate | VideoCandidate | FramesCandidate | TextCandidate


class VideoPolicy(enum.Enum):
    """Which frame of a clip decides."""

    FINAL_FRAME = "FINAL_FRAME"
    BEST_FRAME = "BEST_FRAME"


@dataclass(frozen=True)
class GradeJob:
    """One candidate and what to judge it by."""

    request_id: str
    task: TaskInput
    candidate: Candidate
    profile: str = "default"
    overlay: bool = False
    annotated_video: bool = False
    video_policy: VideoPolicy = VideoPolicy.FINAL_FRAME
    puzzle_id: str = ""
    model: str = ""
    attempt: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
