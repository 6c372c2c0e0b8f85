"""From boxes, rotations and cameras as they are sent to those that are measured; every fault names its field."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from grader.metrics.space.boxes3d import Floats, OrientedBox
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.geometry_errors import GeometryError
from grader.metrics.space.projection import Camera, check_camera, read_camera
from grader.metrics.space.rectangles import PixelRectangle
from grader.metrics.space.rotations import from_axis, from_euler, from_matrix, from_quaternion, from_six
from grader.metrics.space.sightings import Sighting
from grader.model.jobs import BoxInput, DetectionInput, RotationForm
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import IntrinsicsInput

T = TypeVar("T")

_LENGTHS = ("fx_px", "fy_px", "cx_px", "cy_px", "skew_px")
_MOST_PX = 1e6  # not a threshold: what requests may hold
"""No camera has a longer focal length, or its principal point farther off."""

FLAT_M = 1e-6  # not a threshold: nothing, which a box can't be
"""What a detector says to have no extent has this, so that it overlaps hardly anything."""

_PARTS = {"center": "center_m", "size": "size_m"}
"""Parts of a box whose names in the contract carry their unit."""


def read_box(box: BoxInput | None, path: str, inputs: Inputs, *, flat: bool = False) -> OrientedBox | None:
    """A box, or None where it is missing or faulty, which is noted; it may be flat where that is said."""
    if box is None:
        inputs.fault(path, "MISSING", "give the box: center_m, size_m and rotation")
        return None
    missing = [
        name
        for name, part in (("center_m", box.center_m), ("size_m", box.size_m), ("rotation", box.form))
        if part is None
    ]
    for name in missing:
        inputs.fault(f"{path}.{name}", "MISSING", "a box has center_m, size_m and rotation; give all three")
    if box.center_m is None or box.size_m is None or box.form is None:
        return None
    center, size, form = box.center_m, box.size_m, box.form
    if flat:
        size = tuple(FLAT_M if 0.0 <= extent < FLAT_M else extent for extent in size)  # type: ignore[assignment]
    rotation = noted(lambda: _matrix(form, box.rotation), f"{path}.rotation", inputs)
    if rotation is None:
        return None
    return noted(lambda: OrientedBox(center, size, rotation.tolist()), path, inputs)


def read_detections(
    found: Sequence[DetectionInput], path: str, inputs: Inputs, solid: str = ""
) -> tuple[Detection, ...]:
    """Detections with a box in space; what is faulty is noted and left out. Those of a label have to have a volume."""
    return _detections(enumerate(found), path, inputs, (1.0, 1.0), solid)


def read_scene(
    found: Sequence[DetectionInput], path: str, inputs: Inputs, scale: tuple[float, float], solid: str = ""
) -> tuple[tuple[Detection, ...], tuple[Sighting, ...]]:
    """Detections with a box in space, and those with one in the picture alone; what is faulty is noted and left out.

    Parameters
    ----------
    found : sequence of DetectionInput
    path : str
        Where they stand in the request.
    inputs : Inputs
    scale : tuple of float
        From pixels of the picture that they were found in to those of the picture before, across and down.
    solid : str
        Of this label they have to have a volume; others may be flat.
    """
    flat = {place for place, one in enumerate(found) if one.box is None and one.box_2d is not None}
    in_space = _detections(((at, one) for at, one in enumerate(found) if at not in flat), path, inputs, scale, solid)
    seen: list[Sighting] = []
    for place in sorted(flat):
        rectangle = _rectangle(found[place].box_2d, f"{path}[{place}].box_2d", inputs, scale)
        if rectangle is None:
            continue
        label = found[place].label
        sighting = noted(lambda: Sighting(label, rectangle), f"{path}[{place}]", inputs)  # noqa: B023
        if sighting is not None:
            seen.append(sighting)
    return in_space, tuple(seen)


def _detections(
    found: Iterable[tuple[int, DetectionInput]], path: str, inputs: Inputs, scale: tuple[float, float], solid: str
) -> tuple[Detection, ...]:
    read: list[Detection] = []
    for place, one in found:
        flat = _rectangle(one.box_2d, f"{path}[{place}].box_2d", inputs, scale)
        may_be_flat = not solid or normal_label(one.label) != normal_label(solid)
        box = read_box(one.box, f"{path}[{place}].box", inputs, flat=may_be_flat)
        if box is None:
            continue
        detection = noted(lambda: Detection(one.label, box, flat), f"{path}[{place}]", inputs)  # noqa: B023
        if detection is not None:
            read.append(detection)
    return tuple(read)


def _rectangle(
    given: tuple[float, float, float, float] | None, path: str, inputs: Inputs, scale: tuple[float, float]
) -> PixelRectangle | None:
    """A box in the picture, at the size of the picture before; None where there is none or, which is noted, no box."""
    if given is None:
        return None
    left, top, width, height = given
    if not all(map(math.isfinite, given)) or width <= 0.0 or height <= 0.0:
        inputs.fault(path, "OUT_OF_RANGE", "give finite left_px, top_px, and width_px and height_px above 0")
        return None
    across, down = scale
    return PixelRectangle(across * left, down * top, across * (left + width), down * (top + height))


def read_intrinsics(
    given: IntrinsicsInput | None, path: str, size: tuple[int, int] | None, inputs: Inputs
) -> Camera | None:
    """A camera, checked against the size (width, height) of its picture where there is one; None without one."""
    if given is None:
        if size is not None:
            inputs.fault(path, "MISSING", "give the camera, in pixels of the picture, so that boxes can be projected")
        return None
    if size is not None and not _plausible(given, max(size)):
        text = "its focal lengths are 0.1 to 100 times the picture's longer side, and its skew is less than them"
        inputs.fault(path, "OUT_OF_RANGE", text)
        return None
    beyond = [name for name in _LENGTHS if math.isfinite(value := getattr(given, name)) and abs(value) > _MOST_PX]
    for name in beyond:
        inputs.fault(f"{path}.{name}", "OUT_OF_RANGE", f"it is beyond {_MOST_PX:,.0f} px")
    if beyond:
        return None
    rows = [[given.fx_px, given.skew_px, given.cx_px], [0.0, given.fy_px, given.cy_px], [0.0, 0.0, 1.0]]

    def checked() -> Camera:
        camera = read_camera(rows)
        if size is not None:
            check_camera(camera, *size)
        return camera

    return noted(checked, path, inputs, whole=True)


def _plausible(camera: IntrinsicsInput, side_px: int) -> bool:
    """Whether a camera could have made a picture; what is no camera at all is said elsewhere."""
    lengths = (camera.fx_px, camera.fy_px)
    if not all(map(math.isfinite, (*lengths, camera.skew_px))) or min(lengths) <= 0:
        return True
    # not a threshold: what requests may hold
    return all(0.1 * side_px <= one <= 100.0 * side_px for one in lengths) and abs(camera.skew_px) < min(lengths)


def noted(make: Callable[[], T], path: str, inputs: Inputs, *, whole: bool = False) -> T | None:
    """What ``make`` makes, or None where it raises GeometryError, which is noted below ``path``.

    ``whole`` is for what has one field in the contract, however many its parts.
    """
    try:
        return make()
    except GeometryError as error:
        inputs.fault(path if whole else field_path(path, error), error.reason.value, error.description)
        return None


def field_path(path: str, error: GeometryError) -> str:
    """The contract's path of a field that an error names relative to ``path``."""
    parts = [_PARTS.get(part, part) for part in error.field.split(".") if part]
    return ".".join([path, *parts]) if parts and path.rsplit(".", 1)[-1] != parts[-1] else path


def _matrix(form: RotationForm, numbers: tuple[float, ...]) -> Floats:
    match form:
        case RotationForm.MATRIX:
            # A wrong count of numbers is said by the shape that they do not make.
            # not a threshold: nine numbers, a matrix
            rows = [numbers[start : start + 3] for start in (0, 3, 6)] if len(numbers) == 9 else numbers
            return from_matrix(rows, "matrix")
        case RotationForm.YAW:
            return from_axis("y", numbers[0], "yaw_rad")
        case RotationForm.QUATERNION:
            return from_quaternion(numbers, scalar_first=True, field="quaternion")
        case RotationForm.TWO_ROWS:
            return from_six(numbers, "two_rows")
        case RotationForm.EULER:
            return from_euler(numbers, "yxz", "euler")
