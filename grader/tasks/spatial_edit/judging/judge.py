"""Judges a spatial edit by its boxes and by how alike the background stayed. No pixels in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from detectors.spatial_edit.viewpoint.turning import Viewpoint, ViewpointFinding
from grader.metrics.space.edit_rules import SEED_RULES, EditRules
from grader.metrics.space.edit_tables import (
    Background,
    Dataset,
    EditMeasures,
    EditScore,
    GateState,
    edit_score,
)
from grader.metrics.space.edit_types import (
    Detection,
    EditFault,
    MoveScore,
    ResizeScore,
    RotateScore,
    ViewScore,
)
from grader.metrics.space.edits import (
    score_move,
    score_remove,
    score_resize,
    score_rotate,
    score_view,
)
from grader.metrics.space.sightings import Sighting
from grader.model.places import Place
from grader.model.verdict import Outcome, Reason
from grader.tasks.spatial_edit.judging.besides import (
    COUNT_DIFFERS,
    OBJECTS_ADDED,
    OTHERS_REMOVED,
    TARGET_ALTERED,
    TARGET_ELSEWHERE,
    Beside,
    done_besides,
    share_kept,
)
from grader.tasks.spatial_edit.judging.exact_boxes import RESIZED_BESIDES, TURNED_BESIDES, altered_besides
from grader.tasks.spatial_edit.judging.looks import TARGET_NOT_SOLID, EditLooks
from grader.tasks.spatial_edit.judging.sightings import SightingCheck, check_sightings
from grader.tasks.spatial_edit.judging.stillness import NOT_DONE, Stillness, not_done
from grader.tasks.spatial_edit.model import EditOperation
from grader.tasks.spatial_edit.reasons import REASONS
from grader.tasks.spatial_edit.scene.scene import EditScene
from grader.tasks.spatial_edit.settings import JudgingSettings, LocalityGate, SpatialEditSettings

_TEXTS = {reason.code: reason.description for reason in REASONS}
_GATES = {LocalityGate.SSIM_OR_LPIPS: Dataset.REAL, LocalityGate.SSIM_AND_LPIPS: Dataset.SYN}
_EARNS_NOTHING = frozenset(
    {
        "LOOK_CHANGED",
        "WRONG_DIRECTION",
        "NOT_NEARER",
        "STILL_SEEN",
        "NOT_CLEARED",
        TARGET_ELSEWHERE,
        *NOT_DONE.values(),
    }
)
"""With these, something else was done than what was asked, however well its amount fits."""
_IN_DOUBT = frozenset(
    {
        "PLACE_NOT_CONFIRMED",
        TARGET_NOT_SOLID,
        COUNT_DIFFERS,
        TURNED_BESIDES,
        RESIZED_BESIDES,
        TARGET_ALTERED,
        OTHERS_REMOVED,
        OBJECTS_ADDED,
        "MARKS_ADDED",
    }
)
"""With these, something was done besides, or is in doubt. (SA of a move is halved already where counts differ.)"""
_OF_THE_PICTURE = frozenset(
    {"BACKGROUND_CHANGED", "NO_BACKGROUND", "LOOK_CHANGED", "VIEWPOINT_CHANGED", "VIEW_DIFFERS", "MARKS_ADDED"}
)
"""These are not said of the edited object."""
_DIGITS = 12  # not a threshold: rounding
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
    left : share of what was asked for that is left to do
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    reasons: tuple[Reason, ...]
    shown: EditScore
    target: int | None
    seen: SightingCheck
    left: float = 0.0


@dataclass(frozen=True, eq=False)
class EditEvidence:
    """What an edit is judged by.

    Attributes
    ----------
    found : after the edit
    background : None where a picture is missing; of a view, how alike the whole pictures are
    rating : of appearance, 0 to 10; None where there is none
    likeness_before : of a view, how alike the picture before the edit is to the one that should result
    viewpoint : of a turn, whether the camera turned; None where that could not be looked at
    only_seen : what was found in the edited picture, but not in space
    unsure : where boxes are those of coloured boxes, the labels that their detector is not sure of; else None
    looks : what the edited picture shows besides boxes; None where that could not be looked at
    sent : the scene and what was found after the edit, with the detector's own error; None where they have none
    still : what the edited picture shows as before; None where that could not be looked at
    view : of a view, which boxes it lacks, and which it has besides
    loose : indices of what was found that fits badly to the picture
    """

    found: tuple[Detection, ...]
    background: Background | None = None
    rating: float | None = None
    likeness_before: Background | None = None
    viewpoint: ViewpointFinding | None = None
    only_seen: tuple[Sighting, ...] = ()
    unsure: tuple[str, ...] | None = None
    looks: EditLooks | None = None
    sent: tuple[EditScene, tuple[Detection, ...]] | None = None
    still: Stillness | None = None
    view: tuple[Beside, ...] = ()
    loose: tuple[int, ...] = ()


def judge_edit(scene: EditScene, evidence: EditEvidence, settings: SpatialEditSettings) -> EditJudgement:
    """Judges an edit.

    Raises
    ------
    GeometryError
        Naming ``rating``.
    """
    dataset = _GATES[settings.gate]
    found, background, viewpoint = evidence.found, evidence.background, evidence.viewpoint
    turned = viewpoint is not None and viewpoint.state is Viewpoint.TURNED
    unknown = viewpoint is not None and viewpoint.state is Viewpoint.UNKNOWN
    # Public code compares what is found with the request, whatever the detector's error.
    plain = (scene, found) if evidence.sent is None or settings.rules == SEED_RULES else evidence.sent
    shown = edit_score(
        _measures(*plain, background, settings.rules),
        dataset,
        background,
        evidence.rating,
        settings.rules,
        camera_turned=turned or (unknown and settings.rules.viewpoint_required),
    )
    # The outcome is a person's judgement, whatever rules the numbers follow: who sees that all is as it was, needs no
    # measure of likeness, which noise on a plain table lowers.
    kept = background is not None and not background.empty and evidence.looks is not None and evidence.looks.kept
    person = shown
    if settings.rules != SEED_RULES or kept:
        measures = _measures(scene, found, background, SEED_RULES)
        alike = Background(1.0, 0.0) if kept else background
        person = edit_score(measures, dataset, alike, evidence.rating, camera_turned=turned)
    target = getattr(person.measures, "match", None)
    judging = settings.judging
    seen = check_sightings(scene, found, evidence.only_seen, target, judging.sightings)
    if person.gate.state is GateState.NOT_AVAILABLE:
        return EditJudgement(Outcome.MEASURED, None, None, (), shown, target, seen)
    besides = evidence.view + done_besides(person.measures, scene, found, judging.besides, evidence.still)
    if evidence.unsure is not None:
        besides += altered_besides(scene, found, target, evidence.unsure, judging)
    if evidence.looks is not None:
        besides += evidence.looks.besides
        besides += (Beside(TARGET_NOT_SOLID, (scene.target,)),) if target in evidence.loose else ()
    codes = seen.codes | {one.code for one in besides}
    if turned:
        codes |= {"VIEWPOINT_CHANGED"}
    codes |= not_done(scene, evidence.still)
    left = _left_to_do(person.measures, evidence.likeness_before)
    ordered = _codes(person, codes | ({"NOT_NEARER"} if left > judging.most_left else set()))
    share = share_kept(person.measures, scene, found, judging.besides)
    score = shown.scores.sa.value
    return EditJudgement(
        outcome=Outcome.FAIL if ordered else Outcome.PASS,
        score=None if score is None else round(score, _DIGITS),
        reward=_reward(person, left, share, ordered, judging),
        reasons=tuple(_reason(code, scene, besides) for code in ordered),
        shown=shown,
        target=target,
        seen=seen,
        left=left,
    )


def _reward(score: EditScore, left: float, kept: float, codes: tuple[str, ...], settings: JudgingSettings) -> float:
    done = score.scores.sa_ic.value or 0.0
    if not isinstance(score.measures, ViewScore):
        # SA forgives what is left to do of small changes: half a change of size has up to 0.99.
        done = min(done, max(0.0, 1.0 - left)) * (1.0 if TARGET_ALTERED in codes else kept)
    earned = round(done, _DIGITS)
    if not codes:
        return earned
    if _EARNS_NOTHING & set(codes):
        return 0.0
    return min(settings.most_on_fail, settings.in_doubt * earned if _IN_DOUBT & set(codes) else earned)


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


def _codes(score: EditScore, besides: frozenset[str]) -> tuple[str, ...]:
    """Returns codes of what is wrong, gravest first, that is in the order in which they are declared."""
    found = {fault.value for fault in score.measures.faults} | besides
    if score.gate.state is GateState.FAILED:
        found.add("NO_BACKGROUND" if score.gate.missing is not None else "BACKGROUND_CHANGED")
    measures = score.measures
    # What hardly moved has no direction.
    if isinstance(measures, MoveScore) and measures.match is not None and EditFault.BARELY_MOVED.value not in found:
        found |= set() if measures.right_direction else {"WRONG_DIRECTION"}
    return tuple(code for code in _TEXTS if code in found)


def _left_to_do(measures: EditMeasures, likeness_before: Background | None) -> float:
    """Measures what is left to do, as a share of the move, turn, change of size or of view that was asked for.

    It is 0 of removals, and where the object was not found or that is not known, which other reasons are about.
    """
    if isinstance(measures, MoveScore):
        return 0.0 if measures.to_destination_m is None else measures.to_destination_m / measures.d_gt_m
    if isinstance(measures, RotateScore):
        return 0.0 if measures.theta_diff_rad is None else measures.theta_diff_rad / measures.theta_gt_rad
    if isinstance(measures, ResizeScore):
        if measures.s_pred is None:
            return 0.0
        away = math.hypot(*(math.log(now / then) for now, then in zip(measures.s_pred, measures.s_gt, strict=True)))
        return away / math.hypot(*map(math.log, measures.s_gt))
    if isinstance(measures, ViewScore) and likeness_before is not None:
        unlike = _unlike(likeness_before)
        if unlike is not None:
            return (1.0 - measures.sa) / unlike if unlike > 0.0 else (math.inf if measures.sa < 1.0 else 0.0)
    return 0.0


def _unlike(likeness: Background) -> float | None:
    """Returns 1 - SA of a view that is as alike as this; None where it was not measured."""
    if likeness.ssim is None or likeness.lpips is None:
        return None
    return 1.0 - score_view(likeness.ssim, likeness.lpips).sa


def _reason(code: str, scene: EditScene, besides: Sequence[Beside]) -> Reason:
    said = next((one for one in besides if one.code == code), None)
    if said is not None and (said.labels or code in _OF_THE_PICTURE):
        places = tuple(Place(object=label) for label in dict.fromkeys(said.labels))
        return Reason(code, f"{_TEXTS[code]} {said.detail}".rstrip(), places)
    return Reason(code, _TEXTS[code], () if code in _OF_THE_PICTURE else (Place(object=scene.target),))
