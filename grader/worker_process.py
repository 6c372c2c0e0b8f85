"""One worker: the process that grades, and the end of it that the pool holds."""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import multiprocessing.connection
import multiprocessing.process
import multiprocessing.resource_tracker
import os
import signal
import threading
from collections.abc import Iterator

from grader.errors import GraderError
from grader.logs import configure_logging
from grader.work import Grading, WorkSpec

START_TIMEOUT_S = 120.0
"""A worker imports and builds its engine in about a second; a loaded machine may take much longer."""
_READY = b"ready"
_STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM}


class WorkerStartError(GraderError):
    """A worker process did not come up."""


@contextlib.contextmanager
def _stop_signals_blocked() -> Iterator[None]:
    """Lets a child start with SIGINT and SIGTERM blocked, so that Ctrl-C can't hit it before it ignores them."""
    multiprocessing.resource_tracker.ensure_running()  # started within, it would unblock them
    old = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def _die_with_parent() -> None:
    parent = multiprocessing.process.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)  # the main thread may hang in a decoder


def worker_main(pipe: multiprocessing.connection.Connection, spec: WorkSpec) -> None:
    """Runs in the worker's process: says that it is ready, then answers payloads until the pipe closes."""
    # The parent decides when a worker ends: a signal to the whole process group must not cut off work that drains.
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)
    faulthandler.enable()
    configure_logging(spec.log_level)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    import cv2

    cv2.setNumThreads(1)  # the pool is the parallelism
    grading = Grading(spec)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent closed the pipe
        pipe.send_bytes(_READY)
        while True:
            pipe.send_bytes(grading.answer(pipe.recv_bytes()))


class WorkerProcess:
    """One process and the pipe to it. All but `alive` and `kill` is called by one thread."""

    _start_lock = threading.Lock()  # starting processes from several threads at once is not promised to work

    def __init__(self, spec: WorkSpec) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=worker_main, args=(theirs, spec), name="grader-worker", daemon=True)
        try:
            with theirs, self._start_lock, _stop_signals_blocked():
                self._process.start()
        except OSError as error:
            self._pipe.close()
            raise WorkerStartError(f"a worker process can't be started: {error}") from error

    def wait_ready(self) -> None:
        """Raises `WorkerStartError` where the process ends or takes too long before it is ready."""
        try:
            ready = self._pipe.poll(START_TIMEOUT_S) and self._pipe.recv_bytes() == _READY
        except (EOFError, OSError):
            ready = False
        if not ready:
            raise WorkerStartError("a worker process did not start; the log on stderr says why")

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the process runs. Any thread may ask: unlike ``Process.is_alive``, this reaps no child."""
        return not multiprocessing.connection.wait([self._process.sentinel], 0)

    def ask(self, payload: bytes) -> bytes | None:
        """Gives the answer, or ``None`` where the process died."""
        try:
            self._pipe.send_bytes(payload)
            return self._pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def kill(self) -> None:
        """Kills the process; whoever waits in `ask` is told at once. Any thread may call it."""
        self._process.kill()

    def end(self) -> None:
        """Kills the process and frees what it held."""
        self._pipe.close()
        self._process.kill()
        self._process.join()
