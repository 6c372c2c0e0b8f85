"""How boards are read and judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.light import LightConfig
from detectors.common.surroundings import SurroundingsConfig
from detectors.queens.board import QueensConfig
from grader.alignment.template import AlignmentConfig
from grader.metrics.amaze_code import MetricSet


@dataclass(frozen=True)
class QueensSettings:
    """How boards are read. Queens are dark marks; a picture with many of them still shows the board."""

    metrics: MetricSet = MetricSet.SEED
    alignment: AlignmentConfig = field(
        default_factory=lambda: AlignmentConfig(marks_are_dark=True, good=0.93, hopeful=0.3, accept=0.5)
    )
    light: LightConfig = field(default_factory=LightConfig)
    queens: QueensConfig = field(default_factory=QueensConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
