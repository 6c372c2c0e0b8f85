"""The maze task: a path drawn on a maze of square, hexagonal, triangular or circular cells, or shown in a clip."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from grader.media.frames import Frame
from grader.media.pictures import MediaLimits
from grader.model.jobs import CandidateKind, MazeInput, VideoPolicy
from grader.profiles.profile import Profile
from grader.tasks.common.base import Judgement, JudgesClips, JudgesPictures, Task
from grader.tasks.maze.clips.clip import CLIP_REASONS
from grader.tasks.maze.clips.rollouts import CLIP_METRICS, judge_maze_frames
from grader.tasks.maze.judge import REASONS
from grader.tasks.maze.pictures import PICTURE_METRICS, judge_maze_picture
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze

_KNOWN = frozenset(reason.code for reason in REASONS)
_REASONS = (*REASONS, *(reason for reason in CLIP_REASONS if reason.code not in _KNOWN))


class MazeTask(Task[MazeInput, MazePuzzle], JudgesPictures[MazePuzzle], JudgesClips[MazePuzzle]):
    """A path drawn on a maze, or a way shown in a clip."""

    name = "maze"
    description = "A path drawn from start to goal on a maze with square, hexagonal, triangular or circular cells."
    metrics = (*PICTURE_METRICS, *CLIP_METRICS)
    reasons = _REASONS

    def prepare(self, task: MazeInput, profile: Profile, limits: MediaLimits, _kind: CandidateKind) -> MazePuzzle:
        """Checks, decodes and reads a maze with its truth."""
        return prepare_maze(task, profile.maze, limits)

    def judge(self, puzzle: MazePuzzle, candidate: NDArray[np.uint8], profile: Profile) -> Judgement:
        """Judges one candidate, (H, W, 3) uint8 RGB."""
        return judge_maze_picture(puzzle, candidate, profile)

    def judge_clip(
        self, puzzle: MazePuzzle, frames: Iterable[Frame], profile: Profile, policy: VideoPolicy
    ) -> Judgement:
        """Judges a clip: a path that grows, or a marker that travels."""
        return judge_maze_frames(puzzle, frames, profile, policy)
