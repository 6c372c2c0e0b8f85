"""Small changes that nobody asked for, where boxes are exact enough to tell: those of the detector of coloured boxes.

Boxes of other detectors are not looked at. They turn round objects at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from detectors.spatial_edit.boxes.findings import FoundBox, same_looking
from grader.metrics.space.boxes3d import Floats, OrientedBox
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.edits import kept_pairs
from grader.metrics.space.rotations import geodesic
from grader.tasks.spatial_edit.judging.besides import OTHERS_REMOVED, TARGET_ALTERED, Beside, size_factor
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import ExactBoxesSettings, JudgingSettings

TURNED_BESIDES = "TURNED_BESIDES"
RESIZED_BESIDES = "RESIZED_BESIDES"


def altered_besides(
    scene: EditScene, found: Sequence[Detection], match: int | None, unsure: Sequence[str], settings: JudgingSettings
) -> tuple[Beside, ...]:
    """Finds what turned or moved without being asked to, and which other objects were shifted, or changed their size.

    Parameters
    ----------
    scene : EditScene
    found : sequence of Detection
        By the detector of coloured boxes, as those of ``scene.before``.
    match : int or None
        Which detection is the object.
    unsure : sequence of str
        Labels that the detector is not sure of; they are left out.
    settings : JudgingSettings
    """
    exact = settings.exact_boxes
    left_out = {normal_label(label) for label in unsure}
    turned, resized, moved, altered = [], [], [], []
    if match is not None and scene.destination is not None and normal_label(scene.target) not in left_out:
        box = found[match].box
        if scene.operation is not EditOperation.ROTATE:
            turned += [scene.target] if turn_between(box, scene.destination, exact) > exact.most_rad else []
        if scene.operation in (EditOperation.ROTATE, EditOperation.RESIZE):
            off = math.dist(box.center, scene.destination.center)
            stretched = _stretched(box, scene, exact) > settings.besides.same_size
            altered += [scene.target] if off > exact.most_target_m or stretched else []
    others = [one for place, one in enumerate(found) if place != match and normal_label(one.label) not in left_out]
    for one in others:
        before = _stood(one, scene, settings.besides.same_place_m)
        if before is None:
            continue
        if math.dist(before.center, one.box.center) > exact.most_m:
            moved.append(one.label)
        elif size_factor(one.box, before) > exact.most_factor:
            resized.append(one.label)
        elif turn_between(one.box, before, exact) > exact.most_rad:
            turned.append(one.label)
    done = (
        (TURNED_BESIDES, turned),
        (RESIZED_BESIDES, resized),
        (TARGET_ALTERED, altered),
        (OTHERS_REMOVED, moved),
    )
    return tuple(Beside(code, tuple(labels)) for code, labels in done if labels)


def _stretched(box: OrientedBox, scene: EditScene, exact: ExactBoxesSettings) -> float:
    """Returns the greatest factor by which an extent changed that should have stayed; 1 where none should."""
    if scene.source is None or scene.destination is None:
        return 1.0
    extents = zip(scene.source.size, scene.destination.size, box.size, strict=True)
    stay = (abs(math.log(now / then)) for then, asked, now in extents if _same_size((then,), (asked,), exact.equal))
    return math.exp(max(stay, default=0.0))


def _stood(now: Detection, scene: EditScene, within_m: float) -> OrientedBox | None:
    """Returns the box before of what stands about where it stood, near enough to be no other one."""
    alike = [one for one in scene.before if normal_label(one.label) == normal_label(now.label)]
    nearest = min(alike, key=lambda one: math.dist(one.box.center, now.box.center), default=None)
    return nearest.box if nearest is not None and kept_pairs([nearest], [now], within_m) else None


def turn_between(box: OrientedBox, other: OrientedBox, settings: ExactBoxesSettings) -> float:
    """Measures by how much two boxes are turned against each other at least, rad, whatever their axes are called.

    Axes are paired so that extents agree; where none do, the size changed, and any pairing may hold.
    """
    named = same_looking(FoundBox(box.center, box.size, box.rotation), math.inf)
    alike = [one for one in named if _same_size(one.size, other.size, settings.equal)]
    return min(float(geodesic(_matrix(one), other.matrix)) for one in alike or named)


def _same_size(one: Sequence[float], other: Sequence[float], equal: float) -> bool:
    return all(abs(a - b) <= equal * max(a, b) for a, b in zip(one, other, strict=True))


def _matrix(box: FoundBox) -> Floats:
    return OrientedBox(box.center, box.size, box.rotation).matrix
