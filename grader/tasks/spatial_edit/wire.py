"""Spatial edits as messages of the contract: plain data, unchecked but for what the messages leave open."""

from __future__ import annotations

from grader.tasks.spatial_edit.model import (
    ColoredBoxesInput,
    ColoredBoxInput,
    EditObservation,
    EditOperation,
    IntrinsicsInput,
    SpatialEditInput,
)
from grader.v1 import spatial_edit_pb2, verdict_pb2
from grader.wire.boxes import box_input, detection_input, vector
from grader.wire.places import point_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire

_OPERATIONS: dict[int, EditOperation | None] = {
    spatial_edit_pb2.EDIT_OPERATION_UNSPECIFIED: None,
    spatial_edit_pb2.EDIT_OPERATION_MOVE: EditOperation.MOVE,
    spatial_edit_pb2.EDIT_OPERATION_ROTATE: EditOperation.ROTATE,
    spatial_edit_pb2.EDIT_OPERATION_RESIZE: EditOperation.RESIZE,
    spatial_edit_pb2.EDIT_OPERATION_REMOVE: EditOperation.REMOVE,
    spatial_edit_pb2.EDIT_OPERATION_VIEW: EditOperation.VIEW,
}


def _read(task: spatial_edit_pb2.SpatialEditTask, reader: RequestReader) -> SpatialEditInput:
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
        source_box=box_input(puzzle.source_box) if puzzle.HasField("source_box") else None,
        intrinsics=IntrinsicsInput(camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px, camera.skew_px)
        if puzzle.HasField("intrinsics")
        else None,
        detections=tuple(map(detection_input, puzzle.detections)),
        colored_boxes=_colored(puzzle.colored_boxes) if puzzle.HasField("colored_boxes") else None,
        destination_box=box_input(truth.destination_box) if truth.HasField("destination_box") else None,
        result_image=reader.media(truth, "image", "spatial_edit.truth.image"),
    )


def _colored(boxes: spatial_edit_pb2.ColoredBoxes) -> ColoredBoxesInput:
    kinds = tuple(
        ColoredBoxInput(one.label, one.color_hex, vector(one.size_m) if one.HasField("size_m") else None)
        for one in boxes.kinds
    )
    table = (vector(boxes.table.normal), boxes.table.offset_m) if boxes.HasField("table") else None
    return ColoredBoxesInput(kinds, table)


def _edit(seen: EditObservation) -> verdict_pb2.EditObservation:
    return verdict_pb2.EditObservation(
        objects=[
            verdict_pb2.SceneObject(label=one.label, outline=map(point_to_proto, one.outline), target=one.target)
            for one in seen.objects
        ]
    )


WIRE = TaskWire(_read, {EditObservation: lambda seen: verdict_pb2.Observation(edit=_edit(seen))})
