"""The sliding-puzzle task: a plan for its tiles, in words, in a clip, or as a picture after every move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grader.media.frames import Frame
from grader.media.pictures import MediaLimits
from grader.model.jobs import CandidateKind, SlidingInput, VideoPolicy
from grader.profiles.profile import Profile
from grader.tasks.common.base import Judgement, JudgesClips, JudgesSteps, JudgesWords, MetricInfo, ReasonInfo, Task
from grader.tasks.plans.answers import PlanFault, judge_sliding
from grader.tasks.plans.clip_metrics import EVER_SOLVED, SOLVED, SOLVED_STRICT, STRICT_LEGAL
from grader.tasks.plans.metrics import PLAN_METRICS, PLAN_REASONS, WORD_METRICS, WORD_REASONS
from grader.tasks.plans.progress import least_moves_of_tiles
from grader.tasks.plans.steps import STEP_METRICS, STEP_REASONS
from grader.tasks.plans.words import judge_words
from grader.tasks.sliding.puzzle import TilePuzzle, prepare_tiles
from grader.tasks.sliding.rollouts import judge_tile_frames, judge_tile_pictures
from grader.tasks.sliding.video import CLIP_REASONS

METRICS: tuple[MetricInfo, ...] = (
    *WORD_METRICS,
    SOLVED,
    STRICT_LEGAL,
    SOLVED_STRICT,
    EVER_SOLVED,
    *STEP_METRICS,
    *PLAN_METRICS,
)

REASONS: tuple[ReasonInfo, ...] = (
    *WORD_REASONS,
    *PLAN_REASONS,
    ReasonInfo(PlanFault.OFF_THE_GRID.value, "A move leads the blank off the board."),
    ReasonInfo(PlanFault.GOAL_NOT_REACHED.value, "All moves can be made, and the tiles are not in their places."),
    *CLIP_REASONS,
    *STEP_REASONS,
)


class SlidingTask(
    Task[SlidingInput, TilePuzzle], JudgesClips[TilePuzzle], JudgesSteps[TilePuzzle], JudgesWords[TilePuzzle]
):
    """Plans that bring tiles to their places."""

    name = "sliding"
    description = "A plan that brings the tiles of a sliding puzzle to their places, simulated."
    metrics = METRICS
    reasons = REASONS

    def prepare(self, task: SlidingInput, _profile: Profile, limits: MediaLimits, kind: CandidateKind) -> TilePuzzle:
        """Checks and decodes a puzzle."""
        return prepare_tiles(task, limits, kind)

    def judge_clip(
        self, puzzle: TilePuzzle, frames: Iterable[Frame], profile: Profile, policy: VideoPolicy
    ) -> Judgement:
        """Judges a clip."""
        return judge_tile_frames(puzzle, frames, profile.sliding, policy)

    def judge_steps(
        self, puzzle: TilePuzzle, images: Sequence[NDArray[np.uint8] | None], text: str, profile: Profile
    ) -> Judgement:
        """Judges a picture after every move."""
        return judge_tile_pictures(puzzle, images, text, profile.sliding)

    def judge_words(self, puzzle: TilePuzzle, text: str, _profile: Profile) -> Judgement:
        """Judges a plan in words."""
        return judge_words(
            lambda reading: judge_sliding(puzzle.puzzle, text, reading),
            lambda state: least_moves_of_tiles(state, puzzle.puzzle.target),
            puzzle.least_moves,
        )
