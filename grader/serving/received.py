"""Requests as they come off the wire, whether they can be read or not, and how a call is ended with a status."""

from __future__ import annotations

from dataclasses import dataclass

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from grader.v1 import service_pb2
from grader.wire import statuses


def abort(context: grpc.ServicerContext, status: service_pb2.ItemStatus) -> None:
    """Ends a call with a status and its details; raises what gRPC raises for that."""
    context.abort_with_status(rpc_status.to_status(statuses.to_rpc_status(status)))


@dataclass(frozen=True)
class Received:
    """One request.

    gRPC itself ends a call whose message can't be read as INTERNAL, and a whole stream with it. So messages are taken
    as bytes, and are read here.

    Attributes
    ----------
    request : what was read; None where the bytes are no such message
    payload : its bytes
    message : the name of the message that the call takes
    """

    request: service_pb2.GradeRequest | None
    payload: bytes
    message: str = "GradeRequest"

    @property
    def request_id(self) -> str:
        """The request's id; empty where it could not be read."""
        return "" if self.request is None else self.request.request_id

    @property
    def task(self) -> str:
        """The name of its task; empty where none is set."""
        return "" if self.request is None else self.request.WhichOneof("task") or ""


def read_request(data: bytes) -> Received:
    """Reads the message of a ``Grade`` call."""
    try:
        return Received(service_pb2.GradeRequest.FromString(data), data)
    except DecodeError:
        return Received(None, data)


def read_item(data: bytes) -> Received:
    """Reads a message of a ``GradeBatch`` stream."""
    try:
        request = service_pb2.GradeBatchRequest.FromString(data).request
    except DecodeError:
        return Received(None, data, "GradeBatchRequest")
    return Received(request, request.SerializeToString())
