"""The rush-hour task: a plan for a lot, in words, in a clip, or as a picture after every move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grader.media.frames import Frame
from grader.media.pictures import MediaLimits
from grader.model.jobs import CandidateKind, RushHourInput, VideoPolicy
from grader.model.verdict import Metric
from grader.profiles.profile import Profile
from grader.tasks.common.base import Judgement, JudgesClips, JudgesSteps, JudgesWords, MetricInfo, ReasonInfo, Task
from grader.tasks.plans.answers import PlanFault, PlanJudgement, judge_rush_hour
from grader.tasks.plans.clip_metrics import SOLVED, SOLVED_FIRST_MOVES, SOLVED_STRICT, STRICT_LEGAL
from grader.tasks.plans.metrics import PLAN_METRICS, PLAN_REASONS, WORD_METRICS, WORD_REASONS
from grader.tasks.plans.progress import least_moves_in_lot
from grader.tasks.plans.steps import STEP_METRICS, STEP_REASONS
from grader.tasks.plans.words import judge_words
from grader.tasks.rush_hour.puzzle import LotPuzzle, prepare_lot
from grader.tasks.rush_hour.rollouts import CLIP_REASONS, judge_lot_frames, judge_lot_pictures
from puzzles.rush_hour.lot import Pose

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

REASONS: tuple[ReasonInfo, ...] = (
    *WORD_REASONS,
    *PLAN_REASONS,
    ReasonInfo(PlanFault.UNKNOWN_VEHICLE.value, "A move names a vehicle that is not in the lot."),
    ReasonInfo(PlanFault.IMMOVABLE_VEHICLE.value, "A move names a vehicle that can't move."),
    ReasonInfo(PlanFault.GOAL_NOT_REACHED.value, "All moves can be made, and the red car is not at the exit."),
    *CLIP_REASONS,
    *STEP_REASONS,
)


class RushHourTask(
    Task[RushHourInput, LotPuzzle], JudgesClips[LotPuzzle], JudgesSteps[LotPuzzle], JudgesWords[LotPuzzle]
):
    """Plans that bring the red car out of a lot."""

    name = "rush_hour"
    description = "A plan that brings the red car to the exit of a lot, simulated."
    metrics = METRICS
    reasons = REASONS

    def prepare(self, task: RushHourInput, _profile: Profile, limits: MediaLimits, kind: CandidateKind) -> LotPuzzle:
        """Checks a lot."""
        return prepare_lot(task, limits, kind)

    def judge_clip(
        self, puzzle: LotPuzzle, frames: Iterable[Frame], profile: Profile, _policy: VideoPolicy
    ) -> Judgement:
        """Judges a clip."""
        return judge_lot_frames(puzzle, frames, profile.rush_hour)

    def judge_steps(
        self, puzzle: LotPuzzle, images: Sequence[NDArray[np.uint8] | None], text: str, profile: Profile
    ) -> Judgement:
        """Judges a picture after every move."""
        return judge_lot_pictures(puzzle, images, text, profile.rush_hour)

    def judge_words(self, puzzle: LotPuzzle, text: str, _profile: Profile) -> Judgement:
        """Judges a plan in words."""
        return judge_words(
            lambda reading: judge_rush_hour(puzzle.lot, text, reading),
            lambda poses: least_moves_in_lot(puzzle.lot, poses),
            puzzle.least_moves,
            _without_unknown,
        )


def _without_unknown(judged: PlanJudgement[tuple[Pose, ...]]) -> tuple[Metric, ...]:
    if judged.end is None:
        return (Metric("solved_without_unknown", None, "there is no plan"),)
    solved = judged.solved if judged.solved_without_unknown is None else judged.solved_without_unknown
    return (Metric("solved_without_unknown", float(solved)),)
