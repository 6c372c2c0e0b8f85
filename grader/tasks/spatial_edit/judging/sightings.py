"""Boxes in the picture beside boxes in space: does what was seen bear out where the object is, or that it is gone?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.projection import box_outline
from grader.metrics.space.rectangles import PixelRectangle, rectangle_around, rectangle_overlap
from grader.metrics.space.sightings import Sighting, best_overlap
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import SightingsSettings


@dataclass(frozen=True)
class SightingCheck:
    """What boxes in the picture say.

    Attributes
    ----------
    overlap : of what was seen of the label with the object that was found; of a removal, with where it stood. None
        where nothing was seen with a box in the picture, or there is nothing to compare it with
    codes : reasons, of "PLACE_NOT_CONFIRMED" and "STILL_SEEN"
    only_seen : whether the object has no box in space, but was seen where it should be
    """

    overlap: float | None = None
    codes: frozenset[str] = frozenset()
    only_seen: bool = False


def check_sightings(
    scene: EditScene,
    found: Sequence[Detection],
    only_seen: Sequence[Sighting],
    match: int | None,
    settings: SightingsSettings,
) -> SightingCheck:
    """Compares boxes in the picture with boxes in space.

    Parameters
    ----------
    scene : EditScene
    found : sequence of Detection
        After the edit.
    only_seen : sequence of Sighting
        What has no box in space.
    match : int or None
        Which detection is the object.
    settings : SightingsSettings
    """
    seen = [*only_seen, *(Sighting(one.label, one.box_2d) for one in found if one.box_2d is not None)]
    if not seen or scene.source is None:
        return SightingCheck()
    if scene.operation is EditOperation.REMOVE:
        return _gone(scene, scene.source, found, seen, settings.same_object)
    if match is None:
        wanted = None if scene.destination is None else _place(scene, scene.destination)
        there = 0.0 if wanted is None else best_overlap(wanted, scene.target, seen) or 0.0
        return SightingCheck(only_seen=there >= settings.same_object)
    place = _place(scene, found[match].box)
    if place is None:
        return SightingCheck()
    overlap = best_overlap(place, scene.target, seen) or 0.0
    return SightingCheck(overlap, frozenset({"PLACE_NOT_CONFIRMED"} if overlap < settings.same_place else ()))


def _gone(
    scene: EditScene, source: OrientedBox, found: Sequence[Detection], seen: Sequence[Sighting], same: float
) -> SightingCheck:
    """Looks, of a removal, where the object stood; others of its label that are still there are left aside."""
    place = _place(scene, source)
    if place is None:
        return SightingCheck()
    label = normal_label(scene.target)
    others = [_place(scene, one.box) for one in found if normal_label(one.label) == label]
    left = [
        one
        for one in seen
        if not any(other is not None and rectangle_overlap(one.place, other) >= same for other in others)
    ]
    overlap = best_overlap(place, scene.target, left) or 0.0
    return SightingCheck(overlap, frozenset({"STILL_SEEN"} if overlap >= same else ()))


def _place(scene: EditScene, box: OrientedBox) -> PixelRectangle | None:
    """Returns the rectangle around a box in the picture before; None where it is not in it, or there is no camera."""
    if scene.camera is None:
        return None
    return rectangle_around(box_outline(box, scene.camera), None if scene.picture is None else scene.size)
