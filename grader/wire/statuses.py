"""How grading an item ended when there is no verdict: the one list of faults, in both forms of the contract.

An item of a batch carries an ``ItemStatus``; a call of its own ends with a ``google.rpc.Status`` that has the same
facts in its details. Which faults are worth another try is said here and nowhere else.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2

from grader.model.errors import (
    BoxDetectorError,
    FieldViolation,
    InvalidRequestError,
    LpipsFailedError,
    MeasureUnavailableError,
)
from grader.v1 import service_pb2

DOMAIN = "grader"
MAX_DETAILS_BYTES = 3 * 1024
"""Larger trailers surface at the caller as RESOURCE_EXHAUSTED without any detail."""
_MAX_TEXT_CHARS = 500
MAX_VIOLATIONS = 64
"""An item's status names as many wrong fields; the last entry then says how many more there are."""
_MAX_ID_CHARS = 512
_RETRY_DELAY_S = 1
_MAX_RETRY_DELAY_S = 60.0


class StatusReason(enum.Enum):
    """Stable reasons of a status that is not OK."""

    INVALID_FIELD = "INVALID_FIELD"
    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
    MEASURE_UNAVAILABLE = "MEASURE_UNAVAILABLE"
    BOX_DETECTOR_FAILED = "BOX_DETECTOR_FAILED"
    LPIPS_FAILED = "LPIPS_FAILED"
    OVERLOADED = "OVERLOADED"
    WORKER_DIED = "WORKER_DIED"
    SHUTTING_DOWN = "SHUTTING_DOWN"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    CANCELLED = "CANCELLED"
    STREAM_IDLE = "STREAM_IDLE"
    STREAM_TOO_LONG = "STREAM_TOO_LONG"
    MEDIA_UNKNOWN = "MEDIA_UNKNOWN"
    TOKEN_REFUSED = "TOKEN_REFUSED"
    ROLE_MISSING = "ROLE_MISSING"
    INTERNAL = "INTERNAL"


def _retry_delay(again_s: float = 0.0) -> duration_pb2.Duration:
    """In whole seconds, for another try comes to nothing before ``again_s`` is over."""
    return duration_pb2.Duration(seconds=max(_RETRY_DELAY_S, math.ceil(again_s)))


def invalid_request(error: InvalidRequestError) -> service_pb2.ItemStatus:
    """The caller named wrong fields; of many the first are named, and texts are cut."""
    named = error.violations if len(error.violations) <= MAX_VIOLATIONS else error.violations[: MAX_VIOLATIONS - 1]
    violations = violations_to_proto(named)
    if len(named) < len(error.violations):
        violations.append(_more(len(error.violations) - len(named)))
    return service_pb2.ItemStatus(
        code=code_pb2.INVALID_ARGUMENT,
        message=_short(str(error)),
        reason=StatusReason.INVALID_FIELD.value,
        field_violations=violations,
    )


def undecodable(what: str = "GradeRequest") -> service_pb2.ItemStatus:
    """What came is no message of the contract, or has text that is none."""
    held = ", which holds a GradeRequest in its field request" if what == "GradeBatchRequest" else ""
    text = f"the request is no {what} of grader.v1{held}, or a text in it is not UTF-8"
    return invalid_request(InvalidRequestError(FieldViolation("", "UNDECODABLE", text)))


def media_unknown(unknown: Sequence[FieldViolation]) -> service_pb2.ItemStatus:
    """The request names media that the server does not have; the same request with their bytes may well be graded."""
    return service_pb2.ItemStatus(
        code=code_pb2.FAILED_PRECONDITION,
        message="the server does not have media that the request names by their SHA-256; send their bytes again",
        reason=StatusReason.MEDIA_UNKNOWN.value,
        field_violations=violations_to_proto(unknown[:MAX_VIOLATIONS]),
    )


def _more(number: int) -> service_pb2.FieldViolation:
    return service_pb2.FieldViolation(reason="MORE", description=f"{number} more wrong fields are not listed here")


def message_too_large(size_bytes: int, limit_bytes: int) -> service_pb2.ItemStatus:
    """The request is over the limit; without a retry delay, for trying again can't help."""
    return service_pb2.ItemStatus(
        code=code_pb2.RESOURCE_EXHAUSTED,
        message=f"the request has {size_bytes} bytes; this server takes at most {limit_bytes} (max_message_bytes)",
        reason=StatusReason.MESSAGE_TOO_LARGE.value,
    )


def measure_unavailable(error: MeasureUnavailableError) -> service_pb2.ItemStatus:
    """The operator has to install something first; trying again before will not help."""
    return service_pb2.ItemStatus(
        code=code_pb2.FAILED_PRECONDITION, message=str(error), reason=StatusReason.MEASURE_UNAVAILABLE.value
    )


def box_detector_failed(error: BoxDetectorError) -> service_pb2.ItemStatus:
    """The detector beside the grader is at fault, not the candidate."""
    return service_pb2.ItemStatus(
        code=code_pb2.UNAVAILABLE,
        message=str(error),
        reason=StatusReason.BOX_DETECTOR_FAILED.value,
        retry_delay=_retry_delay(),
    )


def lpips_failed(error: LpipsFailedError) -> service_pb2.ItemStatus:
    """The process that measures LPIPS is at fault, not the candidate."""
    return service_pb2.ItemStatus(
        code=code_pb2.UNAVAILABLE,
        message=str(error),
        reason=StatusReason.LPIPS_FAILED.value,
        retry_delay=_retry_delay(error.again_s),
    )


def overloaded(waiting: int, again_s: float = 0.0) -> service_pb2.ItemStatus:
    """The queue has no room, or none for one more of this caller's."""
    return service_pb2.ItemStatus(
        code=code_pb2.RESOURCE_EXHAUSTED,
        message=f"{waiting} requests are waiting, and there is no room for more, or for more of one client; try again "
        "later",
        reason=StatusReason.OVERLOADED.value,
        retry_delay=_retry_delay(min(again_s, _MAX_RETRY_DELAY_S)),
    )


def too_many_streams(limit: int, rpc: str) -> service_pb2.ItemStatus:
    """As many calls of a method are open as may be, or as may be of one caller."""
    return service_pb2.ItemStatus(
        code=code_pb2.RESOURCE_EXHAUSTED,
        message=f"this server takes {limit} streams of {rpc} at a time, and one client not all of them; send more over "
        "the ones that are open, or try again later",
        reason=StatusReason.OVERLOADED.value,
        retry_delay=_retry_delay(),
    )


def stream_idle(idle_s: float) -> service_pb2.ItemStatus:
    """Nothing went over a stream for long, and others may need its place."""
    return service_pb2.ItemStatus(
        code=code_pb2.ABORTED,
        message=f"nothing went over this stream for {idle_s:g} s; open another when there is something to grade",
        reason=StatusReason.STREAM_IDLE.value,
    )


def stream_too_long(most: int, what: str) -> service_pb2.ItemStatus:
    """More came over a stream than is taken; without a retry delay, for trying again can't help."""
    return service_pb2.ItemStatus(
        code=code_pb2.RESOURCE_EXHAUSTED,
        message=f"this server takes at most {most} {what} over one stream",
        reason=StatusReason.STREAM_TOO_LONG.value,
    )


def token_refused() -> service_pb2.ItemStatus:
    """The caller has no token, or none that this server knows."""
    return service_pb2.ItemStatus(
        code=code_pb2.UNAUTHENTICATED,
        message="this server asks for a token that it knows, as metadata: authorization: Bearer TOKEN",
        reason=StatusReason.TOKEN_REFUSED.value,
    )


def role_missing(role: str) -> service_pb2.ItemStatus:
    """The caller's token is known, and is for something else."""
    return service_pb2.ItemStatus(
        code=code_pb2.PERMISSION_DENIED,
        message=f"this token may not {role}; whoever runs the server gives it that role in the file of tokens",
        reason=StatusReason.ROLE_MISSING.value,
    )


def worker_died() -> service_pb2.ItemStatus:
    """The process that graded the item ended before it answered; the candidate is not to blame."""
    return service_pb2.ItemStatus(
        code=code_pb2.UNAVAILABLE,
        message="the process that graded this request died before it answered; there is no verdict; try again",
        reason=StatusReason.WORKER_DIED.value,
        retry_delay=_retry_delay(),
    )


def shutting_down() -> service_pb2.ItemStatus:
    """The server ends and takes no more."""
    return service_pb2.ItemStatus(
        code=code_pb2.UNAVAILABLE,
        message="the server is shutting down; try again with another or later",
        reason=StatusReason.SHUTTING_DOWN.value,
        retry_delay=_retry_delay(),
    )


def deadline_exceeded(limit_s: float) -> service_pb2.ItemStatus:
    """Time ran out, be it the caller's deadline or the server's cap."""
    return service_pb2.ItemStatus(
        code=code_pb2.DEADLINE_EXCEEDED,
        message=f"grading was not done in time: the deadline of the call or the server's cap of {limit_s:g} s ran out",
        reason=StatusReason.DEADLINE_EXCEEDED.value,
    )


def cancelled() -> service_pb2.ItemStatus:
    """The caller went away."""
    return service_pb2.ItemStatus(
        code=code_pb2.CANCELLED, message="the call was cancelled", reason=StatusReason.CANCELLED.value
    )


def internal(incident: str) -> service_pb2.ItemStatus:
    """A bug of the grader; the log has the traceback under the same incident."""
    return service_pb2.ItemStatus(
        code=code_pb2.INTERNAL,
        message=f"the grader failed; there is no verdict; its log says why under incident {incident}",
        reason=StatusReason.INTERNAL.value,
    )


def response(request_id: str, status: service_pb2.ItemStatus) -> service_pb2.GradeBatchResponse:
    """The answer to an item that has no verdict. An id that is too long is cut, so that the answer is short."""
    return service_pb2.GradeBatchResponse(request_id=request_id[:_MAX_ID_CHARS], status=status)


def is_transient(status: service_pb2.ItemStatus) -> bool:
    """Whether the same request may well be graded at another try."""
    if status.code == code_pb2.RESOURCE_EXHAUSTED:
        return bool(status.reason == StatusReason.OVERLOADED.value)  # else it is a size limit, ours or gRPC's
    return status.code in (code_pb2.UNAVAILABLE, code_pb2.DEADLINE_EXCEEDED, code_pb2.CANCELLED, code_pb2.ABORTED)


def _short(text: str) -> str:
    return text if len(text) <= _MAX_TEXT_CHARS else text[: _MAX_TEXT_CHARS - 1] + "…"


def _packed(detail: Any) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed


def _already_left_out(item: service_pb2.ItemStatus) -> int:
    """How many more wrong fields the last entry of an item's status stands for than itself."""
    last = item.field_violations[-1]
    return int(last.description.partition(" ")[0]) - 1 if last.reason == _more(0).reason else 0


def to_rpc_status(item: service_pb2.ItemStatus) -> status_pb2.Status:
    """Makes a google.rpc.Status with its details, cut to what fits into a trailer.

    Violations that do not fit are left out and counted in the last one that does.
    """
    made = status_pb2.Status(code=item.code, message=_short(item.message))
    made.details.append(_packed(error_details_pb2.ErrorInfo(reason=item.reason, domain=DOMAIN)))
    if item.HasField("retry_delay"):
        made.details.append(_packed(error_details_pb2.RetryInfo(retry_delay=item.retry_delay)))
    bad = error_details_pb2.BadRequest()
    for done, wrong in enumerate(item.field_violations):
        entry = bad.field_violations.add(
            field=_short(wrong.field), reason=wrong.reason, description=_short(wrong.description)
        )
        rest = len(item.field_violations) - done
        if made.ByteSize() + bad.ByteSize() > MAX_DETAILS_BYTES - 256:
            more = _more(rest + _already_left_out(item))
            entry.field, entry.reason, entry.description = "", more.reason, more.description
            break
    if bad.field_violations:
        made.details.append(_packed(bad))
    return made


def from_rpc_status(status: status_pb2.Status) -> service_pb2.ItemStatus:
    """Reads a google.rpc.Status back; details of other kinds are passed over."""
    item = service_pb2.ItemStatus(code=status.code, message=status.message)
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    bad = error_details_pb2.BadRequest()
    for detail in status.details:
        if detail.Unpack(info):
            item.reason = info.reason
        elif detail.Unpack(retry):
            item.retry_delay.CopyFrom(retry.retry_delay)
        elif detail.Unpack(bad):
            for wrong in bad.field_violations:
                item.field_violations.add(field=wrong.field, reason=wrong.reason, description=wrong.description)
    return item


def violations_to_proto(violations: Iterable[FieldViolation]) -> list[service_pb2.FieldViolation]:
    """Makes the contract's messages of wrong fields, with texts cut."""
    return [
        service_pb2.FieldViolation(
            field=_short(wrong.field), reason=wrong.reason, description=_short(wrong.description)
        )
        for wrong in violations
    ]
