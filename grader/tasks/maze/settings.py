"""How mazes are read and judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.light import LightConfig
from detectors.common.surroundings import SurroundingsConfig
from detectors.maze.alterations import AlterationConfig
from detectors.maze.clips.config import MotionConfig
from detectors.maze.ink import InkConfig
from detectors.maze.plan.walls import FloorplanConfig
from detectors.maze.strokes.config import PathConfig
from grader.alignment.following import FollowConfig
from grader.alignment.template import AlignmentConfig
from grader.metrics.amaze_code import MetricSet


@dataclass(frozen=True)
class MazeSettings:
    """How mazes are read."""

    metrics: MetricSet = MetricSet.SEED
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    floorplan: FloorplanConfig = field(default_factory=FloorplanConfig)
    light: LightConfig = field(default_factory=LightConfig)
    ink: InkConfig = field(default_factory=InkConfig)
    path: PathConfig = field(default_factory=PathConfig)
    alterations: AlterationConfig = field(default_factory=AlterationConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
    motion: MotionConfig = field(default_factory=MotionConfig)
    follow: FollowConfig = field(default_factory=FollowConfig)
