"""How long the parts of grading take: noted where somebody asks for it in the same thread, and nowhere else."""

from __future__ import annotations

import contextlib
import enum
import struct
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass


class Stage(enum.Enum):
    """A part of what is done with a request, in order."""

    WAIT = "wait"
    """In the queue, until a worker takes it."""
    READ = "read"
    """The message becomes a job, files that it names are read."""
    PUZZLE = "puzzle"
    """The puzzle is decoded and prepared, or found among those that were."""
    CANDIDATE = "candidate"
    """Pictures are decoded; the frames of a clip are, while it is judged."""
    JUDGE = "judge"
    """Aligned, detected and judged."""
    MEASURE = "measure"
    """Measures of similarity that were asked for."""
    DRAW = "draw"
    """Overlay, contact sheet, annotated clip."""
    ANSWER = "answer"
    """The verdict becomes a message."""


@dataclass(frozen=True)
class StageTime:
    """A stage of one request: when it began, on ``time.monotonic()``, which all processes share, and what it took."""

    stage: Stage
    begun: float
    seconds: float


_NOTED: ContextVar[list[StageTime] | None] = ContextVar("grader_stages", default=None)
_ORDER = tuple(Stage)
_COUNT, _ENTRY = struct.Struct("<B"), struct.Struct("<Bdd")


@contextlib.contextmanager
def stage(one: Stage) -> Iterator[None]:
    """What is done within is a stage."""
    noted = _NOTED.get()
    if noted is None:
        yield
        return
    begun = time.monotonic()
    try:
        yield
    finally:
        noted.append(StageTime(one, begun, time.monotonic() - begun))


@contextlib.contextmanager
def noted_stages() -> Iterator[list[StageTime]]:
    """Gives a list that the stages of what is done within are put into, one after another."""
    noted: list[StageTime] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def write_stages(stages: Sequence[StageTime]) -> bytes:
    """Stages as bytes, for a message between processes."""
    entries = (_ENTRY.pack(_ORDER.index(one.stage), one.begun, one.seconds) for one in stages)
    return _COUNT.pack(len(stages)) + b"".join(entries)


def read_stages(message: bytes, at: int = 0) -> tuple[tuple[StageTime, ...], int]:
    """Stages at a place of a message, and the place after them.

    Examples
    --------
    >>> read_stages(write_stages([StageTime(Stage.JUDGE, 1.0, 0.5)]) + b"more")
    ((StageTime(stage=<Stage.JUDGE: 'judge'>, begun=1.0, seconds=0.5),), 18)
    """
    (count,) = _COUNT.unpack_from(message, at)
    first = at + _COUNT.size
    places = range(first, first + count * _ENTRY.size, _ENTRY.size)
    found = (_ENTRY.unpack_from(message, place) for place in places)
    return tuple(StageTime(_ORDER[number], begun, seconds) for number, begun, seconds in found), places.stop
