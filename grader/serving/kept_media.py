"""Media of puzzles that clients sent once and name by their SHA-256 afterwards."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from grader.model.errors import FieldViolation
from grader.v1 import service_pb2
from grader.wire.media import LEAST_BYTES, digest_of, puzzle_media

_SHA256_BYTES = 32


@dataclass
class _Kept:
    data: bytes
    clients: set[str] = field(default_factory=set)


class KeptMedia:
    """Files by their SHA-256, as many bytes as there is room for; those that were used last stay. Any thread may call.

    A client gets back only what it has sent itself, so that nobody learns what others sent.

    Parameters
    ----------
    room_bytes : int
        How many bytes to keep; 0 for none.
    """

    def __init__(self, room_bytes: int) -> None:
        self._room_bytes = room_bytes
        self._bytes = 0
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size_bytes(self) -> int:
        """How many bytes are kept."""
        return self._bytes

    def fill(self, request: service_pb2.GradeRequest, client: str) -> tuple[bool, list[FieldViolation]]:
        """Puts bytes in place of names in a request, and keeps what it asks to keep.

        Returns
        -------
        bool
            Whether the request was changed.
        list of FieldViolation
            Names that are not known.
        """
        changed, unknown = False, []
        keep = request.options.keep_media
        for path, media in puzzle_media(request):
            source = media.WhichOneof("source")
            if source == "data" and keep and len(media.data) >= LEAST_BYTES:
                self._keep(media.data, client)
            elif source == "sha256":
                data = self._find(media.sha256, client)
                if data is None:
                    text = "this server does not have these bytes from you, or not any more; send them as data"
                    unknown.append(FieldViolation(path, "MEDIA_UNKNOWN", text))
                else:
                    media.data, changed = data, True
        return changed, unknown

    def _keep(self, data: bytes, client: str) -> None:
        if len(data) > self._room_bytes:
            return
        digest = digest_of(data)
        with self._lock:
            kept = self._kept.get(digest)
            if kept is None:
                kept = self._kept[digest] = _Kept(data)
                self._bytes += len(data)
            kept.clients.add(client)
            self._kept.move_to_end(digest)
            while self._bytes > self._room_bytes:
                _, old = self._kept.popitem(last=False)
                self._bytes -= len(old.data)

    def _find(self, digest: bytes, client: str) -> bytes | None:
        with self._lock:
            kept = self._kept.get(digest) if len(digest) == _SHA256_BYTES else None
            if kept is None or client not in kept.clients:
                return None
            self._kept.move_to_end(digest)
            return kept.data
