"""What both clients do with requests before they go out."""

from __future__ import annotations

from typing import Any

from grader.v1 import service_pb2
from grader.wire import statuses

SURELY_SMALL_BYTES = 1024 * 1024
"""A request up to this size is sent without asking the server for its limit; no server is set lower in earnest."""
_KEEPALIVE_MS = 30_000
MEDIA_UNKNOWN = statuses.StatusReason.MEDIA_UNKNOWN.value
SERVICE: str = service_pb2.DESCRIPTOR.services_by_name["GraderService"].full_name


def channel_options() -> list[tuple[str, Any]]:
    """Options of a connection: messages of any size, and a look now and then whether the server is there."""
    return [
        ("grpc.max_send_message_length", -1),
        ("grpc.max_receive_message_length", -1),
        ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
    ]


def metadata_of(token: str) -> tuple[tuple[str, str], ...]:
    """What goes along with each call."""
    return (("authorization", f"Bearer {token}"),) if token else ()


class NamedItems:
    """Items of a stream that went out with names in place of media, until they are answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, service_pb2.GradeRequest] = {}
        self.lost: list[service_pb2.GradeRequest] = []
        """Those whose media the server has lost, to be sent again."""

    def sent(self, request: service_pb2.GradeRequest, made: service_pb2.GradeRequest) -> None:
        """Notes a request and what is sent in its place."""
        if made is not request:
            self._waiting[request.request_id] = request

    def is_lost(self, answer: service_pb2.GradeBatchResponse) -> bool:
        """Whether an answer only says that media are lost."""
        request = self._waiting.pop(answer.request_id, None)
        if request is None or answer.status.reason != MEDIA_UNKNOWN:
            return False
        self.lost.append(request)
        return True
