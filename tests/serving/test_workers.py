"""Worker processes: what a killed, hanging or broken one does to its own request and to the others."""

import contextlib
import os
import signal
import time

import pytest
from google.rpc import code_pb2

from grader.processes.stages import Stage
from grader.serving.pool import slots
from grader.serving.pool.tasks import ClosedError, OverloadedError
from grader.serving.pool.worker_process import WorkerStartError
from grader.serving.work import Grading, WorkSpec, inline_only
from grader.serving.workers import InProcessExecutor, WorkerPool
from grader.v1 import service_pb2, verdict_pb2
from tests.fakes.engine import SPEC, await_file, broken_engine, make_request


def submit(executor, candidate, request_id="r", **more):
    return executor.submit(make_request(request_id, candidate).SerializeToString(), request_id, **more)


@pytest.fixture(scope="module")
def pool():
    made = WorkerPool(SPEC, workers=2, queue_size=8, task_timeout_s=20)
    made.wait_ready()
    yield made
    made.close()


def graded(answer):
    response = answer.result(30)
    return response.verdict.outcome, response.status.code, response.status.reason


PASS = (verdict_pb2.OUTCOME_PASS, code_pb2.OK, "")
DIED = (verdict_pb2.OUTCOME_UNSPECIFIED, code_pb2.UNAVAILABLE, "WORKER_DIED")


def test_a_payload_gets_its_verdict(pool):
    response = submit(pool, b"FAIL", "mine").result(30)
    assert response.request_id == "mine"
    assert response.verdict.outcome == verdict_pb2.OUTCOME_FAIL
    assert response.verdict.score == 0.0
    assert response.status.code == code_pb2.OK


def test_an_answer_tells_the_stages_that_the_request_went_through(pool):
    answer = submit(pool, b"PASS")
    answer.result(30)
    assert [one.stage for one in answer.stages] == [Stage.WAIT, Stage.READ, Stage.ANSWER]
    moments = [moment for one in answer.stages for moment in (one.begun, one.begun + one.seconds)]
    assert moments == sorted(moments)


def test_a_worker_killed_in_mid_call_gives_a_retryable_status_without_a_verdict_and_the_others_go_on(pool):
    dies, lives = submit(pool, b"DIE"), submit(pool, b"SLEEP 0.2")
    response = dies.result(30)
    assert response.status.code == code_pb2.UNAVAILABLE
    assert response.status.reason == "WORKER_DIED"
    assert response.status.HasField("retry_delay")
    assert not response.HasField("verdict")
    assert graded(lives) == PASS


def kill_workers(pool):
    for pid in pool.worker_pids():
        with contextlib.suppress(ProcessLookupError):  # it died since it was asked for
            os.kill(pid, signal.SIGKILL)


def test_workers_killed_while_idle_are_replaced(pool):
    killed = set(pool.worker_pids())
    kill_workers(pool)
    await_true(lambda: not killed & set(pool.worker_pids()))
    assert [graded(submit(pool, b"PASS")) for _ in range(4)] == [PASS] * 4


def test_a_worker_killed_from_outside_while_it_grades(pool):
    answer = submit(pool, b"SLEEP 10")
    deadline = time.monotonic() + 20
    while not answer.done() and time.monotonic() < deadline:
        kill_workers(pool)
        time.sleep(0.2)
    assert graded(answer) == DIED


def await_true(condition):
    """Returns when something has come true, so that no test has to guess how long that takes."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_worker_that_dies_idle_is_replaced_though_nothing_is_asked(pool):
    assert graded(submit(pool, b"PASS")) == PASS
    killed = set(pool.worker_pids())
    kill_workers(pool)
    await_true(lambda: pool.state().workers_up == 2 and not killed & set(pool.worker_pids()))


def test_abandoned_calls_end_without_a_worker_being_killed(pool, tmp_path, monkeypatch):
    monkeypatch.setattr(slots, "STOP_GRACE_S", 60.0)  # however loaded the machine is
    await_true(lambda: pool.state().workers_up == 2)
    workers, stopped, killed = pool.worker_pids(), pool.tally.stopped, pool.tally.killed
    for number in range(5):
        never = [tmp_path / f"{number} {place}" for place in range(len(workers))]
        answers = [submit(pool, b"UNTIL %s" % bytes(path)) for path in never]
        for path in never:
            await_file(path.with_name(f"{path.name}.begun"))
        assert all(answer.cancel() for answer in answers)
        assert graded(submit(pool, b"PASS")) == PASS
    await_true(lambda: pool.tally.stopped - stopped == 5 * len(workers))
    assert pool.worker_pids() == workers
    assert pool.tally.killed == killed


def test_a_worker_that_hangs_is_replaced_by_one_that_stands_ready():
    pool = WorkerPool(SPEC, workers=1, queue_size=4, task_timeout_s=60, spares=1)
    pool.wait_ready()
    try:
        await_true(lambda: pool.state().spares_ready == 1)
        (hung,) = pool.worker_pids()
        os.kill(hung, signal.SIGSTOP)
        gone = submit(pool, b"PASS")
        await_true(lambda: pool.state().running == 1)
        gone.cancel()
        assert graded(submit(pool, b"PASS")) == PASS
        assert hung not in pool.worker_pids()
        assert (pool.tally.killed, pool.tally.restarts) == (1, 1)
        await_true(lambda: pool.state().spares_ready == 1)  # and another one is
    finally:
        pool.close()


def test_a_greedy_client_is_refused_before_others_are():
    pool = WorkerPool(SPEC, workers=1, queue_size=9, task_timeout_s=60)
    try:
        for _ in range(8):  # of 10 places
            submit(pool, b"SLEEP 60", client="greedy")
        with pytest.raises(OverloadedError):
            submit(pool, b"SLEEP 60", client="greedy")
        submit(pool, b"PASS", client="small")
        assert pool.state().waiting["small"] == 1
    finally:
        pool.close()


def test_no_worker_is_listed_that_has_died(pool):
    """Others may have come up in their place, where they were killed while they started."""
    assert graded(submit(pool, b"PASS")) == PASS
    killed = set(pool.worker_pids())
    kill_workers(pool)
    deadline = time.monotonic() + 20
    while killed & set(pool.worker_pids()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert killed
    assert not killed & set(pool.worker_pids())


def test_a_stopped_worker_that_reads_nothing_is_killed_at_the_deadline():
    pool = WorkerPool(SPEC, workers=1, queue_size=8, task_timeout_s=1)
    pool.wait_ready()
    try:
        for pid in pool.worker_pids():
            os.kill(pid, signal.SIGSTOP)
        answer = submit(pool, b"PASS" + bytes(4_000_000))
        assert graded(answer) == (verdict_pb2.OUTCOME_UNSPECIFIED, code_pb2.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
        assert graded(submit(pool, b"PASS")) == PASS
    finally:
        pool.close()


def test_one_worker_in_every_hard_case():
    pool = WorkerPool(SPEC, workers=1, queue_size=1, task_timeout_s=20)
    pool.wait_ready()
    try:
        # A deadline that passes, and a caller that goes away, end the work; the next request is graded.
        late = submit(pool, b"SLEEP 30", deadline=time.monotonic() + 0.1)
        assert graded(late)[1] == code_pb2.DEADLINE_EXCEEDED
        gone = submit(pool, b"SLEEP 30")
        assert gone.cancel()
        assert graded(submit(pool, b"PASS")) == PASS
        # One runs and one waits; a third is refused, until the one that waits is given up.
        running, waiting = submit(pool, b"SLEEP 0.8"), submit(pool, b"PASS")
        with pytest.raises(OverloadedError) as overloaded:
            submit(pool, b"PASS")
        assert overloaded.value.waiting == 1
        assert waiting.cancel()
        assert graded(submit(pool, b"PASS")) == PASS
        assert graded(running) == PASS
        # Closing lets what was taken end, within the time for that.
        runs, waits = submit(pool, b"SLEEP 0.3"), submit(pool, b"PASS")
        pool.close(drain_s=20)
        assert graded(runs) == graded(waits) == PASS
        with pytest.raises(ClosedError):
            submit(pool, b"PASS")
    finally:
        pool.close()


def test_a_hard_stop_gives_everything_an_end():
    pool = WorkerPool(SPEC, workers=1, queue_size=2, task_timeout_s=60)
    pool.wait_ready()
    answers = [submit(pool, b"SLEEP 60"), submit(pool, b"PASS")]
    pool.close()
    assert [graded(answer)[2] for answer in answers] == ["SHUTTING_DOWN"] * 2
    assert pool.worker_pids() == ()


def test_signals_to_the_process_group_do_not_end_workers(pool):
    assert graded(submit(pool, b"PASS")) == PASS  # a worker is up
    answer = submit(pool, b"SLEEP 0.5")
    for pid in pool.worker_pids():
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGTERM)
    assert graded(answer) == PASS


def test_a_worker_that_can_not_start_is_an_error_at_once():
    pool = WorkerPool(WorkSpec(broken_engine, inline_only, "ERROR"), workers=1, queue_size=1, task_timeout_s=1)
    try:
        with pytest.raises(WorkerStartError, match="did not start"):
            pool.wait_ready()
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("candidate", "code", "reason"),
    [(b"BUG", code_pb2.INTERNAL, "INTERNAL"), (b"BAD", code_pb2.INVALID_ARGUMENT, "INVALID_FIELD")],
)
def test_faults_are_statuses(candidate, code, reason):
    answer = Grading(SPEC).answer(make_request("r", candidate).SerializeToString())
    response = service_pb2.GradeBatchResponse.FromString(answer)
    assert (response.request_id, response.status.code, response.status.reason) == ("r", code, reason)
    assert not response.HasField("verdict")
    assert "secret" not in response.status.message


def test_bytes_that_are_no_request_are_the_callers_fault():
    response = service_pb2.GradeBatchResponse.FromString(Grading(SPEC).answer(b"\xff\xff\xff"))
    assert response.status.code == code_pb2.INVALID_ARGUMENT


def test_in_process_executor_has_the_same_ends():
    executor = InProcessExecutor(SPEC, queue_size=0)
    first = submit(executor, b"SLEEP 0.3")
    with pytest.raises(OverloadedError):
        submit(executor, b"PASS")
    assert graded(first) == PASS
    late = submit(executor, b"PASS", deadline=time.monotonic() - 1, wait_s=5)
    assert graded(late)[1] == code_pb2.DEADLINE_EXCEEDED
    executor.close()
    with pytest.raises(ClosedError):
        submit(executor, b"PASS")
