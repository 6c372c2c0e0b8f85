"""The maze task: a path drawn on a maze of square, hexagonal, triangular or circular cells, or shown in a clip."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.maze.clips.rollouts import CLIP_METRICS, judge_maze_frames
from grader.tasks.maze.model import MazeInput
from grader.tasks.maze.pictures import PICTURE_METRICS, judge_maze_picture
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.reasons import REASONS
from grader.tasks.maze.self_check import prepare_readable_maze
from grader.tasks.maze.settings import MazeSettings

SPEC: TaskSpec[MazeInput, MazePuzzle, MazeSettings] = TaskSpec(
    name="maze",
    description="A path drawn from start to goal on a maze with square, hexagonal, triangular or circular cells.",
    input_type=MazeInput,
    settings_type=MazeSettings,
    prepare=prepare_readable_maze,
    judges=Judges(picture=judge_maze_picture, clip=judge_maze_frames),
    metrics=(*PICTURE_METRICS, *CLIP_METRICS),
    reasons=REASONS,
    formats=("amaze", "mazes"),
    drawn=(CandidateKind.IMAGE, CandidateKind.VIDEO),
)
