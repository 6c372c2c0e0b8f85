"""The tasks that this grader knows. A new task is entered here."""

from __future__ import annotations

from functools import cache

from grader.model.failure import FailureMode
from grader.model.jobs import TaskInput
from grader.tasks.common.spec import AnyTask
from grader.tasks.compare.spec import SPEC as COMPARE
from grader.tasks.form_board.spec import SPEC as FORM_BOARD
from grader.tasks.grid_maze.spec import SPEC as GRID_MAZE
from grader.tasks.hinge_folding.spec import SPEC as HINGE_FOLDING
from grader.tasks.jigsaw.spec import SPEC as JIGSAW
from grader.tasks.maze.spec import SPEC as MAZE
from grader.tasks.paper_fold.spec import SPEC as PAPER_FOLD
from grader.tasks.queens.spec import SPEC as QUEENS
from grader.tasks.rush_hour.spec import SPEC as RUSH_HOUR
from grader.tasks.sliding.spec import SPEC as SLIDING
from grader.tasks.spatial_edit.spec import SPEC as SPATIAL_EDIT

_TASKS: tuple[AnyTask, ...] = (
    MAZE,
    QUEENS,
    RUSH_HOUR,
    SLIDING,
    SPATIAL_EDIT,
    COMPARE,
    FORM_BOARD,
    HINGE_FOLDING,
    PAPER_FOLD,
    GRID_MAZE,
    JIGSAW,
)


def list_tasks() -> tuple[AnyTask, ...]:
    """All tasks, in the order of the contract."""
    return _TASKS


def find_task(name: str) -> AnyTask | None:
    """The task of a name, or None."""
    return next((task for task in _TASKS if task.name == name), None)


def task_for(job_input: TaskInput) -> AnyTask:
    """The task that grades an input; KeyError for a type that no task has."""
    for task in _TASKS:
        if isinstance(job_input, task.input_type):
            return task
    raise KeyError(type(job_input).__name__)


@cache
def failure_modes() -> dict[str, FailureMode]:
    """How a candidate failed, by the code of its gravest reason; of all tasks."""
    return {reason.code: reason.mode for task in _TASKS for reason in task.reasons}
