"""From GSI-Bench's boxes, cameras and detections in JSON to the contract's messages.

A box is ``[x, y, z, w, h, l, yaw]``: centre and full extents in metres, the camera's frame. Its rotation is a matrix
where the record has one, or the first two rows of one (``pose_6d``), and otherwise the yaw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from grader.importers.common.errors import ImportFormatError
from grader.importers.gsi.edits import GsiEdit
from grader.metrics.space.edit_types import normal_label
from grader.metrics.space.geometry_errors import GeometryError
from grader.metrics.space.projection import Camera, check_camera, read_camera
from grader.model.json_fields import JsonObject
from grader.tasks.spatial_edit.model import EditOperation
from grader.v1 import spatial_edit_pb2

T = TypeVar("T")

_OPERATIONS = {
    EditOperation.MOVE: spatial_edit_pb2.EDIT_OPERATION_MOVE,
    EditOperation.ROTATE: spatial_edit_pb2.EDIT_OPERATION_ROTATE,
    EditOperation.RESIZE: spatial_edit_pb2.EDIT_OPERATION_RESIZE,
    EditOperation.REMOVE: spatial_edit_pb2.EDIT_OPERATION_REMOVE,
    EditOperation.VIEW: spatial_edit_pb2.EDIT_OPERATION_VIEW,
}
_YAW = 6
_FRAME_PX = 896
"""The longer side of the frame whose pixels a cache's boxes in the picture are in."""
_SAME_YAW_RAD = 1e-6
"""Yaws that differ by less are one, but for rounding."""


def edit_message(edit: GsiEdit) -> spatial_edit_pb2.SpatialEditTask:
    """An edit with what should result, without pictures and detections.

    Raises
    ------
    ImportFormatError
        Naming the file and the field that is missing or of another form.
    """
    return record_message(edit.record, edit.operation)


def record_message(record: JsonObject, operation: EditOperation) -> spatial_edit_pb2.SpatialEditTask:
    """A record with an edit's keys, as `edit_message` has it."""
    return _of_file(lambda: _edit(record, operation))


def detection_messages(result: JsonObject, longest_px: int | None) -> list[spatial_edit_pb2.DetectedBox]:
    """What a detector found in one picture, as its cache has it (``{"detections": [...]}``).

    Parameters
    ----------
    result : JsonObject
    longest_px : int or None
        The longer side of the picture; None where it is not known. Boxes in the picture are in pixels of a frame whose
        longer side is 896 in the cache, and are left out where they can't be brought to those of the picture.

    Raises
    ------
    ImportFormatError
        Naming the file and the field that is missing or of another form.
    """
    return _of_file(lambda: [_detection(one, longest_px) for one in result.children("detections")])


def shows_target(edit: GsiEdit, result: JsonObject) -> bool:
    """Whether a detector found the edited object, by its label, in one picture.

    Raises
    ------
    ImportFormatError
        Naming the file and the field that is missing or of another form.
    """
    return _of_file(
        lambda: (
            normal_label(edit.record.text("target"))
            in {normal_label(one.text("label")) for one in result.children("detections")}
        )
    )


def misfit(edit: GsiEdit, size: tuple[int, int]) -> str:
    """Why an edit's camera is not one of a picture of this size, width and height in pixels; empty where it is.

    Raises
    ------
    ImportFormatError
        If the camera is missing, or is none.
    """
    camera = _of_file(lambda: _camera(edit.record))
    try:
        check_camera(camera, *size)
    except GeometryError as error:
        return error.description
    return ""


def _of_file(make: Callable[[], T]) -> T:
    try:
        return make()
    except ValueError as error:
        raise ImportFormatError(str(error)) from error


def _edit(record: JsonObject, operation: EditOperation) -> spatial_edit_pb2.SpatialEditTask:
    task = spatial_edit_pb2.SpatialEditTask()
    task.puzzle.operation = _OPERATIONS[operation]
    if record.has("prompt"):
        task.puzzle.prompt = record.text("prompt")
    if operation is EditOperation.VIEW:
        return task
    task.puzzle.target = record.text("target")
    source = _numbers(record, "original_bbox_3d", 7)
    matrix = _matrix(record, "rotation_matrix")
    task.puzzle.source_box.CopyFrom(_box(source, matrix))
    if record.has("camera_intrinsics"):
        camera = _camera(record)
        task.puzzle.intrinsics.CopyFrom(
            spatial_edit_pb2.CameraIntrinsics(
                fx_px=camera.fx, fy_px=camera.fy, cx_px=camera.cx, cy_px=camera.cy, skew_px=camera.skew
            )
        )
    if operation is not EditOperation.REMOVE:
        task.truth.destination_box.CopyFrom(_destination(record, operation, source, matrix))
    return task


def _destination(
    record: JsonObject, operation: EditOperation, source: list[float], matrix: list[float] | None
) -> spatial_edit_pb2.OrientedBox:
    turned = _matrix(record, "new_rotation_matrix")
    # A turn may state the new rotation alone: then the object stays where it is.
    stays = operation is EditOperation.ROTATE and turned is not None and not _has(record, "new_bbox_3d")
    goal = source if stays else _numbers(record, "new_bbox_3d", 7)
    if turned is None and abs(goal[_YAW] - source[_YAW]) < _SAME_YAW_RAD:
        turned = matrix
    return _box(goal, turned)


def _camera(record: JsonObject) -> Camera:
    rows = record.items("camera_intrinsics")
    try:
        return read_camera([_finite(record, f"camera_intrinsics[{place}]", row) for place, row in enumerate(rows)])
    except GeometryError as error:
        raise record.fault("camera_intrinsics", f"is no camera: {error.description}") from error


def _detection(found: JsonObject, longest_px: int | None) -> spatial_edit_pb2.DetectedBox:
    label = found.text("label")
    matrix = _matrix(found, "rotation_matrix")
    six = None if matrix is not None or not _has(found, "pose_6d") else _flat(found, "pose_6d", 6)
    turned = matrix is not None or six is not None
    numbers = _numbers(found, "bbox_3d", 6 if turned else 7)
    box = _box(numbers, matrix)
    if six is not None:
        box.rotation.two_rows.entries.extend(six)
    message = spatial_edit_pb2.DetectedBox(label=label, box=box)
    if longest_px is not None and _has(found, "bbox_2d"):
        left, top, right, bottom = (number * longest_px / _FRAME_PX for number in _flat(found, "bbox_2d", 4))
        if left < right and top < bottom:
            message.box_2d.left_px, message.box_2d.top_px = left, top
            message.box_2d.width_px, message.box_2d.height_px = right - left, bottom - top
    return message


def _box(numbers: list[float], matrix: list[float] | None) -> spatial_edit_pb2.OrientedBox:
    box = spatial_edit_pb2.OrientedBox()
    box.center_m.x, box.center_m.y, box.center_m.z = numbers[:3]
    box.size_m.x, box.size_m.y, box.size_m.z = numbers[3:6]
    if matrix is not None:
        box.rotation.matrix.entries.extend(matrix)
    elif len(numbers) > _YAW:
        box.rotation.yaw_rad = numbers[_YAW]
    return box


def _has(record: JsonObject, field: str) -> bool:
    """Whether a field is there and not null."""
    return record.content.get(field) is not None


def _numbers(record: JsonObject, field: str, least: int) -> list[float]:
    """A box's numbers: seven, or six of a box whose rotation is said elsewhere."""
    numbers = _finite(record, field, record.items(field))
    if not least <= len(numbers) <= 7:
        raise record.fault(field, f"must be [x, y, z, w, h, l, yaw], not {len(numbers)} numbers")
    return numbers


def _matrix(record: JsonObject, field: str) -> list[float] | None:
    """Nine numbers row by row, or None where there is no such field."""
    return _flat(record, field, 9) if _has(record, field) else None


def _flat(record: JsonObject, field: str, count: int) -> list[float]:
    """Numbers of a list, or of a list of lists."""
    values = record.items(field)
    flat = [part for value in values for part in (value if isinstance(value, list) else [value])]
    numbers = _finite(record, field, flat)
    if len(numbers) != count:
        raise record.fault(field, f"must be {count} numbers, not {len(numbers)}")
    return numbers


def _finite(record: JsonObject, field: str, values: object) -> list[float]:
    if not isinstance(values, list):
        raise record.fault(field, "must be a list of numbers")
    entries = JsonObject({f"{field}[{place}]": value for place, value in enumerate(values)}, record.file, record.path)
    return [entries.number(name) for name in entries.content]
