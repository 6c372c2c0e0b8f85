"""The spatial edit task through the contract: outcomes, figures, what is refused."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from google.rpc import code_pb2

from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.engine.engine import Engine
from grader.lpips.places import WeightPlaces
from grader.model.errors import InvalidRequestError, MeasureUnavailableError
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.serving.catalogue import make_catalogue
from grader.serving.settings import ServerSettings
from grader.serving.work import contained, inline_only
from grader.tasks.spatial_edit.metrics import METRICS
from grader.tools.similarity import Measures
from grader.v1 import service_pb2, spatial_edit_pb2
from grader.wire import statuses
from tests.samples.edits import (
    AFTER,
    AROUND,
    BEFORE,
    CAMERA,
    HEIGHT,
    MUG,
    PLATE,
    WIDTH,
    PlainMeasures,
    box,
    codes,
    edit,
    found,
    graded,
    png,
    scenery,
    values,
)

LEFT = box(-0.4)
MOVED = found(("Mug", LEFT), PLATE)


def test_a_right_move_passes_with_every_figure():
    verdict = graded(edit("MOVE", MOVED, LEFT))
    figures = values(verdict)
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    # 0.3 IoU + 0.7 f(0.4 / 0.4) = 0.3 + 0.7
    assert verdict.score == pytest.approx(1.0, abs=1e-12)
    assert verdict.reward == pytest.approx(1.0, abs=1e-12)
    assert figures["ic"] == figures["gate"] == figures["ssim_background"] == 1.0
    assert figures["el"] == 100.0
    assert figures["d_pred_m"] == pytest.approx(0.4)
    assert figures["distance_ratio"] == pytest.approx(1.0)
    assert figures["direction_rad"] == pytest.approx(0.0)
    assert (figures["count_before"], figures["count_after"]) == (1.0, 1.0)
    assert figures["theta_pred_rad"] is None


def test_half_the_distance_passes_with_the_text_s_score():
    verdict = graded(edit("MOVE", found(("mug", box(-0.2)), PLATE), LEFT))
    # Boxes of 0.3 m, 0.2 m apart: IoU = 0.1 / 0.5. SA = 0.3 * 0.2 + 0.7 exp(-ln(1/2)^2) = 0.06 + 0.432952
    assert verdict.outcome is Outcome.PASS
    assert verdict.score == pytest.approx(0.06 + 0.7 * math.exp(-(math.log(2) ** 2)), abs=1e-9)
    assert verdict.reward == verdict.score


def test_half_a_change_of_size_earns_half():
    """Wanted 0.3 -> 0.36 on each axis, got 0.3 sqrt(1.2): half of ln 1.2 is left, of which SA makes exp(-0.0083)."""
    wanted, got = (0.36,) * 3, (0.3 * math.sqrt(1.2),) * 3
    verdict = graded(edit("RESIZE", found(("mug", box(size=got)), PLATE), box(size=wanted)))
    assert verdict.outcome is Outcome.PASS
    assert verdict.score == pytest.approx(math.exp(-(math.log(1.2) ** 2) / 4), abs=1e-9)
    assert verdict.reward == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize(
    ("operation", "destination", "objects", "code", "score"),
    [
        # The right length, the wrong way: SA is 0.7 by its definition, and IC holds.
        ("MOVE", LEFT, found(("mug", box(0.4)), ("plate", box(0.9))), "WRONG_DIRECTION", 0.7),
        # Three times as far: 0.7 exp(-ln(3)^2), which is above 0.1.
        ("MOVE", LEFT, found(("mug", box(-1.2)), PLATE), "NOT_NEARER", 0.7 * math.exp(-(math.log(3) ** 2))),
        # By -0.5 rad in place of 0.5: 0.5 f(1) + 0.5 exp(-1).
        ("ROTATE", box(yaw=0.5), found(("mug", box(yaw=-0.5))), "NOT_NEARER", 0.5 + 0.5 * math.exp(-1)),
        # Smaller in place of larger: s_pred / s_gt = (2/3) / (3/2) on each axis.
        (
            "RESIZE",
            box(size=(0.45, 0.45, 0.45)),
            found(("mug", box(size=(0.2, 0.2, 0.2)))),
            "NOT_NEARER",
            math.exp(-(math.log(4 / 9) ** 2)),
        ),
    ],
)
def test_what_was_not_asked_earns_nothing_however_well_its_amount_fits(operation, destination, objects, code, score):
    verdict = graded(edit(operation, objects, destination))
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    assert verdict.score == pytest.approx(score, abs=1e-9)
    assert values(verdict)["ic"] == 1.0
    assert verdict.reward == 0.0


def test_an_object_that_was_doubled_fails_and_keeps_its_halved_score():
    verdict = graded(edit("MOVE", found(("mug", LEFT), MUG, PLATE), LEFT))
    assert codes(verdict) == ["COUNT_DIFFERS", "OBJECTS_ADDED"]
    assert verdict.score == 0.5
    assert verdict.reward == 0.25  # half of SA x IC, since something was done besides


@pytest.mark.parametrize(
    ("operation", "destination", "objects", "code", "reward"),
    [
        ("REMOVE", None, found(("mug", box(0.3)), PLATE), "TARGET_ELSEWHERE", 0.0),
        ("REMOVE", None, found(PLATE, ("cup", box(-0.6))), "OBJECTS_ADDED", 0.5),
        ("MOVE", LEFT, found(("mug", LEFT)), "OTHERS_REMOVED", 0.5),
        ("MOVE", LEFT, found(("mug", LEFT), ("plate", box(0.95))), "OTHERS_REMOVED", 0.5),
        ("ROTATE", box(yaw=0.5), found(("mug", box(yaw=0.5)), MUG, PLATE), "COUNT_DIFFERS", 0.5),
        ("ROTATE", box(yaw=0.5), found(("mug", box(0.25, yaw=0.5)), PLATE), "TARGET_ALTERED", 0.5),
        ("ROTATE", box(yaw=0.5), found(("mug", box(yaw=0.5, size=(0.5, 0.5, 0.5))), PLATE), "TARGET_ALTERED", 0.5),
        (
            "RESIZE",
            box(size=(0.45, 0.45, 0.45)),
            found(("mug", box(0.2, size=(0.45, 0.45, 0.45))), PLATE),
            "TARGET_ALTERED",
            0.5,
        ),
    ],
)
def test_what_was_done_besides_fails_and_costs_half(operation, destination, objects, code, reward):
    verdict = graded(edit(operation, objects, destination, after=AROUND))
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)
    assert verdict.reward == pytest.approx(reward, abs=1e-9)


def test_reasons_name_what_they_are_about():
    """The plate is gone, and a cup stands somewhere; what was to be removed and still stands is no addition."""
    verdict = graded(edit("MOVE", found(("mug", LEFT), ("cup", box(1.0))), LEFT, after=AROUND))
    about = {reason.code: [place.object for place in reason.places] for reason in verdict.reasons}
    assert about == {"OTHERS_REMOVED": ["plate"], "OBJECTS_ADDED": ["cup"]}
    kept = graded(edit("REMOVE", found(MUG), after=AROUND))
    assert [reason.places[0].object for reason in kept.reasons if reason.code == "OTHERS_REMOVED"] == ["plate"]
    assert "OBJECTS_ADDED" not in codes(kept)
    larger = graded(edit("MOVE", found(("mug", box(-0.4, size=(0.3, 0.45, 0.3))), PLATE), LEFT))
    assert "by a factor of 1.5" in next(one.message for one in larger.reasons if one.code == "TARGET_ALTERED")


def test_no_edit_at_all_earns_nothing():
    still = found(MUG, PLATE)
    for operation, destination, code in (
        ("MOVE", LEFT, "BARELY_MOVED"),
        ("ROTATE", box(yaw=0.5), "NOT_TURNED"),
        ("RESIZE", box(size=(0.45, 0.45, 0.45)), "NOT_RESIZED"),
        ("REMOVE", None, "STILL_THERE"),
    ):
        verdict = graded(edit(operation, still, destination))
        assert verdict.outcome is Outcome.FAIL
        assert code in codes(verdict)
        assert verdict.reward == values(verdict)["ic"] == values(verdict)["el"] == 0.0


def test_removals():
    assert graded(edit("REMOVE", found(PLATE))).outcome is Outcome.PASS
    both = graded(edit("REMOVE", [], after=AROUND))
    # 1 - 0.3 for the plate; IC holds at 0.5, but a person sees that the plate is gone.
    assert (both.outcome, codes(both)) == (Outcome.FAIL, ["OTHERS_REMOVED"])
    assert (both.score, both.reward) == (0.7, 0.35)
    assert values(both)["wrongly_removed"] == 1.0


def test_the_gate_is_of_what_neither_box_covers():
    """The mug's box covers 160 +- 300 * 0.15 / 1.85 = 24.3 px around (160, 120); the destination's lies to its left."""
    inside = BEFORE.copy()
    inside[100:140, 140:180] = 255 - inside[100:140, 140:180]
    figures = values(graded(edit("MOVE", MOVED, LEFT, after=inside)))
    assert (figures["ssim_background"], figures["lpips_background"]) == (1.0, 0.0)
    # Another scenery differs by 40 sqrt(2) levels (one standard deviation) all over.
    elsewhere = graded(edit("MOVE", MOVED, LEFT, after=scenery(1)))
    assert codes(elsewhere) == ["BACKGROUND_CHANGED"]
    assert elsewhere.score == elsewhere.reward == values(elsewhere)["ic"] == 0.0
    assert values(elsewhere)["ic_ungated"] == 1.0


def test_photographs_pass_by_one_measure_and_simulated_pictures_need_both():
    request = edit(
        "MOVE", MOVED, LEFT, after=scenery(1)
    )  # SSIM is low; the plain difference stands for LPIPS, below 0.3
    assert values(graded(request))["lpips_background"] < 0.3
    outcomes = {}
    for profile in ("gsi_real", "gsi_syn", "default"):
        request.options.profile = profile
        outcomes[profile] = graded(request).outcome
    assert outcomes == {"gsi_real": Outcome.PASS, "gsi_syn": Outcome.FAIL, "default": Outcome.FAIL}


def test_boxes_that_leave_no_background_fail_the_gate():
    vast = box(-0.4, size=(6.0, 6.0, 0.3))
    verdict = graded(edit("MOVE", found(("mug", vast), PLATE), vast))
    assert "NO_BACKGROUND" in codes(verdict)
    assert values(verdict)["gate"] == 0.0


def test_without_pictures_it_is_measured_and_not_judged():
    verdict = graded(edit("MOVE", MOVED, LEFT, before=None, after=None))
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.MEASURED, None, None)
    assert [note.code for note in verdict.notes] == ["GATE_NOT_AVAILABLE"]
    figures = values(verdict)
    assert (figures["ic"], figures["sa"], figures["el"]) == (None, None, None)
    assert figures["ic_ungated"] == 1.0
    assert all(metric.value is not None or metric.unavailable_reason for metric in verdict.metrics)


def test_a_rating_gives_ac_and_none_gives_none():
    request = edit("MOVE", MOVED, LEFT)
    assert values(graded(request))["ac"] is None
    request.scene.appearance_rating = 8.5
    assert values(graded(request))["ac"] == 85.0
    request.scene.ClearField("detections")
    assert values(graded(request))["ac"] == 0.0  # IC is 0


def test_views_are_judged_by_their_picture():
    request = edit("VIEW", [])
    request.spatial_edit.truth.image.data = png(scenery(2))
    request.scene.image.data = png(scenery(2))
    verdict = graded(request)
    assert (verdict.outcome, verdict.score) == (Outcome.PASS, 1.0)
    assert [note.code for note in verdict.notes] == ["OWN_RULE_FOR_VIEWS"]
    request.scene.image.data = png(np.zeros_like(BEFORE))
    assert codes(graded(request)) == ["VIEW_DIFFERS", "NOT_NEARER"]
    # What was asked for is another picture: the one from before, and a flat one, are no nearer to it.
    request.spatial_edit.truth.image.data = png(cv2.GaussianBlur(BEFORE, (0, 0), 1.5))
    for picture in (BEFORE, np.full_like(BEFORE, 128)):
        request.scene.image.data = png(picture)
        verdict = graded(request)
        assert (verdict.outcome, "NOT_NEARER" in codes(verdict), verdict.reward) == (Outcome.FAIL, True, 0.0)


def test_a_picture_of_another_size_is_resized_and_said():
    larger = cv2.resize(AFTER, (2 * WIDTH, 2 * HEIGHT), interpolation=cv2.INTER_CUBIC)
    verdict = graded(edit("MOVE", MOVED, LEFT, after=larger))
    assert verdict.outcome is Outcome.PASS
    assert [note.code for note in verdict.notes] == ["RESIZED"]


def test_a_view_that_is_the_one_before_asks_for_nothing():
    request = edit("VIEW", [])
    request.spatial_edit.truth.image.data = png(BEFORE)
    assert wrong(request) == [("spatial_edit.truth.image", "DEGENERATE_EDIT")]


def test_what_is_flat_is_no_fault_unless_it_is_the_object():
    """A rug without height: it is where it was, and one that is new is told."""
    rug = {**box(0.0, z=3.0), "size_m": {"x": 1.0, "y": 0.0, "z": 1.0}}
    before = found(MUG, ("rug", rug), PLATE)
    right = graded(edit("MOVE", found(("mug", LEFT), ("rug", rug), PLATE), LEFT, original=before))
    assert (right.outcome, right.reward) == (Outcome.PASS, 1.0)
    gone = graded(edit("REMOVE", found(("rug", rug), PLATE), original=before))
    assert (gone.outcome, values(gone)["source_iou"]) == (Outcome.PASS, pytest.approx(0.0, abs=1e-5))
    more = edit("MOVE", found(("mug", LEFT), ("rug", rug), PLATE), LEFT, after=AROUND)
    assert codes(graded(more)) == ["OBJECTS_ADDED"]
    negative = {**rug, "size_m": {"x": 1.0, "y": -0.1, "z": 1.0}}
    assert wrong(edit("MOVE", found(("mug", LEFT), ("rug", negative)), LEFT)) == [
        ("scene.detections[1].box.size_m", "ZERO_SIZE")
    ]


def test_the_prompt_says_the_operation_where_the_field_does_not():
    for prompt, passes in (("Please move the mug 40 cm to the left.", True), ("Rotate the mug.", False)):
        request = edit("UNSPECIFIED", MOVED, LEFT, prompt=prompt)
        if passes:
            assert graded(request).outcome is Outcome.PASS
        else:
            assert wrong(request) == [("spatial_edit.truth.destination_box.rotation", "DEGENERATE_EDIT")]
    # The camera is to move: that is a change of view, which needs the picture that it should give.
    asked = wrong(edit("UNSPECIFIED", MOVED, LEFT, prompt="Move the camera 40 cm to the left."))
    assert ("spatial_edit.truth.image", "MISSING") in asked
    request = edit("UNSPECIFIED", MOVED, LEFT, prompt="The mug, please.")
    assert wrong(request) == [("spatial_edit.puzzle.operation", "MISSING")]


def test_rotations_may_be_written_in_any_form():
    """A quarter turn about y, five times the same."""
    half = math.sqrt(0.5)
    forms = (
        {"yaw_rad": math.pi / 2},
        {"matrix": {"entries": [0, 0, 1, 0, 1, 0, -1, 0, 0]}},
        {"quaternion": {"w": half, "y": half}},
        {"two_rows": {"entries": [0, 0, 2, 0, 3, 0]}},
        {"euler": {"y_rad": math.pi / 2}},
    )
    for form in forms:
        turned = {**box(), "rotation": form}
        verdict = graded(edit("ROTATE", found(("mug", turned), PLATE), turned))
        assert verdict.outcome is Outcome.PASS
        assert values(verdict)["theta_gt_rad"] == pytest.approx(math.pi / 2, abs=1e-12)


def wrong(request: service_pb2.GradeRequest) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        graded(request)
    return [(violation.field, violation.reason) for violation in raised.value.violations]


DESTINATION = "spatial_edit.truth.destination_box"


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"size_m": {"x": 0.0, "y": 0.3, "z": 0.3}}, f"{DESTINATION}.size_m", "ZERO_SIZE"),
        ({"size_m": {"x": -1.0, "y": 0.3, "z": 0.3}}, f"{DESTINATION}.size_m", "ZERO_SIZE"),
        ({"center_m": {"x": "NaN"}}, f"{DESTINATION}.center_m", "NOT_FINITE"),
        (
            {"rotation": {"matrix": {"entries": [1, 0, 0, 0, 1, 0, 0, 0, -1]}}},
            f"{DESTINATION}.rotation.matrix",
            "REFLECTION",
        ),
        ({"rotation": {"matrix": {"entries": [1, 0]}}}, f"{DESTINATION}.rotation.matrix", "WRONG_SHAPE"),
        ({"rotation": {"quaternion": {}}}, f"{DESTINATION}.rotation.quaternion", "ZERO_QUATERNION"),
        ({"rotation": {}}, f"{DESTINATION}.rotation", "MISSING"),
        ({"center_m": {"x": 0.0, "y": 0.0, "z": 2.0}}, f"{DESTINATION}.center_m", "DEGENERATE_EDIT"),
    ],
)
def test_a_wrong_box_is_refused_by_its_field(change, field, reason):
    """Case A11, and boxes of no size, reflections, d_gt = 0."""
    assert wrong(edit("MOVE", MOVED, {**LEFT, **change})) == [(field, reason)]


def test_what_else_is_refused_by_its_field():
    assert wrong(edit("MOVE", MOVED)) == [(DESTINATION, "MISSING")]
    assert wrong(edit("MOVE", MOVED, LEFT, original=[])) == [("spatial_edit.puzzle.detections", "MISSING")]
    assert wrong(edit("MOVE", MOVED, LEFT, target="...")) == [("spatial_edit.puzzle.target", "MISSING")]
    other_size = {"fx_px": 300.0, "fy_px": 300.0, "cx_px": 640.0, "cy_px": 360.0}
    camera = "spatial_edit.puzzle.intrinsics"
    assert wrong(edit("MOVE", MOVED, LEFT, intrinsics=other_size)) == [(camera, "OTHER_PICTURE_SIZE")]
    assert wrong(edit("MOVE", MOVED, LEFT, intrinsics=None)) == [(camera, "MISSING")]
    seen = found(("mug", {**LEFT, "size_m": {"x": 0.0, "y": 1.0, "z": 1.0}}), ("", box(1.0)))
    assert wrong(edit("MOVE", seen, LEFT)) == [
        ("scene.detections[0].box.size_m", "ZERO_SIZE"),
        ("scene.detections[1].label", "EMPTY_LABEL"),
    ]
    request = edit("MOVE", MOVED, LEFT)
    request.scene.appearance_rating = 11
    assert wrong(request) == [("scene.appearance_rating", "OUT_OF_RANGE")]
    view = edit("VIEW", [], after=None)
    view.spatial_edit.truth.image.data = png(scenery(1))
    assert wrong(view) == [("scene.image", "MISSING")]


def test_what_contradicts_itself_is_refused_by_its_field():
    puzzle = "spatial_edit.puzzle"
    assert wrong(edit("MOVE", MOVED, LEFT, target="teapot")) == [(f"{puzzle}.target", "MISMATCH")]
    assert wrong(edit("MOVE", MOVED, LEFT, source_box=box(z=-1.0))) == [(f"{puzzle}.source_box", "OUT_OF_RANGE")]
    assert wrong(edit("MOVE", MOVED, box(50.0))) == [(DESTINATION, "OUT_OF_RANGE")]
    for camera in ({"fx_px": 1e30}, {"fy_px": 1e-30}, {"skew_px": 1e30}):
        intrinsics = {"fx_px": 300.0, "fy_px": 300.0, "cx_px": 160.0, "cy_px": 120.0, **camera}
        assert wrong(edit("MOVE", MOVED, LEFT, intrinsics=intrinsics)) == [(f"{puzzle}.intrinsics", "OUT_OF_RANGE")]
    for length in (0.0, -300.0, math.nan):
        request = edit("MOVE", MOVED, LEFT)
        request.spatial_edit.puzzle.intrinsics.fx_px = length  # JSON has no NaN, and a message may
        reason = "NOT_FINITE" if math.isnan(length) else "NOT_A_CAMERA"
        assert wrong(request) == [(f"{puzzle}.intrinsics", reason)]
    for name, value in (("fx_px", 1.7e308), ("fy_px", 1.1e6), ("cx_px", -1.1e6), ("cy_px", 1e30), ("skew_px", 1.1e6)):
        alone = edit("MOVE", MOVED, LEFT, before=None, after=None, intrinsics={**CAMERA, name: value})
        assert wrong(alone) == [(f"{puzzle}.intrinsics.{name}", "OUT_OF_RANGE")]
    tiny = BEFORE[:20, :20]
    assert (f"{puzzle}.image", "OUT_OF_RANGE") in wrong(edit("MOVE", MOVED, LEFT, before=tiny, after=tiny))
    assert wrong(edit("MOVE", MOVED * 251, LEFT)) == [("scene.detections", "OUT_OF_RANGE")]


def test_what_would_not_be_looked_at_is_refused():
    shown = edit("MOVE", MOVED, LEFT)
    shown.spatial_edit.truth.image.data = png(BEFORE)
    assert wrong(shown) == [("spatial_edit.truth.image", "NOT_TAKEN")]
    assert wrong(edit("REMOVE", found(PLATE), LEFT)) == [(DESTINATION, "NOT_TAKEN")]
    view = edit("VIEW", [], LEFT)
    view.spatial_edit.truth.image.data = png(scenery(1))
    assert wrong(view) == [(DESTINATION, "NOT_TAKEN")]
    colored = edit("MOVE", MOVED, LEFT)
    colored.spatial_edit.puzzle.colored_boxes.kinds.add(label="mug", color_hex="#ff0000")
    assert wrong(colored) == [("spatial_edit.puzzle.colored_boxes", "NOT_TAKEN")]


def test_an_edited_picture_that_does_not_decode_is_ungradable():
    request = edit("MOVE", MOVED, LEFT)
    request.scene.image.data = b"no picture"
    assert graded(request).outcome is Outcome.UNGRADABLE


def test_missing_weights_are_a_status_that_says_how_to_get_them(tmp_path):
    """Case A19: never a score with random weights."""
    nowhere = Measures(WeightPlaces(tmp_path / "none", tmp_path, tmp_path))
    job = job_from_proto(edit("MOVE", MOVED, LEFT), inline_only)
    with pytest.raises(MeasureUnavailableError, match="LPIPS can't be measured by this grader"):
        Engine(measures=nowhere).grade(job)
    answer = contained(lambda: Engine(measures=nowhere).grade(job), "edit")
    assert isinstance(answer, service_pb2.GradeBatchResponse)
    assert not answer.HasField("verdict")
    assert (answer.status.code, answer.status.reason) == (code_pb2.FAILED_PRECONDITION, "MEASURE_UNAVAILABLE")
    assert not answer.status.HasField("retry_delay")
    assert statuses.StatusReason.MEASURE_UNAVAILABLE.value == answer.status.reason


def test_an_overlay_shows_the_picture_and_every_metric_is_declared_within_its_bounds():
    request = edit("MOVE", MOVED, LEFT, after=scenery(1))
    request.options.overlay = True
    verdict = graded(request)
    drawn = cv2.imdecode(np.frombuffer(verdict.overlay.png, np.uint8), cv2.IMREAD_COLOR)
    assert drawn.shape[0] > 3 * HEIGHT  # the picture, three times as large, above its strip
    declared = METRICS
    assert [metric.name for metric in verdict.metrics] == [info.name for info in declared]
    for metric, info in zip(verdict.metrics, declared, strict=True):
        assert metric.value is None or info.lower_bound <= metric.value <= info.upper_bound
        assert info.kinds == (CandidateKind.IMAGE, CandidateKind.SCENE)


def test_boxes_of_an_edit_that_is_only_measured_are_drawn():
    request = edit("MOVE", MOVED, LEFT, before=None)
    request.options.overlay = True
    verdict = graded(request)
    assert verdict.outcome is Outcome.MEASURED
    drawn = cv2.imdecode(np.frombuffer(verdict.overlay.png, np.uint8), cv2.IMREAD_COLOR)
    assert drawn.shape[0] > 3 * HEIGHT
    request.scene.ClearField("image")
    assert graded(request).overlay is None


def test_what_was_seen_goes_into_the_contract():
    seen = verdict_to_proto(graded(edit("MOVE", MOVED, LEFT))).observation.edit.objects
    assert [(one.label, one.target) for one in seen] == [("Mug", True), ("plate", False)]
    # The front face, 0.3 m wide and 1.85 m away, from x = -0.55: 160 - 300 * 0.55 / 1.85
    assert min(point.x_px for point in seen[0].outline) == pytest.approx(160 - 300 * 0.55 / 1.85)


def test_the_public_code_s_numbers_leave_the_outcome_alone():
    request = edit("MOVE", found(("mug", box(-0.2)), PLATE), LEFT)
    request.options.profile = "gsi_bench_code"
    verdict = graded(request)
    assert verdict.outcome is Outcome.PASS
    assert verdict.score == 0.0  # without a rating it scores everything 0


def test_the_same_request_gives_the_same_verdict():
    request = edit("MOVE", MOVED, LEFT, after=scenery(1))
    job = job_from_proto(request, inline_only)
    engine = Engine(measures=PlainMeasures())
    first = engine.grade(job)
    engine.grade(job_from_proto(edit("REMOVE", found(PLATE)), inline_only))
    assert engine.grade(job) == first == graded(request)


def test_detections_in_another_order_are_judged_alike():
    forward, backward = (graded(edit("MOVE", objects, LEFT)) for objects in (MOVED, MOVED[::-1]))
    assert forward.metrics == backward.metrics
    assert [one.label for one in backward.observation.objects] == ["plate", "Mug"]


def test_the_contract_names_what_the_task_knows():
    names = {value.name for value in spatial_edit_pb2.EditOperation.DESCRIPTOR.values}
    assert names == {f"EDIT_OPERATION_{name}" for name in ("UNSPECIFIED", "MOVE", "ROTATE", "RESIZE", "REMOVE", "VIEW")}


def test_a_server_says_what_it_can_not_measure(monkeypatch, tmp_path):
    """Case A19, in the capabilities: with no weights at hand, each net of LPIPS is named with what to do."""
    monkeypatch.setenv("GRADER_LPIPS_WEIGHTS", str(tmp_path / "none"))
    measures = make_catalogue(ServerSettings()).measures
    assert [one.name for one in measures] == ["lpips_alex", "lpips_vgg", "lpips_squeeze"]
    assert not any(one.available for one in measures)
    assert all("`" in one.unavailable_reason for one in measures)  # a command to run
