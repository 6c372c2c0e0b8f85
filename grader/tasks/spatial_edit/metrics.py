"""What a verdict on a spatial edit lists: every figure on the way to IC and SA, and the figures of the tables."""

from __future__ import annotations

from detectors.spatial_edit.viewpoint.turning import ViewpointFinding
from grader.metrics.space.edit_tables import Background, EditFigure, EditMeasures, EditScore, GateState, MissingPart
from grader.metrics.space.edit_types import MoveScore, RemoveScore, ResizeScore, RotateScore
from grader.model.jobs import CandidateKind
from grader.model.verdict import Metric
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.spatial_edit.judging.judge import EditEvidence
from grader.tasks.spatial_edit.judging.looks import EditLooks

_SCENE = (CandidateKind.IMAGE, CandidateKind.SCENE)
_FAR = 1e12


def _info(name: str, text: str, unit: str, better: bool, low: float, high: float) -> MetricInfo:
    return MetricInfo(name, text, unit, better, low, high, _SCENE)


_TABLE = (
    _info("ic", "Instruction compliance, 0 or 1, 0 where the gate fails (GSI-Bench).", "1", True, 0.0, 1.0),
    _info("sa", "Spatial accuracy, 0 where the gate fails (GSI-Bench); the score.", "1", True, 0.0, 1.0),
    _info("sa_ic", "SA x IC: no edit and wrong edits earn nothing in it.", "1", True, 0.0, 1.0),
    _info("el", "Edit locality, 100 (1 - LPIPS) of the background, 0 where IC is 0.", "1", True, 0.0, 100.0),
    _info("ac", "Appearance consistency, 10 times the rating, 0 where IC is 0.", "1", True, 0.0, 100.0),
    _info("gate", "1 if the background is alike enough, else 0.", "1", True, 0.0, 1.0),
    _info("ic_ungated", "IC from the boxes alone.", "1", True, 0.0, 1.0),
    _info("sa_ungated", "SA from the boxes alone.", "1", True, 0.0, 1.0),
    _info("el_ungated", "EL whatever IC is.", "1", True, 0.0, 100.0),
    _info("ac_ungated", "AC whatever IC is.", "1", True, 0.0, 100.0),
    _info("ssim_background", "SSIM over what neither box covers; of a view over all.", "1", True, -1.0, 1.0),
    _info("lpips_background", "LPIPS over what neither box covers; of a view over all.", "1", False, 0.0, 1e6),
)
_FIGURES = (
    _info("iou", "Overlap of the object with its destination box; moves.", "1", True, 0.0, 1.0),
    _info("d_pred_m", "How far the object moved.", "m", True, 0.0, _FAR),
    _info("d_gt_m", "How far it should move.", "m", True, 0.0, _FAR),
    _info("distance_ratio", "d_pred / d_gt.", "1", True, 0.0, _FAR),
    _info("direction_rad", "Between the way that it moved and the way that it should move.", "rad", False, 0.0, 3.1416),
    _info("to_destination_m", "From the object to its destination.", "m", False, 0.0, _FAR),
    _info("to_original_m", "From the object to the nearest one before the edit; moves.", "m", True, 0.0, _FAR),
    _info("count_before", "Objects of the label before the edit; moves.", "count", True, 0.0, 1e6),
    _info("count_after", "Objects of the label after it; moves.", "count", True, 0.0, 1e6),
    _info("theta_pred_rad", "By how much the object turned.", "rad", True, 0.0, 3.1416),
    _info("theta_gt_rad", "By how much it should turn.", "rad", True, 0.0, 3.1416),
    _info("theta_diff_rad", "Between how it stands and how it should stand.", "rad", False, 0.0, 3.1416),
    _info("angle_ratio", "theta_pred / theta_gt.", "1", True, 0.0, _FAR),
    _info("rotation_change", "Squared Frobenius distance of its rotation to the one before.", "1", True, 0.0, 8.1),
    _info(
        "viewpoint_rad",
        "By how much the camera turned, from features outside of the boxes; turns.",
        "rad",
        False,
        0.0,
        3.1416,
    ),
    _info(
        "viewpoint_matches", "Features that both pictures have outside of the boxes; turns.", "count", True, 0.0, 1e6
    ),
    _info("scale_change", "|s_pred - 1|, s_pred the extents over those before.", "1", True, 0.0, _FAR),
    _info("scale_w", "s_pred along the box's x.", "1", True, 0.0, _FAR),
    _info("scale_h", "s_pred along the box's y.", "1", True, 0.0, _FAR),
    _info("scale_l", "s_pred along the box's z.", "1", True, 0.0, _FAR),
    _info(
        "box_2d_iou", "Overlap of boxes in the picture with the object, or with where it stood.", "1", True, 0.0, 1.0
    ),
    _info("tone_ratio", "Light outside of all boxes over that before, linear.", "1", False, 0.0, 1e4),
    _info("tint_ratio", "Greatest ratio of two channels' gains there.", "1", False, 0.0, 1e4),
    _info("left_object", "What of the object is not as predicted, in units of what is seen.", "1", False, 0.0, 1e4),
    _info("left_others", "The same of the other box that deviates most.", "1", False, 0.0, 1e4),
    _info("left_place", "The same of where the object stood.", "1", False, 0.0, 1e4),
    _info("left_ground", "The same of all that shows no box.", "1", False, 0.0, 1e4),
    _info("left_share", "Share of the picture that is not as predicted.", "1", False, 0.0, 1.0),
    _info("source_iou", "Greatest overlap of what is found with the source box; removals.", "1", False, 0.0, 1.0),
    _info("wrongly_removed", "Other objects that are gone; removals.", "count", False, 0.0, 1e6),
)
METRICS = (*_TABLE, *_FIGURES)
_NO_2D = "no detection has a box_2d, or there is nothing to compare it with"
_NO_LOOKS = "that is looked at in pictures of coloured boxes alone"
_VIEWPOINT = ("viewpoint_rad", "viewpoint_matches")
_LOOKS = frozenset(
    {"tone_ratio", "tint_ratio", "left_object", "left_others", "left_place", "left_ground", "left_share"}
)

_WHY = {
    MissingPart.NO_PICTURES: "the request lacks the picture before the edit, or the edited one",
    MissingPart.NO_SSIM: "SSIM could not be measured",
    MissingPart.NO_LPIPS: "LPIPS could not be measured",
    MissingPart.NO_BACKGROUND: "the boxes leave no background",
    MissingPart.NO_RATING: "the request has no scene.appearance_rating",
    MissingPart.GATE_NOT_AVAILABLE: "the gate is not available: the background could not be looked at",
    MissingPart.NOT_DEFINED: "it is not defined for views",
}


def edit_metrics(score: EditScore, evidence: EditEvidence, box_2d_iou: float | None = None) -> tuple[Metric, ...]:
    """All metrics of an edit, in the order in which they are declared."""
    background = evidence.background
    table = {
        "ic": score.scores.ic,
        "sa": score.scores.sa,
        "sa_ic": score.scores.sa_ic,
        "el": score.scores.el,
        "ac": score.scores.ac,
        "gate": _gate(score),
        "ic_ungated": EditFigure(score.ic_ungated),
        "sa_ungated": EditFigure(score.sa_ungated),
        "el_ungated": score.el_ungated,
        "ac_ungated": score.ac_ungated,
        "ssim_background": _likeness(background, "ssim"),
        "lpips_background": _likeness(background, "lpips"),
    }
    made = [_metric(info.name, table[info.name]) for info in _TABLE]
    figures = _figures(score.measures)
    looks = {} if evidence.looks is None else _look_figures(evidence.looks)
    absent = "this kind of edit has no such figure" if figures else "a view has no boxes"
    for info in _FIGURES:
        if info.name in _VIEWPOINT and isinstance(score.measures, RotateScore):
            made.append(_viewpoint(info.name, evidence.viewpoint))
        elif info.name == "box_2d_iou" and figures:
            made.append(_optional(info.name, box_2d_iou, _NO_2D))
        elif info.name in _LOOKS and figures:
            made.append(_optional(info.name, looks.get(info.name), _NO_LOOKS))
        elif info.name not in figures:
            made.append(Metric(info.name, None, absent))
        else:
            made.append(_optional(info.name, figures[info.name], "the object was not found, or did not move"))
    return tuple(made)


def _optional(name: str, value: float | None, why: str) -> Metric:
    return Metric(name, value, "" if value is not None else why)


def _look_figures(looks: EditLooks) -> dict[str, float]:
    """What was seen besides boxes, by the metric's name."""
    return {
        "tone_ratio": looks.tone,
        "tint_ratio": looks.tint,
        "left_object": looks.target,
        "left_others": looks.others,
        "left_place": looks.place,
        "left_ground": looks.ground,
        "left_share": looks.changed,
    }


def _viewpoint(name: str, finding: ViewpointFinding | None) -> Metric:
    if finding is None:
        return Metric(name, None, _WHY[MissingPart.NO_PICTURES])
    value = finding.rotation_rad if name == "viewpoint_rad" else float(finding.matches)
    return Metric(name, value, "" if value is not None else "what the pictures have in common does not say it")


def _metric(name: str, figure: EditFigure) -> Metric:
    if figure.missing is not None:
        return Metric(name, None, _WHY[figure.missing])
    return Metric(name, figure.value)


def _gate(score: EditScore) -> EditFigure:
    match score.gate.state:
        case GateState.PASSED:
            return EditFigure(1.0)
        case GateState.FAILED:
            return EditFigure(0.0)
        case GateState.NOT_AVAILABLE:
            return EditFigure(None, score.gate.missing)
        case GateState.NOT_APPLIED:
            return EditFigure(None, MissingPart.NOT_DEFINED)


def _likeness(background: Background | None, name: str) -> EditFigure:
    if background is None:
        return EditFigure(None, MissingPart.NO_PICTURES)
    value = background.ssim if name == "ssim" else background.lpips
    if value is not None:
        return EditFigure(value)
    return EditFigure(None, MissingPart.NO_BACKGROUND if background.empty else MissingPart[f"NO_{name.upper()}"])


def _figures(measures: EditMeasures) -> dict[str, float | None]:
    """What was measured on the way, by the metric's name; None where there is no value."""
    if isinstance(measures, MoveScore):
        return {
            "iou": measures.iou,
            "d_pred_m": measures.d_pred_m,
            "d_gt_m": measures.d_gt_m,
            "distance_ratio": measures.ratio,
            "direction_rad": measures.direction_rad,
            "to_destination_m": measures.to_destination_m,
            "to_original_m": measures.to_original_m,
            "count_before": float(measures.count_before),
            "count_after": float(measures.count_after),
        }
    if isinstance(measures, RotateScore):
        return {
            "to_destination_m": measures.to_destination_m,
            "theta_pred_rad": measures.theta_pred_rad,
            "theta_gt_rad": measures.theta_gt_rad,
            "theta_diff_rad": measures.theta_diff_rad,
            "angle_ratio": measures.ratio,
            "rotation_change": measures.change,
        }
    if isinstance(measures, ResizeScore):
        width, height, length = measures.s_pred or (None, None, None)
        return {
            "to_destination_m": measures.to_destination_m,
            "scale_change": measures.change,
            "scale_w": width,
            "scale_h": height,
            "scale_l": length,
        }
    if isinstance(measures, RemoveScore):
        return {"source_iou": measures.source_iou, "wrongly_removed": float(measures.wrongly_removed)}
    return {}
