"""What was done besides what was asked: to other objects, and to the object itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_tables import EditMeasures
from grader.metrics.space.edit_types import (
    Detection,
    EditFault,
    MoveScore,
    RemoveScore,
    ResizeScore,
    RotateScore,
    ViewScore,
    normal_label,
)
from grader.metrics.space.edits import kept_pairs
from grader.tasks.spatial_edit.judging.stillness import Stillness
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import BesidesSettings

TARGET_ALTERED = "TARGET_ALTERED"
TARGET_ELSEWHERE = "TARGET_ELSEWHERE"
COUNT_DIFFERS = "COUNT_DIFFERS"
OBJECTS_ADDED = "OBJECTS_ADDED"
OTHERS_REMOVED = EditFault.OTHERS_REMOVED.value


@dataclass(frozen=True)
class Beside:
    """Something that was done besides: a reason's code, the labels of what it was done to, and more about it or ""."""

    code: str
    labels: tuple[str, ...]
    detail: str = ""


def done_besides(
    measures: EditMeasures,
    scene: EditScene,
    found: Sequence[Detection],
    settings: BesidesSettings,
    still: Stillness | None = None,
) -> tuple[Beside, ...]:
    """Finds what was done besides, so far as it is said what was there before.

    Parameters
    ----------
    measures : MoveScore, RotateScore, ResizeScore, RemoveScore or ViewScore
    scene : EditScene
    found : sequence of Detection
        After the edit.
    settings : BesidesSettings
    still : Stillness or None
        What the picture shows as before: nothing there is gone, or new.
    """
    source = scene.source
    if source is None or isinstance(measures, ViewScore):
        return ()
    done = list(_to_target(measures, scene, found, settings))
    if not scene.detections:
        return tuple(done)
    gone = scene.operation is EditOperation.REMOVE
    match = None if isinstance(measures, RemoveScore) else measures.match
    label = normal_label(scene.target)
    alike = [place for place, one in enumerate(scene.detections) if normal_label(one.label) == label]
    target = _nearest(source, alike, scene.detections)
    before = len(alike)
    after = sum(normal_label(one.label) == label for one in found)
    if gone and after >= before:
        done.append(Beside(TARGET_ELSEWHERE, (scene.target,)))
    elif after != before - gone and (match is not None or gone):
        done.append(Beside(COUNT_DIFFERS, (scene.target,), f"There are {after}, and should be {before - gone}."))
    others = [one for place, one in enumerate(scene.detections) if place != target]
    now = [one for place, one in enumerate(found) if place != match]
    pairs = kept_pairs(others, now, settings.same_place_m)
    kept = {place for place, _ in pairs}
    # What the object itself hides or uncovers, where it was, where it is found, says nothing of the others.
    hiding = [source, *([] if match is None else [found[match].box])]
    missing = [one.label for at, one in enumerate(others) if at not in kept and not _unchanged(one, still, hiding)]
    if missing:
        done.append(Beside(OTHERS_REMOVED, tuple(missing)))
    # What was to be removed and still stands is no addition.
    known = {place for _, place in (kept_pairs(scene.detections, now, settings.same_place_m) if gone else pairs)}
    added = [one.label for at, one in enumerate(now) if at not in known and not _unchanged(one, still, hiding)]
    if added:
        done.append(Beside(OBJECTS_ADDED, tuple(added)))
    return tuple(done)


def _unchanged(one: Detection, still: Stillness | None, behind: Sequence[OrientedBox]) -> bool:
    return still is not None and (still.unchanged([one.box]) or still.unchanged([one.box], behind))


def size_factor(one: OrientedBox, other: OrientedBox) -> float:
    """Returns the greatest factor, at least 1, between extents of two boxes, in order of their lengths."""
    pairs = zip(sorted(one.size), sorted(other.size), strict=True)
    return math.exp(max(abs(math.log(now / then)) for now, then in pairs))


def share_kept(
    measures: EditMeasures, scene: EditScene, found: Sequence[Detection], settings: BesidesSettings
) -> float:
    """Measures how well the object kept its place and size, from 1 down to what `BesidesSettings` leaves of it."""
    kept = 1.0
    if isinstance(measures, RotateScore | ResizeScore):
        kept *= 1.0 - settings.off_place * min(1.0, (measures.to_destination_m or 0.0) / settings.same_place_m)
    if isinstance(measures, MoveScore | RotateScore) and measures.match is not None and scene.destination is not None:
        factor = size_factor(found[measures.match].box, scene.destination)
        kept *= 1.0 - settings.off_size * min(1.0, math.log(factor) / math.log(settings.same_size))
    return kept


def _to_target(
    measures: EditMeasures, scene: EditScene, found: Sequence[Detection], settings: BesidesSettings
) -> Sequence[Beside]:
    off = (measures.to_destination_m or 0.0) if isinstance(measures, RotateScore | ResizeScore) else 0.0
    if off > settings.same_place_m:
        detail = f"It is {off:.2g} m off its place."
        return [Beside(TARGET_ALTERED, (scene.target,), detail)]
    if isinstance(measures, MoveScore | RotateScore) and measures.match is not None and scene.destination is not None:
        factor = size_factor(found[measures.match].box, scene.destination)
        if factor > settings.same_size:
            detail = f"An extent is off by a factor of {factor:.3g}."
            return [Beside(TARGET_ALTERED, (scene.target,), detail)]
    return []


def _nearest(place: OrientedBox, indices: Sequence[int], found: Sequence[Detection]) -> int | None:
    return min(indices, key=lambda at: math.dist(found[at].box.center, place.center), default=None)
