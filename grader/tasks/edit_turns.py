"""Turns that nobody asked for, where boxes are exact enough to tell: those of the detector of coloured boxes.

Boxes of other detectors are not looked at. They turn round objects at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from detectors.box_findings import FoundBox, same_looking
from grader.jobs import EditOperation
from grader.metrics.boxes3d import Floats, OrientedBox, Vector
from grader.metrics.rotations import geodesic
from grader.metrics.spatial_edit_types import Detection, normal_label
from grader.tasks.edit_scene import EditScene

TURNED_BESIDES = "TURNED_BESIDES"
_MOST_RAD = math.radians(20.0)
"""What turned by less did not turn. The detector's own error is far below: 0.05 degrees in the median."""
_EQUAL = 0.1
"""Extents that differ by less, as a share, may be taken one for another where the picture tells them."""
_NEAR_M = 0.1
"""What stands within this of where something stood is the same thing, if it has its label."""


def turned_besides(scene: EditScene, found: Sequence[Detection], match: int | None, unsure: Sequence[str]) -> bool:
    """Whether the object, or another one that stayed in its place, turned without being asked to.

    Parameters
    ----------
    scene : EditScene
    found : sequence of Detection
        By the detector of coloured boxes, as those of ``scene.detections``.
    match : int or None
        Which detection is the object.
    unsure : sequence of str
        Labels that the detector is not sure of; they are left out.
    """
    left_out = {normal_label(label) for label in unsure}
    if match is not None and scene.operation is not EditOperation.ROTATE and scene.destination is not None:
        turned = _turn(found[match].box, scene.destination)
        if turned > _MOST_RAD and normal_label(scene.target) not in left_out:
            return True
    for place, one in enumerate(found):
        label = normal_label(one.label)
        if place == match or label in left_out:
            continue
        stood = [other.box for other in scene.detections if normal_label(other.label) == label]
        before = min(stood, key=lambda box: math.dist(box.center, one.box.center), default=None)
        if before is None or math.dist(before.center, one.box.center) > _NEAR_M:
            continue
        if _turn(one.box, before) > _MOST_RAD:
            return True
    return False


def _turn(box: OrientedBox, other: OrientedBox) -> float:
    """By how much two boxes are turned against each other at least, rad, whatever their axes are called.

    Axes are paired so that extents agree; where none do, the size changed, and any pairing may hold.
    """
    named = same_looking(FoundBox(box.center, box.size, box.rotation), math.inf)
    alike = [one for one in named if _same_size(one.size, other.size)]
    return min(float(geodesic(_matrix(one), other.matrix)) for one in alike or named)


def _same_size(one: Vector, other: Vector) -> bool:
    return all(abs(a - b) <= _EQUAL * max(a, b) for a, b in zip(one, other, strict=True))


def _matrix(box: FoundBox) -> Floats:
    return OrientedBox(box.center, box.size, box.rotation).matrix
