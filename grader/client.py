"""A client for the grading service: typed errors, back-off, and messages as large as the server takes."""

from __future__ import annotations

import contextlib
import random
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from grader.model.errors import FieldViolation, GraderError
from grader.v1 import service_pb2, service_pb2_grpc
from grader.wire import statuses
from grader.wire.media import SentMedia

_SURELY_SMALL_BYTES = 1024 * 1024
"""A request up to this size is sent without asking the server for its limit; no server is set lower in earnest."""
_KEEPALIVE_MS = 30_000
_MEDIA_UNKNOWN = statuses.StatusReason.MEDIA_UNKNOWN.value
_SERVICE = service_pb2.DESCRIPTOR.services_by_name["GraderService"].full_name


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how patiently UNAVAILABLE and OVERLOADED are tried again.

    Attributes
    ----------
    attempts : tries in all
    first_delay_s : longest wait before the second try; it doubles with each
    max_delay_s : the longest wait
    """

    attempts: int = 5
    first_delay_s: float = 0.2
    max_delay_s: float = 5.0

    def delay_s(self, tried: int, asked_s: float) -> float:
        """How long to wait after ``tried`` tries, at least as long as the server asked for.

        The wait is random, so that many clients that failed together do not come back together.
        """
        longest = min(self.max_delay_s, self.first_delay_s * 2.0 ** (tried - 1))
        return min(self.max_delay_s, asked_s) + random.uniform(0.0, longest)

    def wait(self, tried: int) -> None:
        """Waits as long as is due after ``tried`` tries."""
        time.sleep(self.delay_s(tried, 0.0))


class GraderCallError(GraderError):
    """A call that ended without an answer.

    Attributes
    ----------
    code : grpc.StatusCode
    reason : str
        Stable, such as INVALID_FIELD, MESSAGE_TOO_LARGE or WORKER_DIED; empty where the fault is gRPC's own.
    message : str
    violations : tuple of FieldViolation
        The wrong fields, for INVALID_ARGUMENT.
    retry_delay_s : float or None
        How long the server asks to wait; ``None`` where it says nothing.
    transient : bool
        Whether the same call may well succeed later.
    """

    def __init__(self, status: service_pb2.ItemStatus) -> None:
        self.code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
        self.reason: str = status.reason
        self.message: str = status.message
        self.violations = tuple(
            FieldViolation(wrong.field, wrong.reason, wrong.description) for wrong in status.field_violations
        )
        self.retry_delay_s = (
            status.retry_delay.ToTimedelta().total_seconds() if status.HasField("retry_delay") else None
        )
        self.transient = statuses.is_transient(status)
        super().__init__(f"{self.code.name}{f' ({self.reason})' if self.reason else ''}: {self.message}")

    @property
    def retryable(self) -> bool:
        """Whether the client itself tries again: UNAVAILABLE and OVERLOADED, and nothing else."""
        overloaded = self.reason == statuses.StatusReason.OVERLOADED.value
        return bool(self.code is grpc.StatusCode.UNAVAILABLE or overloaded)


class ServerUnreachableError(GraderCallError):
    """There is no server at the address, or no way to it; the message says what may be wrong. It is transient.

    Attributes
    ----------
    details : str
        What gRPC says of it.
    """

    def __init__(self, target: str, details: str) -> None:
        message = _why_unreachable(target, details)
        super().__init__(service_pb2.ItemStatus(code=grpc.StatusCode.UNAVAILABLE.value[0], message=message))
        self.details = details

    def __str__(self) -> str:
        return self.message


_NO_ADDRESS = re.compile(r"resolution|getaddrinfo|domain name|name or service", re.IGNORECASE)
_TLS = re.compile(r"handshake|ssl|certificate|peer name", re.IGNORECASE)
_BROKEN = re.compile(r"socket closed|reset by peer|goaway|broken pipe|endpoint", re.IGNORECASE)


def _why_unreachable(target: str, details: str) -> str:
    """One sentence of what gRPC says of a connection, for which it has no codes."""
    if _NO_ADDRESS.search(details):
        return f"no server answers at {target}: there is no machine of that name"
    if _TLS.search(details):
        return (
            f"the server at {target} and this client don't agree on TLS: does it serve with TLS, and is its "
            "certificate one of the CA given here?"
        )
    if _BROKEN.search(details):
        return f"the server at {target} ended the connection; is `grader serve` still running, and does it want TLS?"
    return f"no server answers at {target}; is `grader serve` running?"


_CODES = {code.value[0]: code for code in grpc.StatusCode}


def _call_error(error: grpc.RpcError, target: str) -> GraderCallError:
    call: Any = error  # what gRPC raises from a call is also the call
    status = rpc_status.from_call(call)
    if status is not None:
        return GraderCallError(statuses.from_rpc_status(status))
    if call.code() is grpc.StatusCode.UNAVAILABLE:
        return ServerUnreachableError(target, call.details() or "")
    if call.code() is grpc.StatusCode.UNIMPLEMENTED:
        text = f"what answers at {target} is no grader, or one of another version: {call.details()}"
        return GraderCallError(service_pb2.ItemStatus(code=call.code().value[0], message=text))
    return GraderCallError(service_pb2.ItemStatus(code=call.code().value[0], message=call.details() or ""))


class GraderClient:
    """Talks to one server. Use it in a ``with`` block, or call `close`.

    Parameters
    ----------
    target : str
        ``host:port``.
    timeout_s : float, optional
        Longest time for one `grade` or `list_tasks`, all tries together.
    max_message_bytes : int, optional
        Largest request to send. By default the server is asked for its limit when the first large request comes.
    credentials : grpc.ChannelCredentials, optional
        For TLS; plain text without.
    retry : RetryPolicy, optional
        When to try again.
    send_once : bool, optional
        Whether to send the media of a puzzle once and name them by their digest afterwards, where the server keeps
        them. What it has lost is sent again.
    token : str, optional
        A token, for a server that asks for one.

    Examples
    --------
    >>> with GraderClient("127.0.0.1:50051") as client:  # doctest: +SKIP
    ...     client.grade(request).verdict.outcome
    """

    def __init__(
        self,
        target: str,
        *,
        timeout_s: float = 60.0,
        max_message_bytes: int | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        retry: RetryPolicy | None = None,
        send_once: bool = False,
        token: str = "",
    ) -> None:
        options = [
            ("grpc.max_send_message_length", -1),
            ("grpc.max_receive_message_length", -1),
            ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
        ]
        if credentials is None:
            self._channel = grpc.insecure_channel(target, options)
        else:
            self._channel = grpc.secure_channel(target, credentials, options)
        self._target = target
        self._stub = service_pb2_grpc.GraderServiceStub(self._channel)  # type: ignore[no-untyped-call]
        self._timeout_s = timeout_s
        self._max_message_bytes = max_message_bytes
        self._retry = retry or RetryPolicy()
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._send_once = send_once
        self._sent: SentMedia | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends every call and closes the connection."""
        self._channel.close()

    def wait_ready(self, timeout_s: float = 30.0) -> None:
        """Waits until the server says that it is SERVING.

        Raises
        ------
        GraderCallError
            UNAVAILABLE, if that does not come true in time.
        """
        health = health_pb2_grpc.HealthStub(self._channel)
        end = time.monotonic() + timeout_s
        while (left_s := end - time.monotonic()) > 0:
            with contextlib.suppress(grpc.RpcError):
                asked = health_pb2.HealthCheckRequest(service=_SERVICE)
                answer = health.Check(asked, timeout=left_s, wait_for_ready=True)
                if answer.status == health_pb2.HealthCheckResponse.SERVING:
                    return
            time.sleep(min(0.05, max(0.0, left_s)))
        text = f"the server at {self._target} did not say SERVING within {timeout_s:g} s"
        raise GraderCallError(service_pb2.ItemStatus(code=grpc.StatusCode.UNAVAILABLE.value[0], message=text))

    def grade(self, request: service_pb2.GradeRequest) -> service_pb2.GradeResponse:
        """Grades one candidate.

        Raises
        ------
        GraderCallError
            If there is no verdict.
        """
        refusal = self._too_large(request)
        if refusal is not None:
            raise GraderCallError(refusal)
        answer: service_pb2.GradeResponse
        try:
            answer = self._tried(self._stub.Grade, self._named(request))
        except GraderCallError as error:
            if error.reason != _MEDIA_UNKNOWN:
                raise
            answer = self._tried(self._stub.Grade, self._named(request, anew=True))
        return answer

    def _named(self, request: service_pb2.GradeRequest, *, anew: bool = False) -> service_pb2.GradeRequest:
        """The request with names in place of media that the server has, if this is done."""
        if not self._send_once:
            return request
        if self._sent is None:
            self._sent = SentMedia(bool(self.list_tasks().limits.kept_media_bytes))
        return self._sent.whole(request) if anew else self._sent.named(request)

    def list_tasks(self) -> service_pb2.ListTasksResponse:
        """Asks what the server can grade, and its limits."""
        answer: service_pb2.ListTasksResponse = self._tried(self._stub.ListTasks, service_pb2.ListTasksRequest())
        return answer

    def grade_batch(self, requests: Iterable[service_pb2.GradeRequest]) -> Iterator[service_pb2.GradeBatchResponse]:
        """Grades many over one stream; an item that has no verdict has a status that says why.

        Requests are read only as fast as the server takes them. Answers come as they are ready, in any order. Nothing
        is tried again but items whose media the server has lost: an item that was not answered, or whose status is
        transient, can be sent again.

        Raises
        ------
        GraderCallError
            If the stream itself ends early.
        GraderError
            Whatever error of this program ``requests`` raises, after the answers that came before it.
        """
        if not self._send_once:
            yield from self._batch(requests)
            return
        # Those that were sent with names, until they are answered.
        waiting: dict[str, service_pb2.GradeRequest] = {}
        again: list[service_pb2.GradeRequest] = []

        def named() -> Iterator[service_pb2.GradeRequest]:
            for request in requests:
                made = self._named(request)
                if made is not request:
                    waiting[request.request_id] = request
                yield made

        for answer in self._batch(named()):
            request = waiting.pop(answer.request_id, None)
            if answer.status.reason == _MEDIA_UNKNOWN and request is not None:
                again.append(request)
            else:
                yield answer
        yield from self._batch(self._named(request, anew=True) for request in again)

    def _batch(self, requests: Iterable[service_pb2.GradeRequest]) -> Iterator[service_pb2.GradeBatchResponse]:
        refused: deque[service_pb2.GradeBatchResponse] = deque()
        failed: list[GraderError] = []

        def items() -> Iterator[service_pb2.GradeBatchRequest]:
            # Runs in a thread of gRPC, which would turn an exception into a bare CANCELLED.
            try:
                for request in requests:
                    refusal = self._too_large(request)
                    if refusal is None:
                        yield service_pb2.GradeBatchRequest(request=request)
                    else:
                        refused.append(statuses.response(request.request_id, refusal))
            except GraderError as error:
                failed.append(error)

        call = self._stub.GradeBatch(items(), metadata=self._metadata)
        try:
            for answer in call:
                yield answer
                while refused:
                    yield refused.popleft()
        except grpc.RpcError as error:
            raise _call_error(error, self._target) from error
        finally:
            call.cancel()
        yield from refused
        if failed:
            raise failed[0]

    def _too_large(self, request: service_pb2.GradeRequest) -> service_pb2.ItemStatus | None:
        """What the server would answer to a request over its limit; beyond twice the limit it can't say so itself."""
        size = request.ByteSize()
        if self._max_message_bytes is None:
            if size <= _SURELY_SMALL_BYTES:
                return None
            self._max_message_bytes = int(self.list_tasks().limits.max_message_bytes)
        return statuses.message_too_large(size, self._max_message_bytes) if size > self._max_message_bytes else None

    def _tried(self, method: Callable[..., Any], request: object) -> Any:
        end = time.monotonic() + self._timeout_s
        tried = 0
        while True:
            tried += 1
            try:
                return method(request, timeout=max(0.0, end - time.monotonic()), metadata=self._metadata)
            except grpc.RpcError as rpc_error:
                error = _call_error(rpc_error, self._target)
                delay_s = self._retry.delay_s(tried, error.retry_delay_s or 0.0)
                if not error.retryable or tried >= self._retry.attempts or time.monotonic() + delay_s >= end:
                    raise error from rpc_error
            time.sleep(delay_s)
