"""Media of a puzzle are sent once and named by their digest afterwards; what the server has lost is sent again."""

import grpc
import pytest

from grader.client import GraderClient
from grader.serving.kept_media import KeptMedia
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, service_pb2_grpc, verdict_pb2
from grader.wire.media import digest_of
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, SPEC, make_request
from tests.serving.test_service import status_of

PUZZLE = b"puzzle" * 5000


class Sizes:
    """Notes how large the requests are that come."""

    def __init__(self):
        self.bytes = []
        self.ends = []

    def note(self, call):
        self.bytes.append(call.size_bytes)
        self.ends.append(call.end)


@pytest.fixture
def executor():
    made = InProcessExecutor(SPEC)
    yield made
    made.close()


def request_of(name, puzzle=PUZZLE):
    request = make_request(name, b"PASS")
    request.maze.puzzle.image.data = puzzle
    request.maze.truth.mask.data = puzzle[::-1]
    return request


@pytest.fixture(autouse=True)
def says_that_it_keeps():
    CATALOGUE.limits.kept_media_bytes = 1
    yield
    CATALOGUE.limits.ClearField("kept_media_bytes")


def passed(answer):
    return answer.verdict.outcome == verdict_pb2.OUTCOME_PASS


def test_a_puzzle_goes_over_once_call_by_call_and_in_a_stream(executor):
    sizes = Sizes()
    with serving.running(executor) as server, GraderClient(server.address, send_once=True) as client:
        server.service.watchers.append(sizes)
        whole = request_of("0")
        before = whole.SerializeToString(deterministic=True)
        assert all(passed(client.grade(request_of(str(number)))) for number in range(3))
        assert [size > 60_000 for size in sizes.bytes] == [True, False, False]
        assert sizes.bytes[1] < 200
        requests = [request_of(str(number), b"another" * 1000) for number in range(4)]
        assert all(passed(answer) for answer in client.grade_batch(requests))
        assert sorted(size > 10_000 for size in sizes.bytes[3:]) == [False] * 3 + [True]
        assert whole.SerializeToString(deterministic=True) == before


def test_what_the_server_has_lost_is_sent_again(executor):
    sizes = Sizes()
    with serving.running(executor) as server, GraderClient(server.address, send_once=True) as client:
        server.service.watchers.append(sizes)
        client.grade(request_of("0"))
        server.service._media = KeptMedia(10**6)  # as after a restart
        assert passed(client.grade(request_of("1")))
        assert sizes.ends == ["PASS", "MEDIA_UNKNOWN", "PASS"]
        server.service._media = KeptMedia(10**6)
        answers = {answer.request_id: answer for answer in client.grade_batch(map(request_of, "abc"))}
        assert set(answers) == set("abc")
        assert all(map(passed, answers.values()))


def test_a_server_that_keeps_nothing_gets_all_each_time(executor):
    CATALOGUE.limits.kept_media_bytes = 0
    sizes = Sizes()
    with (
        serving.running(executor, kept_media_bytes=0) as server,
        GraderClient(server.address, send_once=True) as client,
    ):
        server.service.watchers.append(sizes)
        assert all(passed(client.grade(request_of(str(number)))) for number in range(2))
        assert min(sizes.bytes) > 60_000


def test_names_that_are_not_known_are_a_status_with_their_fields(executor):
    with serving.running(executor) as server, grpc.insecure_channel(server.address) as channel:
        stub = service_pb2_grpc.GraderServiceStub(channel)
        request = request_of("x")
        request.maze.puzzle.image.sha256 = digest_of(b"never sent")
        code, details, _ = status_of(lambda: stub.Grade(request))
        assert (code, details["ErrorInfo"].reason) == (grpc.StatusCode.FAILED_PRECONDITION, "MEDIA_UNKNOWN")
        assert [one.field for one in details["BadRequest"].field_violations] == ["maze.puzzle.image"]
        request = make_request("x")
        request.image.sha256 = digest_of(b"a candidate")  # is taken in puzzles only
        code, details, _ = status_of(lambda: stub.Grade(request))
        assert code is grpc.StatusCode.INVALID_ARGUMENT


def named(data):
    request = service_pb2.GradeRequest()
    request.maze.puzzle.image.sha256 = digest_of(data)
    return request


def kept(data):
    request = service_pb2.GradeRequest()
    request.maze.puzzle.image.data = data
    request.options.keep_media = True
    return request


def test_room_is_kept_and_nobody_gets_what_another_one_sent():
    media = KeptMedia(3000)
    first, second, third = (bytes([number]) * 1000 for number in range(3))
    for data in (first, second):
        assert media.fill(kept(data), "me") == (False, [])
    request = named(first)
    assert media.fill(request, "me") == (True, [])
    assert request.maze.puzzle.image.data == first
    assert media.fill(named(first), "other")[1][0].reason == "MEDIA_UNKNOWN"
    media.fill(kept(first), "other")
    assert media.fill(named(first), "other") == (True, [])
    media.fill(kept(third + third[:500]), "me")  # the second, which was not used for longest, goes
    assert media.size_bytes == 2500
    assert media.fill(named(second), "me")[1]
    assert media.fill(named(first), "me") == (True, [])
    media.fill(kept(bytes(5000)), "me")  # is larger than all of the room
    assert media.size_bytes == 2500
