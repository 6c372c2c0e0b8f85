"""Traces: a span a request and one a stage, in the caller's trace; and what stages are noted."""

import time
from dataclasses import dataclass, field

import pytest
from google.rpc import code_pb2

from grader.processes.stages import Stage, StageTime, noted_stages, read_stages, stage, write_stages
from grader.serving.seen import traces
from grader.serving.seen.calls import Call
from grader.serving.seen.traces import Traces, Tracing, why_no_traces
from grader.serving.server import ServerStartError, check_start
from grader.serving.settings import load_settings
from grader.v1 import service_pb2


@dataclass
class Span:
    name: str
    context: object
    start_time: int
    kind: object = None
    attributes: dict = field(default_factory=dict)
    end_time: int | None = None
    failed: str = ""

    def end(self, end_time):
        self.end_time = end_time


class Collector:
    """What OpenTelemetry is to the grader."""

    def __init__(self):
        self.spans = []
        self.closed = False

    def tracing(self):
        def start_span(*args, **named):
            self.spans.append(Span(*args, **named))
            return self.spans[-1]

        def set_failed(span, why):
            span.failed = why

        def shut_down():
            self.closed = True

        return Tracing(start_span, dict, lambda span: ("within", span.name), "server", set_failed, shut_down)


def call_of(status=None, stages=(), parents=None):
    answer = service_pb2.GradeBatchResponse(status=status or service_pb2.ItemStatus())
    return Call("Grade", "id-1", "", "peer:x", "maze", 0.5, 100, answer, stages, parents or {})


def test_a_call_is_a_span_with_its_stages_below_it_in_the_callers_trace():
    collector = Collector()
    made = Traces(collector.tracing())
    begun = time.monotonic() - 0.4
    parents = {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    made.note(
        call_of(stages=(StageTime(Stage.WAIT, begun, 0.1), StageTime(Stage.JUDGE, begun + 0.1, 0.2)), parents=parents)
    )
    whole, wait, judge = collector.spans
    assert (whole.name, whole.context, whole.kind) == ("grader.v1.GraderService/Grade", parents, "server")
    assert (whole.attributes["grader.task"], whole.attributes["rpc.method"]) == ("maze", "Grade")
    assert [(one.name, one.context) for one in (wait, judge)] == [
        ("wait", ("within", whole.name)),
        ("judge", ("within", whole.name)),
    ]
    assert judge.end_time - judge.start_time == pytest.approx(0.2e9, abs=1e4)
    assert judge.start_time == pytest.approx(wait.end_time, abs=1e4)
    assert whole.start_time < wait.start_time < judge.end_time < whole.end_time
    assert whole.end_time - whole.start_time == pytest.approx(0.5e9, abs=1e4)
    assert abs(whole.end_time - time.time_ns()) < 60e9
    made.close()
    assert collector.closed


def test_only_the_services_own_faults_are_failed_spans():
    collector = Collector()
    for code, reason in ((code_pb2.UNAVAILABLE, "WORKER_DIED"), (code_pb2.INVALID_ARGUMENT, "INVALID_FIELD")):
        Traces(collector.tracing()).note(call_of(service_pb2.ItemStatus(code=code, reason=reason)))
    assert [span.failed for span in collector.spans] == ["WORKER_DIED", ""]


def test_traces_without_their_packages_are_refused_at_the_start(monkeypatch):
    monkeypatch.setattr(traces, "_NEEDED", ("no_such_package.sdk",))
    assert "pip install '.[traces]'" in why_no_traces()
    with pytest.raises(ServerStartError, match="traces_endpoint is set"):
        check_start(load_settings(port=0, traces_endpoint="http://127.0.0.1:4317"))
    monkeypatch.setattr(traces, "_NEEDED", ("json",))
    assert why_no_traces() == ""


def test_stages_are_noted_where_somebody_asks_and_nowhere_else():
    with stage(Stage.JUDGE):
        pass
    with noted_stages() as noted:
        with stage(Stage.PUZZLE):
            pass
        with pytest.raises(ZeroDivisionError), stage(Stage.JUDGE):
            raise ZeroDivisionError
    with stage(Stage.DRAW):
        pass
    assert [one.stage for one in noted] == [Stage.PUZZLE, Stage.JUDGE]
    assert read_stages(b"A" + write_stages(noted) + b"rest", 1) == (tuple(noted), 1 + 1 + 2 * 17)
