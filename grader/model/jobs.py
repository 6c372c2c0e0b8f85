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


class EditOperation(enum.Enum):
    """What an edit does; placements are moves."""

    MOVE = "move"
    ROTATE = "rotate"
    RESIZE = "resize"
    REMOVE = "remove"
    VIEW = "view"


class RotationForm(enum.Enum):
    """How a rotation is written, and how many numbers that takes; see ``grader.v1.Rotation``."""

    MATRIX = "matrix"
    YAW = "yaw_rad"
    QUATERNION = "quaternion"
    TWO_ROWS = "two_rows"
    EULER = "euler"


@dataclass(frozen=True)
class BoxInput:
    """A box in space as it was sent, unchecked. ``None`` means that a part was missing.

    Attributes
    ----------
    center_m, size_m : x, y, z, and w, h, l
    form : how the rotation is written
    rotation : 9 entries row by row, one angle, (w, x, y, z), 6 entries, or the angles about y, x and z
    """

    center_m: tuple[float, float, float] | None
    size_m: tuple[float, float, float] | None
    form: RotationForm | None
    rotation: tuple[float, ...]


@dataclass(frozen=True)
class DetectionInput:
    """Something that a detector found, as it was sent; ``box_2d`` is left, top, width and height in pixels."""

    label: str
    box: BoxInput | None
    box_2d: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class IntrinsicsInput:
    """A pinhole camera in pixels of the picture."""

    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    skew_px: float


@dataclass(frozen=True)
class ColoredBoxInput:
    """A kind of coloured box, as it was sent: its label, its paint, and w, h, l in metres or None."""

    label: str
    color_hex: str
    size_m: tuple[float, float, float] | None


@dataclass(frozen=True)
class ColoredBoxesInput:
    """Kinds of coloured boxes, and the table (normal, offset in metres) that they stand on, or None."""

    kinds: tuple[ColoredBoxInput, ...]
    table: tuple[tuple[float, float, float], float] | None


@dataclass(frozen=True)
class SpatialEditInput:
    """An edit of a scene with what should result. ``operation`` is None where only the prompt says it."""

    image: bytes | None = field(metadata={"path": "spatial_edit.puzzle.image"})
    prompt: str
    operation: EditOperation | None
    target: str
    source_box: BoxInput | None
    intrinsics: IntrinsicsInput | None
    detections: tuple[DetectionInput, ...]
    colored_boxes: ColoredBoxesInput | None
    destination_box: BoxInput | None
    result_image: bytes | None = field(metadata={"path": "spatial_edit.truth.image"})


@dataclass(frozen=True)
class CompareInput:
    """A picture to compare candidates with, and perhaps a mask of what is inside."""

    reference: bytes | None = field(metadata={"path": "compare.reference"})
    mask: bytes | None = field(metadata={"path": "compare.mask"})


TaskInput = MazeInput | QueensInput | RushHourInput | SlidingInput | SpatialEditInput | CompareInput


class CandidateKind(enum.Enum):
    """What a model made, by the name of its field in the request."""

    IMAGE = "image"
    VIDEO = "video"
    FRAMES = "frames"
    TEXT = "text"
    SCENE = "scene"


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


@dataclass(frozen=True)
class SceneCandidate:
    """An encoded edited picture, or None, what was found in it, and a rating of its looks from 0 to 10, or None."""

    image: bytes | None
    detections: tuple[DetectionInput, ...]
    appearance_rating: float | None


Candidate = ImageCandidate | VideoCandidate | FramesCandidate | TextCandidate | SceneCandidate


class VideoPolicy(enum.Enum):
    """Which frame of a clip decides."""

    FINAL_FRAME = "FINAL_FRAME"
    BEST_FRAME = "BEST_FRAME"


class Similarity(enum.Enum):
    """A measure of how alike two pictures are; the value is the beginning of its metrics' names."""

    SSIM = "ssim"
    LPIPS_ALEX = "lpips_alex"
    LPIPS_VGG = "lpips_vgg"
    LPIPS_SQUEEZE = "lpips_squeeze"


@dataclass(frozen=True)
class GradeJob:
    """One candidate and what to judge it by.

    ``end_at`` is when the verdict is needed, on ``time.monotonic()``; None for any time. Services that are asked are
    given up before it. No verdict depends on it.
    """

    request_id: str
    task: TaskInput
    candidate: Candidate
    profile: str = "default"
    overlay: bool = False
    annotated_video: bool = False
    video_policy: VideoPolicy = VideoPolicy.FINAL_FRAME
    similarity: tuple[Similarity, ...] = ()
    puzzle_id: str = ""
    model: str = ""
    attempt: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
    end_at: float | None = None
