"""Metrics and reasons that plans have in common, whatever puzzle they are for and however they are given."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo

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
