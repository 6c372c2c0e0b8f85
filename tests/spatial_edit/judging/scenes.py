"""Scenes of boxes without pictures, as judges see them."""

from __future__ import annotations

from scipy.spatial.transform import Rotation

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection
from grader.metrics.space.projection import Camera, read_camera
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.scene import EditScene

CAMERA: Camera = read_camera([[300.0, 0.0, 160.0], [0.0, 300.0, 120.0], [0.0, 0.0, 1.0]])


def solid(x: float = 0.0, z: float = 2.0, yaw: float = 0.0, size=(0.2, 0.3, 0.4), y: float = 0.0) -> OrientedBox:
    """A box at x, y and z metres, turned about y."""
    return OrientedBox((x, y, z), size, Rotation.from_euler("y", yaw).as_matrix().tolist())


def seen(label: str = "mug", x: float = 0.0, z: float = 2.0, yaw: float = 0.0, size=(0.2, 0.3, 0.4)) -> Detection:
    """What a detector found."""
    return Detection(label, solid(x, z, yaw, size))


def scene(
    operation: EditOperation,
    destination: OrientedBox | None = None,
    detections: tuple[Detection, ...] = (),
    before: tuple[Detection, ...] = (),
    camera: Camera | None = CAMERA,
) -> EditScene:
    """A mug at x = 0, 2 m away, that is to be edited."""
    return EditScene(
        operation, "mug", solid(), destination, detections, camera, None, None, None, colored=None, before=before
    )
