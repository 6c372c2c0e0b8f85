"""Reads what a request holds, and gathers what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.model.errors import FieldViolation, InvalidRequestError
from grader.v1 import media_pb2

Resolve = Callable[[media_pb2.Media, str], bytes | None]
"""Gives the bytes of a Media at a field path, or ``None`` where neither data nor uri is set.

It raises `InvalidRequestError` naming the field where a URI can't be read.
"""


class RequestReader:
    """Reads the media of one request and gathers every wrong field, so that a caller sees all of them at once."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self.violations: list[FieldViolation] = []

    def wrong(self, field: str, reason: str, description: str) -> None:
        """Notes a wrong field."""
        self.violations.append(FieldViolation(field, reason, description))

    def media(self, message: Any, name: str, path: str) -> bytes | None:
        """The bytes of the Media field ``name``; ``None`` where it is absent, which the engine may refuse or not."""
        if not message.HasField(name):
            return None
        return self.source(getattr(message, name), path)

    def source(self, media: media_pb2.Media, path: str) -> bytes | None:
        """The bytes of a Media that is there and so must say where its bytes are."""
        try:
            found = self._resolve(media, path)
        except InvalidRequestError as error:
            self.violations.extend(error.violations)
            return None
        if found is None:
            self.wrong(path, "MISSING", "neither data nor uri is set; send the encoded picture as data")
        return found
