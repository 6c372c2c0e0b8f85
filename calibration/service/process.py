"""The process of one Calibrate call, and the end of it that the server holds.

Resampling takes seconds of a whole core. Within the server's process it would hold up the answers of the workers; and
a process can be ended at any moment.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing.connection
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from grader.model.errors import InvalidRequestError
from grader.processes.child import ChildProcess, prepare_child
from grader.serving.work import contained
from grader.v1 import calibration_service_pb2 as messages
from grader.v1 import service_pb2
from grader.wire import statuses

_MESSAGE, _END = b"M", b"E"
_READY, _ANSWER, _STATUS = b"R", b"A", b"S"


_Ended = messages.CalibrateResponse | service_pb2.ItemStatus


@dataclass(frozen=True)
class StreamLimits:
    """How much one stream may bring: candidates, and labels of all of them."""

    candidates: int
    labels: int


class StreamWork:
    """What is done with the messages of one stream, one after another. Imports what works it out when it is made."""

    def __init__(self, limits: StreamLimits) -> None:
        from calibration.service.reading import StreamReader

        self._limits = limits
        self._reader = StreamReader()
        self._labels = 0

    def take(self, data: bytes) -> service_pb2.ItemStatus | None:
        """Takes a message; gives the status where it ends the call."""
        try:
            request = messages.CalibrateRequest.FromString(data)
        except DecodeError:
            return statuses.undecodable("CalibrateRequest")
        self._labels += len(request.candidate.labels)
        if request.HasField("candidate") and len(self._reader) >= self._limits.candidates:
            return statuses.stream_too_long(self._limits.candidates, "candidates")
        if self._labels > self._limits.labels:
            return statuses.stream_too_long(self._limits.labels, "labels")
        try:
            self._reader.take(request)
        except InvalidRequestError as error:
            return statuses.invalid_request(error)
        return None

    def end(self) -> _Ended:
        """The answer once all has come."""
        from calibration.service.answers import answer

        try:
            return answer(self._reader.read())
        except InvalidRequestError as error:
            return statuses.invalid_request(error)


def calibrate_main(pipes: list[multiprocessing.connection.Connection], limits: StreamLimits, log_level: str) -> None:
    """Runs in the process: takes messages, gives one answer, and ends."""
    (pipe,) = pipes
    prepare_child(log_level)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent closed the pipe
        pipe.send_bytes(_answered(pipe, limits))


def _step(work: StreamWork, said: bytes) -> _Ended | None:
    return work.take(said[1:]) if said[:1] == _MESSAGE else work.end()


def _answered(pipe: multiprocessing.connection.Connection, limits: StreamLimits) -> bytes:
    work = StreamWork(limits)
    pipe.send_bytes(_READY)
    ended: _Ended | service_pb2.GradeBatchResponse | None = None
    while ended is None:
        said = pipe.recv_bytes()
        ended = contained(functools.partial(_step, work, said), "")
    if isinstance(ended, messages.CalibrateResponse):
        return _ANSWER + bytes(ended.SerializeToString())
    status = ended.status if isinstance(ended, service_pb2.GradeBatchResponse) else ended
    return _STATUS + bytes(status.SerializeToString())


class CalibrationProcess:
    """One call's process. All but `kill` is called by one thread.

    Parameters
    ----------
    limits : StreamLimits
        What it takes.
    log_level : str
        Of its own log.
    """

    def __init__(self, limits: StreamLimits, log_level: str) -> None:
        self._child = ChildProcess(calibrate_main, (limits, log_level), "grader-calibration")
        (self._pipe,) = self._child.pipes

    def send(self, data: bytes | None) -> None:
        """Hands a message on; None says that there are no more. Nothing is said where the process has ended."""
        with contextlib.suppress(OSError):
            self._pipe.send_bytes(_END if data is None else _MESSAGE + data)

    def ready(self, wait_s: float) -> bool:
        """Whether it takes messages after so long at most; a process that has ended does too, for it tells so."""
        try:
            return self._pipe.poll(wait_s) and bool(self._pipe.recv_bytes())
        except (EOFError, OSError):
            return True

    def answer(self, wait_s: float) -> _Ended | None:
        """The answer, or None where it is not there after so long."""
        try:
            if not self._pipe.poll(wait_s):
                return None
            said = self._pipe.recv_bytes()
        except (EOFError, OSError):
            return statuses.worker_died()
        found: _Ended = messages.CalibrateResponse() if said[:1] == _ANSWER else service_pb2.ItemStatus()
        found.ParseFromString(said[1:])
        return found

    def kill(self) -> None:
        """Kills the process; whoever waits is told at once."""
        self._child.kill()

    def end(self) -> None:
        """Kills the process and frees what it held."""
        self._child.end()
