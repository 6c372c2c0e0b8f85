"""How spatial edits are read and judged: every threshold, with its unit."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field

from detectors.common.bars import BarsConfig
from detectors.spatial_edit.boxes.config import BoxesConfig
from detectors.spatial_edit.boxes.views import ViewsConfig
from detectors.spatial_edit.predicted.changes import ChangesConfig
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.viewpoint.config import ViewpointConfig
from grader.lpips.nets import LpipsNet
from grader.metrics.space.edit_rules import EditRules
from grader.tasks.common.fitting import FittingSettings


class LocalityGate(enum.Enum):
    """What of a background has to be alike for an edit to count."""

    SSIM_OR_LPIPS = "SSIM_OR_LPIPS"
    SSIM_AND_LPIPS = "SSIM_AND_LPIPS"


@dataclass(frozen=True)
class FindingSettings:
    """What boxes found in pictures are taken for.

    Attributes
    ----------
    most_px : larger pictures are reduced to this longest side before boxes are looked for
    sure : boxes of less confidence are told of as not sure
    least_fit : the object is that box if it fits no worse than this share of how other boxes of the picture do...
    fit_px : ...less what so many pixels are of its longest extent: of few pixels a part of one is much
    seen_m, seen_share : a detector that sees an object puts it no farther from where it is than half its longest extent
        and this length, or this share of its distance
    unturned_rad : a box that looks as before, but for less than this, did not turn
    most_turn_rad : of a turn by more, where less was asked for, half a turn is one of the names of the axes
    same_extents : extents fit under other names only where they do so better by as much, as logarithms added up
    equal : extents that differ by at most this share let a box look the same after a quarter turn
    """

    most_px: int = 1280
    sure: float = 0.5
    least_fit: float = 0.88
    fit_px: float = 4.0
    seen_m: float = 0.25
    seen_share: float = 0.1
    unturned_rad: float = math.radians(10.0)
    most_turn_rad: float = math.radians(105.0)
    same_extents: float = 0.1
    equal: float = 1e-3


@dataclass(frozen=True)
class BesidesSettings:
    """What was done besides what was asked, of boxes of any detector.

    Attributes
    ----------
    same_place_m : what should stay stays within this, or overlaps as much as `EditRules.same_place_iou` asks for
    same_size : extents within this factor, the smallest compared with the smallest, are the same
    off_place : share of the reward that an object loses that is just within `same_place_m` after a turn or a change of
        size
    off_size : share that one loses whose size is just within `same_size` after a move or a turn
    """

    same_place_m: float = 0.1
    same_size: float = 1.3
    off_place: float = 0.5
    off_size: float = 0.5


@dataclass(frozen=True)
class ExactBoxesSettings:
    """The same of boxes of the detector of coloured boxes, which is exact.

    Attributes
    ----------
    most_rad : what turned by less did not turn; the detector's own error is far below, 0.05 degrees in the median
    most_m : what is off by less stands where it stood, by far more than the detector is
    most_target_m : the object that was to be turned or resized stands where it should within this
    most_factor : and extents within this factor are the same
    equal : extents that differ by at most this share may be taken one for another where the picture tells them
    same_rad, same_factor : the object that is to be edited shows the same pixels where it turned and grew by less
    """

    most_rad: float = math.radians(20.0)
    most_m: float = 0.04
    most_target_m: float = 0.05
    most_factor: float = 1.2
    equal: float = 0.1
    same_rad: float = math.radians(5.0)
    same_factor: float = 1.05


@dataclass(frozen=True)
class SightingsSettings:
    """Boxes in the picture beside boxes in space; overlaps are intersections over unions.

    Attributes
    ----------
    same_place : a box in space and one in the picture that overlap by less are not of one object. What is half hidden
        has 0.5, and a box around a turned box is up to twice as large as the object
    same_object : boxes in the picture that overlap by as much are of one object
    """

    same_place: float = 0.25
    same_object: float = 0.5


@dataclass(frozen=True)
class JudgingSettings:
    """What passes, and what it earns.

    Attributes
    ----------
    most_left : what of the asked move, turn or change of size may be left to do, as a share: half the way is a poor
        edit of the right kind, and what a detector's noise makes of no edit at all is none
    most_on_fail : most reward of an edit that fails
    in_doubt : share of the reward that is left where something was done besides, or is in doubt
    besides : what was done besides
    exact_boxes : and where boxes are exact
    sightings : boxes in the picture beside boxes in space
    """

    most_left: float = 0.75
    most_on_fail: float = 0.9
    in_doubt: float = 0.5
    besides: BesidesSettings = field(default_factory=BesidesSettings)
    exact_boxes: ExactBoxesSettings = field(default_factory=ExactBoxesSettings)
    sightings: SightingsSettings = field(default_factory=SightingsSettings)


@dataclass(frozen=True)
class SpatialEditSettings:
    """How spatial edits are scored.

    Attributes
    ----------
    gate : GSI-Bench has SSIM_OR_LPIPS for photographs (GSI-Real) and SSIM_AND_LPIPS for simulated pictures (GSI-Syn)
    net : the network under LPIPS
    rules : thresholds and weights
    boxes : how coloured boxes are found
    finding : what boxes found in pictures are taken for
    viewpoint : how a turn of the camera is told from one of the object
    changes : which pixels are others than before
    predicted : how an edited picture of coloured boxes should look
    views : when a box is seen in both pictures of a view
    judging : what passes, and what it earns
    bars : by which a model filled up its shape
    fitting : when a picture of another size counts as stretched
    """

    gate: LocalityGate = LocalityGate.SSIM_AND_LPIPS
    net: LpipsNet = LpipsNet.ALEX
    rules: EditRules = field(default_factory=EditRules)
    boxes: BoxesConfig = field(default_factory=BoxesConfig)
    finding: FindingSettings = field(default_factory=FindingSettings)
    viewpoint: ViewpointConfig = field(default_factory=ViewpointConfig)
    changes: ChangesConfig = field(default_factory=ChangesConfig)
    predicted: PredictedConfig = field(default_factory=PredictedConfig)
    views: ViewsConfig = field(default_factory=ViewsConfig)
    judging: JudgingSettings = field(default_factory=JudgingSettings)
    bars: BarsConfig = field(default_factory=BarsConfig)
    fitting: FittingSettings = field(default_factory=FittingSettings)
