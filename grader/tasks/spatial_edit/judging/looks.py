"""How an edited picture of coloured boxes looks beside the boxes found in it: traces, marks, and things that are none.

Detectors find what a person would see at once and boxes do not say: a hole where the object was, a drawing on the
table, a flat patch in place of a box. They are told what was found in both pictures and where the object stood,
never where it should be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.scene.colors import surface_colors
from detectors.spatial_edit.scene.marks import SceneMarks, Shown, around, find_marks, mask_overlap, staying_places
from detectors.spatial_edit.scene.solid_look import SolidLook, SolidPlace, look_at_solid
from detectors.spatial_edit.scene.traces import PlaceTraces, find_traces
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.projection import Camera, box_outline, boxes_mask
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import LooksSettings

_THIN_M = 1e-4  # not a threshold: nothing, which a box can't be
"""A face is a box of hardly any thickness."""


@dataclass(frozen=True)
class EditLooks:
    """What was seen; None of what could not be looked at.

    Attributes
    ----------
    traces : where the object stood
    marks : outside of all boxes
    solids : of each object of the target's label that was found
    codes : reasons why the edit fails
    """

    traces: PlaceTraces | None
    marks: SceneMarks | None
    solids: tuple[SolidLook, ...]
    codes: frozenset[str]


def look_at_edit(
    scene: EditScene, picture: NDArray[np.uint8] | None, found: Sequence[Detection], settings: LooksSettings
) -> EditLooks | None:
    """Looks at an edited picture of coloured boxes.

    Parameters
    ----------
    scene : EditScene
    picture : ndarray of shape (H, W, 3), uint8 RGB, or None
        As large as the one before.
    found : sequence of Detection
        In it.
    settings : LooksSettings

    Returns
    -------
    EditLooks or None
        None where boxes have not been found by this grader's own detector, or a picture is missing.
    """
    camera, before, source = scene.camera, scene.picture, scene.source
    if scene.colored is None or camera is None or before is None or picture is None or source is None:
        return None
    height, width = before.shape[:2]
    label = normal_label(scene.target)
    place = boxes_mask([source], camera, width, height)
    then = _places(scene.before, camera, (width, height))
    now = _places(found, camera, (width, height))
    # The target before is what lies where it stood; the detector may have missed it.
    others = [mask for mask in then if mask_overlap(mask, place) < settings.same_place]
    taken = around([*others, *now], 0, place.shape)
    shown_then, shown_now = (Shown(one, surface_colors(one, settings.surface)) for one in (before, picture))
    traces = find_traces(
        shown_then.colors, shown_now.colors, place, box_outline(source, camera), taken, settings.traces
    )
    alike = [mask for mask, one in zip(now, found, strict=True) if normal_label(one.label) == label]
    kept = ~around([*then, *now, place], settings.rim_px, place.shape)
    for mask in alike:
        # What was cut out and pasted does not quite fit a box.
        kept &= ~around([mask], round(settings.rim_share * math.sqrt(np.count_nonzero(mask))), place.shape)
    moved = around([place, *alike], settings.rim_px, place.shape)
    staying = around(staying_places(others, now, settings.same_place), settings.rim_px, place.shape) & ~moved
    marks = find_marks(shown_then, shown_now, kept, staying, ~moved, settings.marks)
    solids = []
    hidden_then = around(others, settings.hidden_px, place.shape)
    for at, one in enumerate(found):
        if normal_label(one.label) != label:
            continue
        hidden = around([mask for other, mask in enumerate(now) if other != at], settings.hidden_px, place.shape)
        stood = SolidPlace(place & ~hidden_then, _faces(source, camera, (width, height)))
        stands = SolidPlace(now[at] & ~hidden, _faces(one.box, camera, (width, height)))
        look = look_at_solid(shown_then.colors, shown_now.colors, stood, stands, settings.solid)
        if look is not None:
            solids.append(look)
    codes = set()
    if traces is not None and traces.left(settings.traces):
        codes.add("NOT_CLEARED")
    if marks is not None and marks.other_look(settings.marks):
        codes.add("LOOK_CHANGED")
    elif marks is not None and marks.marks:
        codes.add("MARKS_ADDED")
    if any(not one.solid(settings.solid) for one in solids):
        codes.add("TARGET_NOT_SOLID")
    return EditLooks(traces, marks, tuple(solids), frozenset(codes))


def _places(found: Sequence[Detection], camera: Camera, size: tuple[int, int]) -> list[NDArray[np.bool_]]:
    return [boxes_mask([one.box], camera, *size) for one in found]


def _faces(box: OrientedBox, camera: Camera, size: tuple[int, int]) -> tuple[NDArray[np.bool_], ...]:
    """Returns where the faces of a box are seen that are turned to the camera."""
    center, axes = np.array(box.center), box.matrix
    shown = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            out = sign * axes[:, axis]
            middle = center + 0.5 * box.size[axis] * out
            if float(out @ middle) < 0.0:
                thin = [_THIN_M if at == axis else extent for at, extent in enumerate(box.size)]
                face = OrientedBox(tuple(middle.tolist()), (thin[0], thin[1], thin[2]), box.rotation)
                shown.append(boxes_mask([face], camera, *size))
    return tuple(shown)
