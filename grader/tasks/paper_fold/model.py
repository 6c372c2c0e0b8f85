"""What is asked of a folded sheet: plain data."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.jobs import TaskInput


@dataclass(frozen=True)
class PaperFoldInput(TaskInput):
    """The labels of the patterns that are offered, and of the right one."""

    labels: tuple[str, ...]
    solution: str
