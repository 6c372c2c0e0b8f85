"""What calls end with that have no answer, and when they are tried again: the same for both clients."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from typing import Any

import grpc
from grpc_status import rpc_status

from grader.model.errors import FieldViolation, GraderError
from grader.v1 import service_pb2
from grader.wire import statuses


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


def call_error(error: grpc.RpcError, target: str) -> GraderCallError:
    """What a call to a target ended with, in this program's words."""
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


class Tries:
    """The tries of one call.

    Parameters
    ----------
    policy : RetryPolicy
        When to try again.
    timeout_s : float
        Longest time, all tries together.
    """

    def __init__(self, policy: RetryPolicy, timeout_s: float) -> None:
        self._policy = policy
        self._end = time.monotonic() + timeout_s
        self._tried = 0

    def left_s(self) -> float:
        """How long the next try may take."""
        return max(0.0, self._end - time.monotonic())

    def delay_s(self, error: GraderCallError) -> float:
        """How long to wait after a try that ended so; raises the error where it was the last."""
        self._tried += 1
        delay_s = self._policy.delay_s(self._tried, error.retry_delay_s or 0.0)
        if not error.retryable or self._tried >= self._policy.attempts or time.monotonic() + delay_s >= self._end:
            raise error
        return delay_s


def not_serving(target: str, timeout_s: float) -> GraderCallError:
    """A server that did not get ready in time."""
    text = f"the server at {target} did not say SERVING within {timeout_s:g} s"
    return GraderCallError(service_pb2.ItemStatus(code=grpc.StatusCode.UNAVAILABLE.value[0], message=text))
