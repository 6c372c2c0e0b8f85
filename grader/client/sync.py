"""A client for the grading service that waits for its answers."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from grader.client.errors import GraderCallError, RetryPolicy, Tries, call_error, not_serving
from grader.client.sending import (
    MEDIA_UNKNOWN,
    SERVICE,
    SURELY_SMALL_BYTES,
    NamedItems,
    channel_options,
    metadata_of,
)
from grader.model.errors import GraderError
from grader.v1 import calibration_service_pb2, calibration_service_pb2_grpc, service_pb2, service_pb2_grpc
from grader.wire import statuses
from grader.wire.media import SentMedia


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
        options = channel_options()
        if credentials is None:
            self._channel = grpc.insecure_channel(target, options)
        else:
            self._channel = grpc.secure_channel(target, credentials, options)
        self._target = target
        self._stub = service_pb2_grpc.GraderServiceStub(self._channel)  # type: ignore[no-untyped-call]
        self._timeout_s = timeout_s
        self._max_message_bytes = max_message_bytes
        self._retry = retry or RetryPolicy()
        self._metadata = metadata_of(token)
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
                asked = health_pb2.HealthCheckRequest(service=SERVICE)
                answer = health.Check(asked, timeout=left_s, wait_for_ready=True)
                if answer.status == health_pb2.HealthCheckResponse.SERVING:
                    return
            time.sleep(min(0.05, max(0.0, left_s)))
        raise not_serving(self._target, timeout_s)

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
            if error.reason != MEDIA_UNKNOWN:
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
        items = NamedItems()

        def named() -> Iterator[service_pb2.GradeRequest]:
            for request in requests:
                made = self._named(request)
                items.sent(request, made)
                yield made

        for answer in self._batch(named()):
            if not items.is_lost(answer):
                yield answer
        yield from self._batch(self._named(request, anew=True) for request in items.lost)

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
            raise call_error(error, self._target) from error
        finally:
            call.cancel()
        yield from refused
        if failed:
            raise failed[0]

    def calibrate(
        self,
        candidates: Iterable[calibration_service_pb2.LabelledVerdict],
        options: calibration_service_pb2.CalibrateOptions | None = None,
        timeout_s: float | None = None,
    ) -> calibration_service_pb2.CalibrateResponse:
        """Compares verdicts with what people say of them, and fits probabilities and thresholds to them.

        Parameters
        ----------
        candidates : iterable of LabelledVerdict
            Candidates with their verdicts and labels. They are read only as fast as the server takes them.
        options : CalibrateOptions, optional
            How it is done.
        timeout_s : float, optional
            How long to wait; as long as the server works, if not said.

        Raises
        ------
        GraderCallError
            If there is no answer. Nothing is tried again.
        GraderError
            Whatever error of this program ``candidates`` raises.
        """
        failed: list[GraderError] = []
        begun = threading.Event()

        def items() -> Iterator[calibration_service_pb2.CalibrateRequest]:
            # Runs in a thread of gRPC, as those of a batch do.
            try:
                if options is not None:
                    yield calibration_service_pb2.CalibrateRequest(options=options)
                for one in candidates:
                    yield calibration_service_pb2.CalibrateRequest(candidate=one)
            except GraderError as error:
                failed.append(error)
                begun.wait()
                call.cancel()

        stub = calibration_service_pb2_grpc.CalibrationServiceStub(self._channel)  # type: ignore[no-untyped-call]
        call = stub.Calibrate.future(items(), timeout=timeout_s, metadata=self._metadata)
        begun.set()
        try:
            answer: calibration_service_pb2.CalibrateResponse = call.result()
        except grpc.FutureCancelledError:
            raise failed[0] from None
        except grpc.RpcError as error:
            raise call_error(error, self._target) from error
        return answer

    def _too_large(self, request: service_pb2.GradeRequest) -> service_pb2.ItemStatus | None:
        """What the server would answer to a request over its limit; beyond twice the limit it can't say so itself."""
        size = request.ByteSize()
        if self._max_message_bytes is None:
            if size <= SURELY_SMALL_BYTES:
                return None
            self._max_message_bytes = int(self.list_tasks().limits.max_message_bytes)
        return statuses.message_too_large(size, self._max_message_bytes) if size > self._max_message_bytes else None

    def _tried(self, method: Callable[..., Any], request: object) -> Any:
        tries = Tries(self._retry, self._timeout_s)
        while True:
            try:
                return method(request, timeout=tries.left_s(), metadata=self._metadata)
            except grpc.RpcError as rpc_error:
                delay_s = tries.delay_s(call_error(rpc_error, self._target))
            time.sleep(delay_s)
