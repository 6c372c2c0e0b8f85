"""One worker: the process that grades, and the end of it that the pool holds."""

from __future__ import annotations

import contextlib
import multiprocessing.connection
import struct
from collections.abc import Callable

from grader.lpips.messages import write_pair
from grader.lpips.nets import LpipsNet
from grader.lpips.network import PicturePair
from grader.lpips.scores import RemoteScores
from grader.model.errors import GraderError
from grader.processes.child import START_TIMEOUT_S, ChildProcess, prepare_child
from grader.serving.work import Grading, WorkSpec

_READY = b"ready"
_ANSWER, _PAIR = b"A", b"P"
"""What a message of a worker starts with: the answer to a request, or a pair of pictures that LPIPS is needed of."""
_END_AT = struct.Struct("<d")
"""What a message to a worker starts with: when the request ends, on the machine's monotonic clock, which all share."""

ServePair = Callable[[bytes], bytes]
"""Measures the pair of a message of `grader.lpips.messages`, and gives the answer as bytes."""


class WorkerStartError(GraderError):
    """A worker process did not come up."""


def worker_main(pipes: list[multiprocessing.connection.Connection], spec: WorkSpec, shares_lpips: bool) -> None:
    """Runs in the worker's process: says that it is ready, then answers payloads until the pipe closes."""
    (pipe,) = pipes
    prepare_child(spec.log_level)
    import cv2

    cv2.setNumThreads(1)  # the pool is the parallelism

    def ask(net: LpipsNet, pair: PicturePair) -> bytes:
        pipe.send_bytes(write_pair(net, pair, before=_PAIR))
        return pipe.recv_bytes()

    grading = Grading(spec, RemoteScores(ask) if shares_lpips else None)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent closed the pipe
        pipe.send_bytes(_READY)
        while True:
            message = pipe.recv_bytes()
            (end_at,) = _END_AT.unpack_from(message)
            pipe.send_bytes(_ANSWER + grading.answer(message[_END_AT.size :], end_at))


class WorkerProcess:
    """One process and the pipe to it. All but `alive` and `kill` is called by one thread.

    Parameters
    ----------
    spec : WorkSpec
        What it starts with.
    shares_lpips : bool
        Whether it asks for LPIPS, by `ask`'s ``serve``, rather than measure it itself.
    """

    def __init__(self, spec: WorkSpec, shares_lpips: bool = False) -> None:
        try:
            self._child = ChildProcess(worker_main, (spec, shares_lpips), "grader-worker")
        except OSError as error:
            raise WorkerStartError(f"a worker process can't be started: {error}") from error
        (self._pipe,) = self._child.pipes

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
        return self._child.pid

    def alive(self) -> bool:
        """Whether the process runs; any thread may ask."""
        return self._child.alive()

    def ask(self, payload: bytes, serve: ServePair, end_at: float) -> bytes | None:
        """Gives the answer, or ``None`` where the process died. What it asks for meanwhile is served.

        ``end_at`` is when the answer is needed, on ``time.monotonic()``.
        """
        try:
            self._pipe.send_bytes(_END_AT.pack(end_at) + payload)
            while True:
                message = self._pipe.recv_bytes()
                if message[:1] == _ANSWER:
                    return message[1:]
                self._pipe.send_bytes(serve(message[1:]))
        except (EOFError, OSError):
            return None

    def kill(self) -> None:
        """Kills the process; whoever waits in `ask` is told at once. Any thread may call it."""
        self._child.kill()

    def end(self) -> None:
        """Kills the process and frees what it held."""
        self._child.end()
