"""The declaration of the grid-maze task."""

from __future__ import annotations

from dataclasses import replace

from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.grid_maze.chance import CHANCE
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.grid_maze.pictures import judge_maze_drawing
from grader.tasks.grid_maze.puzzle import GridPuzzle, prepare_grid_maze
from grader.tasks.grid_maze.reasons import REASONS
from grader.tasks.grid_maze.settings import GridMazeSettings
from grader.tasks.grid_maze.words import judge_maze_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import PLAN_METRICS, WORD_METRICS

_TEXT = (CandidateKind.TEXT,)
_DRAWN = (CandidateKind.IMAGE,)
_BOTH = (CandidateKind.TEXT, CandidateKind.IMAGE)
_SHARES = (
    ("upstream_list_match", "1 if solved by a path of the published list, which stops at 50 (MazeBench, 3.1)."),
    ("grid_size", "1 if rows and columns are right."),
    ("reachability", "1 if it is right whether the goal can be reached."),
    ("length", "1 if the length of a shortest path is right; null where there is none."),
    ("path", "1 if the path is a legal shortest one; empty and said to be unreachable where there is none."),
)
_SEEN = {"reachability": _BOTH, "path": _BOTH}
"""The shares that a drawing has too."""

SPEC: TaskSpec[GridMazeInput, GridPuzzle, GridMazeSettings] = TaskSpec(
    name="grid_maze",
    description="Whether the goal of a grid maze can be reached, and a shortest path to it, walked or drawn.",
    input_type=GridMazeInput,
    settings_type=GridMazeSettings,
    prepare=prepare_grid_maze,
    judges=Judges(words=marked(judge_maze_words), picture=judge_maze_drawing),
    metrics=(
        *WORD_METRICS,
        *(MetricInfo(name, text, "1", True, 0.0, 1.0, _SEEN.get(name, _TEXT)) for name, text in _SHARES),
        MetricInfo("said_reachable", "1 if the goal is said to be reachable.", "1", False, 0.0, 1.0, _BOTH),
        MetricInfo("said_length", "The length that is said.", "count", False, 0.0, 1e6, _TEXT),
        *(replace(metric, kinds=_BOTH) for metric in PLAN_METRICS),
        MetricInfo("cells_visited", "Tiles that strokes enter.", "count", False, 0.0, 1e6, _DRAWN),
        MetricInfo("walls_entered", "Tiles of walls that strokes enter.", "count", False, 0.0, 1e6, _DRAWN),
        MetricInfo("traps_entered", "Tiles of traps that strokes enter.", "count", False, 0.0, 1e6, _DRAWN),
        MetricInfo("steps_drawn", "Share of a right path's steps drawn from the start.", "1", True, 0.0, 1.0, _DRAWN),
    ),
    reasons=REASONS,
    formats=("mazebench",),
    drawn=(CandidateKind.TEXT, CandidateKind.IMAGE),
    chance=CHANCE,
)
