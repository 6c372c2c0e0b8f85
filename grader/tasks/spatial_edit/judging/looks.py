"""Whether an edited picture of coloured boxes looks as it should, by what is found in it.

The picture that should have resulted is the one before, without the boxes that are gone, and with those that are found
in the edited one, each in its own paint. Where it should have been edited to is not used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import FoundBox
from detectors.spatial_edit.boxes.views import compare_paints
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.leftover import Leftover, left_over
from detectors.spatial_edit.predicted.prediction import StandingBox
from grader.media.pyramid import resize
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection, normal_label
from grader.tasks.spatial_edit.judging.besides import OBJECTS_ADDED, OTHERS_REMOVED, Beside, size_factor
from grader.tasks.spatial_edit.judging.exact_boxes import turn_between
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import ExactBoxesSettings, SpatialEditSettings

LOOK_CHANGED = "LOOK_CHANGED"
MARKS_ADDED = "MARKS_ADDED"
NOT_CLEARED = "NOT_CLEARED"
TARGET_NOT_SOLID = "TARGET_NOT_SOLID"


@dataclass(frozen=True)
class EditLooks:
    """What was seen, as figures, and what is said of it.

    Attributes
    ----------
    tone, tint : brightness over that before, of what shows no box, and the greatest ratio of two channels' gains
    target, others, place, ground : what is left in the worst place of the object, of other boxes, of where a box was,
        and of anywhere else, once all that is known is taken away, in units of what is seen
    changed : share of the picture in which something is left that is seen
    besides : reasons why the edit fails
    """

    tone: float
    tint: float
    target: float
    others: float
    place: float
    ground: float
    changed: float
    besides: tuple[Beside, ...]

    @property
    def kept(self) -> bool:
        """Whether what lies outside of the object is as it was."""
        return not any(one.code in (LOOK_CHANGED, MARKS_ADDED) for one in self.besides)


def look_at_edit(
    scene: EditScene, picture: NDArray[np.uint8] | None, found: Sequence[Detection], settings: SpatialEditSettings
) -> EditLooks | None:
    """Looks at an edited picture of coloured boxes.

    Parameters
    ----------
    scene : EditScene
        With what was found in the picture before, as it was found.
    picture : ndarray of shape (H, W, 3), uint8 RGB, or None
        As large as the one before.
    found : sequence of Detection
        In it, as it was found.
    settings : SpatialEditSettings

    Returns
    -------
    EditLooks or None
        None where boxes have not been found by this grader's own detector, or a picture is missing.
    """
    before = scene.look
    if before is None or picture is None:
        return None
    size = (before.view.width, before.view.height)
    shown = picture if (picture.shape[1], picture.shape[0]) == size else resize(picture, size)
    standing = tuple(
        stands for one in found if (stands := standing_box(one, scene, settings.judging.exact_boxes)) is not None
    )
    labels = [one.label for one in found if _nearest(one, scene) is not None]
    left = left_over(before, shown, standing, settings.predicted)
    return looks_of(left, labels, scene, settings.predicted)


def look_at_view(
    scene: EditScene, picture: NDArray[np.uint8] | None, settings: SpatialEditSettings
) -> tuple[Beside, ...]:
    """Finds which boxes of the wanted view a picture, (H, W, 3) uint8 RGB, does not show, and which it shows besides.

    Nothing is found where it is not said what boxes look like.
    """
    if scene.colored is None or scene.result is None or picture is None:
        return ()
    wanted = scene.result
    missing, added = compare_paints(wanted, picture, scene.colored.kinds, settings.boxes, settings.views)
    found = ((OTHERS_REMOVED, missing), (OBJECTS_ADDED, added))
    return tuple(Beside(code, labels) for code, labels in found if labels)


def looks_of(left: Leftover, labels: Sequence[str], scene: EditScene, config: PredictedConfig) -> EditLooks:
    """Says what is wrong with a picture by what is left of it, once all that is known is taken away.

    Parameters
    ----------
    left : Leftover
    labels : sequence of str
        Of the boxes that are found in it.
    scene : EditScene
    config : PredictedConfig
    """
    wanted = normal_label(scene.target)
    own = [index for index, label in enumerate(labels) if normal_label(label) == wanted]
    rest = [index for index in range(len(labels)) if index not in own]
    marked = tuple(labels[index] for index in rest if left.boxes[index] > 1.0 or index in left.hanging)
    light = config.light
    other_light = not light.least_tone <= left.tone <= light.most_tone or left.tint > light.most_tint
    besides = []
    if other_light or left.changed > config.most_changed:
        besides.append(Beside(LOOK_CHANGED, ()))
    elif left.displaced > config.displaced.most_px:
        besides.append(Beside(LOOK_CHANGED, (), f"What stayed lies {left.displaced:.1f} px off its place."))
    elif left.recolored > config.recolored.most:
        besides.append(Beside(LOOK_CHANGED, (), "The table, or the floor beside it, has another colour."))
    if left.place > 1.0:
        besides.append(Beside(NOT_CLEARED, (scene.target,)))
    if any(left.boxes[index] > 1.0 or index in (*left.flat, *left.hanging) for index in own):
        besides.append(Beside(TARGET_NOT_SOLID, (scene.target,)))
    if marked or left.ground > 1.0:
        besides.append(Beside(MARKS_ADDED, marked))
    return EditLooks(
        tone=left.tone,
        tint=left.tint,
        target=max((left.boxes[index] for index in own), default=0.0),
        others=max((left.boxes[index] for index in rest), default=0.0),
        place=left.place,
        ground=left.ground,
        changed=left.changed,
        besides=tuple(besides),
    )


def standing_box(one: Detection, scene: EditScene, exact: ExactBoxesSettings) -> StandingBox | None:
    """Says which box before one is, and whether it stands as it stood; None where nothing had its label."""
    nearest = _nearest(one, scene)
    if nearest is None:
        return None
    was = scene.before[nearest].box
    moved = math.dist(was.center, one.box.center) > exact.most_m
    if nearest != _edited(scene):
        changed = moved
    else:
        turned = turn_between(one.box, was, exact) > exact.same_rad
        changed = moved or turned or size_factor(one.box, was) > exact.same_factor
    # What stays is looked for where it stood, so that it is told by its pixels whether it grew or turned a little.
    return StandingBox(_found_box(one.box if changed else was), nearest, not changed)


def _nearest(one: Detection, scene: EditScene) -> int | None:
    """Returns the box before of the same label that is nearest."""
    alike = [at for at, other in enumerate(scene.before) if normal_label(other.label) == normal_label(one.label)]
    return min(alike, key=lambda at: math.dist(scene.before[at].box.center, one.box.center), default=None)


def _edited(scene: EditScene) -> int | None:
    """Returns the box before that is to be edited, which another one of its label may look like."""
    source = scene.source
    if source is None:
        return None
    alike = [at for at, other in enumerate(scene.before) if normal_label(other.label) == normal_label(scene.target)]
    return min(alike, key=lambda at: math.dist(scene.before[at].box.center, source.center), default=None)


def _found_box(box: OrientedBox) -> FoundBox:
    return FoundBox(box.center, box.size, box.rotation)
