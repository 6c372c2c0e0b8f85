"""Work in processes, a group of cases at a time, with a progress bar; a process that dies is told of."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from tqdm import tqdm

from benchmarks.accuracy.results import RecordsFile, ResultsError

_Case = TypeVar("_Case")
_Record = TypeVar("_Record")


def work_through(
    groups: Iterable[tuple[_Case, ...]],
    work: Callable[[tuple[_Case, ...]], list[_Record]],
    file: RecordsFile[_Record],
    *,
    jobs: int,
    total: int,
    done: int,
    unit: str,
) -> None:
    """Has groups worked on in processes, and adds what comes back to a file.

    Parameters
    ----------
    groups : each is worked on by one process
    work : is called with a group, in a process of its own
    file : gets the records
    jobs : processes
    total, done : of the progress bar, in cases: all of them, and those that are done before
    unit : what a case is called

    Raises
    ------
    ResultsError
        If a process dies; what was done is kept.
    """
    spawn = multiprocessing.get_context("spawn")
    with (
        tqdm(total=total, initial=done, unit=unit, smoothing=0.05) as bar,
        ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_end_with, initargs=(os.getpid(),)) as pool,
    ):
        begun: dict[Future[list[_Record]], tuple[_Case, ...]] = {pool.submit(work, group): group for group in groups}
        for future in as_completed(begun):
            try:
                file.add(future.result())
            except BrokenProcessPool as error:
                pool.shutdown(cancel_futures=True)
                raise ResultsError(
                    f"a process died, perhaps at {begun[future][0]} or after; try one process"
                ) from error
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
            bar.update(len(begun[future]))


def _end_with(parent: int) -> None:
    """Ends this process soon after its parent, which may be killed without a word."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
