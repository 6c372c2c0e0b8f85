"""What is asked and seen of a spatial edit: plain data."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from grader.model.jobs import BoxInput, DetectionInput, TaskInput
from grader.model.observations import Observation


class EditOperation(enum.Enum):
    """What an edit does; placements are moves."""

    MOVE = "move"
    ROTATE = "rotate"
    RESIZE = "resize"
    REMOVE = "remove"
    VIEW = "view"


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
class SpatialEditInput(TaskInput):
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
class SceneObject:
    """An object of an edited scene.

    Attributes
    ----------
    label : as it was sent
    outline : corners (x, y) in picture pixels, clockwise; empty where there is no camera, or nothing in front of it
    target : whether it was taken for the object that is edited
    """

    label: str
    outline: tuple[tuple[float, float], ...]
    target: bool


@dataclass(frozen=True)
class EditObservation(Observation):
    """Objects of an edited scene, in the request's order."""

    objects: tuple[SceneObject, ...]
