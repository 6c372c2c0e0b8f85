"""Workers that are forked from one process which has imported what they need."""

import os
import signal
import time
from pathlib import Path

import grpc
import pytest

from grader.v1 import service_pb2_grpc, verdict_pb2
from tests.fakes import serving
from tests.fakes.engine import await_file, make_request


def children(pid):
    return [int(one) for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()]


def command(pid):
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def warm_process(server):
    (found,) = [pid for pid in children(server.pid) if b"multiprocessing.forkserver" in command(pid)]
    return found


def await_that(holds):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def server():
    with serving.process() as (running, address), grpc.insecure_channel(address) as channel:
        yield running, service_pb2_grpc.GraderServiceStub(channel)


def passes(stub, name):
    answer = stub.Grade(make_request(name), timeout=60, wait_for_ready=True)
    return answer.verdict.outcome == verdict_pb2.OUTCOME_PASS


def test_workers_come_from_the_warm_process_also_when_one_has_died(server):
    running, stub = server
    (worker,) = children(warm_process(running))
    os.kill(worker, signal.SIGKILL)
    await_that(lambda: children(warm_process(running)) not in ([], [worker]))
    assert passes(stub, "after a worker died")


def test_where_the_warm_process_is_killed_work_goes_on_and_another_takes_its_place(server, tmp_path):
    running, stub = server
    begun = stub.Grade.future(make_request("begun", b"UNTIL %s" % bytes(tmp_path / "go")))
    await_file(tmp_path / "go.begun")
    first = warm_process(running)
    os.kill(first, signal.SIGKILL)
    (tmp_path / "go").touch()
    assert begun.result(60).verdict.outcome == verdict_pb2.OUTCOME_PASS
    assert passes(stub, "afterwards")
    assert warm_process(running) != first


def test_nothing_is_left_where_a_server_is_killed(server):
    running, _ = server
    warm = warm_process(running)
    left = [warm, *children(warm)]
    assert len(left) == 2
    running.kill()
    running.wait(60)
    await_that(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))
