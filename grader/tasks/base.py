"""What every task declares, and the shape of its judgement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
