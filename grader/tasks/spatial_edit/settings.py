"""How spatial edits are read and judged: every threshold, with its unit."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from detectors.common.bars import BarsConfig
from detectors.spatial_edit.boxes.config import BoxesConfig
from detectors.spatial_edit.scene.marks import MarksConfig
from detectors.spatial_edit.scene.solid_look import SolidConfig
from detectors.spatial_edit.scene.traces import TracesConfig
from detectors.spatial_edit.viewpoint.config import ViewpointConfig
from grader.lpips.nets import LpipsNet
from grader.metrics.space.edit_rules import EditRules
from grader.tasks.common.fitting import FittingSettings


class LocalityGate(enum.Enum):
    """What of a background has to be alike for an edit to count."""

    SSIM_OR_LPIPS = "SSIM_OR_LPIPS"
    SSIM_AND_LPIPS = "SSIM_AND_LPIPS"


@dataclass(frozen=True)
class SpatialEditSettings:
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
    bars : by which a model filled up its shape
    fitting : when a picture of another size counts as stretched
    """

    gate: LocalityGate = LocalityGate.SSIM_AND_LPIPS
    net: LpipsNet = LpipsNet.ALEX
    rules: EditRules = field(default_factory=EditRules)
    boxes: BoxesConfig = field(default_factory=BoxesConfig)
    viewpoint: ViewpointConfig = field(default_factory=ViewpointConfig)
    traces: TracesConfig = field(default_factory=TracesConfig)
    marks: MarksConfig = field(default_factory=MarksConfig)
    solid: SolidConfig = field(default_factory=SolidConfig)
    bars: BarsConfig = field(default_factory=BarsConfig)
    fitting: FittingSettings = field(default_factory=FittingSettings)
