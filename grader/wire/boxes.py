"""Boxes and edited scenes of the contract as plain data, as they were sent."""

from __future__ import annotations

from grader.model.jobs import BoxInput, DetectionInput, RotationForm, SceneCandidate
from grader.v1 import spatial_edit_pb2
from grader.wire.reader import RequestReader


def scene_candidate(scene: spatial_edit_pb2.EditedScene, reader: RequestReader) -> SceneCandidate:
    """The candidate's message as a candidate."""
    return SceneCandidate(
        image=reader.media(scene, "image", "scene.image"),
        detections=tuple(map(detection_input, scene.detections)),
        appearance_rating=scene.appearance_rating if scene.HasField("appearance_rating") else None,
    )


def detection_input(found: spatial_edit_pb2.DetectedBox) -> DetectionInput:
    """A detection's message as it was sent."""
    flat = found.box_2d
    return DetectionInput(
        label=found.label,
        box=box_input(found.box) if found.HasField("box") else None,
        box_2d=(flat.left_px, flat.top_px, flat.width_px, flat.height_px) if found.HasField("box_2d") else None,
    )


def box_input(box: spatial_edit_pb2.OrientedBox) -> BoxInput:
    """A box in space, unchecked."""
    form, numbers = _rotation(box.rotation)
    return BoxInput(
        center_m=vector(box.center_m) if box.HasField("center_m") else None,
        size_m=vector(box.size_m) if box.HasField("size_m") else None,
        form=form,
        rotation=numbers,
    )


def vector(numbers: spatial_edit_pb2.Vector3) -> tuple[float, float, float]:
    """x, y, z."""
    return numbers.x, numbers.y, numbers.z


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
