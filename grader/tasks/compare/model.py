"""What is asked of a comparison: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.model.jobs import TaskInput


@dataclass(frozen=True)
class CompareInput(TaskInput):
    """A picture to compare candidates with, and perhaps a mask of what is inside."""

    reference: bytes | None = field(metadata={"path": "compare.reference"})
    mask: bytes | None = field(metadata={"path": "compare.mask"})
