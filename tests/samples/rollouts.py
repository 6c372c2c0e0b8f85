"""Clips of the project's own suite as requests, and graded."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from benchmarks.rollouts.own import request_of
from benchmarks.rollouts.records import LotFault, RolloutCase, TileFault
from benchmarks.rollouts.suite import all_cases
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.model.verdict import Verdict
from grader.serving.work import inline_only
from grader.v1 import service_pb2

ENGINE = Engine()


@cache
def suite() -> tuple[RolloutCase, ...]:
    return tuple(all_cases())


def find_case(fault: LotFault | TileFault, look: str, least_level: int = 1) -> RolloutCase:
    """The easiest case of the suite with a fault, whose clip is short, in a look."""
    found = (case for case in suite() if case.fault is fault and case.level >= least_level)
    return replace(min(found, key=lambda case: case.level), look=look)


def tiny_case(fault: LotFault | TileFault) -> RolloutCase:
    """The same, in 256 x 256 pixels: where the look is not what matters, a quarter of the pixels tells as much."""
    return find_case(fault, "tiny")


@cache
def request_for(case: RolloutCase) -> bytes:
    return bytes(request_of(case).SerializeToString())


def message(case: RolloutCase) -> service_pb2.GradeRequest:
    """A copy that may be changed."""
    return service_pb2.GradeRequest.FromString(request_for(case))


def grade(request: service_pb2.GradeRequest) -> Verdict:
    """The verdict on a request; the same request is graded once."""
    return _graded(request.SerializeToString(deterministic=True))


@cache
def _graded(request: bytes) -> Verdict:
    return ENGINE.grade(job_from_proto(service_pb2.GradeRequest.FromString(request), inline_only))


def codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def values(verdict: Verdict) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in verdict.metrics}
