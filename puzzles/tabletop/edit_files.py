"""Edits as the JSON that the GSI benchmark's files hold."""

from __future__ import annotations

import json

from puzzles.tabletop.edits import Edit, Operation
from puzzles.tabletop.solids import Box, yaw_of


def edit_json(edit: Edit) -> str:
    """Write an edit: prompt, target, boxes ``[x, y, z, w, h, l, yaw]`` in the camera's frame, intrinsics, rotations.

    Parameters
    ----------
    edit
        Any edit. That of a view has no target and no boxes; that of a removal has no new box. ``new_bbox_3d`` is also
        given for rotations, and ``operation`` always.

    Returns
    -------
    str
        One JSON object, with a newline at its end.
    """
    operation = Operation.MOVE if edit.operation is Operation.PLACE else edit.operation
    record: dict[str, object] = {
        "prompt": edit.instruction,
        "operation": operation.value,
        "camera_intrinsics": edit.before.camera.intrinsics,
    }
    if edit.source is not None:
        record |= {
            "target": edit.label,
            "original_bbox_3d": _seven(edit.source),
            "rotation_matrix": edit.source.rotation,
        }
    if edit.wanted is not None:
        record |= {"new_bbox_3d": _seven(edit.wanted), "new_rotation_matrix": edit.wanted.rotation}
    return json.dumps(record, indent=1) + "\n"


def _seven(box: Box) -> list[float]:
    return [*box.center, *box.size, yaw_of(box.rotation)]
