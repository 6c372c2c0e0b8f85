"""The media in a message: where they are, and names in place of those that the other side has already."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from grader.v1 import media_pb2, service_pb2

_MOST_DIGESTS = 65_536
LEAST_BYTES = 512
"""Smaller media are always sent: a name would save little."""


def media_of(message: Any, path: str = "") -> Iterator[tuple[str, media_pb2.Media]]:
    """Every Media that is set in a message, with its field path, whatever the task is."""
    for field, value in message.ListFields():
        name = f"{path}.{field.name}" if path else str(field.name)
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        if hasattr(value, "ListFields"):
            yield from _media_in(value, name)
        else:
            for place, one in enumerate(value):
                yield from _media_in(one, f"{name}[{place}]")


def _media_in(value: Any, name: str) -> Iterator[tuple[str, media_pb2.Media]]:
    if isinstance(value, media_pb2.Media):
        yield name, value
    else:
        yield from media_of(value, name)


def puzzle_media(request: service_pb2.GradeRequest) -> Iterator[tuple[str, media_pb2.Media]]:
    """Every Media of a request's puzzle and truth; the candidate's are left out."""
    task = request.WhichOneof("task")
    if task is not None:
        yield from media_of(getattr(request, task), task)


def digest_of(data: bytes) -> bytes:
    """The name of a file: its SHA-256."""
    return hashlib.sha256(data).digest()


class SentMedia:
    """What a client has sent to a server that keeps it. Any thread may call.

    Parameters
    ----------
    kept : bool
        Whether the server keeps anything.
    """

    def __init__(self, kept: bool) -> None:
        self._kept = kept
        self._digests: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    def named(self, request: service_pb2.GradeRequest) -> service_pb2.GradeRequest:
        """A request with names in place of the media that were sent; those that were not are to be kept from now on."""
        return self._made(request, names=True) if self._kept else request

    def whole(self, request: service_pb2.GradeRequest) -> service_pb2.GradeRequest:
        """The request with all its media, for a server that has lost some; they are to be kept again."""
        return self._made(request, names=False)

    def _made(self, request: service_pb2.GradeRequest, *, names: bool) -> service_pb2.GradeRequest:
        made = service_pb2.GradeRequest()
        made.CopyFrom(request)
        for _, media in puzzle_media(made):
            if media.WhichOneof("source") != "data" or len(media.data) < LEAST_BYTES:
                continue
            digest = digest_of(media.data)
            with self._lock:
                known = digest in self._digests
                self._digests[digest] = None
                self._digests.move_to_end(digest)
                if len(self._digests) > _MOST_DIGESTS:
                    self._digests.popitem(last=False)
            if known and names:
                media.sha256 = digest
            else:
                made.options.keep_media = True
        return made
