"""What a verdict lists: each figure, and why there is none."""

from __future__ import annotations

import math

import pytest

from detectors.spatial_edit.viewpoint.turning import Viewpoint, ViewpointFinding
from grader.metrics.space.edit_tables import Background, Dataset, edit_score
from grader.metrics.space.edits import score_move, score_remove, score_resize, score_rotate, score_view
from grader.tasks.spatial_edit.judging.judge import EditEvidence
from grader.tasks.spatial_edit.judging.looks import EditLooks
from grader.tasks.spatial_edit.metrics import METRICS, edit_metrics
from tests.spatial_edit.judging.scenes import seen, solid

ALIKE = Background(0.9, 0.2)
TO = solid(-0.5)


def listed(measures, background=ALIKE, overlap=None, **evidence):
    rating = evidence.get("rating")
    score = edit_score(measures, Dataset.SYN, background, rating)
    made = edit_metrics(score, EditEvidence((), background, **evidence), overlap)
    assert [one.name for one in made] == [info.name for info in METRICS]
    assert all(one.value is not None or one.unavailable_reason for one in made)
    return {one.name: one.value for one in made}, {one.name: one.unavailable_reason for one in made}


def moved(*found):
    return score_move("mug", solid(), TO, (seen(),), found)


def test_a_move_has_its_way():
    values, why = listed(moved(seen(x=-0.25)), rating=8.0, overlap=0.7)
    assert (values["d_pred_m"], values["d_gt_m"], values["distance_ratio"]) == pytest.approx((0.25, 0.5, 0.5))
    assert (values["direction_rad"], values["to_destination_m"]) == pytest.approx((0.0, 0.25))
    assert (values["to_original_m"], values["count_before"], values["count_after"]) == pytest.approx((0.25, 1.0, 1.0))
    assert values["iou"] == 0.0  # boxes 0.2 m wide, 0.25 m apart
    assert (values["ic"], values["gate"], values["ic_ungated"]) == (1.0, 1.0, 1.0)
    assert values["sa"] == values["sa_ungated"] == values["sa_ic"] == pytest.approx(0.7 * math.exp(-(math.log(2) ** 2)))
    assert (values["el"], values["el_ungated"]) == pytest.approx((80.0, 80.0))
    assert (values["ac"], values["ac_ungated"]) == (80.0, 80.0)
    assert (values["ssim_background"], values["lpips_background"]) == (0.9, 0.2)
    assert values["box_2d_iou"] == 0.7
    assert values["theta_pred_rad"] is None
    assert why["theta_pred_rad"] == why["viewpoint_rad"] == "this kind of edit has no such figure"
    assert why["left_place"] == "that is looked at in pictures of coloured boxes alone"


def test_what_was_not_found_has_no_way():
    values, why = listed(moved())
    assert values["d_pred_m"] is None
    assert why["d_pred_m"] == "the object was not found, or did not move"
    assert values["count_after"] == 0.0
    assert why["ac"] == "the request has no scene.appearance_rating"
    assert why["box_2d_iou"].startswith("no detection has a box_2d")


def test_a_turn_has_its_angles_and_the_camera_s():
    measures = score_rotate("mug", solid(), solid(yaw=0.8), (seen(x=0.03, yaw=0.6),))
    values, _ = listed(measures, viewpoint=ViewpointFinding(Viewpoint.KEPT, 0.05, 40, 30))
    assert (values["theta_pred_rad"], values["theta_gt_rad"]) == pytest.approx((0.6, 0.8))
    assert (values["theta_diff_rad"], values["angle_ratio"]) == pytest.approx((0.2, 0.75))
    assert values["rotation_change"] == pytest.approx(4 * (1 - math.cos(0.6)))
    assert values["to_destination_m"] == pytest.approx(0.03)
    assert (values["viewpoint_rad"], values["viewpoint_matches"]) == (0.05, 40.0)
    values, why = listed(measures, viewpoint=ViewpointFinding(Viewpoint.UNKNOWN, None, 4, 0))
    assert (values["viewpoint_rad"], values["viewpoint_matches"]) == (None, 4.0)
    assert why["viewpoint_rad"] == "what the pictures have in common does not say it"
    values, why = listed(measures)
    assert values["viewpoint_matches"] is None
    assert why["viewpoint_matches"].startswith("the request lacks the picture")


def test_a_change_of_size_has_its_factors():
    to = solid(size=(0.4, 0.6, 0.8))
    values, _ = listed(score_resize("mug", solid(), to, (seen(x=0.02, size=(0.3, 0.6, 0.4)),)))
    assert (values["scale_w"], values["scale_h"], values["scale_l"]) == pytest.approx((1.5, 2.0, 1.0))
    assert values["scale_change"] == pytest.approx(math.hypot(0.5, 1.0, 0.0))
    assert values["to_destination_m"] == pytest.approx(0.02)
    values, _ = listed(score_resize("mug", solid(), to, ()))
    assert [values[f"scale_{axis}"] for axis in "whl"] == [None] * 3


def test_a_removal_tells_what_is_left():
    before = (seen(), seen("plate", 0.8))
    values, _ = listed(score_remove(solid(), before, (seen(x=0.05),)))
    assert values["source_iou"] == pytest.approx(0.15 / 0.25)
    assert values["wrongly_removed"] == 1.0


def test_a_view_has_its_likeness_alone():
    values, why = listed(score_view(0.9, 0.2))
    assert values["sa"] == pytest.approx(0.85)
    assert (values["gate"], values["iou"], values["box_2d_iou"]) == (None, None, None)
    assert why["iou"] == why["box_2d_iou"] == why["left_place"] == "a view has no boxes"
    assert why["gate"] == "it is not defined for views"


@pytest.mark.parametrize(("background", "gate", "ssim"), [
    (None, "the request lacks the picture", "the request lacks the picture"),
    (Background(None, 0.1), "SSIM could not be measured", "SSIM could not be measured"),
    (Background(0.9, None), "LPIPS could not be measured", ""),
])  # fmt: skip
def test_where_the_background_was_not_measured_that_is_said(background, gate, ssim):
    values, why = listed(moved(seen(x=-0.5)), background)
    assert values["gate"] is values["ic"] is None
    assert why["gate"].startswith(gate)
    assert why["ic"].startswith(("the gate is not available", gate))
    assert why["ssim_background"].startswith(ssim)
    empty, reasons = listed(moved(seen(x=-0.5)), Background(None, None, empty=True))
    assert empty["gate"] == 0.0
    assert reasons["ssim_background"] == reasons["lpips_background"] == "the boxes leave no background"


def test_looks_are_listed():
    looks = EditLooks(tone=1.1, tint=1.02, target=0.1, others=0.2, place=0.3, ground=0.4, changed=0.05, besides=())
    values, _ = listed(moved(seen(x=-0.5)), looks=looks)
    wanted = {
        "tone_ratio": 1.1,
        "tint_ratio": 1.02,
        "left_object": 0.1,
        "left_others": 0.2,
        "left_place": 0.3,
        "left_ground": 0.4,
        "left_share": 0.05,
    }
    assert {name: values[name] for name in wanted} == wanted
    nothing, why = listed(moved(seen(x=-0.5)))
    assert all(nothing[name] is None for name in wanted)
    assert why["left_place"] == "that is looked at in pictures of coloured boxes alone"


def test_shares_and_overlaps_lie_between_0_and_1_and_overlaps_are_better_the_larger_they_are():
    """But for that of what should be gone."""
    for one in METRICS:
        if one.name.endswith(("_share", "iou")):
            assert (one.lower_bound, one.upper_bound) == (0.0, 1.0), one.name
        if one.name.endswith("iou"):
            assert one.higher_is_better is (one.name != "source_iou"), one.name
