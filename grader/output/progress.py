"""How far a long command is, on stderr: a bar on a terminal, elsewhere a line now and then.

Lines come at most every `LEAST_S` seconds: then one is written once another tenth of the work is done, or after
`MOST_S` seconds at the next item that is done. So a short command writes none, and the log of a long one shows that it
goes on.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

LEAST_S = 30.0
MOST_S = 600.0
_STEP = 0.1
_PREFIXES = ("", "k", "M", "G", "T")

T = TypeVar("T")


class Progress(Protocol):
    """Takes what was done."""

    def update(self, n: int = 1) -> object:
        """Notes that ``n`` more are done."""


class Silence:
    """Shows nothing."""

    def update(self, n: int = 1) -> None:
        """Does nothing."""


class ProgressLines:
    """Writes a line now and then.

    Parameters
    ----------
    total : int or None
        How many there are, if that is known.
    unit : str
        What is counted, such as ``item``; ``B`` for bytes.
    what : str
        What is done, such as ``import``; it begins each line.
    initial : int
        How many were done before.
    clock : callable
        Seconds since any moment.
    """

    def __init__(
        self,
        total: int | None,
        unit: str,
        what: str,
        initial: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._unit, self._what, self._clock = total, unit, what, clock
        self._first = self._done = initial
        self._begin = self._told = clock()
        self._told_done = initial

    def update(self, n: int = 1) -> None:
        """Notes that ``n`` more are done, and writes a line where it is time for one."""
        self._done += n
        now = self._clock()
        since = now - self._told
        enough = self._total is not None and self._done - self._told_done >= _STEP * self._total
        if since >= LEAST_S and (enough or since >= MOST_S):
            self._told, self._told_done = now, self._done
            print(f"grader: {self._line(now - self._begin)}", file=sys.stderr, flush=True)

    def _line(self, seconds: float) -> str:
        if not self._total:
            return f"{self._what}: {self._count(self._done)} in {_time(seconds)}"
        here = self._done - self._first
        left = (self._total - self._done) * seconds / here if here else 0.0
        share = 100 * self._done // self._total
        done = self._count(self._done) if self._unit == "B" else self._done
        of = self._count(self._total)
        return f"{self._what}: {done} of {of} ({share} %) in {_time(seconds)}, about {_time(left)} left"

    def _count(self, number: int) -> str:
        if self._unit != "B":
            return f"{number} {self._unit}{'' if number == 1 else 's'}"
        size, prefix = float(number), 0
        while size >= 1000 and prefix < len(_PREFIXES) - 1:
            size, prefix = size / 1000, prefix + 1
        return f"{size:.1f} {_PREFIXES[prefix]}B"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextlib.contextmanager
def progress_of(what: str, total: int | None, unit: str, *, show: bool = True, initial: int = 0) -> Iterator[Progress]:
    """Shows on stderr how far something is.

    Parameters
    ----------
    what : str
        What is done, such as ``import``.
    total : int or None
        How many there are, if that is known.
    unit : str
        What is counted, such as ``item``; ``B`` for bytes.
    show : bool
        Whether to show anything.
    initial : int
        How many were done before.
    """
    if not show:
        yield Silence()
    elif not sys.stderr.isatty():
        yield ProgressLines(total, unit, what, initial)
    else:
        from tqdm import tqdm

        with tqdm(desc=what, total=total, initial=initial, unit=unit, unit_scale=unit == "B", file=sys.stderr) as bar:
            yield bar


def tracked(items: Iterable[T], what: str, total: int | None, unit: str, *, show: bool = True) -> Iterator[T]:
    """The items, one by one; how far that is is shown as `progress_of` does."""
    with progress_of(what, total, unit, show=show) as progress:
        for item in items:
            yield item
            progress.update()
