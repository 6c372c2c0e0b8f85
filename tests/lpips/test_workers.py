"""LPIPS for workers: how what the one process comes to ends for the request that needs it."""

import contextlib
import os
import signal
import time

import grpc
import pytest
from google.rpc import code_pb2

from grader.client import GraderCallError, GraderClient
from grader.lpips.nets import LpipsNet
from grader.lpips.sharing import broker as lpips_broker
from grader.lpips.sharing.states import NetStatus
from grader.serving.server import GraderServer
from grader.serving.settings import ServerSettings
from grader.serving.workers import WorkerPool
from tests.fakes.engine import CATALOGUE, SPEC, make_request
from tests.fakes.lpips import MISSING, SELF_CHECK, ask, fake_broker, let_go, lines, wait_until


@contextlib.contextmanager
def pool_of(folder, *, workers=2, timeout_s=30.0, **spec):
    with fake_broker(folder, lanes=workers, **spec) as broker:
        pool = WorkerPool(SPEC, workers, 8, timeout_s, broker)
        try:
            pool.wait_ready()
            yield pool
        finally:
            pool.close()


def submit(pool, order, net="alex", **more):
    return pool.submit(make_request("r", f"LPIPS {net} {order}".encode()).SerializeToString(), "r", **more)


def metric(answer):
    (one,) = answer.result(30).verdict.metrics
    return one.value, one.unavailable_reason


def ended(answer):
    response = answer.result(30)
    assert not response.HasField("verdict")
    return response.status.code, response.status.reason


def test_all_workers_share_one_process(tmp_path):
    with pool_of(tmp_path) as pool:
        assert [metric(one) for one in [submit(pool, "MEASURE") for _ in range(6)]] == [(0.0, "")] * 6
        assert len(pool.worker_pids()) == 2
    assert lines(tmp_path, "loads") == ["alex"]


def test_a_death_of_the_process_is_a_status_worth_another_try(tmp_path):
    with pool_of(tmp_path) as pool:
        dies = submit(pool, "DIE")
        assert ended(dies) == (code_pb2.UNAVAILABLE, "LPIPS_FAILED")
        assert dies.result().status.HasField("retry_delay")
        workers = pool.worker_pids()
        assert metric(submit(pool, "MEASURE")) == (0.0, "")
        assert pool.worker_pids() == workers  # no worker died of it


def test_what_is_missing_is_a_failed_precondition(tmp_path):
    with pool_of(tmp_path) as pool:
        answer = submit(pool, "MEASURE", net="vgg")
        assert ended(answer) == (code_pb2.FAILED_PRECONDITION, "MEASURE_UNAVAILABLE")
        assert MISSING in answer.result().status.message


def test_a_deadline_that_passes_while_it_is_measured_costs_no_worker(tmp_path):
    with pool_of(tmp_path, workers=1) as pool:
        workers = pool.worker_pids()
        late = submit(pool, "HOLD", deadline=time.monotonic() + 0.5)
        assert ended(late) == (code_pb2.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
        let_go(tmp_path)
        assert metric(submit(pool, "MEASURE")) == (0.0, "")
        assert pool.worker_pids() == workers


def test_a_caller_that_goes_away_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(lpips_broker, "ABANDON_GRACE_S", 0.1)
    with pool_of(tmp_path, workers=1) as pool:
        gone = submit(pool, "SLEEP 250")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        assert gone.cancel()
        assert metric(submit(pool, "MEASURE")) == (0.0, "")


def test_a_worker_that_dies_while_its_pair_is_measured_takes_nobody_along(tmp_path):
    with pool_of(tmp_path, workers=1) as pool:
        answer = submit(pool, "HOLD")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        process = pool.lpips.process_pid()
        os.kill(pool.worker_pids()[0], signal.SIGKILL)
        assert ended(answer) == (code_pb2.UNAVAILABLE, "WORKER_DIED")
        let_go(tmp_path)
        assert metric(submit(pool, "MEASURE")) == (0.0, "")
        assert pool.lpips.process_pid() == process


def test_the_cap_on_a_request_holds_while_it_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(lpips_broker, "ABANDON_GRACE_S", 0.1)
    with pool_of(tmp_path, workers=1, timeout_s=2.0) as pool:
        # Without a cap, for on a busy machine the start of the process may take as long.
        assert ask(pool.lpips, "MEASURE").value == 0.0
        assert metric(submit(pool, "MEASURE")) == (0.0, "")
        assert ended(submit(pool, "SLEEP 250")) == (code_pb2.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
        assert ask(pool.lpips, "MEASURE").value == 0.0
        assert metric(submit(pool, "MEASURE")) == (0.0, "")


def test_a_stop_gives_everything_an_end(tmp_path):
    with pool_of(tmp_path, workers=1) as pool:
        runs = submit(pool, "SLEEP 250")
        wait_until(lambda: lines(tmp_path, "batches") == ["1"])
        pool.close()
        assert ended(runs) == (code_pb2.UNAVAILABLE, "SHUTTING_DOWN")


@contextlib.contextmanager
def client_of(pool):
    server = GraderServer(ServerSettings(port=0, workers=1), pool, CATALOGUE, pool.lpips)
    try:
        with GraderClient(server.address) as client:
            yield client
    finally:
        server.stop()


def test_a_client_gets_its_verdict_though_the_process_died(tmp_path):
    """The first try ends UNAVAILABLE, and the client tries again by itself."""
    with pool_of(tmp_path, workers=1) as pool, client_of(pool) as client:
        answer = client.grade(make_request("once", b"LPIPS alex ONCE"))
        assert answer.verdict.metrics[0].value == 0.0
    assert lines(tmp_path, "loads") == ["alex", "alex"]


def test_the_server_says_how_the_measures_stand(tmp_path):
    (tmp_path / "whole").touch()
    with pool_of(tmp_path, workers=1, missing={LpipsNet.VGG: MISSING}) as pool, client_of(pool) as client:
        assert [one.self_check for one in client.list_tasks().measures] == ["", "", ""]
        pool.lpips.check()
        wait_until(lambda: pool.lpips.states()[LpipsNet.SQUEEZE].status is NetStatus.AVAILABLE)
        said = client.list_tasks()
        assert [task.name for task in said.tasks] == ["maze"]
        assert [(one.name, one.available, one.unavailable_reason, one.self_check) for one in said.measures] == [
            ("lpips_alex", True, "", SELF_CHECK),
            ("lpips_vgg", False, MISSING, ""),
            ("lpips_squeeze", True, "", SELF_CHECK),
        ]
        assert {one.device for one in said.measures} == {"cpu"}


def test_without_what_lpips_needs_other_requests_are_graded(tmp_path):
    missing = dict.fromkeys(LpipsNet, MISSING)
    with pool_of(tmp_path, workers=1, missing=missing, why_not=missing.get) as pool, client_of(pool) as client:
        with pytest.raises(GraderCallError, match=MISSING) as refused:
            client.grade(make_request("r", b"LPIPS alex MEASURE"))
        assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION
        assert client.grade(make_request("r", b"PASS")).verdict.score == 1.0
        assert pool.lpips.process_pid() is None
