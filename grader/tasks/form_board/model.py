"""What is asked of a form board: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.jobs import TaskInput


@dataclass(frozen=True)
class FormBoardInput(TaskInput):
    """The labels of the pieces that are offered, and of those that fill the silhouette."""

    labels: tuple[str, ...]
    solution: tuple[str, ...]
