"""How boards are read and judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.light import LightConfig
from detectors.queens.config import QueensConfig
from detectors.queens.remainder.config import BoardRemainderConfig
from grader.alignment.template import AlignmentConfig, AnswerConfig
from grader.metrics.amaze_code import MetricSet
from grader.tasks.common.beside import BesideConfig


@dataclass(frozen=True)
class BoardRules:
    """What a board has to be, and what a picture of it comes to.

    Attributes
    ----------
    least_cell_px : least side of a cell in pixels; below it a queen of visible size cannot be told from a grid line
    lines_gone : length of grid lines that may be gone or faded, in lengths of a cell
    spoiled : a drawing keeps this share of its reward where one thing more is drawn than queens belong there, and
        half of it where two are
    everywhere : a picture with more than so many times the queens that belong on the board has them everywhere
    """

    least_cell_px: int = 16
    lines_gone: float = 0.4
    spoiled: float = 0.2
    everywhere: float = 2.0


@dataclass(frozen=True)
class QueensSettings:
    """How boards are read and judged. Queens are dark marks; a picture with many of them still shows the board."""

    metrics: MetricSet = MetricSet.SEED
    alignment: AlignmentConfig = field(
        default_factory=lambda: AlignmentConfig(marks=AnswerConfig(are_dark=True), good=0.93, hopeful=0.3, accept=0.5)
    )
    light: LightConfig = field(default_factory=LightConfig)
    queens: QueensConfig = field(default_factory=QueensConfig)
    remainder: BoardRemainderConfig = field(default_factory=BoardRemainderConfig)
    beside: BesideConfig = field(default_factory=BesideConfig)
    rules: BoardRules = field(default_factory=BoardRules)
