"""What all puzzles have in common that cheats are drawn on."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.scenes import encoded
from grader.model.jobs import GradeJob, ImageCandidate, TaskInput
from puzzles.common.raster import Picture


class Subject(ABC):
    """A puzzle with its pictures."""

    @property
    @abstractmethod
    def input(self) -> Picture:
        """The puzzle as a model is given it."""

    @property
    @abstractmethod
    def solution(self) -> Picture:
        """The right answer."""

    @property
    @abstractmethod
    def task(self) -> TaskInput:
        """The puzzle and its truth, as a request holds them."""

    def job(self, candidate: NDArray[np.uint8] | bytes, *, overlay: bool = False) -> GradeJob:
        """Return the job of grading a candidate."""
        data = candidate if isinstance(candidate, bytes) else encoded(np.ascontiguousarray(candidate))
        return GradeJob("cheat", self.task, ImageCandidate(data), overlay=overlay)
