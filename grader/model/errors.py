"""Faults of a request or of the grader. They become a status, never a score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FieldViolation:
    """A wrong field: its path in the request, a stable UPPER_SNAKE reason, and a sentence that says what to do.

    The path is empty where no one field is meant.
    """

    field: str
    reason: str
    description: str


class GraderError(Exception):
    """Any fault that is not the candidate's."""


class InvalidRequestError(GraderError):
    """The request is wrong; trying again will not help. Carries one violation or more.

    Parameters
    ----------
    violations : FieldViolation
        What is wrong, each with the field's path.
    """

    def __init__(self, *violations: FieldViolation) -> None:
        if not violations:
            raise ValueError("an InvalidRequestError names at least one field")
        # What is about no one field, as of bytes that are no request, names none.
        super().__init__("; ".join(f"{v.field}: {v.description}" if v.field else v.description for v in violations))
        self.violations = violations

    def __reduce__(self) -> tuple[type[InvalidRequestError], tuple[FieldViolation, ...]]:
        return type(self), self.violations


class BoxDetectorError(GraderError):
    """The detector of boxes that the operator named gave no answer, or one that is none; it is worth another try."""


class MeasureUnavailableError(GraderError):
    """A measure that the request needs can't be taken on this machine; the message says how that is mended."""


class LpipsFailedError(GraderError):
    """The process that measures LPIPS gave no value, through no fault of the pictures; it is worth another try.

    ``again_s`` is how long to wait before that, in seconds.
    """

    def __init__(self, message: str, again_s: float = 0.0) -> None:
        super().__init__(message)
        self.again_s = again_s
