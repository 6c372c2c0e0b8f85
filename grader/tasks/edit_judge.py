"""Judges a spatial edit by its boxes and by how alike the background stayed. No pixels in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from detectors.viewpoint import Viewpoint, ViewpointFinding
from grader.jobs import EditOperation
from grader.metrics.boxes3d import OrientedBox
from grader.metrics.sightings import Sighting
from grader.metrics.spatial_edit_rules import SEED_RULES, EditRules
from grader.metrics.spatial_edit_tables import (
    Background,
    Dataset,
    EditMeasures,
    EditScore,
    GateState,
    edit_score,
)
from grader.metrics.spatial_edit_types import (
    Detection,
    EditFault,
    MoveScore,
    RemoveScore,
    ResizeScore,
    RotateScore,
    ViewScore,
    normal_label,
)
from grader.metrics.spatial_edits import (
    kept_pairs,
    score_move,
    score_remove,
    score_resize,
    score_rotate,
    score_view,
)
from grader.profiles import EditSettings, LocalityGate
from grader.tasks.base import ReasonInfo
from grader.tasks.edit_scene import EditScene
from grader.tasks.edit_sightings import SightingCheck, check_sightings
from grader.tasks.edit_turns import TURNED_BESIDES, turned_besides
from grader.verdict import Outcome, Place, Reason

_GATES = {LocalityGate.SSIM_OR_LPIPS: Dataset.REAL, LocalityGate.SSIM_AND_LPIPS: Dataset.SYN}
_MOST_ON_FAIL = 0.9
_MOST_LEFT = 0.75
"""What of the asked move, turn or change of size may be left to do, as a share: half the way is a poor edit of the
right kind, and what a detector's noise makes of no edit at all is none."""

_TEXTS = {
    "BACKGROUND_CHANGED": "What lies outside of the edited object's boxes is not as it was.",
    "NO_BACKGROUND": "The boxes leave no background that could be compared.",
    "LOOK_CHANGED": "What lies outside of all boxes has another tone or colours, or what stays is blurred or moved.",
    "VIEWPOINT_CHANGED": "The camera turned, and with it all that the picture shows.",
    EditFault.TARGET_MISSING.value: "The object was not found where it could be.",
    EditFault.STILL_THERE.value: "Something still stands where the object was to be removed.",
    "STILL_SEEN": "A box in the picture still shows the object where it was to be removed.",
    "NOT_CLEARED": "Where the object was, something else is shown than the surface around, or its outline is left.",
    "TARGET_ELSEWHERE": "The object is not gone: there are as many of its label as before.",
    EditFault.BARELY_MOVED.value: "The object moved by less than 5 cm.",
    EditFault.NOT_A_NEW_PLACE.value: "The object stands where something stood before.",
    EditFault.NOT_TURNED.value: "The object did not turn.",
    EditFault.NOT_RESIZED.value: "The object's size hardly changed.",
    EditFault.SCORE_TOO_LOW.value: "The object is too far from where it should be.",
    EditFault.VIEW_DIFFERS.value: "The picture differs too much from the one that the view should give.",
    "WRONG_DIRECTION": "The object moved more than 30 degrees off the way that it should go.",
    "NOT_NEARER": "What is seen is hardly nearer to what was asked than before, or farther from it.",
    "PLACE_NOT_CONFIRMED": "No box in the picture shows the object where its box in space is.",
    "TARGET_NOT_SOLID": "The object has holes, or one can see through it, or it is a flat patch.",
    "COUNT_DIFFERS": "There are more or fewer objects of the label than there should be.",
    TURNED_BESIDES: "The object, or another one, turned without being asked to.",
    "TARGET_ALTERED": "The object was changed in another way than was asked: its place or its size.",
    EditFault.OTHERS_REMOVED.value: "Other objects are gone, or stand elsewhere.",
    "OBJECTS_ADDED": "There are objects that were not there before.",
    "MARKS_ADDED": "Something is drawn outside of all boxes.",
}
REASONS = tuple(ReasonInfo(code, text) for code, text in _TEXTS.items())
_EARNS_NOTHING = frozenset(
    {"LOOK_CHANGED", "WRONG_DIRECTION", "NOT_NEARER", "STILL_SEEN", "NOT_CLEARED", "TARGET_ELSEWHERE"}
)
"""With these, something else was done than what was asked, however well its amount fits."""
_EARNS_HALF = frozenset(
    {
        "PLACE_NOT_CONFIRMED",
        "TARGET_NOT_SOLID",
        "COUNT_DIFFERS",
        TURNED_BESIDES,
        "TARGET_ALTERED",
        EditFault.OTHERS_REMOVED.value,
        "OBJECTS_ADDED",
        "MARKS_ADDED",
    }
)
"""With these, something was done besides, or is in doubt. (SA of a move is halved already where counts differ.)"""
_OF_THE_PICTURE = frozenset(
    {"BACKGROUND_CHANGED", "NO_BACKGROUND", "LOOK_CHANGED", "VIEWPOINT_CHANGED", "VIEW_DIFFERS", "MARKS_ADDED"}
)
"""These are not said of the edited object."""
_SAME_PLACE_M = 0.1
"""What should stay stays within this, or overlaps as much as `EditRules.same_place_iou` asks for."""
_SAME_SIZE = math.log(1.3)
"""Extents within this factor, the smallest compared with the smallest, are the same."""
_DIGITS = 12
"""Scores are rounded to so many digits, so that a perfect edit has 1 and not a hair less."""


@dataclass(frozen=True)
class EditJudgement:
    """What an edit comes to.

    Attributes
    ----------
    outcome : MEASURED where the background could not be looked at
    score, reward : None where it is MEASURED
    reasons : gravest first
    shown : the score by the profile's rules
    target : index of the edited object among the detections, or None
    seen : what boxes in the picture say
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    reasons: tuple[Reason, ...]
    shown: EditScore
    target: int | None
    seen: SightingCheck


def judge_edit(
    scene: EditScene,
    found: Sequence[Detection],
    background: Background | None,
    rating: float | None,
    settings: EditSettings,
    likeness_before: Background | None = None,
    viewpoint: ViewpointFinding | None = None,
    only_seen: Sequence[Sighting] = (),
    unsure_labels: Sequence[str] | None = None,
    looks: frozenset[str] = frozenset(),
) -> EditJudgement:
    """Judges an edit.

    Parameters
    ----------
    scene : EditScene
    found : sequence of Detection
        After the edit.
    background : Background or None
        None where a picture is missing; for a view, how alike the whole pictures are.
    rating : float or None
        Of appearance, 0 to 10.
    settings : EditSettings
    likeness_before : Background or None
        Of a view: how alike the picture before the edit is to the one that should result.
    viewpoint : ViewpointFinding or None
        Of a turn: whether the camera turned; None where that could not be looked at.
    only_seen : sequence of Sighting
        What was found in the edited picture, but not in space.
    unsure_labels : sequence of str or None
        Where boxes are those of coloured boxes, the labels that their detector is not sure of; else None.
    looks : frozenset of str
        Codes of what the edited picture shows besides boxes (`edit_looks`).

    Raises
    ------
    GeometryError
        Naming ``rating``.
    """
    dataset = _GATES[settings.gate]
    turned = viewpoint is not None and viewpoint.state is Viewpoint.TURNED
    unsure = viewpoint is not None and viewpoint.state is Viewpoint.UNKNOWN
    shown = edit_score(
        _measures(scene, found, background, settings.rules),
        dataset,
        background,
        rating,
        settings.rules,
        camera_turned=turned or (unsure and settings.rules.viewpoint_required),
    )
    # The outcome is a person's judgement, whatever rules the numbers follow.
    person = shown
    if settings.rules != SEED_RULES:
        measures = _measures(scene, found, background, SEED_RULES)
        person = edit_score(measures, dataset, background, rating, camera_turned=turned)
    target = getattr(person.measures, "match", None)
    seen = check_sightings(scene, found, only_seen, target)
    if person.gate.state is GateState.NOT_AVAILABLE:
        return EditJudgement(Outcome.MEASURED, None, None, (), shown, target, seen)
    more = seen.codes | looks | ({"VIEWPOINT_CHANGED"} if turned else set())
    if unsure_labels is not None and turned_besides(scene, found, target, unsure_labels):
        more |= {TURNED_BESIDES}
    codes = _codes(person, scene, found, likeness_before, more)
    reasons = tuple(_reason(code, scene) for code in codes)
    outcome = Outcome.FAIL if codes else Outcome.PASS
    score = shown.scores.sa.value
    return EditJudgement(
        outcome, None if score is None else round(score, _DIGITS), _reward(person, codes), reasons, shown, target, seen
    )


def _reward(score: EditScore, codes: tuple[str, ...]) -> float:
    earned = round(score.scores.sa_ic.value or 0.0, _DIGITS)
    if not codes:
        return earned
    if _EARNS_NOTHING & set(codes):
        return 0.0
    return min(_MOST_ON_FAIL, 0.5 * earned if _EARNS_HALF & set(codes) else earned)


def _measures(
    scene: EditScene, found: Sequence[Detection], background: Background | None, rules: EditRules
) -> EditMeasures:
    if scene.operation is EditOperation.VIEW:
        if background is None or background.ssim is None or background.lpips is None:
            raise RuntimeError("a view is judged by both measures of likeness")
        return score_view(background.ssim, background.lpips, rules)
    if scene.source is None:
        raise RuntimeError("an edit of an object has its box before")
    if scene.operation is EditOperation.REMOVE:
        return score_remove(scene.source, scene.detections, found, rules)
    if scene.destination is None:
        raise RuntimeError("an edit of an object that stays has a destination")
    if scene.operation is EditOperation.MOVE:
        return score_move(scene.target, scene.source, scene.destination, scene.detections, found, rules)
    if scene.operation is EditOperation.ROTATE:
        return score_rotate(scene.target, scene.source, scene.destination, found, rules)
    return score_resize(scene.target, scene.source, scene.destination, found, rules)


def _codes(
    score: EditScore,
    scene: EditScene,
    objects: Sequence[Detection],
    likeness_before: Background | None,
    more: frozenset[str],
) -> tuple[str, ...]:
    """Codes of what is wrong, gravest first, that is in the order in which they are declared."""
    found = {fault.value for fault in score.measures.faults} | _besides(score, scene, objects) | more
    if score.gate.state is GateState.FAILED:
        found.add("NO_BACKGROUND" if score.gate.missing is not None else "BACKGROUND_CHANGED")
    measures = score.measures
    if isinstance(measures, MoveScore) and measures.match is not None:
        if not measures.right_direction:
            found.add("WRONG_DIRECTION")
        if (measures.to_destination_m or 0.0) > _MOST_LEFT * measures.d_gt_m:
            found.add("NOT_NEARER")
    if isinstance(measures, RotateScore) and (measures.theta_diff_rad or 0.0) > _MOST_LEFT * measures.theta_gt_rad:
        found.add("NOT_NEARER")
    if isinstance(measures, ResizeScore) and measures.s_pred is not None:
        away = math.hypot(*(math.log(now / then) for now, then in zip(measures.s_pred, measures.s_gt, strict=True)))
        if away > _MOST_LEFT * math.hypot(*map(math.log, measures.s_gt)):
            found.add("NOT_NEARER")
    if isinstance(measures, ViewScore) and likeness_before is not None:
        unlike = _unlike(likeness_before)
        if unlike is not None and 1.0 - measures.sa > _MOST_LEFT * unlike:
            found.add("NOT_NEARER")
    return tuple(code for code in _TEXTS if code in found)


def _unlike(likeness: Background) -> float | None:
    """1 - SA of a view that is as alike as this; None where it was not measured."""
    if likeness.ssim is None or likeness.lpips is None:
        return None
    return 1.0 - score_view(likeness.ssim, likeness.lpips).sa


def _besides(score: EditScore, scene: EditScene, objects: Sequence[Detection]) -> set[str]:
    """What was done to other objects, and to the target besides what was asked, so far as it is said what was there."""
    measures, source = score.measures, scene.source
    if source is None or isinstance(measures, ViewScore):
        return set()
    found: set[str] = set()
    gone = scene.operation is EditOperation.REMOVE
    match = None if isinstance(measures, RemoveScore) else measures.match
    if isinstance(measures, RotateScore | ResizeScore) and (measures.to_destination_m or 0.0) > _SAME_PLACE_M:
        found.add("TARGET_ALTERED")
    if isinstance(measures, MoveScore | RotateScore) and match is not None and scene.destination is not None:
        extents = zip(sorted(objects[match].box.size), sorted(scene.destination.size), strict=True)
        if any(abs(math.log(now / then)) > _SAME_SIZE for now, then in extents):
            found.add("TARGET_ALTERED")
    if not scene.detections:
        return found
    label = normal_label(scene.target)
    alike = [place for place, one in enumerate(scene.detections) if normal_label(one.label) == label]
    target = _nearest(source, alike, scene.detections)
    others = [one for place, one in enumerate(scene.detections) if place != target]
    now = [one for place, one in enumerate(objects) if place != match]
    before = sum(normal_label(one.label) == label for one in scene.detections)
    after = sum(normal_label(one.label) == label for one in objects)
    if gone and after >= before:
        found.add("TARGET_ELSEWHERE")
    elif after != before - gone and (match is not None or gone):
        found.add("COUNT_DIFFERS")
    kept = kept_pairs(others, now, _SAME_PLACE_M)
    if kept < len(others):
        found.add(EditFault.OTHERS_REMOVED.value)
    if kept < len(now):
        found.add("OBJECTS_ADDED")
    return found


def _nearest(place: OrientedBox, indices: Sequence[int], found: Sequence[Detection]) -> int | None:
    return min(indices, key=lambda at: math.dist(found[at].box.center, place.center), default=None)


def _reason(code: str, scene: EditScene) -> Reason:
    places = () if code in _OF_THE_PICTURE else (Place(object=scene.target),)
    return Reason(code, _TEXTS[code], places)
