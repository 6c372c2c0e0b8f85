"""Named, immutable settings. A verdict carries the name and the digest of the profile that made it."""

from __future__ import annotations

import enum
import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib import resources

from pydantic import TypeAdapter

from detectors.common.light import LightConfig
from detectors.common.surroundings import SurroundingsConfig
from detectors.maze.alterations import AlterationConfig
from detectors.maze.clips.config import MotionConfig
from detectors.maze.ink import InkConfig
from detectors.maze.plan.walls import FloorplanConfig
from detectors.maze.strokes.config import PathConfig
from detectors.queens.board import QueensConfig
from detectors.rush_hour.config import LotConfig
from detectors.sliding.config import TileConfig
from detectors.spatial_edit.boxes.config import BoxesConfig
from detectors.spatial_edit.scene.marks import MarksConfig
from detectors.spatial_edit.scene.solid_look import SolidConfig
from detectors.spatial_edit.scene.traces import TracesConfig
from detectors.spatial_edit.viewpoint.config import ViewpointConfig
from grader.alignment.following import FollowConfig
from grader.alignment.template import AlignmentConfig
from grader.lpips.nets import LpipsNet
from grader.metrics.space.edit_rules import EditRules
from grader.profiles.plan_configs import MoveConfig, StepTolerance


class MetricSet(enum.Enum):
    """Whose definition the metrics follow: the paper's, or that of its public code, faults included."""

    SEED = "seed"
    AMAZE_CODE = "amaze_code"


@dataclass(frozen=True)
class MazeSettings:
    """How mazes are read."""

    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    floorplan: FloorplanConfig = field(default_factory=FloorplanConfig)
    light: LightConfig = field(default_factory=LightConfig)
    ink: InkConfig = field(default_factory=InkConfig)
    path: PathConfig = field(default_factory=PathConfig)
    alterations: AlterationConfig = field(default_factory=AlterationConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
    motion: MotionConfig = field(default_factory=MotionConfig)
    follow: FollowConfig = field(default_factory=FollowConfig)


@dataclass(frozen=True)
class BoardSettings:
    """How boards are read. Queens are dark marks; a picture with many of them still shows the board."""

    alignment: AlignmentConfig = field(
        default_factory=lambda: AlignmentConfig(marks_are_dark=True, good=0.93, hopeful=0.3, accept=0.5)
    )
    light: LightConfig = field(default_factory=LightConfig)
    queens: QueensConfig = field(default_factory=QueensConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)


@dataclass(frozen=True)
class LotSettings:
    """How parking lots are read."""

    lot: LotConfig = field(default_factory=LotConfig)
    moves: MoveConfig = field(default_factory=MoveConfig)
    steps: StepTolerance = field(default_factory=StepTolerance)


@dataclass(frozen=True)
class TileSettings:
    """How sliding puzzles are read."""

    tiles: TileConfig = field(default_factory=TileConfig)


class LocalityGate(enum.Enum):
    """What of a background has to be alike for an edit to count."""

    SSIM_OR_LPIPS = "SSIM_OR_LPIPS"
    SSIM_AND_LPIPS = "SSIM_AND_LPIPS"


@dataclass(frozen=True)
class EditSettings:
    """How spatial edits are scored.

    Attributes
    ----------
    gate : GSI-Bench has SSIM_OR_LPIPS for photographs (GSI-Real) and SSIM_AND_LPIPS for simulated pictures (GSI-Syn)
    net : the network under LPIPS
    rules : thresholds and weights
    boxes : how coloured boxes are found
    viewpoint : how a turn of the camera is told from one of the object
    traces : what an object leaves behind where it stood, in pictures of coloured boxes
    marks : what changes there outside of all boxes
    solid : how the object looks there where it is found
    """

    gate: LocalityGate = LocalityGate.SSIM_AND_LPIPS
    net: LpipsNet = LpipsNet.ALEX
    rules: EditRules = field(default_factory=EditRules)
    boxes: BoxesConfig = field(default_factory=BoxesConfig)
    viewpoint: ViewpointConfig = field(default_factory=ViewpointConfig)
    traces: TracesConfig = field(default_factory=TracesConfig)
    marks: MarksConfig = field(default_factory=MarksConfig)
    solid: SolidConfig = field(default_factory=SolidConfig)


@dataclass(frozen=True)
class Profile:
    """One set of settings. A profile's file states where it departs from the defaults that stand in the code."""

    name: str
    description: str
    metrics: MetricSet
    maze: MazeSettings = field(default_factory=MazeSettings)
    queens: BoardSettings = field(default_factory=BoardSettings)
    rush_hour: LotSettings = field(default_factory=LotSettings)
    sliding: TileSettings = field(default_factory=TileSettings)
    spatial_edit: EditSettings = field(default_factory=EditSettings)

    @cached_property
    def digest(self) -> str:
        """SHA-256, hex, of the settings as canonical JSON."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), default=lambda member: member.value)
        return hashlib.sha256(text.encode()).hexdigest()


@cache
def list_profiles() -> tuple[Profile, ...]:
    """All profiles, the default one first."""
    adapter = TypeAdapter(Profile)
    found = []
    for entry in resources.files(__package__).iterdir():
        if entry.name.endswith(".json"):
            found.append(adapter.validate_json(entry.read_bytes(), strict=False))
    return tuple(sorted(found, key=lambda profile: (profile.name != "default", profile.name)))


def find_profile(name: str) -> Profile | None:
    """The profile of a name, the default one for an empty name, or None."""
    return next((profile for profile in list_profiles() if profile.name == (name or "default")), None)
