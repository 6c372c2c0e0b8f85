"""How a worker stops work that nobody waits for any more, and goes on with the next.

The pool says the number of the request through a pipe of its own. A thread of the worker reads it, and where that
request is being graded, interrupts the main thread by a signal, in whose handler `Stopped` is raised. It is no
Exception, so that nothing which mends faults of pictures takes it for one. Work within a library's own code ends when
that returns; where it does not in time, the pool kills the worker.
"""

from __future__ import annotations

import contextlib
import multiprocessing.connection
import signal
import struct
import threading
from collections.abc import Callable, Iterator
from types import FrameType

NUMBER = struct.Struct("<Q")
"""The number of a request, in messages to a worker; numbers count from 1."""


class Stopped(BaseException):
    """The request that is being graded is to be given up."""


class Stops:
    """The worker's side. It is made, and work is run, in the main thread.

    Parameters
    ----------
    pipe : Connection
        Through which numbers of requests come that are to be stopped.
    """

    def __init__(self, pipe: multiprocessing.connection.Connection) -> None:
        self._pipe = pipe
        self._current = self._asked = 0
        self._held = False
        self._main = threading.get_ident()
        signal.signal(signal.SIGUSR1, self._interrupt)
        threading.Thread(target=self._listen, name="grader-stops", daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                (self._asked,) = NUMBER.unpack(self._pipe.recv_bytes())
                if self._asked == self._current:
                    signal.pthread_kill(self._main, signal.SIGUSR1)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if not self._held:
            self._check()

    def _check(self) -> None:
        if self._current and self._asked == self._current:
            raise Stopped

    def run(self, number: int, work: Callable[[], bytes]) -> bytes | None:
        """Does the work of a request; ``None`` where it was stopped."""
        try:
            self._current = number
            self._check()  # it may have been asked before the request was read
            try:
                return work()
            finally:
                self._current = 0
        except Stopped:
            self._current = 0
            return None

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Work that must not be cut in two, such as a question and its answer; stops wait for its end."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        self._check()
