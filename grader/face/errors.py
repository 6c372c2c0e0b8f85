"""What a call of the public face was given wrongly. Each is a `GraderError`, and of Python's own kind too."""

from __future__ import annotations

from grader.model.errors import GraderError


class WrongKindError(GraderError, TypeError):
    """An argument is of a kind that is not taken; the message says which are."""


class WrongValueError(GraderError, ValueError):
    """An argument has a value that is not taken; the message says which are."""


class NoFileError(GraderError, FileNotFoundError):
    """A path leads to no file."""
