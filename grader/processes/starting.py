"""How processes are started: from nothing, or forked from one that has imported what they need.

A worker that is started from nothing imports for a second or two, and holds all that by itself. Forked from a process
that has done so, the warm one, workers are ready at once, as is one that takes the place of another that died, and what
was imported lies in memory once. The warm process has no threads of its own, and no request ever comes near it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.context
import multiprocessing.forkserver
import multiprocessing.resource_tracker
import signal
import sys
import threading
from collections.abc import Iterator, Sequence

StartContext = multiprocessing.context.SpawnContext | multiprocessing.context.ForkServerContext

STOP_SIGNALS = frozenset({signal.SIGINT, signal.SIGTERM})
_START_LOCK = threading.Lock()  # starting processes from several threads at once is not promised to work
_WARM = threading.Event()


@contextlib.contextmanager
def one_start() -> Iterator[None]:
    """Starts one process at a time, with SIGINT and SIGTERM blocked: Ctrl-C must not hit it before it ignores them."""
    with _START_LOCK:
        multiprocessing.resource_tracker.ensure_running()  # started within, it would unblock them
        old = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)


def warm_up(modules: Sequence[str]) -> None:
    """Starts the warm process, which imports modules while this process goes on; once is enough.

    Programs call it, and no library within somebody else's program: `multiprocessing` knows one such process only.
    Systems other than Linux fork badly: there nothing is done, and workers are started from nothing.

    Parameters
    ----------
    modules : sequence of str
        Their names. What can't be imported is left to the workers, who say why.
    """
    if sys.platform != "linux" or _WARM.is_set():
        return
    with one_start():
        multiprocessing.get_context("forkserver").set_forkserver_preload(list(modules))
        multiprocessing.forkserver.ensure_running()
    _WARM.set()


def start_context(*, warm: bool) -> StartContext:
    """What starts a process: where ``warm`` is wanted and there is one, the warm process."""
    if warm and _WARM.is_set():
        return multiprocessing.get_context("forkserver")
    return multiprocessing.get_context("spawn")
