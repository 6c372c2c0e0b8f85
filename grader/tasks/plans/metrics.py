"""Metrics that plans have in common, whatever puzzle they are for and however they are given."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo

_TEXT = (CandidateKind.TEXT,)
_PLANS = (CandidateKind.VIDEO, CandidateKind.FRAMES, CandidateKind.TEXT)

WORD_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        "parse_strict",
        "1 if the answer in the strict reading solves the puzzle (MentisOculi, 3.2).",
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

_CLIPS = (CandidateKind.VIDEO,)

SOLVED = MetricInfo(
    "solved",
    "1 if the moves shown, simulated, reach the goal, it is seen, and the scene stays what it is; the score.",
    "1",
    True,
    0.0,
    1.0,
    _CLIPS,
)
STRICT_LEGAL = MetricInfo(
    "strict_legal",
    "1 if every move that is shown keeps the rules: one at a time, its whole way shown, nothing else happens.",
    "1",
    True,
    0.0,
    1.0,
    _CLIPS,
)
SOLVED_STRICT = MetricInfo("solved_strict", "1 if both solved and strict_legal are.", "1", True, 0.0, 1.0, _CLIPS)
EVER_SOLVED = MetricInfo(
    "ever_solved",
    "1 if the goal was reached by legal moves at some time, before anything was wrong.",
    "1",
    True,
    0.0,
    1.0,
    _CLIPS,
)
SOLVED_FIRST_MOVES = MetricInfo(
    "solved_first_moves",
    "1 if each vehicle's first move, in order of onset, simulated, frees the red car (MentisOculi, 3.2).",
    "1",
    True,
    0.0,
    1.0,
    _CLIPS,
)
