"""What the engine is asked to grade: typed inputs, still encoded, without protobuf.

Encoded pictures carry the path of their field in the contract. Field paths in violations are those of
``grader.v1.GradeRequest``, so that a caller finds the field by its name.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

DEFAULT_PROFILE = "default"
"""The profile of a request that names none."""


@dataclass(frozen=True)
class TaskInput:
    """A puzzle with its truth, still encoded; each task has its own."""


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
    profile: str = DEFAULT_PROFILE
    overlay: bool = False
    annotated_video: bool = False
    video_policy: VideoPolicy = VideoPolicy.FINAL_FRAME
    similarity: tuple[Similarity, ...] = ()
    puzzle_id: str = ""
    model: str = ""
    attempt: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
    end_at: float | None = None
