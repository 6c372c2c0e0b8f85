"""Which failure mode each reason code stands for, as the tasks declare it."""

from __future__ import annotations

from collections.abc import Iterable

from grader.media.types import MediaReason
from grader.model.failure import FailureMode
from grader.profiles.calibrated import BELOW_THRESHOLD
from grader.tasks.registry import failure_modes

_UNREADABLE = frozenset(reason.value for reason in MediaReason)


def mode_of(code: str) -> FailureMode:
    """The mode of a reason code; UNKNOWN for a code of another version."""
    if code in _UNREADABLE:
        return FailureMode.UNREADABLE
    if code == BELOW_THRESHOLD:
        return FailureMode.BELOW_THRESHOLD
    return failure_modes().get(code, FailureMode.UNKNOWN)


def main_mode(codes: Iterable[str]) -> FailureMode:
    """The mode of a candidate that did not pass: that of its gravest reason, which stands first."""
    return next((mode_of(code) for code in codes), FailureMode.UNKNOWN)
