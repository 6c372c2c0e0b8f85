"""Slots of the pool: each is a thread that keeps one worker alive and hands it one request after another."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from grader.lpips.messages import AnswerKind
from grader.lpips.sharing.states import refusal
from grader.processes.stages import Stage, StageTime
from grader.serving.pool.tasks import Task
from grader.serving.pool.worker_process import WorkerProcess, WorkerStartError
from grader.v1 import service_pb2
from grader.wire import statuses

if TYPE_CHECKING:
    from grader.serving.workers import WorkerPool

logger = logging.getLogger(__name__)

STOP_GRACE_S = 0.75
"""How long a worker that was told to give a request up may go on, in the code of a library; then it is killed."""
_MOST_GRACE_S = 5.0
"""How long a worker that does not stop is left alive because another one is being replaced."""
_START_BACK_OFFS_S = (1.0, 2.0, 4.0, 8.0)
_NOBODY_WAITS = refusal(AnswerKind.FAILED, "nobody waits for this request any more")


class Slot:
    """One worker, and a new one where it dies.

    Parameters
    ----------
    pool : WorkerPool
        Whose it is.

    Attributes
    ----------
    tried : Event
        Set once a worker was started, or could not be.
    error : WorkerStartError or None
        Why none could be had, the last time.
    about : bytes
        What its worker says of its engine.
    """

    def __init__(self, pool: WorkerPool) -> None:
        self.thread = threading.Thread(target=self._run, name="grader-slot", daemon=True)
        self.tried = threading.Event()
        self.error: WorkerStartError | None = None
        self.lost = False
        self.about = b""
        self._pool = pool
        self._lock = threading.Lock()  # over what the monitor reads and writes too
        self._worker: WorkerProcess | None = None
        self._ready = False
        self._task: Task | None = None
        self._started = 0.0
        self._stopped_at: float | None = None
        self._killed_with: service_pb2.ItemStatus | None = None

    @property
    def pid(self) -> int | None:
        """The id of the worker's process; ``None`` while there is none that runs."""
        worker = self._worker
        return worker.pid if worker is not None and worker.alive() else None

    @property
    def up(self) -> bool:
        """Whether its worker can grade, or does."""
        return self._ready and self.pid is not None

    def _run(self) -> None:
        while not self._pool.stopping.is_set():
            self._have_worker()
            # Where no worker can be had, the task that is taken is told so, rather than left waiting for ever.
            taken = self._pool.take(self)
            if taken is not None:
                task, charged_s = taken
                begun = time.monotonic()
                self._do(task)
                self._pool.ended(task, charged_s, time.monotonic() - begun)
        self._drop_worker()

    def _have_worker(self) -> None:
        for back_off_s in _START_BACK_OFFS_S:
            if self._pool.stopping.is_set() or self._living_worker() is not None:
                return
            self._pool.stopping.wait(back_off_s)

    def _living_worker(self) -> WorkerProcess | None:
        """The worker, a new one where it died; ``None`` where none can be had."""
        if self._worker is not None and self._worker.alive():
            return self._worker
        self._drop_worker()
        try:
            self._take_worker(self._pool.spares.take() or self._pool.start_worker())
            self.error = None
        except WorkerStartError as error:
            if not self._pool.stopping.is_set():
                logger.error("%s", error)
            self._drop_worker()
            self.error = error
        finally:
            self.tried.set()
        return self._worker

    def _take_worker(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._worker, self._killed_with, self.lost = worker, None, False
        worker.wait_ready()
        self.about = worker.about
        self._ready = True

    def _drop_worker(self) -> None:
        with self._lock:
            worker, self._worker, self._ready = self._worker, None, False
        if worker is not None:
            self._pool.tally.restarts += not self._pool.stopping.is_set()
            worker.end()

    def _do(self, task: Task) -> None:
        if task.abandoned(time.monotonic()):
            task.end_without(statuses.deadline_exceeded(self._pool.task_timeout_s))
            return
        worker = self._living_worker()  # it may have died since the last task
        if worker is None:
            task.end_without(statuses.worker_died())
            return
        with self._lock:
            self._task, self._started, self._stopped_at = task, time.monotonic(), None
        gave_up = False

        def measure(pair: bytes) -> bytes:
            nonlocal gave_up
            measured = self._measure(pair, task, worker)
            gave_up = measured is None
            return _NOBODY_WAITS if measured is None else measured

        task.answer.stages = (StageTime(Stage.WAIT, task.taken_at, self._started - task.taken_at),)
        worked = worker.ask(task.payload, measure, task.end_at(self._started + self._pool.task_timeout_s))
        with self._lock:
            self._task, killed_with = None, self._killed_with
        if worked is not None and (gave_up or not worked.answer):
            task.end_without(statuses.deadline_exceeded(self._pool.task_timeout_s))
        elif worked is not None:
            task.answer.stages += worked.stages
            task.end(service_pb2.GradeBatchResponse.FromString(worked.answer))
        elif killed_with is not None:
            task.end_without(killed_with)
        else:
            self._pool.tally.died += 1
            logger.error("worker %s died while it graded %.100r", worker.pid, task.request_id)
            task.end_without(statuses.worker_died())
        if worked is None or killed_with is not None:
            self._drop_worker()

    def _measure(self, pair: bytes, task: Task, worker: WorkerProcess) -> bytes | None:
        """Has LPIPS of a pair measured for a worker; ``None`` where nobody waits for the request any more."""
        if self._pool.lpips is None:
            raise RuntimeError("a worker that measures LPIPS itself asked for it")

        def nobody_waits() -> bool:
            return self._stopped_at is not None or task.abandoned(time.monotonic()) or not worker.alive()

        return self._pool.lpips.measure(pair, nobody_waits)

    def look(self, now: float, may_kill: bool) -> bool:
        """Stops the request where it is over its time, or nobody waits for it; kills the worker where it goes on.

        Says whether it killed. An idle worker that has died is noted in ``lost``.
        """
        with self._lock:
            if self._task is None:
                self.lost = self._worker is not None and not self._worker.alive()
                return False
            if self._worker is None or self._killed_with is not None:
                return False
            if self._stopped_at is None:
                if self._task.abandoned(now) or now - self._started > self._pool.task_timeout_s:
                    self._stopped_at = now
                    self._pool.tally.stopped += 1
                    self._worker.stop()
            elif now - self._stopped_at > (STOP_GRACE_S if may_kill else _MOST_GRACE_S):
                self._pool.tally.killed += 1
                logger.warning("worker %s is killed: %.100r does not end", self.pid, self._task.request_id)
                self._kill(statuses.deadline_exceeded(self._pool.task_timeout_s))
                return True
            return False

    def kill(self) -> None:
        """Kills the worker because the pool ends."""
        with self._lock:
            self._kill(statuses.shutting_down())

    def _kill(self, status: service_pb2.ItemStatus) -> None:
        if self._worker is not None:
            self._killed_with = status
            self._worker.kill()
