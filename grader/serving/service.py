"""The gRPC face of the grader: takes requests, hands them to workers, and turns what comes back into answers."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

import grpc

from grader.processes.stages import StageTime
from grader.serving.access.clients import Caller, Callers, TokenRefusedError, metadata_of, peer_name
from grader.serving.access.tokens import TokenRole
from grader.serving.kept_media import KeptMedia
from grader.serving.pool.tasks import ClosedError, Executor, OverloadedError
from grader.serving.received import Received, abort, read_item, read_request
from grader.serving.seen.calls import TRACE_HEADERS, Call, NotesCalls
from grader.serving.settings import ServerSettings
from grader.serving.streams import BatchStream, Streams, TooManyStreamsError
from grader.serving.work import contained
from grader.v1 import service_pb2
from grader.wire import statuses

SERVICE_NAME: str = service_pb2.DESCRIPTOR.services_by_name["GraderService"].full_name

Measures = Callable[[], Sequence[service_pb2.MeasureInfo]]
"""How the measures stand that need something installed."""
_TRACE_KEY = "x-request-id"
_MAX_TRACE_CHARS = 128
_MAX_PARENT_CHARS = 512
_MAX_WAIT_S = 86_400.0


@dataclass(frozen=True)
class ServiceLimits:
    """What the service takes.

    Attributes
    ----------
    max_message_bytes : largest serialized GradeRequest
    request_timeout_s : the longest that one request may take where its caller names no deadline
    max_batch_streams : GradeBatch calls at a time
    stream_window : most items of one stream that are read and not answered yet
    room : requests that are here at a time
    stream_idle_s : a stream over which nothing goes for so long is ended
    kept_media_bytes : media of puzzles that are kept for clients that ask for it
    """

    max_message_bytes: int
    request_timeout_s: float
    max_batch_streams: int
    stream_window: int
    room: int
    stream_idle_s: float
    kept_media_bytes: int

    @classmethod
    def of(cls, settings: ServerSettings) -> ServiceLimits:
        """Those that settings say."""
        return cls(
            max_message_bytes=settings.max_message_bytes,
            request_timeout_s=settings.request_timeout_s,
            max_batch_streams=settings.max_batch_streams,
            stream_window=2 * settings.workers + 2,
            room=settings.workers + settings.queue_size,
            stream_idle_s=settings.stream_idle_s,
            kept_media_bytes=settings.kept_media_bytes,
        )


class GraderService:
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
    callers : Callers, optional
        Who may call; by default anybody.
    watchers : sequence of NotesCalls
        Are told of each request that was answered.
    """

    def __init__(
        self,
        executor: Executor,
        limits: ServiceLimits,
        catalogue: service_pb2.ListTasksResponse,
        measures: Measures | None = None,
        callers: Callers | None = None,
        watchers: Sequence[NotesCalls] = (),
    ) -> None:
        self.executor = executor
        self.limits = limits
        self.streams = Streams(limits.max_batch_streams, limits.stream_window, limits.room, limits.stream_idle_s)
        self.watchers = list(watchers)
        self._media = KeptMedia(limits.kept_media_bytes)
        self._catalogue, self._measures = catalogue, measures
        self._callers = callers or Callers()
        self._draining = threading.Event()
        self._changed = threading.Condition()
        self._active = 0

    def handlers(self) -> grpc.GenericRpcHandler:
        """The methods, for a server."""
        return grpc.method_handlers_generic_handler(
            SERVICE_NAME,
            {
                "Grade": grpc.unary_unary_rpc_method_handler(
                    self.grade, read_request, service_pb2.GradeResponse.SerializeToString
                ),
                "GradeBatch": grpc.stream_stream_rpc_method_handler(
                    self.grade_batch, read_item, service_pb2.GradeBatchResponse.SerializeToString
                ),
                "ListTasks": grpc.unary_unary_rpc_method_handler(
                    self.list_tasks, None, service_pb2.ListTasksResponse.SerializeToString
                ),
            },
        )

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
    def counted(self) -> Iterator[None]:
        """Within, a call is in progress."""
        with self._changed:
            self._active += 1
        try:
            yield
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def caller(self, rpc: str, context: grpc.ServicerContext, needed: TokenRole | None = None) -> Caller:
        """Who calls, with the id that the caller gave the call, which goes back; ends the call of one who may not."""
        trace_id = metadata_of(context, _TRACE_KEY)[:_MAX_TRACE_CHARS]
        if trace_id:
            context.send_initial_metadata(((_TRACE_KEY, trace_id),))
        parents = {key: said for key in TRACE_HEADERS if (said := metadata_of(context, key)[:_MAX_PARENT_CHARS])}
        try:
            found = replace(self._callers.caller(context), trace_id=trace_id, parents=parents)
        except TokenRefusedError:
            stranger = Caller(f"peer:{peer_name(context.peer())}", trace_id=trace_id, parents=parents)
            self.refuse(rpc, stranger, statuses.token_refused(), context)
            raise
        if needed is not None and needed not in found.roles:
            self.refuse(rpc, found, statuses.role_missing(needed.value), context)
        return found

    def refuse(self, rpc: str, caller: Caller, status: service_pb2.ItemStatus, context: grpc.ServicerContext) -> None:
        """Ends a call before anything of it was looked at."""
        self._note(rpc, caller, Received(None, b""), statuses.response("", status), 0.0)
        abort(context, status)

    def grade(self, received: Received, context: grpc.ServicerContext) -> service_pb2.GradeResponse:
        """Grades one candidate."""
        caller = self.caller("Grade", context, TokenRole.GRADE)
        with self.counted():
            answer = self.answer("Grade", received, context, caller)
            if answer.status.code:
                abort(context, answer.status)
            return service_pb2.GradeResponse(request_id=answer.request_id, verdict=answer.verdict)

    def answer(
        self, rpc: str, received: Received, context: grpc.ServicerContext, caller: Caller
    ) -> service_pb2.GradeBatchResponse:
        """Grades one candidate of a caller that may have that done; waits for it, and notes how it ended."""
        begun = time.monotonic()
        spent: list[StageTime] = []
        made = contained(lambda: self._grade(received, context, caller.client, spent), received.request_id)
        self._note(rpc, caller, received, made, time.monotonic() - begun, tuple(spent))
        return made

    def grade_batch(
        self, request_iterator: Iterator[Received], context: grpc.ServicerContext
    ) -> Iterator[service_pb2.GradeBatchResponse]:
        """Grades a stream; answers come as they are ready."""
        caller = self.caller("GradeBatch", context, TokenRole.GRADE)
        if self.draining:
            self.refuse("GradeBatch", caller, statuses.shutting_down(), context)
        note = functools.partial(self._note, "GradeBatch", caller)
        try:
            with self.streams.place(caller.client), self.counted():
                stream = BatchStream(self, request_iterator, context, caller.client, note)
                with self.streams.watched(stream):
                    yield from stream.answers()
        except TooManyStreamsError:
            refused = statuses.too_many_streams(self.limits.max_batch_streams, "GradeBatch")
            self.refuse("GradeBatch", caller, refused, context)

    def list_tasks(self, request: bytes, context: grpc.ServicerContext) -> service_pb2.ListTasksResponse:
        """Says what can be graded here."""
        del request
        caller = self.caller("ListTasks", context)
        answer = service_pb2.ListTasksResponse()
        answer.CopyFrom(self._catalogue)
        if TokenRole.CALIBRATE not in caller.roles:
            for profile in answer.profiles:
                profile.ClearField("calibration")
        if self._measures is not None:
            del answer.measures[:]
            answer.measures.extend(self._measures())
        return answer

    def checked(self, received: Received, client: str) -> Received | service_pb2.ItemStatus:
        """What is handed to a worker, with bytes in place of names; or why it is not even that."""
        if (size := len(received.payload)) > self.limits.max_message_bytes:
            return statuses.message_too_large(size, self.limits.max_message_bytes)
        if received.request is None:
            return statuses.undecodable(received.message)
        if self.draining:
            return statuses.shutting_down()
        changed, unknown = self._media.fill(received.request, client)
        if unknown:
            return statuses.media_unknown(unknown)
        if not changed:
            return received
        filled = Received(received.request, received.request.SerializeToString())
        if (size := len(filled.payload)) > self.limits.max_message_bytes:
            return statuses.message_too_large(size, self.limits.max_message_bytes)
        return filled

    def _grade(
        self, received: Received, context: grpc.ServicerContext, client: str, spent: list[StageTime]
    ) -> service_pb2.GradeBatchResponse:
        checked = self.checked(received, client)
        if isinstance(checked, service_pb2.ItemStatus):
            return statuses.response(received.request_id, checked)
        # A caller that names a deadline says how long it waits; how long grading may take, the executor looks after.
        left_s = context.time_remaining()
        limit_s = self.limits.request_timeout_s if left_s is None else min(left_s, _MAX_WAIT_S)
        try:
            answer = self.executor.submit(
                checked.payload, received.request_id, deadline=time.monotonic() + limit_s, client=client
            )
        except OverloadedError as error:
            return statuses.response(received.request_id, statuses.overloaded(error.waiting, error.again_s))
        except ClosedError:
            return statuses.response(received.request_id, statuses.shutting_down())
        if not context.add_callback(answer.cancel):  # the caller is gone already
            answer.cancel()
        try:
            made = answer.result(limit_s)
            spent += answer.stages
            return made
        except CancelledError:
            return statuses.response(received.request_id, statuses.cancelled())
        except TimeoutError:
            answer.cancel()
            return statuses.response(received.request_id, statuses.deadline_exceeded(self.limits.request_timeout_s))

    def _note(
        self,
        rpc: str,
        caller: Caller,
        received: Received,
        answer: service_pb2.GradeBatchResponse,
        seconds: float,
        stages: tuple[StageTime, ...] = (),
    ) -> None:
        call = Call(
            rpc,
            received.request_id,
            caller.trace_id,
            caller.client,
            received.task,
            seconds,
            len(received.payload),
            answer,
            stages,
            caller.parents,
        )
        self.note(call)

    def note(self, call: Call) -> None:
        """Tells the watchers of a call that has ended, of this service or of one beside it."""
        for watcher in self.watchers:
            watcher.note(call)
