"""What an operator sees: a line a request, metrics, liveness and readiness."""

import logging
import urllib.error
import urllib.request
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from google.rpc import code_pb2

from grader.processes.stages import Stage, StageTime
from grader.serving.seen.calls import AccessLog, Call
from grader.serving.seen.metrics import CONTENT_TYPE, Metrics
from grader.serving.seen.pages import Pages, page_of
from grader.serving.workers import InProcessExecutor, PoolState, WorkEnds
from grader.v1 import service_pb2, service_pb2_grpc, verdict_pb2
from tests.fakes import serving
from tests.fakes.engine import SPEC, make_request


def call_of(end=verdict_pb2.OUTCOME_PASS, code=0, reason=""):
    answer = service_pb2.GradeBatchResponse(status=service_pb2.ItemStatus(code=code, reason=reason))
    if not code:
        answer.verdict.outcome = end
    if end == verdict_pb2.OUTCOME_FAIL:
        answer.verdict.reasons.add(code="WALL_CROSSED")
    return Call("Grade", "id-1", "trace", "peer:x", "maze", 0.2, 100, answer)


class Told:
    def __init__(self):
        self.calls = []

    def note(self, call):
        self.calls.append(call)


def lines(caplog):
    return [record.grader_facts for record in caplog.records if record.name == "grader.access"]


def test_each_request_and_each_item_has_a_line_and_nothing_else_of_it(caplog):
    executor, told = InProcessExecutor(SPEC), Told()
    with (
        caplog.at_level(logging.INFO, "grader"),
        serving.running(executor) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        server.service.watchers.append(told)
        stub = service_pb2_grpc.GraderServiceStub(channel)
        stub.Grade(make_request("one"), metadata=(("x-request-id", "t1"), ("traceparent", "00-1-2-01")))
        items = [service_pb2.GradeBatchRequest(request=make_request(name, name)) for name in (b"FAIL", b"BAD")]
        list(stub.GradeBatch(iter(items)))
    executor.close()
    assert {tuple(one.stage for one in call.stages) for call in told.calls} == {
        (Stage.READ, Stage.ANSWER),
        (Stage.READ,),
    }
    assert {call.rpc: call.parents for call in told.calls} == {"Grade": {"traceparent": "00-1-2-01"}, "GradeBatch": {}}
    one, *others = lines(caplog)
    assert one.pop("client").startswith("peer:127.0.0.1:")
    assert one.pop("seconds") >= 0
    assert one == {
        "request_id": "one", "trace_id": "t1", "rpc": "Grade", "task": "maze", "end": "PASS",
        "size_bytes": make_request("one").ByteSize(),
    }  # fmt: skip
    assert {(line["request_id"], line["end"], line.get("reason")) for line in others} == {
        ("FAIL", "FAIL", "FAIL"),
        ("BAD", "INVALID_FIELD", None),
    }


def test_a_share_is_logged_and_of_the_services_own_faults_all(caplog):
    log = AccessLog(0.25)
    with caplog.at_level(logging.INFO, "grader"):
        for _ in range(12):
            log.note(call_of())
        assert len(lines(caplog)) == 3
        for _ in range(4):
            log.note(call_of(code=code_pb2.UNAVAILABLE, reason="WORKER_DIED"))
        assert len(lines(caplog)) == 7
        AccessLog(0.0).note(call_of(code=code_pb2.UNAVAILABLE))
    assert len(lines(caplog)) == 7


def test_metrics_count_requests_and_say_how_the_pool_stands():
    state = PoolState(2, 1, 1, {"peer:x": 5}, 0.5, WorkEnds(stopped=3, killed=1, died=2, restarts=4))
    metrics = Metrics(lambda: state, lambda: 7, lambda: datetime.now(UTC) + timedelta(days=10))
    metrics.note(replace(call_of(), stages=(StageTime(Stage.DRAW, 0.0, 0.5), StageTime(Stage.DRAW, 1.0, 0.25))))
    metrics.note(call_of(verdict_pb2.OUTCOME_FAIL))
    metrics.note(call_of(code=code_pb2.UNAVAILABLE, reason="WORKER_DIED"))
    said = dict(line.rsplit(" ", 1) for line in metrics.text().decode().splitlines() if not line.startswith("#"))
    expected = {
        'grader_requests_total{end="PASS",rpc="Grade",task="maze"}': 1,
        'grader_requests_total{end="WORKER_DIED",rpc="Grade",task="maze"}': 1,
        'grader_reasons_total{reason="WALL_CROSSED",task="maze"}': 1,
        'grader_request_seconds_count{rpc="Grade",task="maze"}': 3,
        'grader_stage_seconds_count{stage="draw",task="maze"}': 1,
        'grader_stage_seconds_sum{stage="draw",task="maze"}': 0.75,
        'grader_waiting{client="peer:x"}': 5,
        'grader_worker_ends_total{cause="killed"}': 1,
        "grader_worker_restarts_total": 4,
        "grader_workers_up": 2,
        "grader_spares_ready": 1,
        "grader_streams_open": 7,
    }
    assert {name: float(said[name]) for name in expected} == expected
    assert float(said["grader_certificate_days"]) == pytest.approx(10, abs=0.01)


def test_pages_for_operators():
    ready = False
    pages = Pages(
        "127.0.0.1", 0, {"/readyz": lambda: page_of(ready, "word"), "/metrics": lambda: (200, CONTENT_TYPE, b"x 1\n")}
    )
    try:

        def get(path):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{pages.port}{path}") as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read()

        assert get("/readyz") == (503, b"word\n")
        ready = True
        assert get("/readyz?x=1") == (200, b"word\n")
        assert get("/metrics") == (200, b"x 1\n")
        assert get("/etc/passwd")[0] == 404
    finally:
        pages.close()
