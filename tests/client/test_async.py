"""The client for event loops: what it shares with the other one, streams, and what holds a sender up."""

import asyncio
import contextlib

import grpc
import pytest

from grader.client import AsyncGraderClient, GraderCallError, RetryPolicy, ServerUnreachableError
from grader.serving.workers import InProcessExecutor
from grader.v1 import service_pb2, verdict_pb2
from tests.fakes import serving
from tests.fakes.engine import CATALOGUE, SPEC, make_request

QUICK = RetryPolicy(attempts=3, first_delay_s=0.01, max_delay_s=0.02)


@pytest.fixture(scope="module")
def server():
    executor = InProcessExecutor(SPEC, queue_size=8)
    catalogue = service_pb2.ListTasksResponse()
    catalogue.CopyFrom(CATALOGUE)
    catalogue.limits.kept_media_bytes = 1_000_000
    with serving.running(executor, catalogue=catalogue) as made:
        yield made
    executor.close()


def run(server, work, **options):
    async def within():
        async with AsyncGraderClient(server.address, retry=QUICK, **options) as client:
            return await work(client)

    return asyncio.run(within())


async def all_of(answers):
    return [(answer.request_id, answer.verdict.outcome) async for answer in answers]


def test_many_calls_at_once_and_many_items_of_a_stream(server):
    async def work(client):
        await client.wait_ready()
        calls = await asyncio.gather(*(client.grade(make_request(f"c{at}", b"FAIL")) for at in range(6)))
        return calls, await all_of(client.grade_batch(make_request(f"s{at}") for at in range(30)))

    calls, items = run(server, work)
    assert {answer.verdict.outcome for answer in calls} == {verdict_pb2.OUTCOME_FAIL}
    assert sorted(items) == sorted((f"s{at}", verdict_pb2.OUTCOME_PASS) for at in range(30))


def test_errors_are_those_of_the_other_client(server):
    async def work(client):
        with pytest.raises(GraderCallError) as wrong:
            await client.grade(make_request("one", b"BAD"))
        async with AsyncGraderClient("127.0.0.1:1", retry=QUICK) as lonely:
            with pytest.raises(ServerUnreachableError):
                await lonely.list_tasks()
            with pytest.raises(ServerUnreachableError):
                await all_of(lonely.grade_batch([make_request("one")]))
            with pytest.raises(GraderCallError, match="did not say SERVING"):
                await lonely.wait_ready(timeout_s=0.1)
        return wrong.value

    error = run(server, work)
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert [wrong.field for wrong in error.violations] == ["maze.truth.path_cell_ids"]


def test_a_call_is_tried_again_as_the_policy_says(server, monkeypatch):
    tried = []

    async def fail(*_, **__):
        tried.append(1)
        raise grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), "gone")

    async def work(client):
        stub, kept = client._connect(), client._connect().Grade
        stub.Grade = fail
        with pytest.raises(ServerUnreachableError):
            await client.grade(make_request("one"))
        stub.Grade = kept
        return await client.grade(make_request("one"))

    assert run(server, work).verdict.outcome == verdict_pb2.OUTCOME_PASS
    assert len(tried) == QUICK.attempts


def test_what_the_callers_iterator_raises_comes_after_the_answers_before_it(server):
    async def requests():
        yield make_request("one")
        await asyncio.sleep(0)
        raise ZeroDivisionError("no more")

    async def work(client):
        answers = client.grade_batch(requests())
        got = [(await anext(answers)).request_id]
        with pytest.raises(ZeroDivisionError):
            await anext(answers)
        return got, await all_of(client.grade_batch([make_request("two")]))

    got, after = run(server, work)
    assert got == ["one"]
    assert after == [("two", verdict_pb2.OUTCOME_PASS)]


def test_items_over_the_limit_are_answered_without_being_sent(server):
    over = make_request("over", bytes(2 * 1024 * 1024))
    items = run(server, lambda client: all_of(client.grade_batch([over, make_request("in")])), max_message_bytes=10_000)
    assert sorted(items) == [("in", verdict_pb2.OUTCOME_PASS), ("over", verdict_pb2.OUTCOME_UNSPECIFIED)]


def test_requests_are_read_as_fast_as_they_are_taken_and_a_stream_can_be_left(server, tmp_path):
    """Items of 512 kB while the worker waits: what is read stays below the windows of stream and connection."""
    read = []

    def requests():
        for at in range(200):
            read.append(at)
            wait = b"UNTIL %s" % bytes(tmp_path / "go") if at == 0 else b"PASS "
            yield make_request(str(at), wait if at == 0 else wait + bytes(512 * 1024))

    async def work(client):
        async with contextlib.aclosing(client.grade_batch(requests())) as answers:
            first = asyncio.ensure_future(anext(answers))
            before = -1
            while before != len(read):  # until it stands still
                before = len(read)
                await asyncio.sleep(0.2)
            (tmp_path / "go").touch()
            await first
        return before

    assert 1 < run(server, work) < 100


def test_a_puzzle_goes_over_once(server):
    def sample(at):
        made = make_request(str(at), b"PASS")
        made.maze.puzzle.image.data = b"puzzle" * 1000
        return made

    async def work(client):
        sizes = []
        kept = client._connect().Grade

        async def grade(request, **more):
            sizes.append(request.ByteSize())
            return await kept(request, **more)

        client._stub.Grade = grade
        for at in range(3):
            await client.grade(sample(at))
        server.service._media._kept.clear()
        await client.grade(sample(3))
        return sizes, await all_of(client.grade_batch(sample(at) for at in range(3)))

    sizes, items = run(server, work, send_once=True)
    assert [size > 6000 for size in sizes] == [True, False, False, False, True]
    assert len(items) == 3
