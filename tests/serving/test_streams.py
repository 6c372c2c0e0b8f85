"""Streams and hostile messages: shares of clients, idle callers, what is no message, answers that stay short."""

import queue
import threading

import grpc
import pytest
from google.protobuf import wrappers_pb2

from grader.model.errors import FieldViolation, InvalidRequestError
from grader.serving.streams import Streams, TooManyStreamsError
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, service_pb2_grpc, verdict_pb2
from grader.wire import statuses
from tests.fakes import serving
from tests.fakes.engine import SPEC, make_request
from tests.serving.test_service import status_of

NAME = "/grader.v1.GraderService/"


@pytest.fixture(scope="module")
def executor():
    made = InProcessExecutor(SPEC)
    yield made
    made.close()


@pytest.fixture(scope="module")
def channel(executor):
    with serving.running(executor, stream_idle_s=0.3) as server, grpc.insecure_channel(server.address) as made:
        yield made


def opened(streams, *clients):
    """Opens a stream for each client; gives how each went, and leaves them open."""
    went, kept = [], []
    for client in clients:
        place = streams.place(client)
        try:
            place.__enter__()
            kept.append(place)
            went.append(True)
        except TooManyStreamsError:
            went.append(False)
    return went, kept


def test_one_client_leaves_streams_for_others_and_windows_add_up_to_less_than_the_room():
    streams = Streams(most=16, window=6, room=66, idle_s=60)
    assert streams.window == 6
    went, kept = opened(streams, *["greedy"] * 16, *"abc")
    assert went == [True] * 13 + [False] * 3 + [True] * 3
    assert streams.open == 16
    assert streams.window * streams.open < 66
    for place in kept:
        place.__exit__(None, None, None)
    assert streams.open == 0


def test_where_there_is_one_stream_anybody_may_have_it():
    assert opened(Streams(1, 4, 8, 60), "a", "b")[0] == [True, False]


def test_a_stream_over_which_nothing_goes_ends_with_a_reason(channel):
    stub = service_pb2_grpc.GraderServiceStub(channel)
    items = queue.SimpleQueue()
    items.put(service_pb2.GradeBatchRequest(request=make_request("one")))
    answers = stub.GradeBatch(iter(items.get, None))
    assert next(answers).request_id == "one"
    code, details, _ = status_of(lambda: next(answers))
    assert (code, details["ErrorInfo"].reason) == (grpc.StatusCode.ABORTED, "STREAM_IDLE")
    items.put(None)


def test_a_stream_in_which_something_is_graded_is_not_idle():
    class Running:
        streams, draining = Streams(4, 4, 8, idle_s=0.0), False

    from grader.serving.streams import BatchStream

    stream = BatchStream(Running(), iter(()), None, "a", lambda *_: None)
    assert stream.idle_for(stream._moved_at + 5) == 5
    stream._running.add(object())
    assert stream.idle_for(stream._moved_at + 5) == 0


def test_a_caller_that_does_not_react_is_cut_off():
    class Idle:
        cut = 0

        def idle_for(self, now):
            return now

        def cut_off(self):
            self.cut += 1

    streams, idle = Streams(4, 4, 8, idle_s=10), Idle()
    with streams.watched(idle):
        streams.look(14)
        assert not idle.cut
        streams.look(16)
        assert idle.cut == 1
    streams.look(20)
    assert idle.cut == 1


NOT_UTF8 = b"\x0a\x02\xff\xfe"
NO_MESSAGES = (b"\xff\xff\xff", NOT_UTF8, bytes(make_request("x").SerializeToString())[:-1], b"\x0a\x7f")


@pytest.mark.parametrize("data", NO_MESSAGES, ids=["tag", "text", "cut", "length"])
def test_bytes_that_are_no_message_are_the_callers_fault_and_end_no_stream(channel, data):
    call = channel.unary_unary(f"{NAME}Grade", None, service_pb2.GradeResponse.FromString)
    code, details, status = status_of(lambda: call(data))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details["ErrorInfo"].reason == "INVALID_FIELD"
    assert details["BadRequest"].field_violations[0].reason == "UNDECODABLE"
    assert status.message.startswith("the request is no GradeRequest of grader.v1, or")
    batch = channel.stream_stream(f"{NAME}GradeBatch", None, service_pb2.GradeBatchResponse.FromString)
    item = wrappers_pb2.BytesValue(value=data).SerializeToString()  # field 1, as in GradeBatchRequest
    good = service_pb2.GradeBatchRequest(request=make_request("good")).SerializeToString()
    answers = {answer.request_id: answer for answer in batch(iter([item, good]))}
    assert answers[""].status.field_violations[0].reason == "UNDECODABLE"
    assert answers["good"].verdict.outcome == verdict_pb2.OUTCOME_PASS


def test_a_stream_of_bare_requests_is_told_what_holds_them(channel):
    bare = channel.stream_stream(f"{NAME}GradeBatch", None, service_pb2.GradeBatchResponse.FromString)
    (answer,) = bare(iter([make_request("bare").SerializeToString()]))
    wanted = "the request is no GradeBatchRequest of grader.v1, which holds a GradeRequest in its field request"
    assert answer.status.message.startswith(wanted)


def test_answers_stay_short_whatever_was_sent(channel):
    request = make_request("x" * 1_000_000, b"PASS")
    request.options.similarity.extend([99] * 100_000)
    stub = service_pb2_grpc.GraderServiceStub(channel)
    (answer,) = stub.GradeBatch(iter([service_pb2.GradeBatchRequest(request=request)]))
    assert answer.ByteSize() < 64 * 1024
    assert answer.request_id == "x" * 512
    last = answer.status.field_violations[-1]
    assert (last.reason, last.description.partition(" ")[0]) == (
        "MORE",
        str(100_001 - len(answer.status.field_violations) + 1),
    )
    code, details, _ = status_of(lambda: stub.Grade(request))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    cut = details["BadRequest"].field_violations
    assert cut[-1].description.partition(" ")[0] == str(100_001 - len(cut) + 1)


def test_long_texts_of_wrong_fields_are_cut():
    status = statuses.invalid_request(InvalidRequestError(FieldViolation("f" * 10**6, "X", "d" * 10**6)))
    assert status.ByteSize() < 2000


def test_x_request_id_comes_back(channel):
    stub = service_pb2_grpc.GraderServiceStub(channel)
    _, call = stub.Grade.with_call(make_request("one"), metadata=(("x-request-id", "trace-7"),))
    assert dict(call.initial_metadata())["x-request-id"] == "trace-7"


def test_a_drain_that_is_cut_short_says_so_to_every_caller(tmp_path):
    with serving.process(GRADER_DRAIN_S="0.2") as (server, address), grpc.insecure_channel(address) as channel:
        stub = service_pb2_grpc.GraderServiceStub(channel)
        one = stub.Grade.future(make_request("one", b"UNTIL %s" % bytes(tmp_path / "never")))
        from tests.fakes.engine import await_file

        await_file(tmp_path / "never.begun")
        sent = threading.Event()

        def items():
            yield service_pb2.GradeBatchRequest(request=make_request("two"))
            sent.set()

        answers = stub.GradeBatch(items())
        sent.wait(60)
        server.terminate()
        code, details, _ = status_of(lambda: one.result(60))
        assert (code, details["ErrorInfo"].reason) == (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
        assert "RetryInfo" in details
        try:
            reasons = [answer.status.reason for answer in answers]
        except grpc.RpcError:
            reasons = [status_of(lambda: next(answers))[1]["ErrorInfo"].reason]
        assert reasons == ["SHUTTING_DOWN"]
        assert server.wait(60) == 0
