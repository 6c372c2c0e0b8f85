"""Clips of the project's own suite as requests, and graded."""

from __future__ import annotations

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


def find_case(fault: LotFault | TileFault, look: str, task: str = "") -> RolloutCase:
    """The first case of the suite with a fault and a look."""
    return next(case for case in all_cases() if case.fault is fault and case.look == look and case.id.startswith(task))


@cache
def request_for(case: RolloutCase) -> bytes:
    return bytes(request_of(case).SerializeToString())


def message(case: RolloutCase) -> service_pb2.GradeRequest:
    """A copy that may be changed."""
    return service_pb2.GradeRequest.FromString(request_for(case))


def grade(request: service_pb2.GradeRequest) -> Verdict:
    return ENGINE.grade(job_from_proto(request, inline_only))


def codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def values(verdict: Verdict) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in verdict.metrics}
