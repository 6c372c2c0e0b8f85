"""How mazes are read and judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.light import LightConfig
from detectors.common.specks import SpecksConfig
from detectors.maze.alterations import AlterationConfig
from detectors.maze.clips.config import ClipConfig
from detectors.maze.floor.config import FloorConfig
from detectors.maze.ink import InkConfig
from detectors.maze.plan.walls import FloorplanConfig
from detectors.maze.relief.faces import FacesConfig
from detectors.maze.remainder.config import RemainderConfig
from detectors.maze.strokes.config import PathConfig
from detectors.maze.textures.config import LooksConfig
from grader.alignment.following import FollowConfig
from grader.alignment.template import AlignmentConfig
from grader.alignment.whole import WholeConfig
from grader.metrics.amaze_code import MetricSet
from grader.tasks.common.beside import BesideConfig


@dataclass(frozen=True)
class PuzzleRules:
    """What a maze has to be, to be judged.

    Attributes
    ----------
    least_contrast : least difference of floor and wall colour, summed over channels, 0 to 765
    least_lightness : least difference of OKLab lightness between the floor and a path in black or white
    least_extent, most_extent : range of the sides of the cells together, as shares of the picture's
    widest_wall : a wall's greatest width, as a share of the cell length
    """

    least_contrast: float = 90.0
    least_lightness: float = 0.4
    least_extent: float = 0.5
    most_extent: float = 1.1
    widest_wall: float = 0.5


@dataclass(frozen=True)
class PathRules:
    """What a drawing on a maze comes to.

    Attributes
    ----------
    flooded : filling is flooding from more than this share of all cells
    specked : specks off the right path are a texture from more than this share of all cells
    dotted : several marks are dots up to this many steps between cells for each visited cell
    replaced : a changed maze is another maze from more than this share of walls and of passages
    spoiled : a drawing keeps this share of its reward where something else is drawn in one cell, and half of it
        in two, a third in three
    plain_chroma : OKLab chroma from which a stroke is plain to see; below it confidence falls
    repainted : difference of a channel (0 to 255) above which a floor is said to be repainted
    crossing_px : side of the box, in picture pixels, that shows where a wall is crossed
    """

    flooded: float = 0.8
    specked: float = 0.25
    dotted: float = 0.25
    replaced: float = 0.2
    spoiled: float = 0.2
    plain_chroma: float = 0.05
    repainted: float = 16.0
    crossing_px: float = 16.0


@dataclass(frozen=True)
class TravelRules:
    """How the picture around a travelling marker is judged.

    Attributes
    ----------
    rim : a marker is painted over to this many times its radius, so that its rim and halo go with it...
    rim_px : ...and so many working pixels more
    alike : difference of colours (0 to 255, largest channel) up to which it may be one of the puzzle's own
    """

    rim: float = 1.35
    rim_px: int = 2
    alike: float = 80.0


@dataclass(frozen=True)
class MazeSettings:
    """How mazes are read and judged."""

    metrics: MetricSet = MetricSet.SEED
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    whole: WholeConfig = field(default_factory=WholeConfig)
    floorplan: FloorplanConfig = field(default_factory=FloorplanConfig)
    floor: FloorConfig = field(default_factory=FloorConfig)
    texture: LooksConfig = field(default_factory=LooksConfig)
    light: LightConfig = field(default_factory=LightConfig)
    specks: SpecksConfig = field(default_factory=SpecksConfig)
    relief: FacesConfig = field(default_factory=FacesConfig)
    ink: InkConfig = field(default_factory=InkConfig)
    path: PathConfig = field(default_factory=PathConfig)
    alterations: AlterationConfig = field(default_factory=AlterationConfig)
    remainder: RemainderConfig = field(default_factory=RemainderConfig)
    beside: BesideConfig = field(default_factory=BesideConfig)
    motion: ClipConfig = field(default_factory=ClipConfig)
    follow: FollowConfig = field(default_factory=FollowConfig)
    puzzle: PuzzleRules = field(default_factory=PuzzleRules)
    judging: PathRules = field(default_factory=PathRules)
    travelling: TravelRules = field(default_factory=TravelRules)
