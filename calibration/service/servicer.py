"""The gRPC face of calibration: hands a stream's messages to a process of its own, and gives what comes back."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import grpc

from calibration.service.process import CalibrationProcess, StreamLimits
from grader.processes.child import START_TIMEOUT_S
from grader.serving.access.tokens import TokenRole
from grader.serving.received import abort
from grader.serving.seen.calls import Call
from grader.serving.server import MakesService
from grader.serving.service import GraderService
from grader.serving.settings import ServerSettings
from grader.serving.streams import Streams, TooManyStreamsError
from grader.serving.work import contained
from grader.v1 import calibration_service_pb2 as messages
from grader.v1 import service_pb2
from grader.wire import statuses

_POLL_S = 0.25
"""How often it is looked whether a caller is gone or the server ends."""
_AHEAD = 16
"""Messages of a stream that are read ahead; flow control holds a fast caller up."""
_LABELS_EACH = 10
"""A stream may have so many labels a candidate, on the whole."""


def calibration_services(settings: ServerSettings) -> tuple[MakesService, ...]:
    """What makes the service, for a server; nothing where the settings want none."""
    return (CalibrationService,) if settings.max_calibrations else ()


class CalibrationService:
    """Implements ``grader.v1.CalibrationService``.

    Parameters
    ----------
    settings : ServerSettings
        What is taken.
    door : GraderService
        The service that it stands beside: who may call, whether anything new is taken, and who is told of calls.

    Attributes
    ----------
    name : its full name in the contract
    threads : how many of its calls may wait at a time
    """

    name: str = messages.DESCRIPTOR.services_by_name["CalibrationService"].full_name

    def __init__(self, settings: ServerSettings, door: GraderService) -> None:
        most = settings.max_calibrations
        self.threads = most + 1
        self._settings, self._door = settings, door
        self._places = Streams(most, 1, most + 1, settings.stream_idle_s)
        self._limits = StreamLimits(
            settings.calibration_max_candidates, _LABELS_EACH * settings.calibration_max_candidates
        )
        self._lock = threading.Lock()
        self._running: set[CalibrationProcess] = set()
        self._closed = threading.Event()

    def handlers(self) -> grpc.GenericRpcHandler:
        """The method, for a server."""
        return grpc.method_handlers_generic_handler(
            self.name,
            {
                "Calibrate": grpc.stream_unary_rpc_method_handler(
                    self.calibrate, None, messages.CalibrateResponse.SerializeToString
                )
            },
        )

    def close(self) -> None:
        """Ends what is being worked out."""
        self._closed.set()
        with self._lock:
            for one in self._running:
                one.kill()

    def calibrate(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> messages.CalibrateResponse:
        """Takes a stream, and answers once it has ended."""
        caller = self._door.caller("Calibrate", context, TokenRole.CALIBRATE)
        if self._door.draining:
            self._door.refuse("Calibrate", caller, statuses.shutting_down(), context)
        begun, taken = time.monotonic(), _Taken(requests)
        try:
            with self._places.place(caller.client), self._door.counted():
                ended = contained(lambda: self._calibrated(taken, context), "")
        except TooManyStreamsError:
            refused = statuses.too_many_streams(self._settings.max_calibrations, "Calibrate")
            self._door.refuse("Calibrate", caller, refused, context)
            raise
        status = ended if isinstance(ended, service_pb2.ItemStatus) else service_pb2.ItemStatus()
        if isinstance(ended, service_pb2.GradeBatchResponse):
            status = ended.status
        seconds, answer = time.monotonic() - begun, statuses.response("", status)
        call = Call("Calibrate", "", caller.trace_id, caller.client, "", seconds, taken.size_bytes, answer)
        self._door.note(replace(call, parents=caller.parents))
        if not isinstance(ended, messages.CalibrateResponse):
            abort(context, status)
        return ended

    def _calibrated(
        self, taken: _Taken, context: grpc.ServicerContext
    ) -> messages.CalibrateResponse | service_pb2.ItemStatus:
        with self._process() as process:
            gone = threading.Event()

            def leave() -> None:
                gone.set()
                process.kill()

            if not context.add_callback(leave):
                return statuses.cancelled()
            try:
                return self._passed_on(taken, process, gone)
            finally:
                taken.stop()

    def _passed_on(
        self, taken: _Taken, process: CalibrationProcess, gone: threading.Event
    ) -> messages.CalibrateResponse | service_pb2.ItemStatus:
        """Hands messages on as they come, until there is an answer; a wrong message has one before the last."""
        limits, begun = self._settings, time.monotonic()
        end_at: float | None = None
        while not process.ready(_POLL_S):
            if (status := self._given_up(gone)) is not None:
                return status
            if time.monotonic() - begun > START_TIMEOUT_S:
                return statuses.worker_died()
        while True:
            data = taken.next(_POLL_S) if end_at is None else None
            if isinstance(data, bytes):
                if len(data) > limits.max_message_bytes:
                    return statuses.message_too_large(len(data), limits.max_message_bytes)
                process.send(data)
            elif data is _END:
                end_at = time.monotonic() + limits.calibration_timeout_s
                process.send(None)
            answer = process.answer(0.0 if end_at is None else _POLL_S)
            if (status := self._given_up(gone)) is not None:
                return status
            if answer is not None:
                return answer
            if end_at is None and taken.idle_s > limits.stream_idle_s:
                return statuses.stream_idle(limits.stream_idle_s)
            if end_at is not None and time.monotonic() > end_at:
                return statuses.deadline_exceeded(limits.calibration_timeout_s)

    def _given_up(self, gone: threading.Event) -> service_pb2.ItemStatus | None:
        """Why nobody waits for the answer any more; None as long as somebody does."""
        if gone.is_set():
            return statuses.cancelled()
        return statuses.shutting_down() if self._closed.is_set() else None

    @contextlib.contextmanager
    def _process(self) -> Iterator[CalibrationProcess]:
        process = CalibrationProcess(self._limits, self._settings.log_level)
        with self._lock:
            self._running.add(process)
        try:
            yield process
        finally:
            with self._lock:
                self._running.discard(process)
            process.end()


class _End:
    """Says that a stream has no more messages."""


_END = _End()


class _Taken:
    """The messages of a stream, read ahead by a thread, so that who waits for the next can look at the clock.

    Attributes
    ----------
    size_bytes : of what was taken
    idle_s : for how long it was waited for the next in vain
    """

    def __init__(self, requests: Iterator[bytes]) -> None:
        self.size_bytes = 0
        self._requests = requests
        self._ahead: queue.Queue[bytes | _End] = queue.Queue(_AHEAD)
        self._stopped = threading.Event()
        self.idle_s = 0.0
        threading.Thread(target=self._read, name="grader-calibration-reader", daemon=True).start()

    def next(self, wait_s: float) -> bytes | _End | None:
        """The next message, or that there is none; None where it has not come yet."""
        try:
            found = self._ahead.get(timeout=wait_s)
        except queue.Empty:
            self.idle_s += wait_s
            return None
        self.idle_s = 0.0
        if isinstance(found, bytes):
            self.size_bytes += len(found)
        return found

    def stop(self) -> None:
        """Reads no more."""
        self._stopped.set()

    def _read(self) -> None:
        with contextlib.suppress(grpc.RpcError):  # how gRPC says to this iterator that the caller is gone
            for data in self._requests:
                if not self._put(data):
                    return
            self._put(_END)

    def _put(self, data: bytes | _End) -> bool:
        while not self._stopped.is_set():
            with contextlib.suppress(queue.Full):
                self._ahead.put(data, timeout=_POLL_S)
                return True
        return False
