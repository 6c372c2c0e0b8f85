"""A replica behind Ray Serve's proxy, against as much of the proxy as is used."""

import asyncio

import grpc
import pytest
from grpc_status import rpc_status

from grader.pipelines.ray_serve import SERVICER, GraderReplica
from grader.serving.settings import load_settings
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, service_pb2_grpc, verdict_pb2
from grader.wire import statuses
from tests.fakes.engine import CATALOGUE, SPEC, make_request


class ServeContext:
    """What the proxy gives along with a request."""

    def __init__(self, *metadata):
        self.metadata, self.status, self.said, self.trailing = metadata, grpc.StatusCode.OK, "", []

    def invocation_metadata(self):
        return self.metadata

    def peer(self):
        return "ipv4:10.0.0.7:1234"

    def set_code(self, code):
        self.status = code

    def set_details(self, details):
        self.said = details

    def set_trailing_metadata(self, metadata):
        self.trailing = metadata

    # As a client sees the call that has ended.
    def code(self):
        return self.status

    def details(self):
        return self.said

    def trailing_metadata(self):
        return self.trailing


@pytest.fixture(scope="module")
def replica():
    executor = InProcessExecutor(SPEC)
    yield GraderReplica(load_settings(workers=1), executor, CATALOGUE)
    executor.close()


def test_calls_of_a_replica_are_those_of_the_service(replica):
    context = ServeContext(("x-request-id", "t1"))
    answer = asyncio.run(replica.Grade(make_request("one"), context))
    assert (answer.request_id, answer.verdict.outcome) == ("one", verdict_pb2.OUTCOME_PASS)
    assert (context.status, context.trailing) == (grpc.StatusCode.OK, [("x-request-id", "t1")])
    told = asyncio.run(replica.ListTasks(service_pb2.ListTasksRequest(), ServeContext()))
    assert told == CATALOGUE
    replica.check_health()


def test_a_fault_ends_the_call_with_its_details(replica):
    context = ServeContext()
    asyncio.run(replica.Grade(make_request("one", b"BAD"), context))
    status = statuses.from_rpc_status(rpc_status.from_call(context))
    assert context.status is grpc.StatusCode.INVALID_ARGUMENT
    assert (status.reason, status.field_violations[0].field) == ("INVALID_FIELD", "maze.truth.path_cell_ids")


def test_a_stream_is_read_as_fast_as_it_is_graded(replica):
    read, most_ahead, got = [], 0, []

    async def items():
        for at in range(20):
            read.append(at)
            candidate = b"BAD" if at == 7 else b"PASS"
            yield service_pb2.GradeBatchRequest(request=make_request(str(at), candidate))

    async def work():
        nonlocal most_ahead
        async for answer in replica.GradeBatch(items(), ServeContext()):
            most_ahead = max(most_ahead, len(read) - len(got))
            got.append((answer.request_id, answer.status.reason))

    asyncio.run(work())
    assert sorted(got) == sorted((str(at), "INVALID_FIELD" if at == 7 else "") for at in range(20))
    assert most_ahead <= 5


def test_tokens_and_health_hold_there_too(tmp_path):
    file = tmp_path / "tokens"
    file.write_text("train " + "0" * 64 + "\n")
    executor = InProcessExecutor(SPEC)
    replica = GraderReplica(load_settings(workers=1, token_file=file), executor, CATALOGUE)
    calls = [ServeContext(), ServeContext(("authorization", "Bearer x")), ServeContext()]

    async def work():
        await replica.Grade(make_request("one"), calls[0])
        await replica.ListTasks(service_pb2.ListTasksRequest(), calls[1])
        return [answer async for answer in replica.GradeBatch(None, calls[2])]

    assert asyncio.run(work()) == []
    assert {call.status for call in calls} == {grpc.StatusCode.UNAUTHENTICATED}
    executor.can_grade = lambda: False
    with pytest.raises(RuntimeError, match="no worker is up"):
        replica.check_health()
    executor.close()


def test_the_proxy_finds_the_calls_by_their_names():
    module, _, name = SERVICER.rpartition(".")
    assert module == service_pb2_grpc.__name__
    assert hasattr(service_pb2_grpc, name)
    calls = {method.name for method in service_pb2.DESCRIPTOR.services_by_name["GraderService"].methods}
    assert all(hasattr(GraderReplica, call) for call in calls)
