"""What keeps instances from being made."""

from __future__ import annotations

from grader.model.errors import GraderError


class MakeError(GraderError):
    """What was asked for can't be made; the message says why and what to do."""


class MakeIncompleteError(MakeError):
    """Making ended early; the same command goes on where it stopped."""
