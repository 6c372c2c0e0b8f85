"""Grades rollouts in a few processes and compares verdicts with what is known of them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import cv2

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.model.errors import InvalidRequestError
from grader.model.jobs import GradeJob
from grader.model.verdict import Verdict
from grader.serving.work import inline_only
from grader.tasks.rush_hour.model import LotObservation
from grader.tasks.sliding.model import TilesObservation
from grader.v1 import service_pb2

T = TypeVar("T")


@dataclass(frozen=True)
class Said:
    """What a verdict says, as far as it is compared.

    Attributes
    ----------
    outcome : PASS, FAIL or UNGRADABLE; INVALID_ARGUMENT where the request is refused
    reasons : the codes, gravest first
    message : the first reason's sentence
    metrics : by name; None where one is not available
    moves : as shown; None where the task has none
    """

    outcome: str
    reasons: tuple[str, ...]
    message: str
    metrics: dict[str, float | None]
    moves: tuple[str, ...] | None


def said_of(verdict: Verdict) -> Said:
    """What is compared of a verdict."""
    seen = verdict.observation
    moves = tuple(one.move for one in seen.moves) if isinstance(seen, LotObservation | TilesObservation) else None
    return Said(
        outcome=verdict.outcome.value,
        reasons=tuple(reason.code for reason in verdict.reasons),
        message=verdict.reasons[0].message if verdict.reasons else "",
        metrics={metric.name: metric.value for metric in verdict.metrics},
        moves=moves,
    )


@cache
def _engine() -> Engine:
    cv2.setNumThreads(1)
    return Engine()


def grade(request: bytes) -> Said:
    """Grades a serialized request in this process."""
    try:
        return grade_job(job_from_proto(service_pb2.GradeRequest.FromString(request), inline_only))
    except InvalidRequestError as error:
        return Said("INVALID_ARGUMENT", (), str(error), {}, None)


def grade_job(job: GradeJob) -> Said:
    """Grades a job in this process; InvalidRequestError where its puzzle is wrong."""
    return said_of(_engine().grade(job))


def in_processes(work: Callable[[T], Said], items: Iterable[T], jobs: int) -> Iterator[Said]:
    """Does the work on each item in some processes; answers come in the order of the items."""
    if jobs == 1:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(work, items)
