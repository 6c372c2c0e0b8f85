"""Metrics and reasons that plans have in common, whatever puzzle they are for and however they are given."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.base import MetricInfo, ReasonInfo
from grader.tasks.plans.answers import PlanFault

_TEXT = (CandidateKind.TEXT,)
_PLANS = (CandidateKind.VIDEO, CandidateKind.FRAMES, CandidateKind.TEXT)

WORD_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        "parse_strict",
        "1 if the answer in the strict reading, simulated, solves the puzzle (MentisOculi, 3.2).",
        "1",
        True,
        0.0,
        1.0,
        _TEXT,
    ),
    MetricInfo("parse_lenient", "The same in the lenient reading; the score.", "1", True, 0.0, 1.0, _TEXT),
)
PLAN_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo("moves", "Moves that were read.", "count", False, 0.0, 1e6, _PLANS),
    MetricInfo("least_moves", "Moves of a shortest solution; the level.", "count", False, 0.0, 1e6, _PLANS),
    MetricInfo(
        "plan_progress",
        "1 - (least moves left after the legal moves up to the first fault) / (least moves at first).",
        "1",
        True,
        0.0,
        1.0,
        _PLANS,
    ),
)

PLAN_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo("PLAN_TOO_LONG", "The plan has more than 5 x the least number of moves + 10."),
)
"""Why a plan is wrong however it is given."""

WORD_REASONS: tuple[ReasonInfo, ...] = (
    ReasonInfo(PlanFault.ANSWER_MISSING.value, "Nothing in the text looks like an answer, or the text is empty."),
    ReasonInfo(PlanFault.ANSWER_EMPTY.value, "There is an answer without content."),
    ReasonInfo(PlanFault.ANSWER_REFUSED.value, "The answer says that none is given, such as 'unknown'."),
    ReasonInfo(PlanFault.ANSWER_UNREADABLE.value, "There is an answer, and it is not made of moves."),
)
"""Why words are wrong for any puzzle."""
