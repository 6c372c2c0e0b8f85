"""Processes that do the work, are timed, stopped when nobody waits for them any more, and killed when they hang.

Each worker has pipes of its own, and one thread of this process waits on it. So a worker that is killed at any moment
(idle, reading, grading or answering) takes no lock and no queue with it: its own request ends UNAVAILABLE and the
others go on. That is why no pool with a shared queue is used here: one worker that dies at a bad moment breaks those.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from grader.lpips.sharing.broker import LpipsBroker
from grader.processes.child import START_TIMEOUT_S
from grader.processes.stages import noted_stages
from grader.serving.pool.fair_queue import FairQueue
from grader.serving.pool.slots import Slot
from grader.serving.pool.spares import Spares
from grader.serving.pool.tasks import ClosedError, OverloadedError, PendingAnswer, Task
from grader.serving.pool.worker_process import WorkerProcess, WorkerStartError
from grader.serving.work import Grading, WorkSpec
from grader.v1 import service_pb2
from grader.wire import statuses

_MONITOR_PERIOD_S = 0.1
_WORKER_AGAIN_S = 8.0
"""How often a slot without a worker, for none could be had, tries again while nothing is to be done."""


@dataclass
class WorkEnds:
    """What became of workers since the start.

    Attributes
    ----------
    stopped : requests that were given up, for their time was over or nobody waited for them
    killed : workers that were killed, for they did not stop
    died : workers that died while they graded
    restarts : workers that were replaced, for whatever reason
    """

    stopped: int = 0
    killed: int = 0
    died: int = 0
    restarts: int = 0


@dataclass(frozen=True)
class PoolState:
    """How a pool stands.

    Attributes
    ----------
    workers_up : workers that can grade, or do
    spares_ready : workers that stand ready in case one dies
    running : requests that are being graded
    waiting : requests that wait, by client
    typical_s : what a request takes, about
    tally : what became of workers
    """

    workers_up: int
    spares_ready: int
    running: int
    waiting: Mapping[str, int] = field(default_factory=dict)
    typical_s: float = 0.0
    tally: WorkEnds = field(default_factory=WorkEnds)


class WorkerPool:
    """Worker processes with a bounded queue before them that is fair between clients.

    Parameters
    ----------
    spec : WorkSpec
        What each worker starts with.
    workers : int
        How many processes.
    queue_size : int
        How many requests may wait beside those that are being graded.
    task_timeout_s : float
        The longest that a worker may take for one request; then it is stopped, or killed.
    lpips : LpipsBroker, optional
        What measures LPIPS for all workers; it stays the caller's to close, after the pool. Without it each worker
        loads the networks that it needs.
    spares : int, optional
        Workers that stand ready, so that one that dies is replaced at once.
    """

    def __init__(
        self,
        spec: WorkSpec,
        workers: int,
        queue_size: int,
        task_timeout_s: float,
        lpips: LpipsBroker | None = None,
        spares: int = 0,
    ) -> None:
        self.task_timeout_s = task_timeout_s
        self.lpips = lpips
        self.stopping = threading.Event()
        self._left = threading.Event()  # somebody gave up a task, which may be running
        self.tally = WorkEnds()
        self.room = workers + queue_size
        self._spec = spec
        self._changed = threading.Condition()
        self._queue: FairQueue[Task] = FairQueue(self.room)
        self._closed = False
        self._slots = [Slot(self) for _ in range(workers)]
        self.spares = Spares(self.start_worker, spares)
        self._monitor = threading.Thread(target=self._watch, name="grader-monitor", daemon=True)
        # Workers ignore SIGTERM, by which multiprocessing would end them at exit, so they must be killed before that.
        atexit.register(self._kill_all)
        for thread in (*(slot.thread for slot in self._slots), self._monitor):
            thread.start()

    def start_worker(self) -> WorkerProcess:
        """A worker that was started, and need not be ready yet; raises `WorkerStartError` where it can't be."""
        return WorkerProcess(self._spec, shares_lpips=self.lpips is not None)

    def wait_ready(self, timeout_s: float = START_TIMEOUT_S) -> None:
        """Waits until every worker is up; raises `WorkerStartError` where one is not."""
        end = time.monotonic() + timeout_s
        for slot in self._slots:
            if not slot.tried.wait(max(0.0, end - time.monotonic())):
                raise WorkerStartError(f"the workers were not ready within {timeout_s:g} s")
            if slot.error is not None:
                raise slot.error
        self.spares.begin()

    def about(self) -> bytes:
        """What a worker says of its engine; empty before one was ready."""
        return next((slot.about for slot in self._slots if slot.about), b"")

    def worker_pids(self) -> tuple[int, ...]:
        """Ids of the processes that are up."""
        return tuple(pid for slot in self._slots if (pid := slot.pid) is not None)

    def can_grade(self) -> bool:
        """Whether a worker is up."""
        return any(slot.up for slot in self._slots)

    def state(self) -> PoolState:
        """How it stands."""
        with self._changed:
            waiting, all_waiting = self._queue.waiting_by_client(), self._queue.waiting
            running, typical_s = self._queue.places - all_waiting, self._queue.typical_s
        up = sum(slot.up for slot in self._slots)
        return PoolState(up, self.spares.ready, running, waiting, typical_s, self.tally)

    def submit(
        self, payload: bytes, request_id: str, deadline: float | None = None, wait_s: float = 0.0, client: str = ""
    ) -> PendingAnswer:
        """Puts a request into the queue; see `Executor.submit`."""
        task = Task(payload, request_id, deadline, client)
        with self._changed:
            has_room = self._changed.wait_for(lambda: self._closed or self._queue.admits(client), wait_s)
            if self._closed:
                raise ClosedError("the workers take no more work")
            if not has_room:
                waiting = max(0, self._queue.places - len(self._slots))
                raise OverloadedError(waiting, (waiting + 1) * self._queue.typical_s / len(self._slots))
            self._queue.push(task)
            self._changed.notify_all()
        task.answer.add_done_callback(lambda _: self._forget(task))
        return task.answer

    def _forget(self, task: Task) -> None:
        """Gives the place of a task free that was cancelled while it waited."""
        with self._changed:
            if self._queue.remove(task):
                self._changed.notify_all()
        if task.answer.cancelled():
            self._left.set()

    def take(self, slot: Slot) -> tuple[Task, float] | None:
        """The next task and what was charged for it; ``None`` where a slot's worker is lost, and at the end."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._queue.waiting or self.stopping.is_set() or slot.lost,
                None if slot.error is None else _WORKER_AGAIN_S,
            )
            return None if self.stopping.is_set() or slot.lost else self._queue.pop()

    def ended(self, task: Task, charged_s: float, took_s: float) -> None:
        """A slot is done with the task that it took."""
        with self._changed:
            self._queue.ended(task.client, charged_s, took_s)
            self._changed.notify_all()

    def _watch(self) -> None:
        while not self.stopping.is_set():
            self._left.wait(_MONITOR_PERIOD_S)
            self._left.clear()
            now = time.monotonic()
            killing = sum(not slot.up for slot in self._slots) > 0
            for slot in self._slots:
                # One at a time, so that others grade while its worker is replaced.
                killing |= slot.look(now, may_kill=not killing)
            if any(slot.lost for slot in self._slots):
                with self._changed:
                    self._changed.notify_all()

    def _kill_all(self) -> None:
        self.stopping.set()
        for slot in self._slots:
            slot.kill()
        self.spares.kill()

    def close(self, drain_s: float = 0.0) -> None:
        """Takes no more work, lets what was taken end for ``drain_s`` seconds, then kills the workers."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._queue.places, drain_s)
            left = self._queue.clear()
            self.stopping.set()
            self._changed.notify_all()
        for task in left:
            task.end_without(statuses.shutting_down())
        self._kill_all()
        self.spares.close()
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

    def submit(
        self, payload: bytes, request_id: str, deadline: float | None = None, wait_s: float = 0.0, client: str = ""
    ) -> PendingAnswer:
        """Puts a request into the queue; see `Executor.submit`."""
        if self._closed:
            raise ClosedError("the executor was closed")
        if not self._room.acquire(timeout=wait_s):
            raise OverloadedError(self._queue_size)
        task = Task(payload, request_id, deadline, client)
        self._thread.submit(self._do, task)
        return task.answer

    def _do(self, task: Task) -> None:
        if not task.abandoned(time.monotonic()):
            with noted_stages() as stages:
                answer = self._grading.answer(task.payload, task.deadline)
            task.answer.stages = tuple(stages)
            task.end(service_pb2.GradeBatchResponse.FromString(answer))
        else:
            task.end_without(statuses.deadline_exceeded(0.0))
        self._room.release()

    def wait_ready(self, timeout_s: float = 0.0) -> None:
        """Is ready at once."""
        del timeout_s

    def can_grade(self) -> bool:
        """Always."""
        return True

    def close(self, drain_s: float = 0.0) -> None:
        """Takes no more work and waits for what was taken, as long as that may be."""
        del drain_s
        self._closed = True
        self._thread.shutdown(wait=True)
