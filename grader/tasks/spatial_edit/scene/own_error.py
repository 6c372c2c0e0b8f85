"""Takes a detector's own error off what it finds, so that what counts is the difference of its two answers.

A detector that puts everything 20 cm too far, or calls an object's width its length, does so in both pictures. What it
found before the edit beside where the request says that the object stood tells its error; that is taken off what it
found in both pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from detectors.spatial_edit.boxes.findings import FoundBox, same_looking
from grader.metrics.space.boxes3d import MOST_M, Floats, OrientedBox, Vector
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.rotations import geodesic
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.scene.boxes import FLAT_M
from grader.tasks.spatial_edit.settings import FindingSettings

_HALF_TURNS = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
"""Signs of a box's axes after none, and after half a turn about each."""


@dataclass(frozen=True)
class AskedEdit:
    """What is done to which object, and how it stands before and as it should; attributes as of `EditScene`."""

    operation: EditOperation
    target: str
    source: OrientedBox
    destination: OrientedBox | None


def without_error(
    found: Sequence[Detection], seen: Detection, asked: AskedEdit, settings: FindingSettings
) -> tuple[Detection, ...]:
    """Takes the error that a detector had of the edited object before the edit off what it found in a picture.

    Everything is put nearer by as much as the object was off. Boxes of its label are turned and scaled too, and their
    axes get the names that they have in the request.

    Parameters
    ----------
    found : sequence of Detection
        In either picture.
    seen : Detection
        The object before the edit, by the same detector; see `seen_before`.
    asked : AskedEdit
    settings : FindingSettings
    """
    source = asked.source
    was = nearest_name(names_of(seen.box, math.inf), source)
    off = np.subtract(source.center, was.center)
    label = normal_label(asked.target)
    changed = []
    for one in found:
        center = np.clip(np.add(one.box.center, off), -MOST_M, MOST_M).tolist()
        if normal_label(one.label) != label:
            changed.append(replace(one, box=OrientedBox(center, one.box.size, one.box.rotation)))
            continue
        now = _named_as(one.box, seen.box, was, asked, settings)
        # What was flat before the edit tells nothing of its size.
        width, height, length = (
            min(MOST_M, extent * true / then) if then > FLAT_M else extent
            for extent, true, then in zip(now.size, source.size, was.size, strict=True)
        )
        turned = _turned(now, was, source, asked.destination)
        changed.append(replace(one, box=OrientedBox(center, (width, height, length), turned.tolist())))
    return tuple(changed)


def seen_before(
    before: Sequence[Detection], target: str, source: OrientedBox, reach_m: float
) -> tuple[Detection | None, str]:
    """Finds the object among what a detector found before the edit.

    Parameters
    ----------
    before : sequence of Detection
    target : str
        Its label.
    source : OrientedBox
        Where the request says that it stood.
    reach_m : float
        It is put no farther from there.

    Returns
    -------
    Detection or None
        None where nothing of its label is near enough.
    str
        Labels of all that was found, in words.
    """
    label = normal_label(target)
    alike = [one for one in before if normal_label(one.label) == label]
    nearest = min(alike, key=lambda one: math.dist(one.box.center, source.center), default=None)
    if nearest is not None and math.dist(nearest.box.center, source.center) > reach_m:
        nearest = None
    return nearest, ", ".join(sorted({one.label[:60] for one in before})) or "nothing"


def reach_of(source: OrientedBox, settings: FindingSettings, *, own: bool) -> float:
    """Returns how far from its box a detector puts an object that it sees, m; this grader's own is exact."""
    radius = max(source.size) / 2
    if own:
        return radius
    return radius + max(settings.seen_m, settings.seen_share * math.hypot(*source.center))


def check_seen(before: Sequence[Detection], target: str, source: OrientedBox, reach_m: float, inputs: Inputs) -> None:
    """Notes a fault where a detector does not find the target where the request says that it stood.

    Such a detector does not see it afterwards either, so it would judge a removal that was not done to be right, and
    blame a model for what it can't see itself.
    """
    seen, found = seen_before(before, target, source, reach_m)
    if seen is None:
        text = (
            f"the detector does not find {target[:60]!r} there in the picture before the edit (it finds: {found}), so "
            "it can't say what became of it; check the box, the camera, the label, and what the object looks like"
        )
        inputs.fault("spatial_edit.puzzle.source_box", "NOT_SEEN", text)


def named_alike(
    found: Sequence[Detection], target: str, source: OrientedBox, wanted: OrientedBox, settings: FindingSettings
) -> tuple[Detection, ...]:
    """Names the axes of boxes of the target's label as the wanted box has them, as far as their look allows.

    A box without texture looks the same after half a turn. One that looks as before is named as before, so that no edit
    is no turn.
    """
    return tuple(
        replace(one, box=_looking_alike(one.box, source, wanted, settings))
        if normal_label(one.label) == normal_label(target)
        else one
        for one in found
    )


def names_of(box: OrientedBox, equal: float) -> list[OrientedBox]:
    """Returns the same solid under each name of its axes that leaves its extents as they are, but for a share."""
    same = same_looking(FoundBox(box.center, box.size, box.rotation), equal)
    return [OrientedBox(one.center, one.size, one.rotation) for one in same]


def nearest_name(names: Sequence[OrientedBox], to: OrientedBox) -> OrientedBox:
    """Returns the name under which a box is nearest to another one, by rotation and extents."""
    return min(names, key=lambda one: _turn(one, to) + _misfit(one.size, to.size))


def _looking_alike(
    box: OrientedBox, source: OrientedBox, wanted: OrientedBox, settings: FindingSettings
) -> OrientedBox:
    names = names_of(box, settings.equal)
    unturned = min(names, key=lambda one: _turn(one, source))
    if _turn(unturned, source) < settings.unturned_rad:
        return unturned
    return min(names, key=lambda one: _turn(one, wanted))


def _named_as(
    box: OrientedBox, seen: OrientedBox, was: OrientedBox, asked: AskedEdit, settings: FindingSettings
) -> OrientedBox:
    """Names the axes of a box after the edit as `was` names those of what was seen before it.

    A detector that names them anew in each picture has not seen a turn: where more than a quarter turn is told, but no
    more was asked for, half a turn is taken off.
    """
    names = names_of(box, math.inf)
    if asked.operation is not EditOperation.ROTATE or asked.destination is None:
        return nearest_name(names, was)
    # Names come in one order for all boxes, so this is the one that the box before was given.
    told = names[names_of(seen, math.inf).index(was)]
    best = nearest_name(names, was)
    if _misfit(told.size, was.size) - _misfit(best.size, was.size) > settings.same_extents:
        told = best
    most = settings.most_turn_rad
    if _turn(asked.source, asked.destination) > most or _turn(told, was) <= most:
        return told
    halves = [OrientedBox(told.center, told.size, (told.matrix * signs).tolist()) for signs in _HALF_TURNS]
    return min(halves, key=lambda one: _turn(one, was))


def _turned(now: OrientedBox, was: OrientedBox, source: OrientedBox, wanted: OrientedBox | None) -> Floats:
    """Returns the rotation without the error, which may be of the camera's frame or of the object's own."""
    outer: Floats = source.matrix @ was.matrix.T @ now.matrix
    inner: Floats = now.matrix @ was.matrix.T @ source.matrix
    to = source if wanted is None else wanted
    return min((outer, inner), key=lambda one: float(geodesic(one, to.matrix)))


def _turn(one: OrientedBox, other: OrientedBox) -> float:
    return float(geodesic(one.matrix, other.matrix))


def _misfit(one: Vector, other: Vector) -> float:
    """Returns by how much extents differ, as logarithms that are added up."""
    return sum(abs(math.log(a / b)) for a, b in zip(one, other, strict=True))
