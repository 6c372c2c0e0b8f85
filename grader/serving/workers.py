"""Processes that do the work, are timed, and are killed when they hang.

Each worker has a pipe of its own, and one thread of this process waits on it. So a worker that is killed at any moment
(idle, reading, grading or answering) takes no lock and no queue with it: its own request ends UNAVAILABLE and the
others go on. That is why no pool with a shared queue is used here: one worker that dies at a bad moment breaks those.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import threading
import time
from collections import deque
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from grader.lpips.broker import LpipsBroker
from grader.lpips.messages import AnswerKind
from grader.lpips.states import refusal
from grader.model.errors import GraderError
from grader.processes.child import START_TIMEOUT_S
from grader.serving.work import Grading, WorkSpec
from grader.serving.worker_process import WorkerProcess, WorkerStartError
from grader.v1 import service_pb2
from grader.wire import statuses

logger = logging.getLogger(__name__)

_ABANDON_GRACE_S = 1.0
"""A new worker costs about a second, so a task that nobody waits for any more has as long to end by itself."""
_MONITOR_PERIOD_S = 0.1
_START_BACK_OFFS_S = (1.0, 2.0, 4.0, 8.0)
_NOBODY_WAITS = refusal(AnswerKind.FAILED, "nobody waits for this request any more")

Answer = Future[service_pb2.GradeBatchResponse]


class OverloadedError(GraderError):
    """As many requests are waiting as may; ``waiting`` says how many."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} requests are waiting already")
        self.waiting = waiting


class ClosedError(GraderError):
    """The executor takes no more work."""


class Executor(Protocol):
    """What grades payloads, somewhere."""

    def submit(self, payload: bytes, request_id: str, deadline: float | None = None, wait_s: float = 0.0) -> Answer:
        """Takes a serialized ``GradeRequest``.

        Parameters
        ----------
        payload : bytes
            The serialized request.
        request_id : str
            Its id, for the answer where the work gives none.
        deadline : float, optional
            On ``time.monotonic()``; when it has passed, the work is given up.
        wait_s : float, optional
            How long to wait for room in the queue.

        Returns
        -------
        Future
            Of the answer. It never raises anything but ``CancelledError``; cancelling it gives the work up.

        Raises
        ------
        OverloadedError
            If the queue has no room.
        ClosedError
            If the executor was closed.
        """

    def wait_ready(self, timeout_s: float) -> None:
        """Waits until work can be done; raises `WorkerStartError` where that will not be."""

    def close(self, drain_s: float = 0.0) -> None:
        """Takes no more work, lets what was taken end for ``drain_s`` seconds, then stops hard."""


@dataclass(eq=False)
class _Task:
    payload: bytes
    request_id: str
    deadline: float | None
    answer: Answer = field(default_factory=Future)

    def abandoned(self, now: float) -> bool:
        return self.answer.cancelled() or (self.deadline is not None and now >= self.deadline)

    def end_at(self, latest: float) -> float:
        """When its answer is needed: at its deadline, or at the latest when its time is over."""
        return latest if self.deadline is None else min(self.deadline, latest)

    def end(self, response: service_pb2.GradeBatchResponse) -> None:
        with contextlib.suppress(InvalidStateError):  # it was cancelled: nobody waits for it
            self.answer.set_result(response)

    def end_without(self, status: service_pb2.ItemStatus) -> None:
        self.end(statuses.response(self.request_id, status))


class _Slot:
    """A thread that keeps one worker alive and hands it one task after another."""

    def __init__(self, pool: WorkerPool, spec: WorkSpec) -> None:
        self.thread = threading.Thread(target=self._run, name="grader-slot", daemon=True)
        self._pool, self._spec = pool, spec
        self._lock = threading.Lock()  # over what the monitor reads and writes too
        self._worker: WorkerProcess | None = None
        self._task: _Task | None = None
        self._started = 0.0
        self._abandoned_since: float | None = None
        self._killed_with: service_pb2.ItemStatus | None = None
        self.tried = threading.Event()
        self.error: WorkerStartError | None = None

    @property
    def pid(self) -> int | None:
        """The id of the worker's process; ``None`` while there is none that runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.alive() else None

    def _run(self) -> None:
        while (task := self._take()) is not None:
            self._do(task)
            self._pool.ended()
        self._drop_worker()

    def _take(self) -> _Task | None:
        for back_off_s in _START_BACK_OFFS_S:
            if self._pool.stopping.is_set() or self._living_worker() is not None:
                break
            self._pool.stopping.wait(back_off_s)
        # Where no worker can be had, the task that is taken is told so, rather than left waiting for ever.
        return self._pool.take()

    def _living_worker(self) -> WorkerProcess | None:
        """The worker, a new one where it died; ``None`` where none can be had."""
        if self._worker is not None and self._worker.alive():
            return self._worker
        self._drop_worker()
        try:
            worker = WorkerProcess(self._spec, shares_lpips=self._pool.lpips is not None)
            with self._lock:
                self._worker, self._killed_with = worker, None
            worker.wait_ready()
            self.error = None
        except WorkerStartError as error:
            if not self._pool.stopping.is_set():
                logger.error("%s", error)
            self._drop_worker()
            self.error = error
        finally:
            self.tried.set()
        return self._worker

    def _drop_worker(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _do(self, task: _Task) -> None:
        if task.abandoned(time.monotonic()):
            task.end_without(statuses.deadline_exceeded(self._pool.task_timeout_s))
            return
        worker = self._living_worker()  # it may have died since the last task
        if worker is None:
            task.end_without(statuses.worker_died())
            return
        with self._lock:
            self._task, self._started, self._abandoned_since = task, time.monotonic(), None
        gave_up = False

        def measure(pair: bytes) -> bytes:
            nonlocal gave_up
            measured = self._measure(pair, task, worker)
            gave_up = measured is None
            return _NOBODY_WAITS if measured is None else measured

        answer = worker.ask(task.payload, measure, task.end_at(self._started + self._pool.task_timeout_s))
        with self._lock:
            self._task, killed_with = None, self._killed_with
        if answer is not None and gave_up:
            task.end_without(statuses.deadline_exceeded(self._pool.task_timeout_s))
        elif answer is not None:
            task.end(service_pb2.GradeBatchResponse.FromString(answer))
        elif killed_with is not None:
            task.end_without(killed_with)
        else:
            logger.error("worker %s died while it graded %r", worker.pid, task.request_id)
            task.end_without(statuses.worker_died())
        if answer is None or killed_with is not None:
            self._drop_worker()

    def _measure(self, pair: bytes, task: _Task, worker: WorkerProcess) -> bytes | None:
        """Has LPIPS of a pair measured for a worker; ``None`` where nobody waits for the request any more."""
        if self._pool.lpips is None:
            raise RuntimeError("a worker that measures LPIPS itself asked for it")
        return self._pool.lpips.measure(pair, lambda: task.abandoned(time.monotonic()) or not worker.alive())

    def kill_if_overdue(self, now: float) -> None:
        """Kills the worker where its task is over the cap, or is wanted by nobody and does not end soon."""
        with self._lock:
            if self._task is None or self._killed_with is not None:
                return
            if self._abandoned_since is None and self._task.abandoned(now):
                self._abandoned_since = now
            over_cap = now - self._started > self._pool.task_timeout_s
            over_grace = self._abandoned_since is not None and now - self._abandoned_since > _ABANDON_GRACE_S
            if over_cap or over_grace:
                logger.warning("worker %s is killed: %r takes too long", self.pid, self._task.request_id)
                self._kill(statuses.deadline_exceeded(self._pool.task_timeout_s))

    def kill(self) -> None:
        """Kills the worker because the pool ends."""
        with self._lock:
            self._kill(statuses.shutting_down())

    def _kill(self, status: service_pb2.ItemStatus) -> None:
        if self._worker is not None:
            self._killed_with = status
            self._worker.kill()


class WorkerPool:
    """Worker processes with a bounded queue before them.

    Parameters
    ----------
    spec : WorkSpec
        What each worker starts with.
    workers : int
        How many processes.
    queue_size : int
        How many requests may wait beside those that are being graded.
    task_timeout_s : float
        The longest that a worker may take for one request; then it is killed.
    lpips : LpipsBroker, optional
        What measures LPIPS for all workers; it stays the caller's to close, after the pool. Without it each worker
        loads the networks that it needs.
    """

    def __init__(
        self, spec: WorkSpec, workers: int, queue_size: int, task_timeout_s: float, lpips: LpipsBroker | None = None
    ) -> None:
        self.task_timeout_s = task_timeout_s
        self.lpips = lpips
        self.stopping = threading.Event()
        self._room = workers + queue_size
        self._queue_size = queue_size
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._pending = 0
        self._closed = False
        self._slots = [_Slot(self, spec) for _ in range(workers)]
        self._monitor = threading.Thread(target=self._watch, name="grader-monitor", daemon=True)
        # Workers ignore SIGTERM, by which multiprocessing would end them at exit, so they must be killed before that.
        atexit.register(self._kill_all)
        for thread in (*(slot.thread for slot in self._slots), self._monitor):
            thread.start()

    def wait_ready(self, timeout_s: float = START_TIMEOUT_S) -> None:
        """Waits until every worker is up; raises `WorkerStartError` where one is not."""
        end = time.monotonic() + timeout_s
        for slot in self._slots:
            if not slot.tried.wait(max(0.0, end - time.monotonic())):
                raise WorkerStartError(f"the workers were not ready within {timeout_s:g} s")
            if slot.error is not None:
                raise slot.error

    def worker_pids(self) -> tuple[int, ...]:
        """Ids of the processes that are up."""
        return tuple(pid for slot in self._slots if (pid := slot.pid) is not None)

    def submit(self, payload: bytes, request_id: str, deadline: float | None = None, wait_s: float = 0.0) -> Answer:
        """Puts a request into the queue; see `Executor.submit`."""
        task = _Task(payload, request_id, deadline)
        with self._changed:
            has_room = self._changed.wait_for(lambda: self._closed or self._pending < self._room, wait_s)
            if self._closed:
                raise ClosedError("the workers take no more work")
            if not has_room:
                raise OverloadedError(self._queue_size)
            self._waiting.append(task)
            self._pending += 1
            self._changed.notify_all()
        task.answer.add_done_callback(lambda _: self._forget(task))
        return task.answer

    def _forget(self, task: _Task) -> None:
        """Gives the place of a task free that was cancelled while it waited."""
        with self._changed:
            if task in self._waiting:
                self._waiting.remove(task)
                self._pending -= 1
                self._changed.notify_all()

    def take(self) -> _Task | None:
        """The next task, for a slot; ``None`` at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self.stopping.is_set())
            return None if self.stopping.is_set() else self._waiting.popleft()

    def ended(self) -> None:
        """A slot is done with the task that it took."""
        with self._changed:
            self._pending -= 1
            self._changed.notify_all()

    def _watch(self) -> None:
        while not self.stopping.wait(_MONITOR_PERIOD_S):
            now = time.monotonic()
            for slot in self._slots:
                slot.kill_if_overdue(now)

    def _kill_all(self) -> None:
        self.stopping.set()
        for slot in self._slots:
            slot.kill()

    def close(self, drain_s: float = 0.0) -> None:
        """Takes no more work, lets what was taken end for ``drain_s`` seconds, then kills the workers."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._pending == 0, drain_s)
            left, self._waiting = list(self._waiting), deque()
            self._pending -= len(left)
            self.stopping.set()
            self._changed.notify_all()
        for task in left:
            task.end_without(statuses.shutting_down())
        self._kill_all()
        for slot in self._slots:
            slot.thread.join(START_TIMEOUT_S)
        self._monitor.join()
        atexit.unregister(self._kill_all)


class InProcessExecutor:
    """Grades in a thread of this process: for tests and small jobs. It can't kill work that hangs.

    Parameters
    ----------
    spec : WorkSpec
        What to start with.
    queue_size : int
        How many requests may wait beside the one that is being graded.
    """

    def __init__(self, spec: WorkSpec, queue_size: int = 64) -> None:
        self._grading = Grading(spec)
        self._queue_size = queue_size
        self._room = threading.BoundedSemaphore(queue_size + 1)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="grader-in-process")
        self._closed = False

    def submit(self, payload: bytes, request_id: str, deadline: float | None = None, wait_s: float = 0.0) -> Answer:
        """Puts a request into the queue; see `Executor.submit`."""
        if self._closed:
            raise ClosedError("the executor was closed")
        if not self._room.acquire(timeout=wait_s):
            raise OverloadedError(self._queue_size)
        task = _Task(payload, request_id, deadline)
        self._thread.submit(self._do, task)
        return task.answer

    def _do(self, task: _Task) -> None:
        if not task.abandoned(time.monotonic()):
            task.end(service_pb2.GradeBatchResponse.FromString(self._grading.answer(task.payload, task.deadline)))
        else:
            task.end_without(statuses.deadline_exceeded(0.0))
        self._room.release()

    def wait_ready(self, timeout_s: float = 0.0) -> None:
        """Is ready at once."""
        del timeout_s

    def close(self, drain_s: float = 0.0) -> None:
        """Takes no more work and waits for what was taken, as long as that may be."""
        del drain_s
        self._closed = True
        self._thread.shutdown(wait=True)
