"""The service of calibrations over real sockets: answers, statuses, limits, who may call."""

import asyncio
import hashlib
import queue
import threading
import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from calibration.service import servicer
from calibration.service.process import CalibrationProcess, StreamWork
from calibration.service.servicer import calibration_services
from grader.client import AsyncGraderClient, GraderCallError, GraderClient
from grader.model.errors import GraderError
from grader.serving.settings import ServerSettings
from grader.serving.workers import InProcessExecutor
from grader.v1 import calibration_service_pb2 as messages
from tests.calibration.service.stream import candidate, many, rows
from tests.fakes import serving
from tests.fakes.engine import SPEC

TOKEN = "secret"


class Inside:
    """What a process does, in this one: starting one takes a second."""

    def __init__(self, limits, log_level):
        self._work, self._answer = StreamWork(limits), None

    def ready(self, wait_s):
        return True

    def send(self, data):
        self._answer = self._answer or (self._work.end() if data is None else self._work.take(data))

    def answer(self, wait_s):
        return self._answer

    def kill(self):
        pass

    def end(self):
        pass


@pytest.fixture
def inside(monkeypatch):
    monkeypatch.setattr(servicer, "CalibrationProcess", Inside)


@pytest.fixture(scope="module")
def executor():
    made = InProcessExecutor(SPEC)
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(executor, tmp_path_factory):
    tokens = tmp_path_factory.mktemp("tokens") / "tokens"
    owners = (("pipeline", TOKEN, "calibrate"), ("trainer", "other", "grade"))
    lines = [f"{name} {hashlib.sha256(token.encode()).hexdigest()} {role}\n" for name, token, role in owners]
    tokens.write_text("".join(lines))
    limits = {"max_message_bytes": 100_000, "calibration_max_candidates": 500, "stream_idle_s": 0.5}
    with serving.running(
        executor, beside=calibration_services, token_file=tokens, max_calibrations=1, **limits
    ) as made:
        yield made


@pytest.fixture(scope="module")
def client(server):
    with GraderClient(server.address, token=TOKEN) as made:
        made.wait_ready()
        yield made


def refusal(call):
    with pytest.raises(GraderCallError) as raised:
        call()
    return raised.value.code.name, raised.value.reason


def test_labels_with_verdicts_come_back_as_agreement_and_a_profile(client):
    options = messages.CalibrateOptions(profile_name="strict", resamples=20, most_false_passes=0.2)
    answer = client.calibrate(many(), options)
    (verdicts,) = rows(answer, "verdicts")
    assert verdicts["accuracy"].value == 0.8
    assert verdicts["accuracy"].low < 0.8 < verdicts["accuracy"].high
    assert '"name": "strict"' in answer.profile.json


def test_one_that_takes_too_long_or_dies_is_told_and_ends(server, client, monkeypatch):
    monkeypatch.setattr(CalibrationProcess, "send", lambda process, data: process.kill())
    assert refusal(lambda: client.calibrate(many(1))) == ("UNAVAILABLE", "WORKER_DIED")
    assert refusal(lambda: client.calibrate(many(1), timeout_s=0.2))[0] == "DEADLINE_EXCEEDED"
    assert server.service.wait_idle(60)


def test_a_wrong_message_ends_the_call_though_more_would_come(client, inside):
    waiting = threading.Event()

    def stream():
        yield candidate("a", "PASS", 2.0, "right")
        waiting.wait(60)

    with pytest.raises(GraderCallError) as raised:
        client.calibrate(stream())
    waiting.set()
    assert [one.field for one in raised.value.violations] == ["candidates[0].verdict.score"]


def test_a_stream_has_its_limits(client, inside):
    large = candidate("a", "PASS", 1.0, "right")
    large.verdict.overlay.png = bytes(100_000)
    assert refusal(lambda: client.calibrate([large])) == ("RESOURCE_EXHAUSTED", "MESSAGE_TOO_LARGE")
    assert refusal(lambda: client.calibrate(many(501))) == ("RESOURCE_EXHAUSTED", "STREAM_TOO_LONG")


def test_a_stream_that_stands_idle_ends_and_holds_the_only_place_till_then(server, client, inside):
    items, ended = queue.SimpleQueue(), []
    held = threading.Thread(target=lambda: ended.append(refusal(lambda: client.calibrate(iter(items.get, None)))))
    held.start()
    while server.service.wait_idle(0):
        time.sleep(0.01)
    assert refusal(lambda: client.calibrate([])) == ("RESOURCE_EXHAUSTED", "OVERLOADED")
    held.join()
    items.put(None)
    assert ended == [("ABORTED", "STREAM_IDLE")]


def test_who_has_no_token_or_not_the_role_is_refused(server):
    with GraderClient(server.address) as nobody, GraderClient(server.address, token="other") as trainer:
        assert refusal(lambda: nobody.calibrate(many(2))) == ("UNAUTHENTICATED", "TOKEN_REFUSED")
        assert refusal(lambda: trainer.calibrate(many(2))) == ("PERMISSION_DENIED", "ROLE_MISSING")


def test_an_error_of_what_gives_candidates_comes_through(client, inside):
    def stream():
        raise GraderError("no more of these")
        yield

    with pytest.raises(GraderError, match="no more of these"):
        client.calibrate(stream())


def test_the_server_has_a_limit_of_time_and_drains(executor, inside, monkeypatch):
    monkeypatch.setattr(Inside, "answer", lambda process, wait_s: None)
    with (
        serving.running(executor, beside=calibration_services, calibration_timeout_s=0.01) as server,
        GraderClient(server.address) as client,
    ):
        assert refusal(lambda: client.calibrate(many(1))) == ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")
        health = health_pb2_grpc.HealthStub(client._channel)
        name = "grader.v1.CalibrationService"
        serves = health_pb2.HealthCheckResponse.SERVING
        assert health.Check(health_pb2.HealthCheckRequest(service=name)).status == serves
        server.drain()
        assert refusal(lambda: client.calibrate(many(1))) == ("UNAVAILABLE", "SHUTTING_DOWN")


def test_the_client_for_event_loops_does_the_same(server, inside):
    async def first(client):
        """Once the call of the test before, which its client has left, has made way."""
        for _ in range(100):
            try:
                return await client.calibrate(many(), messages.CalibrateOptions(resamples=0))
            except GraderCallError as error:
                if error.code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                await asyncio.sleep(0.1)
        raise AssertionError("the place of the call before never became free")

    async def work():
        async with AsyncGraderClient(server.address, token=TOKEN) as client:
            answer = await first(client)
            with pytest.raises(GraderCallError) as wrong:
                await client.calibrate([candidate("a", "PASS", 2.0, "right"), *many(100)])

            async def broken():
                raise GraderError("no more of these")
                yield

            with pytest.raises(GraderError, match="no more of these"):
                await client.calibrate(broken())
            return answer, wrong.value

    answer, wrong = asyncio.run(work())
    assert rows(answer, "verdicts")[0]["accuracy"].value == 0.8
    assert [one.field for one in wrong.violations] == ["candidates[0].verdict.score"]


def test_a_server_may_do_without(executor):
    assert calibration_services(ServerSettings(max_calibrations=0)) == ()
    with serving.running(executor) as server, GraderClient(server.address) as client:
        assert refusal(lambda: client.calibrate(many(1)))[0] == grpc.StatusCode.UNIMPLEMENTED.name
