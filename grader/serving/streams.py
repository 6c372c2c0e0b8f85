"""GradeBatch: how many streams may be open, and what one stream does."""

from __future__ import annotations

import contextlib
import functools
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Protocol

import grpc

from grader.model.errors import GraderError
from grader.processes.stages import StageTime
from grader.serving.pool.tasks import ClosedError, Executor, OverloadedError, PendingAnswer
from grader.serving.received import Received, abort
from grader.serving.work import contained
from grader.v1 import service_pb2
from grader.wire import statuses

_POLL_S = 0.25
"""How often a thread that waits looks whether its caller is gone or the server ends."""
_GREED = 4
"""One client may have this many times as many streams open as are left free, so that others always find one."""
_END_GRACE_S = 5.0
"""After a stream was told to end for idleness, how long its caller may take to read that."""


class TooManyStreamsError(GraderError):
    """As many streams are open as may be, or as may be of one client."""


class Streams:
    """The GradeBatch calls that are open.

    Parameters
    ----------
    most : int
        How many may be open.
    window : int
        The most items of one stream that are read and not answered yet.
    room : int
        How many items may be in the queue; the windows of all streams add up to less.
    idle_s : float
        A stream over which nothing goes for so long is ended.
    """

    def __init__(self, most: int, window: int, room: int, idle_s: float) -> None:
        self.most, self.idle_s = most, idle_s
        self._window, self._room = window, room
        self._lock = threading.Lock()
        self._by_client: Counter[str] = Counter()
        self._open: set[BatchStream] = set()

    @property
    def open(self) -> int:
        """How many are open."""
        return self._by_client.total()

    @property
    def window(self) -> int:
        """How many items each stream may have read and not answered, as many streams as there are now."""
        return max(1, min(self._window, (self._room - 1) // max(1, self.open)))

    @contextlib.contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place for a stream of a client's; raises `TooManyStreamsError` where there is none."""
        with self._lock:
            free = self.most - self.open
            if free <= 0 or self._by_client[client] >= _GREED * free:
                raise TooManyStreamsError(client)
            self._by_client[client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._by_client[client] -= 1
                self._by_client += Counter()  # forgets those at 0

    @contextlib.contextmanager
    def watched(self, stream: BatchStream) -> Iterator[None]:
        """Has a stream looked after by `look`."""
        with self._lock:
            self._open.add(stream)
        try:
            yield
        finally:
            with self._lock:
                self._open.discard(stream)

    def look(self, now: float) -> None:
        """Cuts streams off whose callers neither send nor read, and were told so in vain."""
        with self._lock:
            streams = list(self._open)
        for stream in streams:
            if stream.idle_for(now) > self.idle_s + _END_GRACE_S:
                stream.cut_off()


class ServesStreams(Protocol):
    """What a stream needs of the service."""

    executor: Executor
    streams: Streams

    @property
    def draining(self) -> bool:
        """Whether new work is refused."""

    def checked(self, received: Received, client: str) -> Received | service_pb2.ItemStatus:
        """What is handed to a worker, or why it is not even that."""


class BatchStream:
    """One GradeBatch call: a thread reads items, workers grade them, and the call's own thread sends answers.

    An item holds one of the stream's places from before it is read until its answer was handed to gRPC. So a caller
    that sends fast, or reads slowly, is held up by flow control, and memory stays bounded.

    Parameters
    ----------
    service : ServesStreams
        Whose call it is.
    requests : iterator of Received
        The items.
    context : ServicerContext
        Of the call.
    client : str
        Who calls.
    note : callable
        Takes each item with its answer, the seconds that it took, and its stages.
    """

    def __init__(
        self,
        service: ServesStreams,
        requests: Iterator[Received],
        context: grpc.ServicerContext,
        client: str,
        note: Callable[[Received, service_pb2.GradeBatchResponse, float, tuple[StageTime, ...]], None],
    ) -> None:
        self._service, self._requests, self._context, self._client = service, requests, context, client
        self._note = note
        self._ready: queue.SimpleQueue[service_pb2.GradeBatchResponse] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._running: set[PendingAnswer] = set()
        self._open = 0
        self._read_all = False
        self._gone = threading.Event()
        self._moved_at = time.monotonic()

    def answers(self) -> Iterator[service_pb2.GradeBatchResponse]:
        """The answers, in the order in which they get ready."""
        self._context.add_callback(self._give_up)
        threading.Thread(target=self._read, name="grader-batch-reader", daemon=True).start()
        try:
            while not self._gone.is_set():
                answer = self._next()
                if answer is not None:
                    yield answer
                    self._moved_at = time.monotonic()
                    with self._changed:
                        self._open -= 1
                        self._changed.notify_all()
                with self._changed:
                    nothing_open, read_all = self._open == 0, self._read_all
                if nothing_open and read_all:
                    return
                if nothing_open and self._service.draining:
                    abort(self._context, statuses.shutting_down())
                if nothing_open and self.idle_for(time.monotonic()) > self._service.streams.idle_s:
                    abort(self._context, statuses.stream_idle(self._service.streams.idle_s))
        finally:
            self._give_up()

    def _next(self) -> service_pb2.GradeBatchResponse | None:
        try:
            return self._ready.get(timeout=_POLL_S)
        except queue.Empty:
            return None

    def idle_for(self, now: float) -> float:
        """For how long nothing came or went though nothing is being graded, in seconds."""
        with self._changed:
            return 0.0 if self._running else now - self._moved_at

    def cut_off(self) -> None:
        """Ends the call without a word, for its caller reads none."""
        self._give_up()
        self._context.cancel()

    def _give_up(self) -> None:
        self._gone.set()
        with self._changed:
            running = list(self._running)
            self._changed.notify_all()
        for answer in running:
            answer.cancel()

    def _read(self) -> None:
        try:
            while self._take_place():
                item = next(self._requests, None)
                if item is None:
                    break
                self._moved_at = time.monotonic()
                with self._changed:
                    self._open += 1
                begun = time.monotonic()
                refused = contained(functools.partial(self._start, item, begun), item.request_id)
                if refused is not None:
                    self._note(item, refused, time.monotonic() - begun, ())
                    self._ready.put(refused)
        except grpc.RpcError:  # how gRPC says to this iterator that the caller is gone
            pass
        finally:
            with self._changed:
                self._read_all = True

    def _take_place(self) -> bool:
        with self._changed:
            while not self._gone.is_set():
                # The window may get wider when another stream ends, which tells nobody here.
                if self._changed.wait_for(
                    lambda: self._gone.is_set() or self._open < self._service.streams.window, _POLL_S
                ):
                    return not self._gone.is_set()
            return False

    def _start(self, item: Received, begun: float) -> service_pb2.GradeBatchResponse | None:
        """Hands an item to a worker, waiting for room in the queue as long as the caller is there.

        Gives the answer where the item is refused, ``None`` where the answer is to come.
        """
        checked = self._service.checked(item, self._client)
        if isinstance(checked, service_pb2.ItemStatus):
            return statuses.response(item.request_id, checked)
        left_s = self._context.time_remaining()
        deadline = None if left_s is None else time.monotonic() + left_s
        while not self._gone.is_set():
            try:
                answer = self._service.executor.submit(
                    checked.payload, item.request_id, deadline, _POLL_S, self._client
                )
            except OverloadedError:
                self._moved_at = time.monotonic()
                continue
            except ClosedError:
                return statuses.response(item.request_id, statuses.shutting_down())
            with self._changed:
                self._running.add(answer)
            answer.add_done_callback(functools.partial(self._ended, item=item, begun=begun))
            if self._gone.is_set():
                answer.cancel()
            return None
        return None

    def _ended(self, answer: PendingAnswer, item: Received, begun: float) -> None:
        cancelled = statuses.response(item.request_id, statuses.cancelled())
        given = cancelled if answer.cancelled() else answer.result()
        self._moved_at = time.monotonic()
        self._note(item, given, self._moved_at - begun, answer.stages)
        self._ready.put(given)
        with self._changed:
            self._running.discard(answer)
