"""Workers that stand ready for a slot whose own has died, so that nobody waits for one to start."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from grader.serving.pool.worker_process import WorkerProcess, WorkerStartError

logger = logging.getLogger(__name__)

_LOOK_S = 1.0
_AGAIN_S = 8.0
"""After a spare that did not start."""


class Spares:
    """Keeps a number of workers ready.

    Parameters
    ----------
    start : callable
        Starts a worker, which need not be ready yet.
    number : int
        How many to keep; none is allowed.
    """

    def __init__(self, start: Callable[[], WorkerProcess], number: int) -> None:
        self._start, self._number = start, number
        self._ready: list[WorkerProcess] = []
        self._starting: WorkerProcess | None = None
        self._changed = threading.Condition()
        self._begun = self._closed = False
        self._thread = threading.Thread(target=self._keep, name="grader-spares", daemon=True)
        if number:
            self._thread.start()

    @property
    def ready(self) -> int:
        """How many stand ready."""
        return sum(worker.alive() for worker in list(self._ready))

    def begin(self) -> None:
        """Starts to keep them: the workers that grade come first."""
        with self._changed:
            self._begun = True
            self._changed.notify_all()

    def take(self) -> WorkerProcess | None:
        """One that is ready, which is the caller's from now on; ``None`` where there is none."""
        with self._changed:
            while self._ready:
                worker = self._ready.pop()
                self._changed.notify_all()
                if worker.alive():
                    return worker
                worker.end()
            return None

    def kill(self) -> None:
        """Kills all, because the pool ends. Any thread may call it."""
        for worker in (*self._ready, self._starting):
            if worker is not None:
                worker.kill()

    def close(self) -> None:
        """Ends all."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.kill()
        if self._number:
            self._thread.join()
        for worker in self._ready:
            worker.end()
        self._ready.clear()

    def _keep(self) -> None:
        while self._wanted():
            if not self._add():
                with self._changed:
                    self._changed.wait_for(lambda: self._closed, _AGAIN_S)

    def _wanted(self) -> bool:
        """Waits until one is wanted; False at the end."""
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._closed or (self._begun and len(self._ready) < self._number), _LOOK_S
                )
                if self._closed:
                    return False
                died = [worker for worker in self._ready if not worker.alive()]
                self._ready = [worker for worker in self._ready if worker not in died]
                short = self._begun and len(self._ready) < self._number
            for worker in died:
                worker.end()
            if short:
                return True

    def _add(self) -> bool:
        worker = None
        with contextlib.suppress(WorkerStartError):
            worker = self._starting = self._start()
            worker.wait_ready()
            with self._changed:
                self._starting = None
                if not self._closed:
                    self._ready.append(worker)
                    return True
        self._starting = None
        if worker is not None:
            worker.end()
        if not self._closed:
            logger.error("a spare worker did not start")
        return False
