"""Spatial edits judged from pictures alone: scenes of coloured boxes on a table, with edits of known truth."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from benchmarks.edits import EditCase, NoLpips, edit_cases, edit_job
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.tabletop.messages import load_record, tabletop_message
from grader.model.errors import InvalidRequestError
from grader.model.jobs import ImageCandidate
from grader.model.verdict import Outcome, Verdict
from grader.tasks.spatial_edit.model import ColoredBoxesInput, ColoredBoxInput, EditOperation, IntrinsicsInput
from grader.v1 import service_pb2
from puzzles.tabletop.edit_files import instance_json
from puzzles.tabletop.edits import Edit, Operation, make_edit, possible, scaled, turned
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.generator import generate_scene
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import Scene, looking_at
from tests.samples.edits import PlainMeasures, codes, values

ENGINE = Engine(measures=NoLpips())


def edit_of(operation: Operation, seed: int) -> Edit:
    """In pictures of 400 x 300, which is enough to see all by."""
    return make_edit(generate_scene(seed), operation, seed).scaled(400)


def case_of(operation: Operation, seed: int, fault: Fault | None = None) -> EditCase:
    edit = edit_of(operation, seed)
    if fault is None:
        return EditCase("one", edit, "right", edit.after)
    scene = next(one.scene for one in wrong_results(edit) if one.fault is fault)
    return EditCase("one", edit, fault.value, scene)


def encoded(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture[..., ::-1])[1].tobytes()


@cache
def graded(case: EditCase) -> Verdict:
    return ENGINE.grade(edit_job(case))


def with_turned(scene: Scene, place: int, by_rad: float) -> Scene:
    cuboids = list(scene.cuboids)
    cuboids[place] = turned(cuboids[place], by_rad)
    return replace(scene, cuboids=tuple(cuboids))


@pytest.mark.parametrize(
    # Moves and removals are those of the bank of cheats.
    "operation",
    [Operation.PLACE, Operation.ROTATE, Operation.RESIZE],
)
def test_a_right_edit_passes(operation):
    verdict = graded(case_of(operation, 11))
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    assert verdict.score > 0.8


@pytest.mark.parametrize(
    ("operation", "fault", "code"),
    [
        (Operation.ROTATE, Fault.NO_OP, "NOT_TURNED"),
        (Operation.RESIZE, Fault.NO_OP, "NOT_RESIZED"),
        (Operation.REMOVE, Fault.NO_OP, "STILL_THERE"),
    ],
)
def test_a_wrong_edit_fails_for_its_reason(operation, fault, code):
    """Moves, and what is done besides, are among the cheats of the bank."""
    verdict = graded(case_of(operation, 11, fault))
    assert verdict.outcome is Outcome.FAIL
    assert code in codes(verdict)


@pytest.mark.parametrize("shape", [(1, 1), (1, 500)])
def test_a_plain_picture_so_thin_that_all_of_it_could_be_bars_fails(shape):
    """At a shape of 4 to 3 a window across a picture of 1 x 500 pixels is 0.75 pixels high."""
    plain = ImageCandidate(encoded(np.full((*shape, 3), 128, np.uint8)))
    verdict = ENGINE.grade(replace(edit_job(case_of(Operation.MOVE, 11)), candidate=plain, overlay=True))
    assert (verdict.outcome, verdict.reward) == (Outcome.FAIL, 0.0)


@pytest.mark.parametrize(("operation", "by_target"), [(Operation.MOVE, True), (Operation.RESIZE, False)])
def test_what_turns_without_being_asked_to_costs_half(operation, by_target):
    """By 45 degrees, where boxes stand still otherwise: the object, or one of the others."""
    edit = edit_of(operation, 11)
    right = graded(case_of(operation, 11))
    places = [edit.target] if by_target else [at for at in range(len(edit.after.cuboids)) if at != edit.target]
    turns = (with_turned(edit.after, at, math.radians(45)) for at in places)
    verdict = graded(EditCase("turned", edit, "turned", next(scene for scene in turns if possible(scene))))
    assert (right.outcome, verdict.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert "TURNED_BESIDES" in codes(verdict)
    assert verdict.reward <= 0.5


def test_another_box_that_shrinks_costs_half():
    edit = edit_of(Operation.MOVE, 11)
    place = next(at for at in range(len(edit.after.cuboids)) if at != edit.target)
    cuboids = list(edit.after.cuboids)
    label = cuboids[place].label
    cuboids[place] = scaled(cuboids[place], (0.6, 0.6, 0.6))
    verdict = graded(EditCase("shrunk", edit, "shrunk", replace(edit.after, cuboids=tuple(cuboids))))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward <= 0.5
    about = {reason.code: reason.places[0].object for reason in verdict.reasons}
    assert about["RESIZED_BESIDES"] == label


def test_a_twin_whose_size_the_picture_tells_did_not_turn():
    """Two boxes of a kind, one of them resized: the size of both is measured, and axes come in another order."""
    case = next(case for case in edit_cases(1, first=73) if case.name == "resize-73")
    verdict = graded(case)
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])


def test_what_is_found_is_where_the_boxes_are():
    """Move: the figures are those of the scene's own boxes, to 2 cm."""
    case = case_of(Operation.MOVE, 11)
    seen, given = graded(case), ENGINE.grade(edit_job(case, boxes_given=True))
    assert (seen.provenance.box_detector, given.provenance.box_detector) == ("colored_boxes", "")
    found, true = values(seen), values(given)
    assert found["d_pred_m"] == pytest.approx(true["d_pred_m"], abs=0.02)
    assert (found["count_before"], found["count_after"]) == (true["count_before"], true["count_after"])


def wrong(case: EditCase, colored: ColoredBoxesInput | None, operation: EditOperation) -> list[tuple[str, str]]:
    job = edit_job(case)
    with pytest.raises(InvalidRequestError) as raised:
        ENGINE.grade(replace(job, task=replace(job.task, colored_boxes=colored, operation=operation)))
    return [(one.field.removeprefix("spatial_edit.puzzle."), one.reason) for one in raised.value.violations]


def test_what_boxes_look_like_has_to_be_said():
    case = case_of(Operation.MOVE, 11)
    move, resize = EditOperation.MOVE, EditOperation.RESIZE
    given = edit_job(case).task.colored_boxes
    assert wrong(case, None, move) == [("colored_boxes", "MISSING")]
    assert wrong(case, replace(given, table=None), resize) == [("colored_boxes.table", "MISSING")]
    assert wrong(case, replace(given, kinds=()), move) == [("colored_boxes.kinds", "MISSING")]
    kind = ColoredBoxInput("box", "red", None)
    assert wrong(case, replace(given, kinds=(kind,)), move) == [("colored_boxes.kinds[0].color_hex", "OUT_OF_RANGE")]
    flat = ColoredBoxInput("box", "#ff0000", (0.1, 0.0, 0.1))
    assert wrong(case, replace(given, kinds=(flat,)), move) == [("colored_boxes.kinds[0].size_m", "OUT_OF_RANGE")]
    below = replace(given, table=((0.0, -1.0, 0.0), 1.0))
    assert wrong(case, below, move) == [("colored_boxes.table", "OUT_OF_RANGE")]


def test_what_the_detector_does_not_see_before_it_does_not_judge():
    """With the wrong paint nothing is found, before and after: no edit at all would pass for a removal."""
    case = case_of(Operation.REMOVE, 11, Fault.NO_OP)
    given = edit_job(case).task.colored_boxes
    target = case.edit.before.cuboids[case.edit.target].label
    kinds = tuple(replace(kind, color_hex="#00ff90") if kind.label == target else kind for kind in given.kinds)
    assert wrong(case, replace(given, kinds=kinds), EditOperation.REMOVE) == [("source_box", "NOT_SEEN")]


def test_paints_that_can_not_be_told_apart_are_refused():
    case = case_of(Operation.MOVE, 11)
    given = edit_job(case).task.colored_boxes
    first = given.kinds[0]
    darker = "#" + "".join(f"{int(first.color_hex[at : at + 2], 16) * 9 // 10:02x}" for at in (1, 3, 5))
    kinds = (*given.kinds, ColoredBoxInput("another", darker, (0.1, 0.1, 0.1)))
    assert wrong(case, replace(given, kinds=kinds), EditOperation.MOVE) == [("colored_boxes.kinds", "MISMATCH")]
    many = tuple(ColoredBoxInput(f"kind {at}", first.color_hex, None) for at in range(17))
    assert wrong(case, replace(given, kinds=many), EditOperation.MOVE) == [("colored_boxes.kinds", "OUT_OF_RANGE")]


def test_a_large_picture_is_judged_as_a_small_one_is():
    """The same edit at 960 x 720, twice as large: reduced before boxes are looked for."""
    case = case_of(Operation.MOVE, 11)
    job = edit_job(case)
    enlarged = [
        encoded(cv2.resize(render_scene(scene), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
        for scene in (case.edit.before, case.edit.after)
    ]
    camera = job.task.intrinsics
    numbers = (camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px, camera.skew_px)
    camera = IntrinsicsInput(*(2 * number for number in numbers))
    task = replace(job.task, image=enlarged[0], intrinsics=camera)
    verdict = ENGINE.grade(replace(job, task=task, candidate=replace(job.candidate, data=enlarged[1])))
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    assert values(verdict)["d_pred_m"] == pytest.approx(values(graded(case))["d_pred_m"], abs=0.005)


def test_a_picture_that_was_filled_up_to_a_square_is_judged_without_its_bars():
    case = case_of(Operation.MOVE, 11)
    job = edit_job(case)
    drawn = render_scene(case.edit.after)
    bar = (drawn.shape[1] - drawn.shape[0]) // 2
    square = encoded(np.pad(drawn, ((bar, bar), (0, 0), (0, 0))))
    verdict = ENGINE.grade(replace(job, candidate=replace(job.candidate, data=square)))
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    assert [note.code for note in verdict.notes] == ["BARS_CUT"]


def test_a_paint_without_a_hue_is_refused():
    case = case_of(Operation.MOVE, 11)
    given = edit_job(case).task.colored_boxes
    grey = ColoredBoxInput("grey box", "#808080", (0.1, 0.1, 0.1))
    found = wrong(case, replace(given, kinds=(*given.kinds, grey)), EditOperation.MOVE)
    assert found == [(f"colored_boxes.kinds[{len(given.kinds)}].color_hex", "OUT_OF_RANGE")]


def test_the_benchmark_has_right_and_wrong_edits_of_every_operation():
    cases = list(edit_cases(20))
    assert {case.edit.operation for case in cases} == set(Operation) - {Operation.VIEW}
    assert sum(case.fault == "right" for case in cases) == 10
    assert all(isinstance(case.edit, Edit) for case in cases)


def test_a_turn_of_the_camera_is_no_turn_of_the_object():
    """The boxes say that the object turned as asked; the picture shows the scene from 20 degrees aside."""
    # 480 pixels across show too few features to say.
    edit = make_edit(generate_scene(0), Operation.ROTATE, 0)
    case = EditCase("one", edit, "right", edit.after)
    before = case.edit.before
    x, y, z = before.camera.eye
    turn = math.radians(20)
    eye = (math.cos(turn) * x + math.sin(turn) * z, y, -math.sin(turn) * x + math.cos(turn) * z)
    size = (before.camera.width, before.camera.height)
    aside = replace(before, camera=looking_at(eye, (0.0, 0.0, 0.0), 0.0, before.camera.focal_px, size))
    right = edit_job(case, boxes_given=True)
    cheat = replace(right, candidate=replace(right.candidate, image=encoded(render_scene(aside))))
    honest, verdict = ENGINE.grade(right), ENGINE.grade(cheat)
    assert (honest.outcome, codes(honest)) == (Outcome.PASS, [])
    assert values(honest)["viewpoint_rad"] < math.radians(1)
    assert verdict.outcome is Outcome.FAIL
    assert "VIEWPOINT_CHANGED" in codes(verdict)
    found = values(verdict)
    assert found["viewpoint_rad"] > math.radians(10)
    assert (found["ic"], found["sa"], found["ic_ungated"]) == (0.0, 0.0, 1.0)
    assert verdict.reward == 0.0


def test_a_view_has_all_boxes_of_the_wanted_one():
    """Most of both pictures is table, so that they are much alike without any box."""
    edit = edit_of(Operation.VIEW, 1)
    record = load_record(instance_json(edit, []).encode(), "view")
    task = tabletop_message(record)
    outcomes = []
    for scene in (edit.after, edit.after.without(*range(len(edit.after.cuboids))), edit.after.without(0)):
        request = service_pb2.GradeRequest(request_id="view", spatial_edit=task)
        request.spatial_edit.puzzle.image.data = encoded(render_scene(edit.before))
        request.spatial_edit.truth.image.data = encoded(render_scene(edit.after))
        request.image.data = encoded(render_scene(scene))
        verdict = Engine(measures=PlainMeasures()).grade(job_from_proto(request, lambda media, _: media.data))
        outcomes.append((verdict.outcome, codes(verdict), verdict.reward))
    assert outcomes[0] == (Outcome.PASS, [], 1.0)
    for outcome, found, reward in outcomes[1:]:
        assert (outcome, found) == (Outcome.FAIL, ["OTHERS_REMOVED"])
        assert reward <= 0.5
