"""Processes of this server: how they are started, and what all of them do first."""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing.connection
import multiprocessing.process
import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any

from grader.processes.logs import configure_logging
from grader.processes.starting import STOP_SIGNALS, one_start, start_context

START_TIMEOUT_S = 120.0
"""A process imports and builds what it needs in a second or a few; a loaded machine may take much longer."""


def _die_with_parent() -> None:
    parent = multiprocessing.process.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)  # the main thread may hang in a decoder


def prepare_child(log_level: str) -> None:
    """What a child does first: it leaves signals to the parent, ends with it, and logs as it does."""
    # The parent decides when a child ends: a signal to the whole process group must not cut off work that drains.
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    faulthandler.enable()
    configure_logging(log_level)
    threading.Thread(target=_die_with_parent, daemon=True).start()


class ChildProcess:
    """A process with pipes to it. Any thread may ask whether it lives and kill it; one thread ends it.

    Parameters
    ----------
    main : callable
        Runs in the process, with its ends of the pipes and then ``args``. It must pickle, and call `prepare_child`.
    args : sequence
        What pickles.
    name : str
        Of the process.
    pipes : int
        How many pipes there are.
    warm : bool
        Whether it needs what the warm process has imported, so that it is forked from it where there is one.

    Attributes
    ----------
    pipes : tuple of Connection
        This side's ends.

    Raises
    ------
    OSError
        If it can't be started.
    """

    def __init__(
        self, main: Callable[..., None], args: Sequence[Any], name: str, pipes: int = 1, *, warm: bool = False
    ) -> None:
        context = start_context(warm=warm)
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            ends = [context.Pipe() for _ in range(pipes)]
            for our, their in ends:
                ours.enter_context(our)
                theirs.enter_context(their)
            self.pipes = tuple(our for our, _ in ends)
            self._process = context.Process(
                target=main, args=([their for _, their in ends], *args), name=name, daemon=True
            )
            with one_start():
                try:
                    self._process.start()
                except EOFError as error:
                    raise ChildProcessError(f"{name}: the process that it was to be forked from has died") from error
            ours.pop_all()  # they stay open unless the start failed

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the process runs. Any thread may ask: unlike ``Process.is_alive``, this reaps no child."""
        return not multiprocessing.connection.wait([self._process.sentinel], 0)

    def kill(self) -> None:
        """Kills the process; whoever waits for its answer is told at once. Any thread may call it."""
        self._process.kill()

    def reap(self) -> None:
        """Kills the process and waits until it has ended; the pipes stay open."""
        self._process.kill()
        self._process.join()

    def end(self) -> None:
        """Kills the process and frees what it held; no other thread may be using a pipe."""
        for pipe in self.pipes:
            pipe.close()
        self.reap()
