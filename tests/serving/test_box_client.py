"""A detector of boxes as a service beside the grader: asked for both pictures; its faults are no verdict."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import cv2
import grpc
import numpy as np
import pytest
from google.protobuf import json_format
from google.rpc import code_pb2

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.media.pictures import MediaLimits
from grader.model.errors import BoxDetectorError, InvalidRequestError
from grader.model.verdict import Outcome
from grader.serving.box_client import RemoteBoxes
from grader.serving.settings import ServerSettings, SettingsError, load_settings
from grader.serving.work import contained, default_spec, inline_only
from grader.serving.workers import WorkerPool
from grader.v1 import box_detector_service_pb2, box_detector_service_pb2_grpc, service_pb2
from tests.samples.edits import AFTER as DONE
from tests.samples.edits import BEFORE, HEIGHT, WIDTH, PlainMeasures, box, codes, edit, found, png, values

LEFT = box(-0.4)
STILL = found(("mug", box()), ("plate", box(0.6)))
MOVED = found(("mug", LEFT), ("plate", box(0.6)))
AFTER = np.clip(DONE.astype(np.int16) + 3, 0, 255).astype(np.uint8)


class Detector(box_detector_service_pb2_grpc.BoxDetectorServiceServicer):
    """Says what stands in the picture before, and in any other one what it is told to say."""

    def __init__(self, after: list[dict[str, object]], before: list[dict[str, object]]) -> None:
        self.after, self.before = after, before
        self.name, self.hangs, self.over, self.left_s = "a fake one", False, threading.Event(), 0.0
        self.asked: list[box_detector_service_pb2.DetectBoxesRequest] = []

    def DetectBoxes(self, request, context):  # noqa: N802 - the contract's name
        self.asked.append(request)
        self.left_s = context.time_remaining()
        picture = cv2.imdecode(np.frombuffer(request.png, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
        objects = self.before if np.array_equal(picture, BEFORE) else self.after
        if self.hangs:
            self.over.wait(20)
        answer = {"detections": objects, "detector": self.name}
        return json_format.ParseDict(answer, box_detector_service_pb2.DetectBoxesResponse())


@contextmanager
def serving(
    after: list[dict[str, object]], before: list[dict[str, object]] = STILL
) -> Iterator[tuple[Detector, RemoteBoxes]]:
    detector = Detector(after, before)
    server = grpc.server(ThreadPoolExecutor(2))
    box_detector_service_pb2_grpc.add_BoxDetectorServiceServicer_to_server(detector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    detector.address = f"127.0.0.1:{port}"
    boxes = RemoteBoxes(detector.address, timeout_s=20)
    try:
        yield detector, boxes
    finally:
        detector.over.set()
        boxes.close()
        server.stop(0).wait(10)


def request(operation: str = "MOVE") -> service_pb2.GradeRequest:
    made = edit(operation, [], LEFT if operation == "MOVE" else None, original=[])
    made.image.data = png(AFTER)
    return made


def graded(made: service_pb2.GradeRequest, boxes: RemoteBoxes | None):
    return Engine(measures=PlainMeasures(), boxes=boxes).grade(job_from_proto(made, inline_only))


def test_it_is_asked_for_both_pictures_and_the_edit_is_judged():
    with serving(MOVED) as (detector, boxes):
        verdict = graded(request(), boxes)
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    assert verdict.provenance.box_detector == "a fake one"
    before, after = detector.asked
    assert list(before.labels) == ["mug"]
    assert list(after.labels) == ["mug", "plate"]
    assert (after.intrinsics.fx_px, after.intrinsics.cx_px) == (300.0, WIDTH / 2)
    assert cv2.imdecode(np.frombuffer(after.png, np.uint8), cv2.IMREAD_COLOR).shape == (HEIGHT, WIDTH, 3)


def test_it_is_asked_for_the_picture_before_even_if_the_request_says_what_is_there():
    """Its own error is taken off by what it finds there; and what it can't see there it can't judge."""
    with serving(STILL) as (detector, boxes):
        made = edit("MOVE", [], LEFT)
        made.image.data = png(AFTER)
        verdict = graded(made, boxes)
    assert [list(one.labels) for one in detector.asked] == [["mug", "plate"]] * 2
    assert (verdict.outcome, "BARELY_MOVED" in codes(verdict)) == (Outcome.FAIL, True)


@pytest.mark.parametrize("before", [[], found(("plate", box(0.6))), found(("mug", box(2.0)))])
def test_a_detector_that_does_not_see_the_object_before_does_not_judge(before):
    """It sees nothing after either: no edit at all would pass for a removal."""
    made = edit("REMOVE", [])
    made.image.data = png(AFTER)
    with serving([], before) as (_, boxes), pytest.raises(InvalidRequestError) as refused:
        graded(made, boxes)
    assert [(one.field, one.reason) for one in refused.value.violations] == [
        ("spatial_edit.puzzle.source_box", "NOT_SEEN")
    ]


def test_a_detector_that_is_off_by_as_much_in_both_pictures_does_no_harm():
    """Everything is found 2 cm to the right and turned by 2 degrees: no edit is no move and no turn."""
    off = found(("mug", box(0.02, yaw=0.035)), ("plate", box(0.62)))
    with serving(off, off) as (_, boxes):
        made = request()
        moved = values(graded(made, boxes))
        turn = edit("ROTATE", [], box(yaw=0.5), original=[])
        turn.image.data = png(AFTER)
        turned = graded(turn, boxes)
    assert moved["d_pred_m"] == pytest.approx(0.0, abs=1e-12)
    assert codes(turned)[0] == "NOT_TURNED"


def test_its_faults_are_a_status_worth_another_try():
    nowhere = RemoteBoxes("127.0.0.1:1", timeout_s=5)
    with pytest.raises(BoxDetectorError, match="gave no answer: UNAVAILABLE"):
        graded(request(), nowhere)
    inside_out = found(("mug", box(size=(-0.1, 0.3, 0.3))))
    with serving(inside_out) as (_, boxes):
        answer = contained(lambda: graded(request(), boxes), "edit")
    assert isinstance(answer, service_pb2.GradeBatchResponse)
    assert (answer.status.code, answer.status.reason) == (code_pb2.UNAVAILABLE, "BOX_DETECTOR_FAILED")
    assert "detections[0].box.size_m" in answer.status.message
    assert answer.status.HasField("retry_delay")
    nowhere.close()


@pytest.mark.parametrize(
    ("objects", "name", "said"),
    [
        (found(("mug", box())) * 501, "it", "detections: there are 501; at most 500 are taken"),
        (found(("m" * 201, box())), "it", "detections[0].label: it has 201 characters; at most 200 are taken"),
        (found(("mug", box())), "n" * 201, "detector: it has 201 characters; at most 200 are taken"),
        (found(("mug", box()), ("m" * 5_000_000, box())), "it", "RESOURCE_EXHAUSTED"),  # over 4 MiB
        ([{"label": "mug", "box2d": {"widthPx": 2, "heightPx": 2}}], "it", "detections[0].box: give the box"),
    ],
)
def test_what_it_answers_has_limits(objects, name, said):
    with serving(objects, objects) as (detector, boxes):
        detector.name = name
        with pytest.raises(BoxDetectorError) as failed:
            graded(request(), boxes)
    assert said in str(failed.value)


def test_as_much_as_is_allowed_is_taken():
    most = [*MOVED, *found(("m" * 200, box(0.6))) * 498]
    with serving(most, [*STILL, *most[2:]]) as (detector, boxes):
        detector.name = "n" * 200
        assert graded(request(), boxes).provenance.box_detector == "n" * 200


def test_one_that_hangs_is_given_up_before_the_request_ends():
    """Of 1.5 s it has 1 s: 2/3 of what is left."""
    with serving(MOVED) as (detector, boxes):
        detector.hangs = True
        job = replace(job_from_proto(request(), inline_only), end_at=time.monotonic() + 1.5)
        with pytest.raises(BoxDetectorError, match="DEADLINE_EXCEEDED"):
            Engine(measures=PlainMeasures(), boxes=boxes).grade(job)
        assert 0.0 < detector.left_s <= 1.0
        assert len(detector.asked) == 1


def test_one_that_hangs_costs_no_worker():
    """The same from outside: the caller is told what failed, and the worker grades on."""
    with serving(MOVED) as (detector, _):
        detector.hangs = True
        spec = default_spec(MediaLimits(), log_level="CRITICAL", box_detector=detector.address)
        # A third of this is left for the answer once the detector is given up, also on a busy machine.
        pool = WorkerPool(spec, workers=1, queue_size=4, task_timeout_s=3)
        try:
            pool.wait_ready()
            before = pool.worker_pids()
            answer = pool.submit(request().SerializeToString(), "edit").result(30)
            assert (answer.status.code, answer.status.reason) == (code_pb2.UNAVAILABLE, "BOX_DETECTOR_FAILED")
            assert answer.status.HasField("retry_delay")
            assert pool.worker_pids() == before
        finally:
            pool.close()


def test_without_one_a_picture_alone_is_refused():
    with pytest.raises(InvalidRequestError) as raised:
        graded(request(), None)
    assert [wrong.field for wrong in raised.value.violations] == ["spatial_edit.puzzle.colored_boxes"]


def test_its_address_is_a_setting_and_stays_on_this_machine_unless_allowed():
    assert ServerSettings(box_detector="127.0.0.1:7000").box_detector == "127.0.0.1:7000"
    assert ServerSettings(box_detector="other:7000", allow_insecure_remote=True).box_detector == "other:7000"
    for wrong, why in (("other:7000", "plain text"), ("7000", "no HOST:PORT")):
        with pytest.raises(SettingsError, match=why):
            load_settings(box_detector=wrong)
