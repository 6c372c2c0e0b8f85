"""Pairs of pictures that wait for the process that measures LPIPS, and which of them it measures at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.lpips.messages import PairHeader
from grader.lpips.nets import LpipsNet

GivenUp = Callable[[], bool]
"""Whether nobody waits for an answer any more. It may be called by any thread."""


@dataclass(eq=False)
class PairJob:
    """A pair that waits, or, without a message, the wish to have a network loaded.

    Attributes
    ----------
    net : the network
    header : what is asked for; None for the wish
    message : as `grader.lpips.messages.write_pair` makes it
    given_up : whether nobody waits for it any more
    answer : a `grader.lpips.messages.PairAnswer` once it is done; None where it was given up
    done : set when it has ended
    """

    net: LpipsNet
    header: PairHeader | None = None
    message: bytes = b""
    given_up: GivenUp = bool  # nobody gives a wish up: bool() is False
    answer: bytes | None = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def cost_bytes(self) -> int:
        """About what it takes to measure it."""
        return 0 if self.header is None else self.header.working_bytes

    def end(self, answer: bytes | None) -> None:
        """Tells whoever waits."""
        self.answer = answer
        self.message = b""
        self.done.set()

    def goes_with(self, first: PairJob) -> bool:
        """Whether both can be in one batch: one network, and pictures of one size."""
        mine, other = self.header, first.header
        return (
            mine is not None
            and other is not None
            and (mine.net, mine.height_px, mine.width_px) == (other.net, other.height_px, other.width_px)
        )


class PairQueue:
    """First come, first served, as long as what is measured at a time fits into memory.

    Parameters
    ----------
    max_batch : int
        Most pairs that are taken together.
    memory_bytes : int
        Most that what was taken needs at a time; a pair that needs more by itself is taken when nothing else is.
    """

    def __init__(self, max_batch: int, memory_bytes: int) -> None:
        self._max_batch, self._memory_bytes = max_batch, memory_bytes
        self._changed = threading.Condition()
        self._waiting: deque[PairJob] = deque()
        self._in_use_bytes = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        with self._changed:
            return len(self._waiting)

    def put(self, job: PairJob) -> bool:
        """Lets a job wait; False where the queue was closed."""
        with self._changed:
            if not self._closed:
                self._waiting.append(job)
                self._changed.notify_all()
            return not self._closed

    def withdraw(self, job: PairJob) -> None:
        """Takes a job out that was given up, if it still waits."""
        with self._changed:
            if job in self._waiting:
                self._waiting.remove(job)
                self._changed.notify_all()  # what stood behind it may fit

    def take(self) -> list[PairJob]:
        """The oldest job with those that go with it, as soon as there is room; none once the queue was closed."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._closed or self._fits())
                if self._closed:
                    return []
                first = self._waiting.popleft()
                if not first.given_up():
                    break
                first.end(None)
            group = [first]
            cost = first.cost_bytes
            for job in list(self._waiting):
                if len(group) >= self._max_batch or cost + first.cost_bytes > self._memory_bytes:
                    break
                if job.goes_with(first) and not job.given_up():
                    self._waiting.remove(job)
                    group.append(job)
                    cost += job.cost_bytes
            self._in_use_bytes += cost
            return group

    def _fits(self) -> bool:
        if not self._waiting:
            return False
        cost = self._waiting[0].cost_bytes
        return self._in_use_bytes == 0 or self._in_use_bytes + cost <= self._memory_bytes

    def ended(self, group: list[PairJob]) -> None:
        """What was taken together has ended, so its memory is free."""
        with self._changed:
            self._in_use_bytes -= sum(job.cost_bytes for job in group)
            self._changed.notify_all()

    def close(self) -> list[PairJob]:
        """Gives no more jobs out and takes none; gives those that waited."""
        with self._changed:
            self._closed = True
            left, self._waiting = list(self._waiting), deque()
            self._changed.notify_all()
            return left
