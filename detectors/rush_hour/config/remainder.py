"""Settings of what counts as left over on a lot. Lengths are in units of the lot where nothing else is said."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.residual.compression import CompressionConfig
from detectors.common.residual.ground import GroundConfig
from detectors.common.residual.windows import WindowConfig, WindowsConfig


@dataclass(frozen=True)
class LotMixingConfig:
    """How far the things of a lot mix into one another.

    Attributes
    ----------
    reach, reach_px : either side of an edge, as far as this, and at least so many pixels of the small picture
    outline : so far inside of its edge a body may be drawn darker
    rail, rail_px : this near to a vehicle's axis its rail may be drawn, and so many pixels of the small picture more:
        a slanting line that is drawn in whole pixels has steps, and a border may tell a lot's place to a twentieth
    border : so far inside of its sides the lot's border may lie
    side_px : nearer to the sides than so many pixels of the small picture nothing is told
    sign_hue : hue by which black and white, mixed into a colour, may differ from what they leave of it, as a contrast
    bend : share of the way from one colour to another by which their mixture may be off it
    exit_across, exit_along : so far inside of its side, and beyond its ends, an exit may be drawn
    exit_told : what differs there from the floor by this contrast tells its colour
    least : what differs by less than this contrast mixes in unseen
    beyond : share by which a thing may be stronger than its own colour: sharpening overshoots
    edge_quantile : what is left near edges counts as noise up to this quantile of all that is as near...
    edge_visible : ...where that is above this contrast
    edge_px : so many pixels of the small picture are near
    """

    reach: float = 0.06
    reach_px: float = 2.0
    outline: float = 0.06
    rail: float = 0.07
    rail_px: float = 1.5
    border: float = 0.08
    side_px: float = 3.0
    sign_hue: float = 0.05
    bend: float = 0.08
    exit_across: float = 0.3
    exit_along: float = 0.25
    exit_told: float = 0.1
    least: float = 0.02
    beyond: float = 1.1
    edge_quantile: float = 0.95
    edge_visible: float = 0.03
    edge_px: int = 4


@dataclass(frozen=True)
class LotLabelConfig:
    """Where a vehicle's own sign may be: its disc, with a letter and an arrow.

    Attributes
    ----------
    radius, radius_share : of the disc, at most this, and at most this share of a vehicle's width
    letter : as near to the middle a letter on it may be
    arrow : the arrow's tip, from the middle...
    arrow_half : ...and half of its width at the disc
    """

    radius: float = 0.41
    radius_share: float = 0.49
    letter: float = 0.3
    arrow: float = 0.66
    arrow_half: float = 0.33


@dataclass(frozen=True)
class LotPlacingConfig:
    """How bodies are moved to where their edges lie. Lengths are in pixels of the small picture.

    Attributes
    ----------
    inside_px, outside_px : so far inside and outside of its edge a body is told from what is around it
    points : at so many points along each side
    step_px, steps : it is moved by so many such steps each way
    told : a colour that differs by this contrast is another one
    as_good : a place that is worse by no more than this share is as good
    """

    inside_px: float = 1.5
    outside_px: float = 1.5
    points: int = 16
    step_px: float = 0.5
    steps: int = 5
    told: float = 0.6
    as_good: float = 0.01


@dataclass(frozen=True)
class LotRemainderConfig:
    """What counts as left over on a lot.

    Attributes
    ----------
    mixing : how far things mix into one another
    label : where a vehicle's own sign may be
    placing : how bodies are moved to where their edges lie
    ground : how the colours of floor and bodies are told
    windows : what is plain to see
    compression : what compression leaves around edges...
    step_levels : ...which differ by more than this in a channel from a pixel beside
    usual : noise on bodies is told from what the middle one of them has, up to this share of what is plain to see
    around : so much around a lot is looked at, in units of it
    on_way : a vehicle that goes farther than this from a frame to the next is on its way...
    beside_way : ...and as near to its way nothing is told
    every_s, again_s : in clips it is looked at so often, in seconds, and where something shows
    lasting_s : in clips it counts from this time on, in seconds; what is seen once only does not...
    in_clips : ...and where it is so many times as plain as what is just seen in a picture
    new_levels : a picture no 3 x 3 pixels of which differ by more, in any channel, beside vehicles on their way, shows
        nothing new
    whole : where more than this share of all square units shows something, the picture shows another scene
    """

    mixing: LotMixingConfig = field(default_factory=LotMixingConfig)
    label: LotLabelConfig = field(default_factory=LotLabelConfig)
    placing: LotPlacingConfig = field(default_factory=LotPlacingConfig)
    ground: GroundConfig = field(default_factory=GroundConfig)
    windows: WindowsConfig = field(
        default_factory=lambda: WindowsConfig(
            dot=WindowConfig(0.0, 3, 0.5, 0.07, 3.0, 5.5, 10.0, 0.07),
            spot=WindowConfig(0.15, 5, 0.5, 0.03, 3.0, 6.5, 0.03, 0.03),
            blot=WindowConfig(0.3, 9, 0.4, 0.02, 3.0, 7.0, 0.025, 0.02),
            patch=WindowConfig(0.6, 17, 0.35, 0.012, 3.0, 5.0, 0.017, 0.012),
            line=WindowConfig(0.25, 7, 0.7, 0.06, 3.0, 5.5, 10.0, 0.06),
            by_area=True,
        )
    )
    compression: CompressionConfig = field(default_factory=CompressionConfig)
    step_levels: int = 24
    usual: float = 0.35
    around: float = 0.3
    on_way: float = 0.06
    beside_way: float = 0.25
    every_s: float = 0.12
    again_s: float = 0.06
    lasting_s: float = 0.2
    in_clips: float = 1.5
    new_levels: float = 5.0
    whole: float = 0.5
