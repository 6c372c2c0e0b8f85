"""Scores of spatial edits from boxes: what each operation gives, by arithmetic, and why an edit does not comply."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_rules import GSI_BENCH_CODE
from grader.metrics.space.edit_types import Detection, EditFault, Pairing, normal_label
from grader.metrics.space.edits import (
    closeness,
    score_move,
    score_remove,
    score_resize,
    score_rotate,
    score_view,
)
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import from_axis, from_quaternion, matmul


def at(x: float, y: float = 0.0, z: float = 2.0, edge: float = 0.3) -> OrientedBox:
    return OrientedBox((x, y, z), (edge, edge, edge))


def cup(x: float, y: float = 0.0, z: float = 2.0, label: str = "cup") -> Detection:
    return Detection(label, at(x, y, z))


def f(ratio: float) -> float:
    return math.exp(-(math.log(ratio) ** 2))


def turned(angle: float, axis: str = "y", x: float = 0.0) -> OrientedBox:
    return OrientedBox((x, 0, 2), (0.3, 0.5, 0.8), from_axis(axis, angle).tolist())


def book(angle: float, axis: str = "y", x: float = 0.0) -> Detection:
    return Detection("book", turned(angle, axis, x))


# --- Moves ---


def test_a_perfect_move() -> None:
    found = score_move("cup", at(0), at(0.5), [cup(0)], [cup(0.5)])
    assert (found.sa, found.ic, found.faults, found.match) == (pytest.approx(1.0, abs=1e-12), True, (), 0)
    assert found.displacement_m == found.wanted_m == (0.5, 0.0, 0.0)
    assert (found.ratio, found.direction_rad, found.right_direction) == (1.0, 0.0, True)
    assert (found.to_destination_m, found.to_original_m) == (0.0, 0.5)
    assert (found.count_before, found.count_after, found.counts_match) == (1, 1, True)


def test_half_of_the_way() -> None:
    """No overlap: 0.7 exp(-ln(1/2)^2) = 0.433."""
    found = score_move("cup", at(0), at(0.8), [cup(0)], [cup(0.4)])
    assert found.sa == pytest.approx(0.7 * f(0.5), abs=1e-12)
    assert found.sa == pytest.approx(0.432952, abs=1e-6)
    assert (found.d_pred_m, found.d_gt_m, found.iou, found.ic) == (0.4, 0.8, 0.0, True)


def test_a_move_the_wrong_way_is_told() -> None:
    """Of the right length, so SA is 0.7 and IC 1 by definition; but it goes off by pi."""
    found = score_move("cup", at(0), at(0.5), [cup(0)], [cup(-0.5)])
    assert (found.sa, found.ic) == (pytest.approx(0.7, abs=1e-12), True)
    assert (found.direction_rad, found.right_direction) == (math.pi, False)


@pytest.mark.parametrize(("degrees", "right"), [(0, True), (29.9, True), (30, True), (30.1, False), (90, False)])
def test_a_right_direction_is_within_30_degrees(degrees: float, right: bool) -> None:
    angle = math.radians(degrees)
    moved = cup(0.5 * math.cos(angle), 0.3 * math.sin(angle), 2 + 0.4 * math.sin(angle))
    found = score_move("cup", at(0), at(0.5), [cup(0)], [moved])
    assert found.direction_rad == pytest.approx(angle, abs=1e-12)
    assert found.right_direction is right


def test_what_did_not_move_has_no_direction() -> None:
    """f(0) = 0, no overlap: SA 0. It is too near to where it was, and to an object of the original."""
    found = score_move("cup", at(0), at(0.5), [cup(0)], [cup(0)])
    assert (found.sa, found.ic, found.direction_rad, found.right_direction) == (0.0, False, None, False)
    assert found.faults == (EditFault.BARELY_MOVED, EditFault.NOT_A_NEW_PLACE, EditFault.SCORE_TOO_LOW)


@pytest.mark.parametrize(("x", "complies"), [(0.1499, False), (0.15, True), (0.1501, True)])
def test_five_centimetres_are_a_move(x: float, complies: bool) -> None:
    """From 0.1; 0.15 - 0.1 is less than 0.05 in binary, by rounding alone."""
    assert 0.15 - 0.1 < 0.05
    assert score_move("cup", at(0.1), at(0.16), [], [cup(x)]).ic is complies


def test_a_new_place_is_away_from_every_object_of_the_original() -> None:
    """Of any label: a plate stood 4 cm from where the cup is now."""
    found = score_move("cup", at(0), at(0.5), [cup(0), cup(0.54, label="plate")], [cup(0.5)])
    assert (found.sa, found.ic) == (pytest.approx(1.0, abs=1e-12), False)
    assert found.faults == (EditFault.NOT_A_NEW_PLACE,)
    assert found.to_original_m == pytest.approx(0.04, abs=1e-12)


def test_only_the_label_counts() -> None:
    """A plate is nearer to the destination, and there are two of them now; neither matters."""
    edited = [cup(0.5, label="plate"), cup(0.45, label="The  CUP."), cup(1.5, label="plate")]
    found = score_move("cup", at(0), at(0.5), [cup(0), cup(-2, label="plate")], edited)
    # Cubes of 0.3 offset by 0.05 share 0.25 of 0.35.
    assert found.sa == pytest.approx(0.3 * 0.25 / 0.35 + 0.7 * f(0.9), abs=1e-12)
    assert (found.match, found.counts_match, found.ic) == (1, True, True)


def test_labels_are_normalised() -> None:
    names = ("Dining Table", "dining_table", "the dining-table.", "DiningTable", "a dining table", "DINING  TABLE")
    assert {normal_label(name) for name in names} == {"diningtable"}
    assert normal_label("theatre") == "theatre"
    assert normal_label("Ａpple") == "apple"


def test_another_count_halves() -> None:
    """A copy at the destination while the original stays: SA 0.5, and IC asks for 0.05 only."""
    found = score_move("cup", at(0), at(0.5), [cup(0)], [cup(0.5), cup(0)])
    assert (found.sa, found.ic, found.counts_match) == (pytest.approx(0.5, abs=1e-12), True, False)
    # 0.5 x 0.7 f(r) is 0.0501 or 0.0499, where f(r) is exp(-ln(r)^2).
    for sa, complies in ((0.0501, True), (0.0499, False)):
        ratio = math.exp(-math.sqrt(-math.log(sa / 0.35)))
        found = score_move("cup", at(0), at(2), [cup(0)], [cup(2 * ratio), cup(9)])
        assert (found.sa, found.ic) == (pytest.approx(sa, abs=1e-12), complies)


def test_a_lost_target() -> None:
    found = score_move("cup", at(0), at(0.5), [cup(0)], [cup(0.5, label="plate")])
    assert (found.sa, found.ic, found.faults) == (0.0, False, (EditFault.TARGET_MISSING,))
    assert (found.match, found.iou, found.d_pred_m, found.direction_rad) == (None, None, None, None)
    assert (found.count_before, found.count_after, found.d_gt_m) == (1, 0, 0.5)


def test_of_two_equally_near_the_first_is_taken() -> None:
    edited = [cup(9), cup(0.5, 0.25), cup(0.5, -0.25)]
    assert score_move("cup", at(0), at(0.5), [], edited).match == 1


# --- Turns ---


def test_a_perfect_turn_of_any_angle() -> None:
    for angle in (0.1, math.pi / 2, -math.pi / 2, math.pi):
        found = score_rotate("book", turned(0.3), turned(0.3 + angle), [book(0.3 + angle)])
        assert (found.sa, found.ic) == (pytest.approx(1.0, abs=1e-12), True)
        assert found.theta_pred_rad == pytest.approx(abs(angle), abs=1e-12)


def test_a_turn_the_wrong_way() -> None:
    """90 degrees the other way: f(1) = 1, and pi off: 0.5 + 0.5 exp(-pi)."""
    found = score_rotate("book", turned(0), turned(math.pi / 2), [book(-math.pi / 2)])
    assert found.sa == pytest.approx(0.5 + 0.5 * math.exp(-math.pi), abs=1e-12)
    assert found.theta_diff_rad == pytest.approx(math.pi, abs=1e-12)


def test_a_turn_about_another_axis() -> None:
    """Quarter turns about y and x are 120 degrees apart: cos(theta/2) = cos(45)^2 = 1/2."""
    found = score_rotate("book", turned(0), turned(math.pi / 2), [book(math.pi / 2, "x")])
    assert found.sa == pytest.approx(0.5 + 0.5 * math.exp(-2 * math.pi / 3), abs=1e-12)


def test_what_did_not_turn() -> None:
    """f(0) = 0: what is left is 0.5 exp(-theta_gt)."""
    found = score_rotate("book", turned(0.2), turned(1.2), [book(0.2)])
    assert (found.sa, found.ic) == (pytest.approx(0.5 * math.exp(-1), abs=1e-12), False)
    assert found.faults == (EditFault.NOT_TURNED,)


@pytest.mark.parametrize(("factor", "complies"), [(0.999, False), (1.001, True)])
def test_the_least_turn(factor: float, complies: bool) -> None:
    """|R - R'|^2 = 8 sin(theta/2)^2 reaches 1e-4 at theta = 2 asin(sqrt(1.25e-5)), 0.4 degrees."""
    angle = factor * 2 * math.asin(math.sqrt(1.25e-5))
    found = score_rotate("book", turned(0), turned(0.5), [book(angle)])
    assert found.change == pytest.approx(8 * math.sin(angle / 2) ** 2, abs=1e-15)
    assert found.ic is complies


@pytest.mark.parametrize(("x", "matched"), [(0.49, True), (0.5, True), (0.51, False)])
def test_a_turned_object_is_looked_for_within_half_a_metre(x: float, matched: bool) -> None:
    found = score_rotate("book", turned(0), turned(1), [book(1, x=x)])
    assert (found.matched, found.ic, found.sa > 0) == (matched, matched, matched)
    assert found.to_destination_m == x
    assert found.faults == (() if matched else (EditFault.TARGET_MISSING,))


# --- Changes of size ---


def sized(w: float, h: float, z: float, label: str = "chair") -> Detection:
    return Detection(label, OrientedBox((0, 0, 2), (w, h, z)))


CHAIR = OrientedBox((0, 0, 2), (0.4, 0.8, 0.5))
TWICE = OrientedBox((0, 0, 2), (0.8, 1.6, 1.0))


def test_sizes_are_compared_along_each_axis() -> None:
    """Twice, three times and half as large, for twice: exp(-(0 + ln(1.5)^2 + ln(0.25)^2) / 3)."""
    found = score_resize("chair", CHAIR, TWICE, [sized(0.8, 2.4, 0.25)])
    assert found.sa == pytest.approx(math.exp(-(math.log(1.5) ** 2 + math.log(0.25) ** 2) / 3), abs=1e-12)
    assert found.s_pred == pytest.approx((2, 3, 0.5), abs=1e-12)
    assert found.s_gt == pytest.approx((2, 2, 2), abs=1e-12)
    assert (found.ic, found.change) == (True, pytest.approx(math.sqrt(1 + 4 + 0.25), abs=1e-12))


def test_a_size_that_stays_has_a_high_score_and_does_not_comply() -> None:
    """Half as large again was asked for: exp(-ln(1.5)^2) = 0.848, a no-op. Hence SA x IC."""
    wanted = OrientedBox((0, 0, 2), (0.6, 1.2, 0.75))
    found = score_resize("chair", CHAIR, wanted, [sized(0.4, 0.8, 0.5)])
    assert (found.sa, found.ic) == (pytest.approx(f(1.5), abs=1e-12), False)
    assert found.faults == (EditFault.NOT_RESIZED,)


@pytest.mark.parametrize(("change", "complies"), [(0.0999, False), (0.1001, True)])
def test_the_least_change_of_size(change: float, complies: bool) -> None:
    """|s - 1| along three axes: each grows by change / sqrt(3)."""
    grown = 1 + change / math.sqrt(3)
    assert score_resize("chair", CHAIR, TWICE, [sized(0.4 * grown, 0.8 * grown, 0.5 * grown)]).ic is complies


def test_a_lost_chair() -> None:
    found = score_resize("chair", CHAIR, TWICE, [sized(0.8, 1.6, 1.0, "sofa")])
    assert (found.sa, found.ic, found.faults, found.s_pred) == (0.0, False, (EditFault.TARGET_MISSING,), None)


# --- Removals ---


def test_a_clean_removal() -> None:
    found = score_remove(at(0), [cup(0), cup(1), cup(2)], [cup(2.05), cup(1)])
    assert (found.sa, found.ic, found.target_gone, found.targets) == (1.0, True, True, (0,))
    # Cubes of 0.3 offset by 0.05 share 0.25 of 0.35.
    pairs = [(pair.original, pair.edited, round(pair.iou, 12)) for pair in found.kept]
    assert pairs == [(1, 1, 1.0), (2, 0, round(0.25 / 0.35, 12))]


def test_what_is_still_there() -> None:
    """Whatever it is called: a cup that became a mug in the same place was not removed. 0.1 offset: 0.2 / 0.4."""
    found = score_remove(at(0), [cup(0)], [cup(1), cup(0.1, label="mug")])
    assert (found.sa, found.ic, found.target_gone, found.still_there) == (0.0, False, False, (1,))
    assert found.source_iou == pytest.approx(0.5, abs=1e-12)
    assert found.faults == (EditFault.STILL_THERE,)


def test_what_overlaps_by_a_tenth_or_less_is_another_object() -> None:
    """Cubes of 0.3 offset by d share (0.3 - d) / (0.3 + d): more than 0.1 up to d = 0.3 x 9 / 11 = 0.24545."""
    assert not score_remove(at(0), [cup(0)], [cup(0.2454)]).target_gone
    assert score_remove(at(0), [cup(0)], [cup(0.2455)]).target_gone


@pytest.mark.parametrize(
    ("lost", "sa", "complies"), [(1, 0.7, True), (2, 0.4, False), (3, 0.1, False), (4, 0.0, False)]
)
def test_each_other_object_that_is_gone_costs_three_tenths(lost: int, sa: float, complies: bool) -> None:
    others = [cup(x) for x in (1, 2, 3, 4)]
    found = score_remove(at(0), [cup(0), *others], others[lost:])
    assert (found.sa, found.ic, found.wrongly_removed) == (pytest.approx(sa, abs=1e-12), complies, lost)
    assert found.removed == tuple(range(1, lost + 1))
    assert found.faults == (() if complies else (EditFault.OTHERS_REMOVED,))


def test_one_object_is_not_two() -> None:
    """Two cups 0.15 apart, and one between them that overlaps both: one of them is gone."""
    found = score_remove(at(5), [cup(0), cup(0.15)], [cup(0.07)])
    assert (found.wrongly_removed, len(found.kept)) == (1, 1)


def test_a_new_object_makes_up_for_none() -> None:
    """Counts alone would see nothing missing."""
    assert score_remove(at(0), [cup(0), cup(1)], [cup(-2)]).wrongly_removed == 1
    assert score_remove(at(0), [cup(0), cup(1)], [cup(-2)], GSI_BENCH_CODE).wrongly_removed == 0


def test_as_many_as_can_be_are_found_again() -> None:
    """The best pair first (0 with 0.05) would leave 0.2 with nothing, as 0.2 and -0.2 do not touch."""
    found = score_remove(at(5), [cup(0), cup(0.2)], [cup(0.05), cup(-0.2)])
    assert found.wrongly_removed == 0
    assert [(pair.original, pair.edited) for pair in found.kept] == [(0, 1), (1, 0)]


def test_another_label_is_another_object() -> None:
    found = score_remove(at(0), [cup(0), cup(1), cup(2)], [cup(1, label="vase"), cup(2, label="a Cup")])
    assert (found.removed, found.kept) == ((1,), (Pairing(2, 1, found.kept[0].iou),))


def test_a_second_box_of_the_target_is_no_other_object() -> None:
    found = score_remove(at(0), [cup(0), cup(0.05)], [])
    assert (found.sa, found.targets) == (1.0, (0, 1))


# --- Views ---


@pytest.mark.parametrize(
    ("ssim", "lpips", "sa", "complies"),
    [(0.8, 0.2, 0.8, True), (0.35, 0.55, 0.4, False), (0.3, 0.3, 0.5, True), (-1, 1.5, 0.0, False), (1, 0, 1.0, True)],
)
def test_views(ssim: float, lpips: float, sa: float, complies: bool) -> None:
    """0.5 SSIM + 0.5 (1 - LPIPS), kept within 0 to 1."""
    found = score_view(ssim, lpips)
    assert (found.sa, found.ic) == (pytest.approx(sa, abs=1e-12), complies)
    assert found.faults == (() if complies else (EditFault.VIEW_DIFFERS,))


# --- What can't be scored ---


def test_edits_that_ask_for_nothing_are_errors() -> None:
    near = at(9e-7)
    faults = [
        (lambda: score_move("cup", at(0), near, [], []), "destination.center", GeometryFault.DEGENERATE_EDIT),
        (
            lambda: score_rotate("book", turned(0), turned(9e-7), []),
            "destination.rotation",
            GeometryFault.DEGENERATE_EDIT,
        ),
        (lambda: score_resize("chair", CHAIR, CHAIR, []), "destination.size", GeometryFault.DEGENERATE_EDIT),
        (lambda: score_move(" . ", at(0), at(1), [], []), "target", GeometryFault.EMPTY_LABEL),
        (lambda: Detection("...", at(0)), "label", GeometryFault.EMPTY_LABEL),
        (lambda: score_view(math.nan, 0.1), "ssim", GeometryFault.NOT_FINITE),
        (lambda: score_view(1.1, 0.1), "ssim", GeometryFault.OUT_OF_RANGE),
        (lambda: score_view(0.5, -0.1), "lpips", GeometryFault.OUT_OF_RANGE),
    ]
    for score, field, reason in faults:
        with pytest.raises(GeometryError) as caught:
            score()
        assert (caught.value.field, caught.value.reason) == (field, reason)
    assert score_move("cup", at(0), at(1.1e-6), [], []).d_gt_m == 1.1e-6
    assert score_rotate("book", turned(0), turned(1.1e-6), []).theta_gt_rad == pytest.approx(1.1e-6, abs=1e-12)


# --- Any edit ---


def test_scores_stay_within_bounds_and_do_not_depend_on_the_frame() -> None:
    """Random scenes: all figures are finite, SA is in 0 to 1, and a turned and displaced camera sees the same."""
    dice = np.random.default_rng(11)
    turn, shift = from_quaternion(dice.normal(size=4), scalar_first=True), np.array([0.3, -1.0, 4.0])

    def any_box() -> OrientedBox:
        rotation = from_quaternion(dice.normal(size=4), scalar_first=True)
        return OrientedBox(dice.normal(0, 0.4, 3).tolist(), dice.uniform(0.2, 0.9, 3).tolist(), rotation.tolist())

    def seen(box: OrientedBox) -> OrientedBox:
        return OrientedBox((turn @ box.center + shift).tolist(), box.size, matmul(turn, box.matrix).tolist())

    for _ in range(40):
        source, goal = any_box(), any_box()
        scenes = [[Detection("cup", any_box()) for _ in range(dice.integers(0, 5))] for _ in range(2)]
        others = [[Detection(one.label, seen(one.box)) for one in scene] for scene in scenes]
        ours = (
            score_move("cup", source, goal, *scenes),
            score_rotate("cup", source, goal, scenes[1]),
            score_resize("cup", source, goal, scenes[1]),
            score_remove(source, *scenes),
        )
        theirs = (
            score_move("cup", seen(source), seen(goal), *others),
            score_rotate("cup", seen(source), seen(goal), others[1]),
            score_resize("cup", seen(source), seen(goal), others[1]),
            score_remove(seen(source), *others),
        )
        for one, other in zip(ours, theirs, strict=True):
            assert 0.0 <= one.sa <= 1.0 + 1e-12
            assert other.sa == pytest.approx(one.sa, abs=1e-9)
            assert (other.ic, other.faults) == (one.ic, one.faults)
            assert one.ic is not bool(one.faults)


# --- As the public code does it ---


def test_the_public_codes_rules() -> None:
    """Its figures are in the fixtures; here is what sets them apart."""
    # ln of the square root: half of the way scores 0.7 exp(-(ln(1/2) / 2)^2) = 0.621, but for the 1e-5 it adds.
    found = score_move("cup", at(0), at(0.8), [cup(0)], [cup(0.4)], GSI_BENCH_CODE)
    assert found.sa == pytest.approx(0.7 * math.exp(-((math.log(0.5) / 2) ** 2)), abs=1e-5)
    assert closeness(0.4, 0.8, 0.5, 1e-5) == f(math.sqrt(0.4 / 0.80001) + 1e-5)
    # A perfect move of 0.3 m is not looked at: 0.09 is less than 0.1.
    assert score_move("cup", at(0), at(0.3), [cup(0)], [cup(0.3)], GSI_BENCH_CODE).sa == 0.0
    # Any label will do, and pitch is not seen.
    pitched = OrientedBox((0.5, 0, 2), (0.3, 0.3, 0.3), from_axis("x", math.pi / 6).tolist())
    found = score_move("cup", at(0), at(0.5), [cup(0)], [Detection("plate", pitched)], GSI_BENCH_CODE)
    assert (found.iou, found.match) == (pytest.approx(1.0, abs=1e-12), 0)
    # |s - 1| has to exceed 0.2.
    grown = 1 + 0.15 / math.sqrt(3)
    assert not score_resize("chair", CHAIR, TWICE, [sized(0.4 * grown, 0.8 * grown, 0.5 * grown)], GSI_BENCH_CODE).ic
    # An edit that asks for nothing is scored.
    assert score_move("cup", at(0), at(0), [cup(0)], [cup(0.5)], GSI_BENCH_CODE).ratio is None
