"""The end of a worker that the pool holds. What it does stands in `grader.serving.pool.worker`."""

from __future__ import annotations

import contextlib
import multiprocessing.connection
import struct
from collections.abc import Callable
from dataclasses import dataclass

from grader.model.errors import GraderError
from grader.processes.child import START_TIMEOUT_S, ChildProcess, prepare_child
from grader.processes.stages import StageTime, read_stages
from grader.serving.pool.stopping import NUMBER
from grader.serving.work import WorkSpec

READY = b"ready"
"""What a worker says first; what it says of its engine comes after it."""
ANSWER, PAIR, STOPPED = b"A", b"P", b"S"
"""What a message of a worker starts with: the answer to a request with the stages that it took before it, a pair of
pictures that LPIPS is needed of, or that the request was given up."""
HEAD = struct.Struct("<Qd")
"""What a message to a worker starts with: the request's number, and when it ends, on the machine's monotonic clock,
which all share."""

ServePair = Callable[[bytes], bytes]
"""Measures the pair of a message of `grader.lpips.pairs`, and gives the answer as bytes."""


class WorkerStartError(GraderError):
    """A worker process did not come up."""


def worker_main(pipes: list[multiprocessing.connection.Connection], spec: WorkSpec, shares_lpips: bool) -> None:
    """Runs in the worker's process: says that it is ready, then answers payloads until the pipe closes."""
    prepare_child(spec.log_level)
    from grader.serving.pool.worker import answer_payloads

    pipe, control = pipes
    answer_payloads(pipe, control, spec, shares_lpips)


@dataclass(frozen=True)
class Worked:
    """What a worker made of a request: the serialized answer, empty where it was stopped, and its stages."""

    answer: bytes = b""
    stages: tuple[StageTime, ...] = ()


class WorkerProcess:
    """One process and the pipes to it. All but `alive`, `stop` and `kill` is called by one thread.

    Parameters
    ----------
    spec : WorkSpec
        What it starts with.
    shares_lpips : bool
        Whether it asks for LPIPS, by `ask`'s ``serve``, rather than measure it itself.

    Attributes
    ----------
    about : bytes
        What it says of its engine, once it is ready.
    """

    def __init__(self, spec: WorkSpec, shares_lpips: bool = False) -> None:
        try:
            self._child = ChildProcess(worker_main, (spec, shares_lpips), "grader-worker", pipes=2, warm=True)
        except OSError as error:
            raise WorkerStartError(f"a worker process can't be started: {error}") from error
        self._pipe, self._control = self._child.pipes
        self._number = 0
        self._ready = False
        self.about = b""

    def wait_ready(self) -> None:
        """Raises `WorkerStartError` where the process ends or takes too long before it is ready."""
        if self._ready:
            return
        try:
            said = self._pipe.recv_bytes() if self._pipe.poll(START_TIMEOUT_S) else b""
            self._ready, self.about = said.startswith(READY), said[len(READY) :]
        except (EOFError, OSError):
            self._ready = False
        if not self._ready:
            raise WorkerStartError("a worker process did not start; the log on stderr says why")

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._child.pid

    def alive(self) -> bool:
        """Whether the process runs; any thread may ask."""
        return self._child.alive()

    def ask(self, payload: bytes, serve: ServePair, end_at: float) -> Worked | None:
        """Gives what came of it, or ``None`` where the process died.

        What it asks for meanwhile is served. ``end_at`` is when the answer is needed, on ``time.monotonic()``.
        """
        self._number += 1
        try:
            self._pipe.send_bytes(HEAD.pack(self._number, end_at) + payload)
            while True:
                message = self._pipe.recv_bytes()
                if message[:1] == STOPPED:
                    return Worked()
                if message[:1] == ANSWER:
                    stages, end = read_stages(message, len(ANSWER))
                    return Worked(message[end:], stages)
                self._pipe.send_bytes(serve(message[1:]))
        except (EOFError, OSError):
            return None

    def stop(self) -> None:
        """Has the request given up that `ask` waits for, which then returns soon, unless the process hangs.

        One thread at a time may call it, while `ask` is being waited in.
        """
        with contextlib.suppress(OSError):  # it has died
            self._control.send_bytes(NUMBER.pack(self._number))

    def kill(self) -> None:
        """Kills the process; whoever waits in `ask` is told at once. Any thread may call it."""
        self._child.kill()

    def end(self) -> None:
        """Kills the process and frees what it held."""
        self._child.end()
