"""The rush-hour task: a plan for a lot, in words, in a clip, or as a picture after every move."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import (
    PLAN_METRICS,
    SOLVED,
    SOLVED_FIRST_MOVES,
    SOLVED_STRICT,
    STRICT_LEGAL,
    WORD_METRICS,
)
from grader.tasks.plans.steps import STEP_METRICS
from grader.tasks.rush_hour.chance import CHANCE
from grader.tasks.rush_hour.model import RushHourInput
from grader.tasks.rush_hour.puzzle import LotPuzzle, prepare_lot
from grader.tasks.rush_hour.reasons import REASONS
from grader.tasks.rush_hour.rollouts import judge_lot_frames, judge_lot_pictures
from grader.tasks.rush_hour.settings import RushHourSettings
from grader.tasks.rush_hour.words import judge_lot_words

METRICS: tuple[MetricInfo, ...] = (
    *WORD_METRICS,
    MetricInfo(
        "solved_without_unknown",
        "1 if the moves of vehicles that exist solve the puzzle by themselves.",
        "1",
        True,
        0.0,
        1.0,
        (CandidateKind.TEXT,),
    ),
    SOLVED,
    STRICT_LEGAL,
    SOLVED_STRICT,
    SOLVED_FIRST_MOVES,
    *STEP_METRICS,
    *PLAN_METRICS,
)

SPEC: TaskSpec[RushHourInput, LotPuzzle, RushHourSettings] = TaskSpec(
    name="rush_hour",
    description="A plan that brings the red car to the exit of a lot, simulated.",
    input_type=RushHourInput,
    settings_type=RushHourSettings,
    prepare=prepare_lot,
    judges=Judges(clip=judge_lot_frames, steps=judge_lot_pictures, words=marked(judge_lot_words)),
    metrics=METRICS,
    reasons=REASONS,
    formats=("mentisoculi",),
    drawn=(CandidateKind.VIDEO, CandidateKind.TEXT),
    chance=CHANCE,
)
