"""The sliding-puzzle task: a plan for its tiles, in words, in a clip, or as a picture after every move."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import EVER_SOLVED, PLAN_METRICS, SOLVED, SOLVED_STRICT, STRICT_LEGAL, WORD_METRICS
from grader.tasks.plans.steps import STEP_METRICS
from grader.tasks.sliding.chance import CHANCE
from grader.tasks.sliding.model import SlidingInput
from grader.tasks.sliding.puzzle import TilePuzzle, prepare_tiles
from grader.tasks.sliding.reasons import REASONS
from grader.tasks.sliding.rollouts import judge_tile_frames, judge_tile_pictures
from grader.tasks.sliding.settings import SlidingSettings
from grader.tasks.sliding.words import judge_tile_words

METRICS: tuple[MetricInfo, ...] = (
    *WORD_METRICS,
    SOLVED,
    STRICT_LEGAL,
    SOLVED_STRICT,
    EVER_SOLVED,
    *STEP_METRICS,
    *PLAN_METRICS,
)

SPEC: TaskSpec[SlidingInput, TilePuzzle, SlidingSettings] = TaskSpec(
    name="sliding",
    description="A plan that brings the tiles of a sliding puzzle to their places, simulated.",
    input_type=SlidingInput,
    settings_type=SlidingSettings,
    prepare=prepare_tiles,
    judges=Judges(clip=judge_tile_frames, steps=judge_tile_pictures, words=marked(judge_tile_words)),
    metrics=METRICS,
    reasons=REASONS,
    formats=("mentisoculi",),
    drawn=(CandidateKind.VIDEO, CandidateKind.TEXT),
    chance=CHANCE,
)
