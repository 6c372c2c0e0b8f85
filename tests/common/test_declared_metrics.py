"""What every task declares of its metrics: who has them, their unit and range, and which way is better.

Reports, calibration and clients sort, plot and check by this, so it is stated here a second time, from what the pages
in docs/tasks say of each metric.
"""

from __future__ import annotations

import pytest

from grader.model.jobs import CandidateKind
from grader.tasks.registry import list_tasks

# Unit, least and greatest value. A count, a length or a ratio without end has a number that none reaches.
RANGES = {
    "share": ("1", 0.0, 1.0),  # also what is 1 for yes and 0 for no
    "percent": ("1", 0.0, 100.0),
    "likeness": ("1", -1.0, 1.0),  # SSIM
    "distance": ("1", 0.0, 1e6),  # LPIPS
    "levels": ("1", 0.0, 1.0),  # a mean square on [0, 1], channels averaged
    "summed": ("1", 0.0, 3.0),  # the same summed over three channels, as amaze_code has it
    "ratio": ("1", 0.0, 1e12),
    "relative": ("1", -1.0, 1e6),  # a ratio less 1
    "shift": ("1", 0.0, 1e4),
    "turned": ("1", 0.0, 8.1),  # squared Frobenius distance of rotations: 4 (1 - cos), at most 8
    "metres": ("m", 0.0, 1e12),
    "angle": ("rad", 0.0, 3.1416),  # up to half a turn
    "degrees": ("degrees", 0.0, 180.0),
    "count": ("count", 0.0, 1e6),
    "place": ("count", 1.0, 1e6),  # counted from 1
    "difference": ("count", -1e6, 1e6),
}
ASKED_FOR = (
    "image likeness up: ssim_in ssim_out",
    "image distance down: lpips_alex_in lpips_alex_out lpips_vgg_in lpips_vgg_out lpips_squeeze_in lpips_squeeze_out",
)
PLANS = (
    "text share up: parse_strict parse_lenient",
    "video share up: solved strict_legal solved_strict",
    "frames share up: solved_by_images solved_by_words agreement",
    "frames count up: images",
    "frames difference up: images_minus_actions images_minus_expected",
    "frames place up: first_wrong_step",
    "frames count down: missing_steps extra_steps",
    "video+frames+text count down: moves least_moves",
    "video+frames+text share up: plan_progress",
)
DECLARED: dict[str, tuple[str, ...]] = {
    "maze": (
        "image+video share up: coverage progress",
        "image share up: pass avg connected",
        "image share down: violation violation_background",
        "image summed down: mse_in mse_out",
        "image count down: wall_crossings",
        "image+video share up: success precision exact_match",
        "video share up: background_fidelity legal",
        "image+video relative down: step_deviation",
        *ASKED_FOR,
    ),
    "queens": (
        "image share up: coverage pass legal",
        "image share down: violation violation_complement",
        "image summed down: mse_in mse_out",
        "image count down: conflicts",
        "image count up: queens",
        *ASKED_FOR,
    ),
    "rush_hour": (*PLANS, "text share up: solved_without_unknown", "video share up: solved_first_moves"),
    "sliding": (*PLANS, "video share up: ever_solved"),
    "spatial_edit": (
        "image+scene share up: ic sa sa_ic gate ic_ungated sa_ungated iou box_2d_iou",
        "image+scene share down: left_share source_iou",
        "image+scene percent up: el ac el_ungated ac_ungated",
        "image+scene likeness up: ssim_background",
        "image+scene distance down: lpips_background",
        "image+scene metres up: d_pred_m d_gt_m to_original_m",
        "image+scene metres down: to_destination_m",
        "image+scene ratio up: distance_ratio angle_ratio scale_change scale_w scale_h scale_l",
        "image+scene angle up: theta_pred_rad theta_gt_rad",
        "image+scene angle down: direction_rad theta_diff_rad viewpoint_rad",
        "image+scene turned up: rotation_change",
        "image+scene shift down: tone_ratio tint_ratio left_object left_others left_place left_ground",
        "image+scene count up: count_before count_after viewpoint_matches",
        "image+scene count down: wrongly_removed",
    ),
    "compare": ("image levels down: mse_in mse_out", *ASKED_FOR),
    "form_board": (
        "text share up: parse_strict parse_lenient",
        "image+text share up: piece_precision piece_recall",
        "image share up: silhouette_iou pieces_placed pieces_intact",
        "image share down: gaps",
        "video share up: solved strict_legal solved_strict ever_solved",
        *(line for line in PLANS if line.startswith("frames")),
        "video+frames count down: moves least_moves",
        "video+frames share up: plan_progress",
    ),
    "hinge_folding": (
        "text share up: parse_strict parse_lenient",
        "image+video+text share up: silhouette_iou",
        "image+video share up: joints_joined pieces_found",
        "image+video degrees down: angle_error",
        "video share up: ever_solved",
        *(line for line in PLANS if line.startswith("frames")),
        "frames count down: moves least_moves",
        "frames share up: plan_progress",
    ),
    "paper_fold": (
        "text share up: parse_strict parse_lenient",
        "frames share up: solved_by_images solved_by_words",
        "frames count up: images",
        "frames difference up: images_minus_expected",
        "frames place up: first_wrong_step",
        "frames count down: missing_steps extra_steps",
        "image+video+frames share up: hole_precision hole_recall sheet_iou",
        "image+video+frames count up: holes",
        "video share up: ever_solved",
    ),
    "grid_maze": (
        "text share up: parse_strict parse_lenient upstream_list_match grid_size length",
        "image+text share up: reachability path plan_progress",
        "image+text share down: said_reachable",
        "text count down: said_length",
        "image+text count down: moves least_moves",
        "image share up: steps_drawn",
        "image count down: cells_visited walls_entered traps_entered",
    ),
    "jigsaw": (
        "text share up: parse_strict parse_lenient judgment_right position_right change_right",
        "image+video+frames+text share up: places_right",
        "image+video share up: pieces_found pieces_intact",
        "video share up: ever_solved",
        "frames share up: solved_by_images solved_by_words agreement",
        "frames count up: images",
        "frames place up: first_wrong_step",
    ),
}
TAKEN = {
    "maze": "image+video",
    "queens": "image",
    "rush_hour": "video+frames+text",
    "sliding": "video+frames+text",
    "spatial_edit": "image+scene",
    "compare": "image",
    "form_board": "image+video+frames+text",
    "hinge_folding": "image+video+frames+text",
    "paper_fold": "image+video+frames+text",
    "grid_maze": "image+text",
    "jigsaw": "image+video+frames+text",
}
DRAWN = TAKEN | {"rush_hour": "video+text", "sliding": "video+text", "jigsaw": "image+video+text"}
DRAWN |= {"form_board": "image+video+text", "hinge_folding": "image+video+text", "paper_fold": "image+video+text"}
TASKS = {task.name: task for task in list_tasks()}


def kinds(text: str) -> set[CandidateKind]:
    return {CandidateKind(name) for name in text.split("+")}


def test_these_are_all_tasks():
    assert set(TASKS) == set(DECLARED)


@pytest.mark.parametrize("name", DECLARED)
def test_metrics_are_declared_as_they_are_documented(name):
    expected = {}
    for line in DECLARED[name]:
        said, metrics = line.split(": ")
        who, span, way = said.split()
        for metric in metrics.split():
            expected[metric] = (kinds(who), *RANGES[span], way == "up", line in ASKED_FOR)
    found = {
        one.name: (
            set(one.kinds), one.unit, one.lower_bound, one.upper_bound, one.higher_is_better, one.on_request,
        )
        for one in TASKS[name].metrics
    }  # fmt: skip
    assert found == expected
    assert len(TASKS[name].metrics) == len(found)
    assert all(one.description.endswith(".") for one in TASKS[name].metrics)


@pytest.mark.parametrize("name", DECLARED)
def test_a_task_takes_and_draws_kinds_of_candidate(name):
    assert set(TASKS[name].kinds) == kinds(TAKEN[name])
    assert set(TASKS[name].drawn) == kinds(DRAWN[name])


@pytest.mark.parametrize("name", DECLARED)
def test_a_reason_is_declared_once(name):
    codes = [reason.code for reason in TASKS[name].reasons]
    assert len(set(codes)) == len(codes)
    assert (codes == []) == (name == "compare")
