"""Edits as the JSON that the GSI benchmark's files hold, and with all that a grader of pictures has to know beside."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from puzzles.tabletop.edits import Edit, Operation
from puzzles.tabletop.scene import Scene, camera_box, table_plane
from puzzles.tabletop.solids import Box, yaw_of

BEFORE_NAME, AFTER_NAME, RECORD_NAME = "before.png", "after.png", "metadata.json"
"""Files of an instance: the picture that a model is given, the right result, and what `instance_json` writes."""


def edit_record(edit: Edit) -> dict[str, object]:
    """Return an edit with the benchmark's keys: prompt, target, boxes, intrinsics, rotations.

    Boxes are ``[x, y, z, w, h, l, yaw]`` in the camera's frame. The edit of a view has no target and no boxes; that of
    a removal has no new box. ``new_bbox_3d`` is also given for rotations, and ``operation`` always.
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
    return record


def scene_record(scene: Scene) -> dict[str, object]:
    """Return what there is to know of a scene before an edit, beside the edit itself.

    ``detections`` as the benchmark's caches have them, here exact; ``colored_boxes`` with label, paint as #rrggbb and
    w, h, l in metres, once for each label; ``table_plane`` with the normal and the offset in metres of its points.
    """
    kinds: dict[str, dict[str, object]] = {}
    for cuboid in scene.cuboids:
        paint = "#{:02x}{:02x}{:02x}".format(*cuboid.color)
        kinds.setdefault(cuboid.label, {"label": cuboid.label, "color_hex": paint, "size_m": cuboid.size})
    plane = table_plane(scene.camera)
    return {
        "detections": detections(scene),
        "colored_boxes": list(kinds.values()),
        "table_plane": {"normal": plane.normal, "offset_m": plane.offset},
    }


def detections(scene: Scene) -> list[dict[str, object]]:
    """Return the boxes of a scene as the benchmark's caches have what was detected."""
    boxes = [(cuboid.label, camera_box(scene.camera, cuboid)) for cuboid in scene.cuboids]
    return [{"label": label, "bbox_3d": _seven(box), "rotation_matrix": box.rotation} for label, box in boxes]


def instance_json(edit: Edit, wrong: Iterable[tuple[str, str, Scene]] = ()) -> str:
    """Write all there is to know of an edit and of its results.

    Parameters
    ----------
    edit
        Any edit.
    wrong
        Wrong results: for each its picture's name, what is wrong with it, and its scene.

    Returns
    -------
    str
        One JSON object, a line for each key: those of `edit_record` and `scene_record`; ``edit``, the operation with
        placements told from other moves; ``detections_after``, the boxes of the right result; ``wrong_results``.
    """
    results = [{"image": image, "wrong": text, "detections": detections(scene)} for image, text, scene in wrong]
    record = {"edit": edit.operation.value, **edit_record(edit), **scene_record(edit.before)}
    return _lines({**record, "detections_after": detections(edit.after), "wrong_results": results})


def edit_json(edit: Edit) -> str:
    """Write an edit with the benchmark's keys alone: `edit_record` as one JSON object, a line for each key."""
    return _lines(edit_record(edit))


def _lines(record: Mapping[str, object]) -> str:
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()) + "\n}\n"


def _seven(box: Box) -> list[float]:
    return [*box.center, *box.size, yaw_of(box.rotation)]
