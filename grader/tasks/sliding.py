"""The sliding-puzzle task: a plan for its tiles, in words."""

from __future__ import annotations

from grader.jobs import CandidateKind, SlidingInput
from grader.media import MediaLimits
from grader.profiles import Profile
from grader.tasks.base import Judgement, JudgesWords, MetricInfo, ReasonInfo, Task
from grader.tasks.plan_answers import PlanFault, judge_sliding
from grader.tasks.plan_metrics import PLAN_METRICS, WORD_METRICS, WORD_REASONS
from grader.tasks.plan_progress import least_moves_of_tiles
from grader.tasks.plan_words import judge_words
from grader.tasks.sliding_puzzle import TilePuzzle, prepare_tiles

METRICS: tuple[MetricInfo, ...] = (*WORD_METRICS, *PLAN_METRICS)

REASONS: tuple[ReasonInfo, ...] = (
    *WORD_REASONS,
    ReasonInfo(PlanFault.OFF_THE_GRID.value, "A move leads the blank off the board."),
    ReasonInfo(PlanFault.GOAL_NOT_REACHED.value, "All moves can be made, and the tiles are not in their places."),
)


class SlidingTask(Task[SlidingInput, TilePuzzle], JudgesWords[TilePuzzle]):
    """Plans that bring tiles to their places."""

    name = "sliding"
    description = "A plan that brings the tiles of a sliding puzzle to their places, simulated."
    metrics = METRICS
    reasons = REASONS

    def prepare(self, task: SlidingInput, _profile: Profile, limits: MediaLimits, kind: CandidateKind) -> TilePuzzle:
        """Checks and decodes a puzzle."""
        return prepare_tiles(task, limits, kind)

    def judge_words(self, puzzle: TilePuzzle, text: str, _profile: Profile) -> Judgement:
        """Judges a plan in words."""
        return judge_words(
            lambda reading: judge_sliding(puzzle.puzzle, text, reading),
            lambda state: least_moves_of_tiles(state, puzzle.puzzle.target),
            puzzle.least_moves,
        )
