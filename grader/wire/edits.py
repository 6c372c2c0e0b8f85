"""Spatial edits of the contract as jobs: plain data, unchecked but for what the messages leave open."""

from __future__ import annotations

from grader.model.jobs import (
    BoxInput,
    ColoredBoxesInput,
    ColoredBoxInput,
    DetectionInput,
    EditOperation,
    IntrinsicsInput,
    RotationForm,
    SceneCandidate,
    SpatialEditInput,
)
from grader.v1 import spatial_edit_pb2
from grader.wire.reader import RequestReader

_OPERATIONS: dict[int, EditOperation | None] = {
    spatial_edit_pb2.EDIT_OPERATION_UNSPECIFIED: None,
    spatial_edit_pb2.EDIT_OPERATION_MOVE: EditOperation.MOVE,
    spatial_edit_pb2.EDIT_OPERATION_ROTATE: EditOperation.ROTATE,
    spatial_edit_pb2.EDIT_OPERATION_RESIZE: EditOperation.RESIZE,
    spatial_edit_pb2.EDIT_OPERATION_REMOVE: EditOperation.REMOVE,
    spatial_edit_pb2.EDIT_OPERATION_VIEW: EditOperation.VIEW,
}


def edit_input(task: spatial_edit_pb2.SpatialEditTask, reader: RequestReader) -> SpatialEditInput:
    """The task's message as an input."""
    puzzle, truth = task.puzzle, task.truth
    if puzzle.operation not in _OPERATIONS:
        text = f"{puzzle.operation} is no EditOperation"
        reader.wrong("spatial_edit.puzzle.operation", "OUT_OF_RANGE", text)
    camera = puzzle.intrinsics
    return SpatialEditInput(
        image=reader.media(puzzle, "image", "spatial_edit.puzzle.image"),
        prompt=puzzle.prompt,
        operation=_OPERATIONS.get(puzzle.operation),
        target=puzzle.target,
        source_box=_box(puzzle.source_box) if puzzle.HasField("source_box") else None,
        intrinsics=IntrinsicsInput(camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px, camera.skew_px)
        if puzzle.HasField("intrinsics")
        else None,
        detections=tuple(map(detection_input, puzzle.detections)),
        colored_boxes=_colored(puzzle.colored_boxes) if puzzle.HasField("colored_boxes") else None,
        destination_box=_box(truth.destination_box) if truth.HasField("destination_box") else None,
        result_image=reader.media(truth, "image", "spatial_edit.truth.image"),
    )


def scene_candidate(scene: spatial_edit_pb2.EditedScene, reader: RequestReader) -> SceneCandidate:
    """The candidate's message as a candidate."""
    return SceneCandidate(
        image=reader.media(scene, "image", "scene.image"),
        detections=tuple(map(detection_input, scene.detections)),
        appearance_rating=scene.appearance_rating if scene.HasField("appearance_rating") else None,
    )


def _colored(boxes: spatial_edit_pb2.ColoredBoxes) -> ColoredBoxesInput:
    kinds = tuple(
        ColoredBoxInput(one.label, one.color_hex, _vector(one.size_m) if one.HasField("size_m") else None)
        for one in boxes.kinds
    )
    table = (_vector(boxes.table.normal), boxes.table.offset_m) if boxes.HasField("table") else None
    return ColoredBoxesInput(kinds, table)


def detection_input(found: spatial_edit_pb2.DetectedBox) -> DetectionInput:
    """A detection's message as it was sent."""
    flat = found.box_2d
    return DetectionInput(
        label=found.label,
        box=_box(found.box) if found.HasField("box") else None,
        box_2d=(flat.left_px, flat.top_px, flat.width_px, flat.height_px) if found.HasField("box_2d") else None,
    )


def _box(box: spatial_edit_pb2.OrientedBox) -> BoxInput:
    form, numbers = _rotation(box.rotation)
    return BoxInput(
        center_m=_vector(box.center_m) if box.HasField("center_m") else None,
        size_m=_vector(box.size_m) if box.HasField("size_m") else None,
        form=form,
        rotation=numbers,
    )


def _vector(vector: spatial_edit_pb2.Vector3) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def _rotation(rotation: spatial_edit_pb2.Rotation) -> tuple[RotationForm | None, tuple[float, ...]]:
    match rotation.WhichOneof("form"):
        case "matrix":
            return RotationForm.MATRIX, tuple(rotation.matrix.entries)
        case "yaw_rad":
            return RotationForm.YAW, (rotation.yaw_rad,)
        case "quaternion":
            turn = rotation.quaternion
            return RotationForm.QUATERNION, (turn.w, turn.x, turn.y, turn.z)
        case "two_rows":
            return RotationForm.TWO_ROWS, tuple(rotation.two_rows.entries)
        case "euler":
            return RotationForm.EULER, (rotation.euler.y_rad, rotation.euler.x_rad, rotation.euler.z_rad)
        case _:
            return None, ()
