"""The declaration of the grid-maze task."""

from __future__ import annotations

from dataclasses import replace

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.grid_maze.chance import CHANCE
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.grid_maze.puzzle import GridPuzzle, prepare_grid_maze
from grader.tasks.grid_maze.settings import GridMazeSettings
from grader.tasks.grid_maze.words import judge_maze_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import PLAN_METRICS, WORD_METRICS
from grader.tasks.plans.reasons import WORD_REASONS

_TEXT = (CandidateKind.TEXT,)
_WRONG = FailureMode.CONSTRAINT_VIOLATION
_SHARES = (
    ("upstream_list_match", "1 if solved by a path of the published list, which stops at 50 (MazeBench, 3.1)."),
    ("grid_size", "1 if rows and columns are right."),
    ("reachability", "1 if it is right whether the goal can be reached."),
    ("length", "1 if the length of a shortest path is right; null where there is none."),
    ("path", "1 if the path is a legal shortest one; empty and said to be unreachable where there is none."),
)

SPEC: TaskSpec[GridMazeInput, GridPuzzle, GridMazeSettings] = TaskSpec(
    name="grid_maze",
    description="Whether the goal of a grid maze can be reached, and a shortest path to it, walked.",
    input_type=GridMazeInput,
    settings_type=GridMazeSettings,
    prepare=prepare_grid_maze,
    judges=Judges(words=marked(judge_maze_words)),
    metrics=(
        *WORD_METRICS,
        *(MetricInfo(name, text, "1", True, 0.0, 1.0, _TEXT) for name, text in _SHARES),
        MetricInfo("said_reachable", "1 if the goal is said to be reachable.", "1", False, 0.0, 1.0, _TEXT),
        MetricInfo("said_length", "The length that is said.", "count", False, 0.0, 1e6, _TEXT),
        *(replace(metric, kinds=_TEXT) for metric in PLAN_METRICS),
    ),
    reasons=(
        ReasonInfo(
            "ANSWER_CUT_OFF",
            "The text ends within a thought or within its answer, as at a limit of tokens.",
            FailureMode.NO_ANSWER,
        ),
        *WORD_REASONS,
        ReasonInfo("CLAIMS_REACHABLE", "The goal is said to be reachable, and no path leads there.", _WRONG),
        ReasonInfo(
            "CLAIMS_UNREACHABLE", "The goal is said to be unreachable, and it is not.", FailureMode.INCOMPLETE_SOLUTION
        ),
        ReasonInfo(
            "ANSWER_CONTRADICTS_ITSELF",
            "A path or a length is given of a goal that is said to be unreachable.",
            FailureMode.WRONG_FORM,
        ),
        ReasonInfo("ENTERS_WALL", "A step leads into a wall.", _WRONG),
        ReasonInfo("ENTERS_TRAP", "A step leads into a trap.", _WRONG),
        ReasonInfo("LEAVES_GRID", "A step leads out of the grid.", _WRONG),
        ReasonInfo("GOAL_NOT_REACHED", "The path does not end at the goal.", FailureMode.INCOMPLETE_SOLUTION),
        ReasonInfo("NOT_SHORTEST", "The path reaches the goal, and is longer than need be.", _WRONG),
        ReasonInfo("WRONG_LENGTH", "The length that is said is not that of a shortest path.", _WRONG),
    ),
    formats=("mazebench",),
    drawn=_TEXT,
    chance=CHANCE,
)
