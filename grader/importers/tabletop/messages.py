"""From the record of a tabletop edit (``puzzles.tabletop.edit_files``) to the contract's message.

The keys of GSI-Bench are read as of its files; ``colored_boxes`` and ``table_plane`` are this project's own.
"""

from __future__ import annotations

from grader.importers.common.errors import ImportFormatError
from grader.importers.gsi.messages import detection_messages, record_message
from grader.model.json_fields import JsonObject, load_object
from grader.tasks.spatial_edit.model import EditOperation
from grader.v1 import spatial_edit_pb2

_OPERATIONS = {operation.value: operation for operation in EditOperation}


def load_record(data: bytes, file: str) -> JsonObject:
    """The record that JSON holds.

    Raises
    ------
    ImportFormatError
        Naming the file, if it holds none.
    """
    try:
        return load_object(data, file)
    except ValueError as error:
        raise ImportFormatError(f"{error}; make the instance again") from error


def tabletop_message(record: JsonObject, *, boxes_given: bool = False) -> spatial_edit_pb2.SpatialEditTask:
    """An edit with what should result, without pictures.

    Parameters
    ----------
    record : JsonObject
    boxes_given : bool
        Whether to say where all boxes are before the edit, for a detector that finds those after it: then candidates
        are scenes. Otherwise it is said what boxes look like, so that this grader finds them in both pictures.

    Raises
    ------
    ImportFormatError
        Naming the file and the field that is missing or of another form.
    """
    try:
        operation = _operation(record)
        task = record_message(record, operation)
        if operation is EditOperation.VIEW and boxes_given:
            return task
        if boxes_given:
            task.puzzle.detections.extend(detection_messages(record, longest_px=None))
        else:
            task.puzzle.colored_boxes.CopyFrom(_colored(record))
    except ValueError as error:
        raise ImportFormatError(str(error)) from error
    return task


def _operation(record: JsonObject) -> EditOperation:
    said = record.text("operation")
    if said not in _OPERATIONS:
        raise record.fault("operation", f"is {said!r}; it is one of {', '.join(_OPERATIONS)}")
    return _OPERATIONS[said]


def _colored(record: JsonObject) -> spatial_edit_pb2.ColoredBoxes:
    boxes = spatial_edit_pb2.ColoredBoxes()
    for kind in record.children("colored_boxes"):
        boxes.kinds.add(label=kind.text("label"), color_hex=kind.text("color_hex"), size_m=_vector(kind, "size_m"))
    table = record.child("table_plane")
    boxes.table.normal.CopyFrom(_vector(table, "normal"))
    boxes.table.offset_m = table.number("offset_m")
    return boxes


def _vector(record: JsonObject, field: str) -> spatial_edit_pb2.Vector3:
    values = record.items(field)
    if len(values) != 3:
        raise record.fault(field, f"must be three numbers, not {len(values)}")
    entries = JsonObject({f"{field}[{place}]": value for place, value in enumerate(values)}, record.file, record.path)
    x, y, z = (entries.number(name) for name in entries.content)
    return spatial_edit_pb2.Vector3(x=x, y=y, z=z)
