"""A client for the grading service within an event loop: the same calls, errors and tries as `GraderClient`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Any, Self, TypeVar

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
from grader.v1 import calibration_service_pb2, calibration_service_pb2_grpc, service_pb2, service_pb2_grpc
from grader.wire import statuses
from grader.wire.media import SentMedia

T = TypeVar("T")
Requests = Iterable[service_pb2.GradeRequest] | AsyncIterable[service_pb2.GradeRequest]


class AsyncGraderClient:
    """Talks to one server from one event loop. Use it in an ``async with`` block, or call `close`.

    Any number of tasks may use it at once. Parameters are those of `GraderClient`.

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
        Whether to send the media of a puzzle once and name them by their digest afterwards.
    token : str, optional
        A token, for a server that asks for one.

    Examples
    --------
    >>> async with AsyncGraderClient("127.0.0.1:50051") as client:  # doctest: +SKIP
    ...     answers = await asyncio.gather(*map(client.grade, requests))
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
        self._target, self._credentials = target, credentials
        self._timeout_s = timeout_s
        self._max_message_bytes = max_message_bytes
        self._retry = retry or RetryPolicy()
        self._metadata = metadata_of(token)
        self._send_once = send_once
        self._sent: SentMedia | None = None
        self._channel: Any = None
        self._stub: Any = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends every call and closes the connection."""
        if self._channel is not None:
            await self._channel.close()

    def _connect(self) -> Any:
        """The calls; the connection belongs to the loop that runs when it is first needed."""
        if self._stub is None:
            if self._credentials is None:
                self._channel = grpc.aio.insecure_channel(self._target, channel_options())
            else:
                self._channel = grpc.aio.secure_channel(self._target, self._credentials, channel_options())
            self._stub = service_pb2_grpc.GraderServiceStub(self._channel)  # type: ignore[no-untyped-call]
        return self._stub

    async def wait_ready(self, timeout_s: float = 30.0) -> None:
        """Waits until the server says that it is SERVING.

        Raises
        ------
        GraderCallError
            UNAVAILABLE, if that does not come true in time.
        """
        self._connect()
        health = health_pb2_grpc.HealthStub(self._channel)
        end = time.monotonic() + timeout_s
        while (left_s := end - time.monotonic()) > 0:
            with contextlib.suppress(grpc.RpcError):
                asked = health_pb2.HealthCheckRequest(service=SERVICE)
                answer = await health.Check(asked, timeout=left_s, wait_for_ready=True)
                if answer.status == health_pb2.HealthCheckResponse.SERVING:
                    return
            await asyncio.sleep(min(0.05, max(0.0, left_s)))
        raise not_serving(self._target, timeout_s)

    async def grade(self, request: service_pb2.GradeRequest) -> service_pb2.GradeResponse:
        """Grades one candidate.

        Raises
        ------
        GraderCallError
            If there is no verdict.
        """
        refusal = await self._too_large(request)
        if refusal is not None:
            raise GraderCallError(refusal)
        answer: service_pb2.GradeResponse
        try:
            answer = await self._tried(self._connect().Grade, await self._named(request))
        except GraderCallError as error:
            if error.reason != MEDIA_UNKNOWN:
                raise
            answer = await self._tried(self._connect().Grade, await self._named(request, anew=True))
        return answer

    async def list_tasks(self) -> service_pb2.ListTasksResponse:
        """Asks what the server can grade, and its limits."""
        answer: service_pb2.ListTasksResponse = await self._tried(
            self._connect().ListTasks, service_pb2.ListTasksRequest()
        )
        return answer

    async def grade_batch(self, requests: Requests) -> AsyncGenerator[service_pb2.GradeBatchResponse, None]:
        """Grades many over one stream; an item that has no verdict has a status that says why.

        ``requests`` are read only as fast as the server takes them, and answers only as fast as they are asked for
        here. They come as they are ready, in any order. Nothing is tried again but items whose media the server has
        lost. Whoever leaves the loop early closes the iterator (``contextlib.aclosing``), which ends the stream.

        Raises
        ------
        GraderCallError
            If the stream itself ends early.
        Exception
            Whatever ``requests`` raises, after the answers that came before it.
        """
        items = NamedItems()

        async def named() -> AsyncIterator[service_pb2.GradeRequest]:
            async for request in _each(requests):
                made = await self._named(request)
                items.sent(request, made)
                yield made

        async with contextlib.aclosing(self._batch(named())) as answers:
            async for answer in answers:
                if not items.is_lost(answer):
                    yield answer
        if items.lost:
            again = [await self._named(request, anew=True) for request in items.lost]
            async with contextlib.aclosing(self._batch(_each(again))) as answers:
                async for answer in answers:
                    yield answer

    async def _batch(
        self, requests: AsyncIterator[service_pb2.GradeRequest]
    ) -> AsyncGenerator[service_pb2.GradeBatchResponse, None]:
        refused: deque[service_pb2.GradeBatchResponse] = deque()
        call = self._connect().GradeBatch(metadata=self._metadata)

        async def send() -> None:
            try:
                async for request in requests:
                    refusal = await self._too_large(request)
                    if refusal is None:
                        await call.write(service_pb2.GradeBatchRequest(request=request))
                    else:
                        refused.append(statuses.response(request.request_id, refusal))
            finally:
                with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):  # the call has ended: see below
                    await call.done_writing()

        sender = asyncio.create_task(send())
        try:
            while (answer := await call.read()) is not grpc.aio.EOF:
                yield answer
                while refused:
                    yield refused.popleft()
            if sender.done() or await call.code() is grpc.StatusCode.OK:
                await sender
        except grpc.RpcError as error:
            raise call_error(error, self._target) from error
        finally:
            call.cancel()
            sender.cancel()
            await asyncio.wait((sender,))
            if not sender.cancelled():
                sender.exception()  # what it failed on was raised above, or is that the call has ended
        while refused:
            yield refused.popleft()

    async def calibrate(
        self,
        candidates: Iterable[calibration_service_pb2.LabelledVerdict]
        | AsyncIterable[calibration_service_pb2.LabelledVerdict],
        options: calibration_service_pb2.CalibrateOptions | None = None,
        timeout_s: float | None = None,
    ) -> calibration_service_pb2.CalibrateResponse:
        """Compares verdicts with what people say of them; see `GraderClient.calibrate`.

        Raises
        ------
        GraderCallError
            If there is no answer. Nothing is tried again.
        Exception
            Whatever ``candidates`` raises.
        """
        self._connect()
        stub = calibration_service_pb2_grpc.CalibrationServiceStub(self._channel)  # type: ignore[no-untyped-call]
        call = stub.Calibrate(timeout=timeout_s, metadata=self._metadata)
        try:
            with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):  # the call has ended: it says why below
                if options is not None:
                    await call.write(calibration_service_pb2.CalibrateRequest(options=options))
                async for one in _each(candidates):
                    await call.write(calibration_service_pb2.CalibrateRequest(candidate=one))
                await call.done_writing()
            answer: calibration_service_pb2.CalibrateResponse = await call
        except grpc.RpcError as error:
            raise call_error(error, self._target) from error
        finally:
            call.cancel()
        return answer

    async def _named(self, request: service_pb2.GradeRequest, *, anew: bool = False) -> service_pb2.GradeRequest:
        """The request with names in place of media that the server has, if this is done."""
        if not self._send_once:
            return request
        if self._sent is None:
            kept = (await self.list_tasks()).limits.kept_media_bytes
            self._sent = self._sent or SentMedia(bool(kept))  # another task may have asked meanwhile
        return self._sent.whole(request) if anew else self._sent.named(request)

    async def _too_large(self, request: service_pb2.GradeRequest) -> service_pb2.ItemStatus | None:
        """What the server would answer to a request over its limit."""
        size = request.ByteSize()
        if self._max_message_bytes is None:
            if size <= SURELY_SMALL_BYTES:
                return None
            self._max_message_bytes = int((await self.list_tasks()).limits.max_message_bytes)
        return statuses.message_too_large(size, self._max_message_bytes) if size > self._max_message_bytes else None

    async def _tried(self, method: Callable[..., Any], request: object) -> Any:
        tries = Tries(self._retry, self._timeout_s)
        while True:
            try:
                return await method(request, timeout=tries.left_s(), metadata=self._metadata)
            except grpc.RpcError as rpc_error:
                delay_s = tries.delay_s(call_error(rpc_error, self._target))
            await asyncio.sleep(delay_s)


async def _each(requests: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(requests, AsyncIterable):
        async for request in requests:
            yield request
    else:
        for request in requests:
            yield request
