"""What became of each request: a line in the log, and numbers for metrics."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from google.rpc import code_pb2

from grader.processes.logs import facts
from grader.processes.stages import Stage, StageTime
from grader.v1 import service_pb2, verdict_pb2

logger = logging.getLogger("grader.access")

TRACE_HEADERS = ("traceparent", "tracestate")
"""Metadata by which a caller says which trace a call belongs to, as the W3C names them."""
_MAX_ID_CHARS = 128
CALLERS_OWN = frozenset({code_pb2.OK, code_pb2.INVALID_ARGUMENT, code_pb2.CANCELLED})
"""Ends that are no fault of the service; of these alone a sample is logged."""


@dataclass(frozen=True)
class Call:
    """A request that was answered, as one of its own or an item of a stream.

    Attributes
    ----------
    rpc : Grade, GradeBatch or Calibrate
    request_id : the request's
    trace_id : what the caller sent as x-request-id; empty where nothing
    client : who called
    task : name of the task; empty where none was set
    seconds : from when it was read until its answer was there
    size_bytes : of the request
    answer : its verdict or status
    stages : what it went through
    parents : the caller's headers of a trace, by their names; see `TRACE_HEADERS`
    """

    rpc: str
    request_id: str
    trace_id: str
    client: str
    task: str
    seconds: float
    size_bytes: int
    answer: service_pb2.GradeBatchResponse
    stages: tuple[StageTime, ...] = ()
    parents: Mapping[str, str] = field(default_factory=dict)

    @property
    def stage_seconds(self) -> dict[Stage, float]:
        """What it took of each stage, all times of it together."""
        spent: dict[Stage, float] = {}
        for one in self.stages:
            spent[one.stage] = spent.get(one.stage, 0.0) + one.seconds
        return spent

    @property
    def end(self) -> str:
        """The outcome of its verdict, or the reason of its status; OK where it has neither."""
        status = self.answer.status
        if status.code:
            return str(status.reason or code_pb2.Code.Name(status.code))
        if not self.answer.verdict.outcome:
            return "OK"
        name: str = verdict_pb2.Outcome.Name(self.answer.verdict.outcome)
        return name.removeprefix("OUTCOME_")

    @property
    def reason(self) -> str:
        """The gravest reason of its verdict; empty where there is none."""
        reasons = self.answer.verdict.reasons
        return str(reasons[0].code) if reasons else ""


class NotesCalls(Protocol):
    """Takes note of calls; it is called by many threads."""

    def note(self, call: Call) -> None:
        """Notes a call that has ended."""


class AccessLog:
    """Logs a line a request.

    Parameters
    ----------
    share : float
        Of requests that the service did its part on, the share that is logged; the others are logged all. 0 for none.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._lock = threading.Lock()
        self._due = 1.0 - share

    def note(self, call: Call) -> None:
        """Logs the call, where it is its turn."""
        if not self._share or not self._is_due(call.answer.status.code):
            return
        more = {"reason": call.reason} if call.reason else {}
        named = {"trace_id": call.trace_id} if call.trace_id else {}
        said = facts(
            request_id=call.request_id[:_MAX_ID_CHARS],
            **named,
            client=call.client,
            rpc=call.rpc,
            task=call.task,
            end=call.end,
            **more,
            seconds=round(call.seconds, 4),
            size_bytes=call.size_bytes,
        )
        logger.info("graded", extra=said)

    def _is_due(self, code: int) -> bool:
        if code not in CALLERS_OWN:
            return True
        with self._lock:
            self._due += self._share
            if self._due < 1.0:
                return False
            self._due -= 1.0
            return True
