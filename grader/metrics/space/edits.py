"""How right an edit of a scene is, from boxes alone: moves, turns, changes of size, removals, and views.

Spatial accuracy (SA, 0 to 1) and instruction compliance (IC) of [1]_, before any gate, with every figure on the way.
Detections are what a detector found in the original and in the edited picture; all boxes are in the camera's frame.
f(r) = exp(-ln(r)^2), f(0) = 0, natural logarithm. A target that is not found scores 0 and has no figures.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, section 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from grader.metrics.space.boxes3d import BoxArray, Floats, OrientedBox, Vector, box_ious, iou_table, upright
from grader.metrics.space.edit_rules import SEED_RULES, EditRules
from grader.metrics.space.edit_types import (
    Detection,
    EditFault,
    MoveScore,
    Pairing,
    RemoveScore,
    ResizeScore,
    RotateScore,
    ViewScore,
    check_label,
    normal_label,
)
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import geodesic


def closeness(found: float, wanted: float, power: float = 1.0, epsilon: float = 0.0) -> float:
    """f of a ratio of two lengths or angles: exp(-ln(r)^2) with r = (found / wanted)^power, 0 to 1; f(0) = 0.

    ``epsilon`` is added to ``wanted`` and to r, as public code does. ``wanted`` + ``epsilon`` is more than zero.

    Examples
    --------
    >>> round(0.7 * closeness(0.4, 0.8), 6)  # 0.7 exp(-ln(1/2)^2)
    0.432952
    """
    ratio = (found / (wanted + epsilon)) ** power + epsilon
    return math.exp(-(math.log(ratio) ** 2)) if ratio > 0.0 else 0.0


def score_move(
    label: str,
    source: OrientedBox,
    destination: OrientedBox,
    original: Sequence[Detection],
    edited: Sequence[Detection],
    rules: EditRules = SEED_RULES,
) -> MoveScore:
    """Scores a move, or a placement.

    The target is the object of the label that is nearest to the destination. SA = 0.3 IoU + 0.7 f(d_pred / d_gt),
    halved where the counts of the label differ. IC: d_pred is at least 0.05 m, the target is at least 0.05 m from
    every object of the original, and SA is above 0.1 (0.05 where counts differ).

    Raises
    ------
    GeometryError
        DEGENERATE_EDIT naming ``destination``, where d_gt is less than 1e-6 m; EMPTY_LABEL naming ``target``.
    """
    wanted = _difference(destination.center, source.center)
    d_gt = _length(wanted)
    check_label(label, "target")
    _check_asked(d_gt, "center", "m from the source's", rules)
    before, after = (_of_label(label, found, rules) for found in (original, edited))
    others = [found.box.center for found in original]
    to_others = [_least_distance(found.box, others) for found in edited]
    looked_at = [at for at in after if to_others[at] is None or (to_others[at] or 0.0) ** 2 >= rules.unmoved_m2]
    counts_match = len(before) == len(after)
    match = _nearest(looked_at, edited, destination)
    if match is None:
        return MoveScore(
            sa=0.0,
            ic=False,
            faults=(EditFault.TARGET_MISSING,),
            wanted_m=wanted,
            d_gt_m=d_gt,
            count_before=len(before),
            count_after=len(after),
            counts_match=counts_match,
        )
    box = edited[match].box
    moved = _difference(box.center, source.center)
    d_pred = _length(moved)
    iou = float(_overlaps([box], [destination], rules)[0, 0])
    term = closeness(d_pred, d_gt, rules.move_ratio_power, rules.ratio_epsilon)
    sa = rules.move_iou_share * iou + rules.move_distance_share * term
    sa *= 1.0 if counts_match else rules.move_count_factor
    to_original = to_others[match]
    faults = _faults(
        (d_pred < rules.least_move_m - rules.slack, EditFault.BARELY_MOVED),
        (to_original is not None and to_original < rules.distinct_m - rules.slack, EditFault.NOT_A_NEW_PLACE),
        (sa <= (rules.move_score if counts_match else rules.move_score_other_count), EditFault.SCORE_TOO_LOW),
    )
    direction = _angle(moved, wanted)
    return MoveScore(
        sa=sa,
        ic=not faults,
        faults=faults,
        match=match,
        iou=iou,
        displacement_m=moved,
        wanted_m=wanted,
        d_pred_m=d_pred,
        d_gt_m=d_gt,
        ratio=d_pred / d_gt if d_gt else None,
        direction_rad=direction,
        right_direction=direction is not None and direction <= rules.direction_rad + rules.slack,
        to_destination_m=_length(_difference(box.center, destination.center)),
        to_original_m=to_original,
        count_before=len(before),
        count_after=len(after),
        counts_match=counts_match,
    )


def score_rotate(
    label: str,
    source: OrientedBox,
    destination: OrientedBox,
    edited: Sequence[Detection],
    rules: EditRules = SEED_RULES,
) -> RotateScore:
    """Scores a turn.

    The target is the object of the label that is nearest to the destination, within 0.5 m.
    SA = 0.5 f(theta_pred / theta_gt) + 0.5 exp(-theta_diff). IC: the squared Frobenius distance of the target's
    rotation to the source's is at least 1e-4.

    Raises
    ------
    GeometryError
        DEGENERATE_EDIT naming ``destination``, where theta_gt is less than 1e-6 rad; EMPTY_LABEL naming ``target``.
    """
    theta_gt = float(geodesic(source.matrix, destination.matrix))
    check_label(label, "target")
    _check_asked(theta_gt, "rotation", "rad from the source's", rules)
    nearest = _nearest(_of_label(label, edited, rules), edited, destination)
    away = None if nearest is None else _length(_difference(edited[nearest].box.center, destination.center))
    if nearest is None or away is None or away > rules.rotate_reach_m + rules.slack:
        missing = (EditFault.TARGET_MISSING,)
        return RotateScore(0.0, False, missing, matched=False, to_destination_m=away, theta_gt_rad=theta_gt)
    turned = edited[nearest].box.matrix
    theta_pred, theta_diff = float(geodesic(source.matrix, turned)), float(geodesic(destination.matrix, turned))
    share = rules.rotate_ratio_share
    sa = share * closeness(theta_pred, theta_gt, epsilon=rules.ratio_epsilon) + (1 - share) * math.exp(-theta_diff)
    change = math.fsum(((turned - source.matrix) ** 2).ravel().tolist())
    faults = _faults((change < rules.least_turn - rules.slack, EditFault.NOT_TURNED))
    ratio = theta_pred / theta_gt if theta_gt else None
    return RotateScore(
        sa=sa,
        ic=not faults,
        faults=faults,
        match=nearest,
        matched=True,
        to_destination_m=away,
        theta_pred_rad=theta_pred,
        theta_gt_rad=theta_gt,
        theta_diff_rad=theta_diff,
        ratio=ratio,
        change=change,
    )


def score_resize(
    label: str,
    source: OrientedBox,
    destination: OrientedBox,
    edited: Sequence[Detection],
    rules: EditRules = SEED_RULES,
) -> ResizeScore:
    """Scores a change of size.

    The target is the object of the label that is nearest to the destination. SA = exp(-mean ln(s_pred / s_gt)^2) over
    the box's own axes. IC: |s_pred - 1| is above 0.1.

    Raises
    ------
    GeometryError
        DEGENERATE_EDIT naming ``destination``, where it has the source's size; EMPTY_LABEL naming ``target``.
    """
    check_label(label, "target")
    s_gt = _scales(destination, source, rules)
    _check_asked(_length(_difference(s_gt, (1.0, 1.0, 1.0))), "size", "times the source's", rules)
    match = _nearest(_of_label(label, edited, rules), edited, destination)
    if match is None:
        return ResizeScore(0.0, False, (EditFault.TARGET_MISSING,), s_gt=s_gt)
    box = edited[match].box
    s_pred = _scales(box, source, rules)
    epsilon = rules.ratio_epsilon
    logs = [math.log(found / (wanted + epsilon) + epsilon) for found, wanted in zip(s_pred, s_gt, strict=True)]
    change = _length(_difference(s_pred, (1.0, 1.0, 1.0)))
    faults = _faults((change <= rules.least_resize, EditFault.NOT_RESIZED))
    away = _length(_difference(box.center, destination.center))
    sa = math.exp(-math.fsum(log * log for log in logs) / 3)
    return ResizeScore(
        sa, not faults, faults, match=match, to_destination_m=away, s_pred=s_pred, s_gt=s_gt, change=change
    )


def score_remove(
    source: OrientedBox,
    original: Sequence[Detection],
    edited: Sequence[Detection],
    rules: EditRules = SEED_RULES,
) -> RemoveScore:
    """Scores a removal.

    The target is still there if any object of the edited picture, whatever its label, overlaps the source box by an
    IoU above 0.1; then SA is 0. Else it is max(0, 1 - 0.3 n), with n the objects of the original, other than those that
    overlap the source box, that are not found again. Objects are matched one to one, as many as can be, where their
    labels agree and their IoU is above 0.1. IC: SA is at least 0.5.
    """
    to_source = _overlaps([found.box for found in edited], [source], rules)[:, 0]
    still_there = tuple(np.flatnonzero(to_source > rules.same_place_iou).tolist())
    before = _overlaps([found.box for found in original], [source], rules)[:, 0]
    target = (before > rules.same_place_iou).tolist()
    others = [at for at, is_target in enumerate(target) if not is_target]
    kept = _pairings(original, others, edited, rules)
    found_again = {pairing.original for pairing in kept}
    removed = tuple(at for at in others if at not in found_again)
    gone = len(removed)
    if rules.count_removed:
        kept, removed, gone = (), (), max(0, len(original) - 1 - len(edited))
    sa = 0.0 if still_there else max(0.0, 1.0 - rules.removed_penalty * gone)
    low = sa < rules.remove_score - rules.slack
    faults = _faults((bool(still_there), EditFault.STILL_THERE), (low and not still_there, EditFault.OTHERS_REMOVED))
    return RemoveScore(
        sa=sa,
        ic=not faults,
        faults=faults,
        source_iou=float(to_source.max(initial=0.0)),
        still_there=still_there,
        target_gone=not still_there,
        targets=tuple(at for at, is_target in enumerate(target) if is_target),
        kept=kept,
        removed=removed,
        wrongly_removed=gone,
    )


def score_view(ssim: float, lpips: float, rules: EditRules = SEED_RULES) -> ViewScore:
    """Scores a change of view against the picture that should result, over the full frame.

    SA = 0.5 SSIM + 0.5 (1 - LPIPS), kept within 0 to 1; IC: SA is at least 0.5.

    Raises
    ------
    GeometryError
        NOT_FINITE or OUT_OF_RANGE, naming ``ssim`` or ``lpips``.
    """
    check_similarity(ssim, lpips)
    share = rules.view_ssim_share
    sa = min(1.0, max(0.0, share * ssim + (1 - share) * (1 - lpips)))
    faults = _faults((sa < rules.view_score - rules.slack, EditFault.VIEW_DIFFERS))
    return ViewScore(sa, not faults, faults, ssim, lpips)


def check_similarity(ssim: float | None, lpips: float | None) -> None:
    """Checks an SSIM, -1 to 1, and an LPIPS, from 0; either may be None.

    Raises
    ------
    GeometryError
        NOT_FINITE or OUT_OF_RANGE, naming ``ssim`` or ``lpips``.
    """
    for field, value, least, most in (("ssim", ssim, -1.0, 1.0), ("lpips", lpips, 0.0, math.inf)):
        if value is None:
            continue
        if not math.isfinite(value):
            raise GeometryError(field, GeometryFault.NOT_FINITE, "it is not finite")
        if not least <= value <= most:
            raise GeometryError(field, GeometryFault.OUT_OF_RANGE, f"it is {value:g}, beyond {least:g} to {most:g}")


def _check_asked(amount: float, field: str, unit: str, rules: EditRules) -> None:
    if amount < rules.least_truth:
        text = f"it is {amount:.3g} {unit}, which asks for nothing; at least {rules.least_truth:g} is needed"
        raise GeometryError(f"destination.{field}", GeometryFault.DEGENERATE_EDIT, text)


def _of_label(label: str, found: Sequence[Detection], rules: EditRules) -> list[int]:
    wanted = normal_label(label)
    return [at for at, one in enumerate(found) if not rules.compare_labels or normal_label(one.label) == wanted]


def _nearest(indices: Sequence[int], found: Sequence[Detection], place: OrientedBox) -> int | None:
    """The one whose centre is nearest to a place's; of several, the first."""
    return min(indices, key=lambda at: _length(_difference(found[at].box.center, place.center)), default=None)


def _least_distance(box: OrientedBox, centers: Sequence[Vector]) -> float | None:
    return min((_length(_difference(box.center, center)) for center in centers), default=None)


def _overlaps(rows: Sequence[OrientedBox], columns: Sequence[OrientedBox], rules: EditRules) -> Floats:
    """The IoU of every box with every other, (rows, columns)."""
    if rules.upright_only:
        rows, columns = list(map(upright, rows)), list(map(upright, columns))
    return iou_table(rows, columns)


def _pairings(
    original: Sequence[Detection], others: Sequence[int], edited: Sequence[Detection], rules: EditRules
) -> tuple[Pairing, ...]:
    """Pairs as many objects one to one as can be; of the ways to do that, the one of the greatest overlap in all."""
    if not others or not edited:
        return ()
    before = [original[at] for at in others]
    overlaps = _overlaps([found.box for found in before], [found.box for found in edited], rules)
    names, new_names = ([normal_label(one.label) for one in found] for found in (before, edited))
    same = np.array([[name == new or not rules.compare_labels for new in new_names] for name in names])
    may = same & (overlaps > rules.same_place_iou)
    # An overlap is at most 1, so that one pair more is worth more than any overlap.
    worth = np.where(may, overlaps + len(others) + 1.0, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return tuple(
        Pairing(others[row], int(column), float(overlaps[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if may[row, column]
    )


def kept_pairs(before: Sequence[Detection], after: Sequence[Detection], reach_m: float) -> tuple[tuple[int, int], ...]:
    """Which objects are still there: pairs, one to one, of equal labels whose centres are within a reach in metres, or
    that overlap as one object does (`EditRules.same_place_iou`); as many as can be. Each is two indices."""
    if not before or not after:
        return ()
    apart = np.linalg.norm(
        np.array([one.box.center for one in before])[:, None] - np.array([one.box.center for one in after])[None],
        axis=2,
    )
    names, new_names = ([normal_label(one.label) for one in found] for found in (before, after))
    same = np.array([[name == new for new in new_names] for name in names])
    # Only boxes that are apart but close can overlap enough; their overlap is looked at.
    reach = np.array([max(one.box.size) for one in before])[:, None]
    overlap = np.zeros_like(apart)
    rows, columns = np.nonzero(same & (apart > reach_m) & (apart < reach))
    if len(rows):
        first, second = [before[at].box for at in rows.tolist()], [after[at].box for at in columns.tolist()]
        overlap[rows, columns] = box_ious(BoxArray.of(first), BoxArray.of(second))
    may = same & ((apart <= reach_m) | (overlap > SEED_RULES.same_place_iou))
    rows, columns = linear_sum_assignment(may.astype(np.float64), maximize=True)
    return tuple((int(row), int(column)) for row, column in zip(rows, columns, strict=True) if may[row, column])


def _scales(box: OrientedBox, source: OrientedBox, rules: EditRules) -> Vector:
    x, y, z = (now / (then + rules.ratio_epsilon) for now, then in zip(box.size, source.size, strict=True))
    return x, y, z


def _faults(*checks: tuple[bool, EditFault]) -> tuple[EditFault, ...]:
    return tuple(fault for holds, fault in checks if holds)


def _difference(one: Vector, other: Vector) -> Vector:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def _length(vector: Vector) -> float:
    return math.hypot(*vector)


def _angle(one: Vector, other: Vector) -> float | None:
    """The angle between two vectors, 0 to pi; None where one of them is zero."""
    if not _length(one) or not _length(other):
        return None
    (a, b, c), (d, e, f) = one, other
    return math.atan2(_length((b * f - c * e, c * d - a * f, a * e - b * d)), a * d + b * e + c * f)
