"""A request on its way through the pool, what takes it, and how it may be refused."""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Protocol

from grader.model.errors import GraderError
from grader.processes.stages import StageTime
from grader.v1 import service_pb2
from grader.wire import statuses


class PendingAnswer(Future[service_pb2.GradeBatchResponse]):
    """The answer that is to come to a request.

    Attributes
    ----------
    stages : tuple of StageTime
        What the request has gone through, once the answer is there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stages: tuple[StageTime, ...] = ()


class OverloadedError(GraderError):
    """As many requests are waiting as may, or as may of one client beside others.

    ``waiting`` says how many wait, ``again_s`` after how many seconds there is room, about.
    """

    def __init__(self, waiting: int, again_s: float = 0.0) -> None:
        super().__init__(f"{waiting} requests are waiting already")
        self.waiting, self.again_s = waiting, again_s


class ClosedError(GraderError):
    """The executor takes no more work."""


class Executor(Protocol):
    """What grades payloads, somewhere."""

    def submit(
        self, payload: bytes, request_id: str, deadline: float | None = None, wait_s: float = 0.0, client: str = ""
    ) -> PendingAnswer:
        """Takes a serialized ``GradeRequest``.

        Parameters
        ----------
        payload : bytes
            The serialized request.
        request_id : str
            Its id, for the answer where the work gives none.
        deadline : float, optional
            On ``time.monotonic()``; when it has passed, the work is given up.
        wait_s : float, optional
            How long to wait for room in the queue.
        client : str, optional
            Whose it is; clients get equal shares of the workers' time.

        Returns
        -------
        Future
            Of the answer. It never raises anything but ``CancelledError``; cancelling it gives the work up.

        Raises
        ------
        OverloadedError
            If the queue has no room.
        ClosedError
            If the executor was closed.
        """

    def wait_ready(self, timeout_s: float) -> None:
        """Waits until work can be done; raises `WorkerStartError` where that will not be."""

    def can_grade(self) -> bool:
        """Whether work can be done now."""

    def close(self, drain_s: float = 0.0) -> None:
        """Takes no more work, lets what was taken end for ``drain_s`` seconds, then stops hard."""


@dataclass(eq=False)
class Task:
    """A request that was taken.

    Attributes
    ----------
    payload : the serialized request
    request_id : its id
    deadline : when it is given up, on ``time.monotonic()``; None for never
    client : whose it is
    answer : of it
    taken_at : when it was taken, on ``time.monotonic()``
    """

    payload: bytes
    request_id: str
    deadline: float | None
    client: str = ""
    answer: PendingAnswer = field(default_factory=PendingAnswer)
    taken_at: float = field(default_factory=time.monotonic)

    def abandoned(self, now: float) -> bool:
        """Whether nobody waits for it any more."""
        return self.answer.cancelled() or (self.deadline is not None and now >= self.deadline)

    def end_at(self, latest: float) -> float:
        """When its answer is needed: at its deadline, or at the latest when its time is over."""
        return latest if self.deadline is None else min(self.deadline, latest)

    def end(self, response: service_pb2.GradeBatchResponse) -> None:
        """Gives the answer."""
        with contextlib.suppress(InvalidStateError):  # it was cancelled: nobody waits for it
            self.answer.set_result(response)

    def end_without(self, status: service_pb2.ItemStatus) -> None:
        """Ends it without a verdict."""
        self.end(statuses.response(self.request_id, status))
