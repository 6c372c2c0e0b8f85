"""What every task declares, and the shape of its judgement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from detectors.pictures import Pyramid
from grader.alignment import warp
from grader.media import MediaLimits
from grader.metrics.pixels import split_mse
from grader.profiles import Profile
from grader.verdict import Alignment, Metric, Note, Observation, Outcome, Reason


@dataclass(frozen=True)
class MetricInfo:
    """A metric that a task reports: name, meaning with source, unit ("1" for plain numbers), direction and bounds."""

    name: str
    description: str
    unit: str
    higher_is_better: bool
    lower_bound: float
    upper_bound: float


@dataclass(frozen=True)
class ReasonInfo:
    """A reason that a task can give: its code and when it is given."""

    code: str
    description: str


@dataclass(frozen=True)
class Judgement:
    """What a task says of a decoded candidate; the engine makes a verdict of it.

    ``overlay`` draws the verdict as an (H, W, 3) uint8 RGB picture; it is called only when an overlay was asked for.
    """

    outcome: Outcome
    score: float | None
    reward: float | None
    metrics: tuple[Metric, ...]
    reasons: tuple[Reason, ...]
    observation: Observation
    alignment: Alignment
    notes: tuple[Note, ...]
    overlay: Callable[[], NDArray[np.uint8]]


def optional_metric(name: str, value: float | None, why_not: str) -> Metric:
    """A metric that has its value, or the reason why it has none."""
    return Metric(name, value) if value is not None else Metric(name, None, why_not)


def aligned_errors(
    candidate: Pyramid,
    alignment: Alignment,
    solution: NDArray[np.uint8] | None,
    mask: NDArray[np.bool_] | None,
) -> tuple[float | None, float | None]:
    """Masked MSE in and outside of a mask, after alignment, at the puzzle's size; pixels not covered don't count."""
    if solution is None or mask is None:
        return None, None
    view, covered = warp(candidate, alignment, (solution.shape[1], solution.shape[0]), 1)
    return split_mse(view, solution, mask, covered)


TaskInputT = TypeVar("TaskInputT")
PuzzleT = TypeVar("PuzzleT")


class Task(ABC, Generic[TaskInputT, PuzzleT]):
    """One kind of puzzle: what it measures, why it fails, how it is prepared and judged.

    Attributes
    ----------
    name : the name of its field in the request
    description : what it grades, for ListTasks
    metrics, reasons : what a verdict can hold, in order
    """

    name: ClassVar[str]
    description: ClassVar[str]
    metrics: ClassVar[tuple[MetricInfo, ...]]
    reasons: ClassVar[tuple[ReasonInfo, ...]]

    @abstractmethod
    def prepare(self, task: TaskInputT, profile: Profile, limits: MediaLimits) -> PuzzleT:
        """Checks and decodes a puzzle with its truth; raises InvalidRequestError naming every wrong field.

        The result is kept for further candidates of the same puzzle and must not change.
        """

    @abstractmethod
    def judge(self, puzzle: PuzzleT, candidate: NDArray[np.uint8], profile: Profile) -> Judgement:
        """Judges one decoded candidate, (H, W, 3) uint8 RGB."""
