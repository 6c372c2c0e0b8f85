"""The gRPC face of the grader: takes requests, hands them to workers, and turns what comes back into answers."""

from __future__ import annotations

import contextlib
import functools
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass

import grpc
from grpc_status import rpc_status

from grader.serving.work import contained
from grader.serving.workers import Answer, ClosedError, Executor, OverloadedError
from grader.v1 import service_pb2, service_pb2_grpc
from grader.wire import statuses

logger = logging.getLogger(__name__)

_POLL_S = 0.25
"""How often a thread that waits looks whether its caller is gone or the server ends."""


Measures = Callable[[], Sequence[service_pb2.MeasureInfo]]
"""How the measures stand that need something installed."""


@dataclass(frozen=True)
class ServiceLimits:
    """What the service takes.

    Attributes
    ----------
    max_message_bytes : largest serialized GradeRequest
    request_timeout_s : the longest that one request may take
    max_batch_streams : GradeBatch calls at a time
    stream_window : items of one stream that are read and not answered yet
    """

    max_message_bytes: int
    request_timeout_s: float
    max_batch_streams: int
    stream_window: int


def _abort(context: grpc.ServicerContext, status: service_pb2.ItemStatus) -> None:
    context.abort_with_status(rpc_status.to_status(statuses.to_rpc_status(status)))


class GraderService(service_pb2_grpc.GraderServiceServicer):
    """Implements ``grader.v1.GraderService``.

    Parameters
    ----------
    executor : Executor
        What grades.
    limits : ServiceLimits
        What is taken.
    catalogue : ListTasksResponse
        What ListTasks answers.
    measures : callable, optional
        How measures stand when ListTasks is asked, in place of what the catalogue says of them.
    """

    def __init__(
        self,
        executor: Executor,
        limits: ServiceLimits,
        catalogue: service_pb2.ListTasksResponse,
        measures: Measures | None = None,
    ) -> None:
        self.executor = executor
        self.limits = limits
        self._catalogue, self._measures = catalogue, measures
        self._streams = threading.BoundedSemaphore(limits.max_batch_streams)
        self._draining = threading.Event()
        self._changed = threading.Condition()
        self._active = 0

    @property
    def draining(self) -> bool:
        """Whether new work is refused."""
        return self._draining.is_set()

    def drain(self) -> None:
        """Refuses new work from now on; what was taken goes on."""
        self._draining.set()

    def wait_idle(self, timeout_s: float) -> bool:
        """Waits until no call is in progress; says whether that came true."""
        with self._changed:
            return self._changed.wait_for(lambda: self._active == 0, timeout_s)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        with self._changed:
            self._active += 1
        try:
            yield
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def Grade(  # noqa: N802 - the contract's name
        self, request: service_pb2.GradeRequest, context: grpc.ServicerContext
    ) -> service_pb2.GradeResponse:
        """Grades one candidate."""
        with self._counted():
            answer = contained(lambda: self._grade(request, context), request.request_id)
            if answer.status.code:
                _abort(context, answer.status)
            return service_pb2.GradeResponse(request_id=answer.request_id, verdict=answer.verdict)

    def GradeBatch(  # noqa: N802 - the contract's name
        self, request_iterator: Iterator[service_pb2.GradeBatchRequest], context: grpc.ServicerContext
    ) -> Iterator[service_pb2.GradeBatchResponse]:
        """Grades a stream; answers come as they are ready."""
        if self.draining:
            _abort(context, statuses.shutting_down())
        if not self._streams.acquire(blocking=False):
            _abort(context, statuses.overloaded(self.limits.max_batch_streams))
        try:
            with self._counted():
                yield from _BatchStream(self, request_iterator, context).answers()
        finally:
            self._streams.release()

    def ListTasks(  # noqa: N802 - the contract's name
        self, request: service_pb2.ListTasksRequest, context: grpc.ServicerContext
    ) -> service_pb2.ListTasksResponse:
        """Says what can be graded here."""
        del request, context
        if self._measures is None:
            return self._catalogue
        answer = service_pb2.ListTasksResponse()
        answer.CopyFrom(self._catalogue)
        del answer.measures[:]
        answer.measures.extend(self._measures())
        return answer

    def refusal(self, request: service_pb2.GradeRequest) -> service_pb2.ItemStatus | None:
        """Why a request is not even handed to a worker, if so."""
        size = request.ByteSize()
        if size > self.limits.max_message_bytes:
            return statuses.message_too_large(size, self.limits.max_message_bytes)
        return statuses.shutting_down() if self.draining else None

    def _grade(
        self, request: service_pb2.GradeRequest, context: grpc.ServicerContext
    ) -> service_pb2.GradeBatchResponse:
        refusal = self.refusal(request)
        if refusal is not None:
            return statuses.response(request.request_id, refusal)
        left_s = context.time_remaining()
        cap_s = self.limits.request_timeout_s
        limit_s = cap_s if left_s is None else min(cap_s, left_s)
        try:
            answer = self.executor.submit(
                request.SerializeToString(), request.request_id, deadline=time.monotonic() + limit_s
            )
        except OverloadedError as error:
            return statuses.response(request.request_id, statuses.overloaded(error.waiting))
        except ClosedError:
            return statuses.response(request.request_id, statuses.shutting_down())
        if not context.add_callback(answer.cancel):  # the caller is gone already
            answer.cancel()
        try:
            return answer.result(limit_s)
        except CancelledError:
            return statuses.response(request.request_id, statuses.cancelled())
        except TimeoutError:
            answer.cancel()
            return statuses.response(request.request_id, statuses.deadline_exceeded(cap_s))


class _BatchStream:
    """One GradeBatch call: a thread reads items, workers grade them, and the call's own thread sends answers.

    An item holds one of ``stream_window`` places from before it is read until its answer was handed to gRPC. So a
    caller that sends fast, or reads slowly, is held up by flow control, and memory stays bounded.
    """

    def __init__(
        self,
        service: GraderService,
        requests: Iterator[service_pb2.GradeBatchRequest],
        context: grpc.ServicerContext,
    ) -> None:
        self._service, self._requests, self._context = service, requests, context
        self._places = threading.Semaphore(service.limits.stream_window)
        self._ready: queue.SimpleQueue[service_pb2.GradeBatchResponse] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running: set[Answer] = set()
        self._open = 0
        self._read_all = False
        self._gone = threading.Event()

    def answers(self) -> Iterator[service_pb2.GradeBatchResponse]:
        """The answers, in the order in which they get ready."""
        self._context.add_callback(self._give_up)
        reader = threading.Thread(target=self._read, name="grader-batch-reader", daemon=True)
        reader.start()
        try:
            while not self._gone.is_set():
                try:
                    answer = self._ready.get(timeout=_POLL_S)
                except queue.Empty:
                    answer = None
                if answer is not None:
                    yield answer
                    with self._lock:
                        self._open -= 1
                    self._places.release()
                with self._lock:
                    idle, read_all = self._open == 0, self._read_all
                if idle and read_all:
                    return
                if idle and self._service.draining:
                    _abort(self._context, statuses.shutting_down())
        finally:
            self._give_up()

    def _give_up(self) -> None:
        self._gone.set()
        with self._lock:
            running = list(self._running)
        for answer in running:
            answer.cancel()

    def _read(self) -> None:
        try:
            while self._take_place():
                item = next(self._requests, None)
                if item is None:
                    break
                with self._lock:
                    self._open += 1
                request = item.request
                refused = contained(functools.partial(self._start, request), request.request_id)
                if refused is not None:
                    self._ready.put(refused)
        except grpc.RpcError:  # how gRPC says to this iterator that the caller is gone
            logger.debug("the caller of a batch is gone")
        finally:
            with self._lock:
                self._read_all = True

    def _take_place(self) -> bool:
        while not self._gone.is_set():
            if self._places.acquire(timeout=_POLL_S):
                return True
        return False

    def _start(self, request: service_pb2.GradeRequest) -> service_pb2.GradeBatchResponse | None:
        """Hands an item to a worker, waiting for room in the queue as long as the caller is there.

        Gives the answer where the item is refused, ``None`` where the answer is to come.
        """
        refusal = self._service.refusal(request)
        if refusal is not None:
            return statuses.response(request.request_id, refusal)
        left_s = self._context.time_remaining()
        deadline = None if left_s is None else time.monotonic() + left_s
        payload = request.SerializeToString()
        while not self._gone.is_set():
            try:
                answer = self._service.executor.submit(payload, request.request_id, deadline, wait_s=_POLL_S)
            except OverloadedError:
                continue
            except ClosedError:
                return statuses.response(request.request_id, statuses.shutting_down())
            with self._lock:
                self._running.add(answer)
            answer.add_done_callback(functools.partial(self._ended, request_id=request.request_id))
            if self._gone.is_set():
                answer.cancel()
            return None
        return None

    def _ended(self, answer: Answer, request_id: str) -> None:
        with self._lock:
            self._running.discard(answer)
        status = statuses.cancelled()
        self._ready.put(statuses.response(request_id, status) if answer.cancelled() else answer.result())
