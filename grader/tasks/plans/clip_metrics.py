"""Metrics that clips of plans have in common."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo

_KINDS = (CandidateKind.VIDEO,)

SOLVED = MetricInfo(
    "solved",
    "1 if the moves shown, simulated, reach the goal, it is seen, and the scene stays what it is; the score.",
    "1",
    True,
    0.0,
    1.0,
    _KINDS,
)
STRICT_LEGAL = MetricInfo(
    "strict_legal",
    "1 if every move that is shown keeps the rules: one at a time, its whole way shown, nothing else happens.",
    "1",
    True,
    0.0,
    1.0,
    _KINDS,
)
SOLVED_STRICT = MetricInfo("solved_strict", "1 if both solved and strict_legal are.", "1", True, 0.0, 1.0, _KINDS)
EVER_SOLVED = MetricInfo(
    "ever_solved",
    "1 if the goal was reached by legal moves at some time, before anything was wrong.",
    "1",
    True,
    0.0,
    1.0,
    _KINDS,
)
SOLVED_FIRST_MOVES = MetricInfo(
    "solved_first_moves",
    "1 if each vehicle's first move, in order of onset, simulated, frees the red car (MentisOculi, 3.2).",
    "1",
    True,
    0.0,
    1.0,
    _KINDS,
)
