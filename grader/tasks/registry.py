"""The tasks that this grader knows."""

from __future__ import annotations

from typing import Any

from grader.model.jobs import (
    CompareInput,
    MazeInput,
    QueensInput,
    RushHourInput,
    SlidingInput,
    SpatialEditInput,
    TaskInput,
)
from grader.tasks.common.base import Task
from grader.tasks.compare.task import CompareTask
from grader.tasks.maze.task import MazeTask
from grader.tasks.queens.task import QueensTask
from grader.tasks.rush_hour.task import RushHourTask
from grader.tasks.sliding.task import SlidingTask
from grader.tasks.spatial_edit.task import SpatialEditTask

# A new task is entered here, beside its input's type.
_TASKS: tuple[tuple[type[TaskInput], Task[Any, Any]], ...] = (
    (MazeInput, MazeTask()),
    (QueensInput, QueensTask()),
    (RushHourInput, RushHourTask()),
    (SlidingInput, SlidingTask()),
    (SpatialEditInput, SpatialEditTask()),
    (CompareInput, CompareTask()),
)


def list_tasks() -> tuple[Task[Any, Any], ...]:
    """All tasks, in the order of the contract."""
    return tuple(task for _, task in _TASKS)


def task_for(job_input: TaskInput) -> Task[Any, Any]:
    """The task that grades an input; KeyError for a type that no task has."""
    for input_type, task in _TASKS:
        if isinstance(job_input, input_type):
            return task
    raise KeyError(type(job_input).__name__)
