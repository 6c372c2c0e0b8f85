"""Judges a spatial edit by its boxes and by how alike the background stayed. No pixels in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.jobs import EditOperation
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
)
from grader.metrics.spatial_edits import score_move, score_remove, score_resize, score_rotate, score_view
from grader.profiles import EditSettings, LocalityGate
from grader.tasks.base import ReasonInfo
from grader.tasks.edit_scene import EditScene
from grader.verdict import Outcome, Place, Reason

_GATES = {LocalityGate.SSIM_OR_LPIPS: Dataset.REAL, LocalityGate.SSIM_AND_LPIPS: Dataset.SYN}
_MOST_ON_FAIL = 0.9
_MOST_LEFT = 0.75
"""What of the asked move, turn or change of size may be left to do, as a share: half the way is a poor edit of the
right kind, and what a detector's noise makes of no edit at all is none."""

_TEXTS = {
    "BACKGROUND_CHANGED": "What lies outside of the edited object's boxes is not as it was.",
    "NO_BACKGROUND": "The boxes leave no background that could be compared.",
    EditFault.TARGET_MISSING.value: "The object was not found where it could be.",
    EditFault.STILL_THERE.value: "Something still stands where the object was to be removed.",
    EditFault.BARELY_MOVED.value: "The object moved by less than 5 cm.",
    EditFault.NOT_A_NEW_PLACE.value: "The object stands where something stood before.",
    EditFault.NOT_TURNED.value: "The object did not turn.",
    EditFault.NOT_RESIZED.value: "The object's size hardly changed.",
    EditFault.SCORE_TOO_LOW.value: "The object is too far from where it should be.",
    EditFault.VIEW_DIFFERS.value: "The picture differs too much from the one that the view should give.",
    "WRONG_DIRECTION": "The object moved more than 30 degrees off the way that it should go.",
    "NOT_NEARER": "The object is hardly nearer to what was asked than before, or farther from it.",
    "COUNT_DIFFERS": "There are more or fewer objects of the label than before.",
    EditFault.OTHERS_REMOVED.value: "Other objects are gone too.",
}
REASONS = tuple(ReasonInfo(code, text) for code, text in _TEXTS.items())
_EARNS_NOTHING = frozenset({"WRONG_DIRECTION", "NOT_NEARER"})
"""With these, something else was done than what was asked, however well its amount fits."""


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
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    reasons: tuple[Reason, ...]
    shown: EditScore
    target: int | None


def judge_edit(
    scene: EditScene,
    found: Sequence[Detection],
    background: Background | None,
    rating: float | None,
    settings: EditSettings,
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

    Raises
    ------
    GeometryError
        Naming ``rating``.
    """
    dataset = _GATES[settings.gate]
    shown = edit_score(_measures(scene, found, background, settings.rules), dataset, background, rating, settings.rules)
    # The outcome is a person's judgement, whatever rules the numbers follow.
    person = shown
    if settings.rules != SEED_RULES:
        person = edit_score(_measures(scene, found, background, SEED_RULES), dataset, background, rating)
    target = getattr(person.measures, "match", None)
    if person.gate.state is GateState.NOT_AVAILABLE:
        return EditJudgement(Outcome.MEASURED, None, None, (), shown, target)
    codes = _codes(person)
    reasons = tuple(_reason(code, scene) for code in codes)
    earned = person.scores.sa_ic.value or 0.0
    reward = earned if not codes else 0.0 if _EARNS_NOTHING & set(codes) else min(_MOST_ON_FAIL, earned)
    outcome = Outcome.FAIL if codes else Outcome.PASS
    return EditJudgement(outcome, shown.scores.sa.value, reward, reasons, shown, target)


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


def _codes(score: EditScore) -> tuple[str, ...]:
    """Codes of what is wrong, gravest first, that is in the order in which they are declared."""
    found = {fault.value for fault in score.measures.faults}
    if score.gate.state is GateState.FAILED:
        found.add("NO_BACKGROUND" if score.gate.missing is not None else "BACKGROUND_CHANGED")
    measures = score.measures
    if isinstance(measures, MoveScore) and measures.match is not None:
        if not measures.right_direction:
            found.add("WRONG_DIRECTION")
        if (measures.to_destination_m or 0.0) > _MOST_LEFT * measures.d_gt_m:
            found.add("NOT_NEARER")
        if not measures.counts_match:
            found.add("COUNT_DIFFERS")
    if isinstance(measures, RotateScore) and (measures.theta_diff_rad or 0.0) > _MOST_LEFT * measures.theta_gt_rad:
        found.add("NOT_NEARER")
    if isinstance(measures, ResizeScore) and measures.s_pred is not None:
        away = math.hypot(*(math.log(now / then) for now, then in zip(measures.s_pred, measures.s_gt, strict=True)))
        if away > _MOST_LEFT * math.hypot(*map(math.log, measures.s_gt)):
            found.add("NOT_NEARER")
    if isinstance(measures, RemoveScore) and measures.wrongly_removed:
        found.add(EditFault.OTHERS_REMOVED.value)
    return tuple(code for code in _TEXTS if code in found)


def _reason(code: str, scene: EditScene) -> Reason:
    places = () if code in ("BACKGROUND_CHANGED", "NO_BACKGROUND", "VIEW_DIFFERS") else (Place(object=scene.target),)
    return Reason(code, _TEXTS[code], places)
