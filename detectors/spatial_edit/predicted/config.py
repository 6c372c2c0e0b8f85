"""Settings of how an edited picture of coloured boxes is predicted and compared. Contrasts are in OKLab."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from detectors.common.residual.ground import GroundConfig


@dataclass(frozen=True)
class LampConfig:
    """How it is told where the light comes from, by the shadows of the picture before.

    Attributes
    ----------
    most_px : that is looked for in a picture of this longest side at most
    near : shadows are looked for so near to boxes, times their longest extent, and if none fit, nearer: farther off
        the table's edge counts for more than small shadows do
    deepest : what differs from the table by a logarithm of more is something else
    ground : how the table's light is fitted, as logarithms
    low_rad, high_rad : height of the lamp above the table
    heights, ways : so many heights and directions are tried, and around the best of them finer ones
    least_fit : a lamp is told whose shadows have this correlation with the dark of the table
    faintest : and leave no more than this share of the light
    """

    most_px: int = 160
    near: tuple[float, ...] = (1.5, 1.2)
    deepest: float = 1.6
    ground: GroundConfig = field(default_factory=lambda: GroundConfig(tolerance=0.1))
    low_rad: float = math.radians(20.0)
    high_rad: float = math.radians(80.0)
    heights: int = 6
    ways: int = 36
    least_fit: float = 0.5
    faintest: float = 0.85


@dataclass(frozen=True)
class ShadowConfig:
    """What light and shadow may do.

    Attributes
    ----------
    lamp : how the lamp is told
    softness_rad : the lamp may be as large as this, from its middle, so that shadows are soft
    deep_rad : but farther from the shadow of its middle than this they take half of its light at most
    rim_px : and shadows may be off by so much, in pixels
    contact : and lie so near to a box that is put somewhere, as a share of the longest side, whatever the lamp says
    aslant : which is as far on the table, seen aslant, as so many times what these pixels are across
    most_px : they are told in a picture of this longest side
    least_px, stays : an old shadow of which so many pixels are in sight, and of these no more than this share is still
        dark, has gone
    softened : shadows got softer if this share of what lies just beyond them is darker than it was,
    beyond_px : so far from them, at least and at most,
    dim : by this logarithm
    near : where a shadow goes, it gets as light as what is so near, as a share of the diagonal
    dark : what got darker by this logarithm is a shadow or a mark,
    thin_px : and a mark where it is no wider than twice this, in pixels, and does not lie at a box
    around : where no lamp is told, shadows lie so near to boxes, times their longest extent,
    shadow : and leave at least this share of the light
    turned : shadows may be lighter or darker than the lamp says by this factor, and without a lamp faces that are
        turned by its square
    same_rad, same : a face that is turned by less has the light that it had, within this factor
    least_tone, most_tone : light of the whole picture over that before
    most_tint : and the ratio of two channels' gains
    """

    lamp: LampConfig = field(default_factory=LampConfig)
    softness_rad: float = 0.25
    deep_rad: float = 0.06
    rim_px: int = 4
    contact: float = 0.012
    aslant: float = 2.0
    most_px: int = 400
    least_px: int = 30
    stays: float = 0.5
    softened: float = 0.1
    beyond_px: tuple[int, int] = (2, 6)
    dim: float = 0.05
    near: float = 0.08
    dark: float = 0.07
    thin_px: int = 2
    around: float = 2.0
    shadow: float = 0.2
    turned: float = 1.4
    same_rad: float = math.radians(12.0)
    same: float = 1.1
    least_tone: float = 0.75
    most_tone: float = 1.35
    most_tint: float = 1.25


@dataclass(frozen=True)
class HangingConfig:
    """When a box hangs in the air.

    Attributes
    ----------
    most_px : that is looked for in a picture of this longest side at most
    near : its shadow is looked for so near to it, times its longest extent
    edge_px : but not so near to its edge
    nearer : at these shares of the distance at which it would stand
    deep : its shadow there takes at least this share of what the lamp's shadows took before, as logarithms,
    least_fit : and has this correlation with what got dark,
    better : and this much more than its shadow as it would stand,
    softness_rad : be that sharp, or of a lamp as large as this, from its middle
    """

    most_px: int = 400
    near: float = 2.5
    edge_px: int = 2
    nearer: tuple[float, ...] = (0.97, 0.94, 0.91, 0.87, 0.83, 0.78, 0.7)
    deep: float = 0.12
    least_fit: float = 0.45
    better: float = 0.25
    softness_rad: float = 0.25


@dataclass(frozen=True)
class TableConfig:
    """What is seen of the table where a box was.

    Attributes
    ----------
    uneven : its brightness varies by this logarithm
    tint : and its tint by as much
    lit : what is seen of it near to boxes may be shadow for the most part; then this quantile is in full light,
    wider : if what is about as bright as that takes so many times the area
    part : boxes and shadows may cut it into parts; each has at least this share of the largest one's area
    around : what may be seen in a place is seen so many times as far around as it is wide
    smear_px : the edge of a box is smeared so far into the table, in pixels
    """

    uneven: float = 0.35
    tint: float = 0.03
    lit: float = 0.85
    wider: float = 1.5
    part: float = 0.05
    around: float = 1.3
    smear_px: int = 2


@dataclass(frozen=True)
class FaceLightConfig:
    """How it is told how light faces are that are turned.

    Light is in units of that which comes from all sides to a face that lies level.

    Attributes
    ----------
    edge_px : so near to its edge a face tells nothing
    least_px : and one of fewer pixels neither
    least_strength, most_strength, strengths : the lamp's light is looked for between these, in so many steps of a ratio
    least_upright, most_upright, uprights : light from all sides on upright faces between these, in so many steps
    upright, upright_off : which is mostly this, give or take
    face_off : ratios of faces are off by this logarithm, mostly
    shadow_off : and the lamp's light, as shadows on the table tell it, by this
    lamp_rad : the direction of the lamp is told as exactly as this
    factor : a face may be lighter or darker than the lamp makes it by this factor
    """

    edge_px: int = 2
    least_px: int = 20
    least_strength: float = 0.1
    most_strength: float = 30.0
    strengths: int = 40
    least_upright: float = 0.5
    most_upright: float = 1.1
    uprights: int = 13
    upright: float = 0.85
    upright_off: float = 0.1
    face_off: float = 0.03
    shadow_off: float = 0.25
    lamp_rad: float = math.radians(3.0)
    factor: float = 1.2


@dataclass(frozen=True)
class PaintedConfig:
    """How faces are predicted of a box that is elsewhere.

    Attributes
    ----------
    light : how light faces are
    rare : tints that fewer of its pixels have, as a share at either end, are not its paint's
    least_px : a face of fewer pixels tells nothing
    grain : a face is as uneven as this share of its pixels before
    most_grain : but no more than this share of its brightness
    least_relief : where the light makes such a difference between faces, as a logarithm, ...
    flat : ...one with less than this share of it is a flat patch
    """

    light: FaceLightConfig = field(default_factory=FaceLightConfig)
    rare: float = 0.1
    least_px: int = 30
    grain: float = 0.9
    most_grain: float = 0.25
    least_relief: float = 0.15
    flat: float = 0.3


@dataclass(frozen=True)
class DisplacedConfig:
    """When what should have stayed lies off its place. Lengths are pixels of the picture as it is compared.

    Attributes
    ----------
    smooth_px : pictures are smoothed with this standard deviation, so that shifts of some pixels can be told
    window_px : shifts are told in windows of this standard deviation
    least : contrasts and gradients below this, as root mean squares in a window, tell nothing
    explained : a shift counts that explains this share of the difference
    least_edges, farthest : where so many pixels are edges, what all of them tell together counts, by this quantile
    most_px : and what lies off by more is not in its place
    """

    smooth_px: float = 2.0
    window_px: float = 6.0
    least: float = 0.0045
    explained: float = 0.6
    least_edges: int = 100
    farthest: float = 0.9
    most_px: float = 1.15


@dataclass(frozen=True)
class TingedConfig:
    """When what should have stayed has another colour all over. Lengths are pixels of the picture as it is compared.

    Attributes
    ----------
    edge_px : colours so near to the edge of a surface tell nothing
    least_px : and a surface of which fewer pixels are in sight, in the same light as before, neither
    most : contrast by which the median of the table, or of the floor, may be off,
    most_tone : once a change of contrast and of saturation by this share at most, the same all over, is taken off
    most_box : and that of a box, which codecs shift by more,
    compressed : besides this share of what compression leaves beside boxes
    """

    edge_px: int = 4
    least_px: int = 100
    most: float = 0.014
    most_tone: float = 0.1
    most_box: float = 0.02
    compressed: float = 0.2


@dataclass(frozen=True)
class TraceConfig:
    """When the outline of a box that is gone is still seen. Lengths are pixels of the picture as it is compared.

    Attributes
    ----------
    normal_px : directions across the outline are told after smoothing with this standard deviation
    inner_px, outer_px : colours so far inside and outside of it are compared in pairs,
    away_px : but not so near to boxes, nor, with half of that, to the table's edge
    least_px : of fewer pairs nothing is told
    least : a step of this contrast counts
    long_px : which is larger where there are fewer pairs than this, by the root of how many fewer
    places : the same line is laid in so many rows and columns of places, as far as half of the picture's sides away,
    held : where as large a share of it lies on the bare table,
    noise_times : and the step is at least so many times what is usual there,
    most_times : and so many times the largest one there
    """

    normal_px: float = 2.0
    inner_px: tuple[float, ...] = (3.0, 4.0, 5.0)
    outer_px: tuple[float, ...] = (5.0, 6.0, 7.0)
    away_px: int = 6
    least_px: int = 24
    least: float = 0.012
    long_px: int = 150
    places: int = 9
    held: float = 0.8
    noise_times: float = 3.5
    most_times: float = 1.5


@dataclass(frozen=True)
class PredictedConfig:
    """How the prediction is compared. Lengths are pixels of the picture as it is compared.

    Attributes
    ----------
    light : what light and shadow may do
    hanging : when a box hangs in the air
    table : what is seen of the table where a box was
    paint : how faces are predicted
    displaced : when what should have stayed lies off its place
    recolored : when what should have stayed has another colour all over
    trace : when the outline of a box that is gone is still seen
    most_px : larger pictures are reduced to this longest side
    smooth_px : the noise of single pixels is smoothed away with this standard deviation
    reach_px, tint_reach_px : an edge may be off or blurred by so much, and that of a colour,
    tint_near_px : which has all of its strength so near only, and beyond half of it,
    tint_sharp_px, sharp_hue : but so far only, if that leaves beside boxes that stay this share of what is seen at most
    tolerance, tint_tolerance : what deviates by less is as predicted, lightness and tint
    grain_times, most_tolerance : or than so many times the picture's grain, but at most so many times as much
    window_px : what is left is added up over a window of this side
    line_share, line_px : and over lines of this length, as a share of the longest side, and this width
    line_ways : which lie in so many directions
    visible : the root of the sum of squares in a window from which something is seen
    solid, solid_reach_px : of a box that stands where it stood, whose edges are off by no more than so far, this share
    elsewhere : and of one that stands elsewhere this share is seen,
    compressed : if that is no less than this share of what compression leaves beside boxes
    noise_times : and so many times what is left in half of all windows, or beside half of the boxes,
    block_px : as near to them as this, as far as a block with halved colours reaches,
    beside : by this quantile of the windows there,
    most_noise : but at most so many times what is seen
    strong : edges of a box that stays are those that are at least as strong as this share of all
    sharp : and have at least this share of their strength,
    all_along : and this share of it also where they have lost most of it,
    few : but for this share of them
    most_changed : where more than this share of all windows shows something, the picture is another
    """

    light: ShadowConfig = field(default_factory=ShadowConfig)
    hanging: HangingConfig = field(default_factory=HangingConfig)
    table: TableConfig = field(default_factory=TableConfig)
    paint: PaintedConfig = field(default_factory=PaintedConfig)
    displaced: DisplacedConfig = field(default_factory=DisplacedConfig)
    recolored: TingedConfig = field(default_factory=TingedConfig)
    trace: TraceConfig = field(default_factory=TraceConfig)
    most_px: int = 640
    smooth_px: float = 1.0
    reach_px: int = 2
    tint_reach_px: int = 6
    tint_near_px: int = 2
    tint_sharp_px: int = 2
    sharp_hue: float = 0.05
    tolerance: float = 0.012
    tint_tolerance: float = 0.012
    grain_times: float = 2.0
    most_tolerance: float = 2.0
    window_px: int = 16
    line_share: float = 0.15
    line_px: int = 3
    line_ways: int = 12
    visible: float = 0.15
    solid: float = 0.6
    solid_reach_px: int = 1
    elsewhere: float = 0.6
    compressed: float = 0.5
    noise_times: float = 4.0
    block_px: int = 12
    beside: float = 0.9
    most_noise: float = 3.0
    strong: float = 0.9
    sharp: float = 0.6
    all_along: float = 0.6
    few: float = 0.25
    most_changed: float = 0.25
