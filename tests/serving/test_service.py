"""The service over real sockets: answers, statuses, limits, health, drain."""

import os
import signal
import threading
import time

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from grader.client import GraderClient
from grader.serving.server import GraderServer, ServerStartError
from grader.serving.settings import ServerSettings
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, service_pb2_grpc, verdict_pb2
from grader.wire.statuses import MAX_DETAILS_BYTES
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, SPEC, await_file, make_request

LIMIT = 1_000_000


@pytest.fixture(scope="module")
def server():
    with serving.running(max_message_bytes=LIMIT, request_timeout_s=60) as made:
        yield made


@pytest.fixture(scope="module")
def channel(server):
    with grpc.insecure_channel(server.address, [("grpc.max_send_message_length", -1)]) as made:
        yield made


@pytest.fixture(scope="module")
def stub(channel):
    return service_pb2_grpc.GraderServiceStub(channel)


def status_of(call):
    """The code and the details, by type, of a call that fails."""
    with pytest.raises(grpc.RpcError) as raised:
        call()
    status = rpc_status.from_call(raised.value)
    found = {}
    for kind in (error_details_pb2.ErrorInfo, error_details_pb2.BadRequest, error_details_pb2.RetryInfo):
        for detail in status.details:
            made = kind()
            if detail.Unpack(made):
                found[kind.__name__] = made
    return raised.value.code(), found, status


def test_grade(stub):
    answer = stub.Grade(make_request("one", b"PASS"))
    assert answer.request_id == "one"
    assert answer.verdict.outcome == verdict_pb2.OUTCOME_PASS
    assert answer.verdict.score == 1.0


def test_undecodable_is_a_verdict_and_no_status(stub):
    answer = stub.Grade(make_request("one", b""))
    assert answer.verdict.outcome == verdict_pb2.OUTCOME_UNGRADABLE
    assert not answer.verdict.HasField("score")


def test_wrong_fields_are_named(stub):
    request = make_request("", b"PASS")
    request.ClearField("image")
    request.attempt = -1
    code, details, _ = status_of(lambda: stub.Grade(request))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert (details["ErrorInfo"].reason, details["ErrorInfo"].domain) == ("INVALID_FIELD", "grader")
    wrong = {violation.field: violation.reason for violation in details["BadRequest"].field_violations}
    assert wrong == {"request_id": "MISSING", "attempt": "OUT_OF_RANGE", "candidate": "MISSING"}


def test_a_fault_of_the_engines_checks_keeps_its_field(stub):
    code, details, _ = status_of(lambda: stub.Grade(make_request("one", b"BAD")))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details["BadRequest"].field_violations[0].field == "maze.truth.path_cell_ids"


def test_a_uri_is_refused_by_default(stub):
    request = make_request("one")
    request.image.uri = "pictures/one.png"
    _, details, _ = status_of(lambda: stub.Grade(request))
    assert details["BadRequest"].field_violations[0].field == "image"


def test_a_bug_is_internal_and_leaks_nothing(stub):
    code, details, status = status_of(lambda: stub.Grade(make_request("one", b"BUG")))
    assert code is grpc.StatusCode.INTERNAL
    assert details["ErrorInfo"].reason == "INTERNAL"
    assert "/" not in status.message
    assert "ZeroDivisionError" not in status.message


def test_a_dead_worker_is_unavailable_with_retry_and_a_failing_picture_scores_0(stub):
    """Case A13."""
    code, details, _ = status_of(lambda: stub.Grade(make_request("one", b"DIE")))
    assert code is grpc.StatusCode.UNAVAILABLE
    assert details["ErrorInfo"].reason == "WORKER_DIED"
    assert "RetryInfo" in details
    answer = stub.Grade(make_request("two", b"FAIL"))
    assert answer.verdict.outcome == verdict_pb2.OUTCOME_FAIL
    assert answer.verdict.score == 0.0


def sized(size_bytes):
    """A request of exactly this size."""
    request = make_request("r", b"PASS " + bytes(size_bytes - 100))
    request.image.data += bytes(size_bytes - request.ByteSize())
    assert request.ByteSize() == size_bytes
    return request


def test_one_byte_over_the_limit_names_the_limit_and_no_retry(stub):
    """Case A12, without the shipped client's own check."""
    assert stub.Grade(sized(LIMIT)).verdict.outcome == verdict_pb2.OUTCOME_PASS
    code, details, status = status_of(lambda: stub.Grade(sized(LIMIT + 1)))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert details["ErrorInfo"].reason == "MESSAGE_TOO_LARGE"
    assert "RetryInfo" not in details
    assert str(LIMIT) in status.message
    assert str(LIMIT + 1) in status.message


def test_the_callers_deadline_ends_the_call(stub):
    with pytest.raises(grpc.RpcError) as raised:
        stub.Grade(make_request("one", b"SLEEP 20"), timeout=0.3)
    assert raised.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_call_without_deadline_is_capped_and_a_full_queue_refuses():
    with (
        serving.running(workers=1, queue_size=0, request_timeout_s=3) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        stub = service_pb2_grpc.GraderServiceStub(channel)
        slow = stub.Grade.future(make_request("slow", b"SLEEP 60"))
        while server.service.wait_idle(0):
            time.sleep(0.01)
        time.sleep(0.1)
        code, details, _ = status_of(lambda: stub.Grade(make_request("more")))
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details["ErrorInfo"].reason == "OVERLOADED"
        assert details["RetryInfo"].retry_delay.ToMilliseconds() > 0
        code, details, _ = status_of(slow.result)
        assert code is grpc.StatusCode.DEADLINE_EXCEEDED
        assert details["ErrorInfo"].reason == "DEADLINE_EXCEEDED"
        slow = stub.Grade.future(make_request("slow", b"SLEEP 60"))
        time.sleep(0.1)
        slow.cancel()
        with GraderClient(server.address) as client:  # it is let in after the cancelled one was killed
            assert client.grade(make_request("next")).verdict.outcome == verdict_pb2.OUTCOME_PASS


def test_details_stay_below_3_kib(stub):
    request = make_request("x" * 600, b"PASS")
    request.maze.puzzle.image.uri = "u" * 5000
    request.maze.puzzle.cell_map.uri = "u"
    request.maze.truth.mask.uri = "u"
    _, details, status = status_of(lambda: stub.Grade(request))
    assert len(details["BadRequest"].field_violations) == 4
    assert status.ByteSize() < MAX_DETAILS_BYTES


def batch(stub, candidates):
    items = [
        service_pb2.GradeBatchRequest(request=make_request(request_id, candidate))
        for request_id, candidate in candidates.items()
    ]
    return {answer.request_id: answer for answer in stub.GradeBatch(iter(items))}


def test_a_batch_answers_each_item_and_a_bad_one_never_ends_it(stub):
    kinds = {"pass": b"PASS", "fail": b"FAIL", "bug": b"BUG", "bad": b"BAD", "die": b"DIE", "none": b""}
    items = {f"{name}{i}": candidate for i in range(5) for name, candidate in kinds.items() if i == 0 or name != "die"}
    items["large"] = bytes(LIMIT + 1)
    answers = batch(stub, items)
    assert set(answers) == set(items)
    reasons = {name: answers[f"{name}0"].status.reason for name in kinds}
    assert reasons == {
        "pass": "",
        "fail": "",
        "bug": "INTERNAL",
        "bad": "INVALID_FIELD",
        "die": "WORKER_DIED",
        "none": "",
    }
    assert answers["large"].status.reason == "MESSAGE_TOO_LARGE"
    assert [answers["bad0"].HasField("verdict"), answers["pass0"].HasField("verdict")] == [False, True]
    assert answers["bad0"].status.field_violations[0].field == "maze.truth.path_cell_ids"


def test_order_and_company_do_not_matter(stub):
    items = {f"item{i}": (b"PASS", b"FAIL", b"")[i % 3] for i in range(30)}
    forward = batch(stub, items)
    backward = batch(stub, dict(reversed(items.items())))
    single = stub.Grade(make_request("item1", b"FAIL"))
    assert forward == backward
    assert forward["item1"].verdict == single.verdict


def test_answers_come_while_the_caller_still_sends(stub):
    first_answer = threading.Event()

    def items():
        yield service_pb2.GradeBatchRequest(request=make_request("first"))
        assert first_answer.wait(60)
        yield service_pb2.GradeBatchRequest(request=make_request("second"))

    answers = stub.GradeBatch(items())
    assert next(answers).request_id == "first"
    first_answer.set()
    assert [answer.request_id for answer in answers] == ["second"]


def test_a_caller_that_leaves_a_batch_frees_the_workers(server, stub):
    call = stub.GradeBatch(
        iter(service_pb2.GradeBatchRequest(request=make_request(str(i), b"SLEEP 30")) for i in range(50))
    )
    time.sleep(0.2)
    call.cancel()
    assert server.service.wait_idle(60)
    assert stub.Grade(make_request("next"), timeout=60).verdict.outcome == verdict_pb2.OUTCOME_PASS


def test_list_tasks_health_and_reflection(channel, stub):
    assert stub.ListTasks(service_pb2.ListTasksRequest()).tasks[0].name == "maze"
    health = health_pb2_grpc.HealthStub(channel)
    for name in ("", "grader.v1.GraderService"):
        answer = health.Check(health_pb2.HealthCheckRequest(service=name))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    answer = next(reflection.ServerReflectionInfo(iter([asked])))
    names = {service.name for service in answer.list_services_response.service}
    assert {"grader.v1.GraderService", "grpc.health.v1.Health"} <= names


class Toggled(InProcessExecutor):
    """Says that it can grade as long as it is told to."""

    can = True

    def can_grade(self):
        return self.can


def test_health_follows_what_can_be_done_and_liveness_does_not():
    executor = Toggled(SPEC)
    with serving.running(executor) as server, grpc.insecure_channel(server.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)

        def said(name):
            return health.Check(health_pb2.HealthCheckRequest(service=name), timeout=60).status

        assert said("") == said("liveness") == health_pb2.HealthCheckResponse.SERVING
        executor.can = False
        await_not_serving(health)
        assert said("grader.v1.GraderService") == health_pb2.HealthCheckResponse.NOT_SERVING
        assert said("liveness") == health_pb2.HealthCheckResponse.SERVING
        assert not server.ready
    executor.close()


def test_a_port_that_is_taken_is_said(server):
    settings = ServerSettings(port=server.port, workers=1)
    with pytest.raises(ServerStartError, match="can't listen"):
        GraderServer(settings, server.service.executor, CATALOGUE)


def await_not_serving(health):
    asked, serving_still = health_pb2.HealthCheckRequest(), health_pb2.HealthCheckResponse.SERVING
    end = time.monotonic() + 60
    while health.Check(asked, timeout=60).status == serving_still:
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_group_says_not_serving_and_lets_work_end(number, tmp_path):
    with serving.process() as (server, address), grpc.insecure_channel(address) as channel:
        stub = service_pb2_grpc.GraderServiceStub(channel)
        health = health_pb2_grpc.HealthStub(channel)
        slow = stub.Grade.future(make_request("slow", b"UNTIL %s" % bytes(tmp_path / "go")))
        await_file(tmp_path / "go.begun")
        os.killpg(server.pid, number)
        await_not_serving(health)
        alive = health.Check(health_pb2.HealthCheckRequest(service="liveness"), timeout=60)
        assert alive.status == health_pb2.HealthCheckResponse.SERVING
        code, details, _ = status_of(lambda: stub.Grade(make_request("late")))
        assert code is grpc.StatusCode.UNAVAILABLE
        assert details["ErrorInfo"].reason == "SHUTTING_DOWN"
        (tmp_path / "go").touch()
        assert slow.result(60).verdict.outcome == verdict_pb2.OUTCOME_PASS
        assert server.wait(60) == 0


def test_a_second_signal_ends_at_once(tmp_path):
    with serving.process() as (server, address), grpc.insecure_channel(address) as channel:
        stub = service_pb2_grpc.GraderServiceStub(channel)
        slow = stub.Grade.future(make_request("slow", b"UNTIL %s" % bytes(tmp_path / "never")))
        await_file(tmp_path / "never.begun")
        server.terminate()
        await_not_serving(health_pb2_grpc.HealthStub(channel))
        server.terminate()
        assert server.wait(60) == 0
        with pytest.raises(grpc.RpcError):
            slow.result(60)
