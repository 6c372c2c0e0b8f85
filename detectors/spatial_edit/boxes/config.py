"""Settings of the detector of boxes, by stage. Lengths in pixels are for the picture as it is given."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class PaintConfig:
    """How paints are told apart, by OKLab's a and b over lightness, which are called tints.

    Attributes
    ----------
    least_chroma : least length of the tint that the paint of a kind must have
    least_difference : least distance of the tints of two paints
    smooth_px : the noise of single pixels is smoothed away with this standard deviation
    ground_step, ground_share : tints that are so near to each other and fill this share of a picture are no paint
    hue_reach : a pixel may be so far from a paint's tint, as a share of its length
    other_hue : how much more a difference of hue counts than one of chroma
    dark : lightness below which chroma no longer means anything
    """

    least_chroma: float = 0.12
    least_difference: float = 0.06
    smooth_px: float = 0.7
    ground_step: float = 0.03
    ground_share: float = 0.08
    hue_reach: float = 0.55
    other_hue: float = 1.5
    dark: float = 0.05


@dataclass(frozen=True)
class PartsConfig:
    """Which connected parts of a paint are looked at.

    Attributes
    ----------
    most : so many parts of a paint are looked at, the solid and the largest first
    most_in_all : and no more of all paints, which share them
    least_area : least pixels of a part
    bridge_px : bridges of solid paint that are narrower are cut
    least_trace : least share of a paint's chroma of what is looked at as a box that one can see through
    faint_bridge_px : bridges of such paint that are narrower are cut
    rim_px : such a part goes on by so much, up to where half of its paint is left
    smear_px : so near to another paint its smeared edge is taken for no such part
    solid_share : a part is solid if at least this share of its pixels is
    solid_trace, faint_confidence : with less than that share of chroma, a box is told of only with that confidence
    touch_px : parts that are so near to another paint may go on behind it
    joined_overlap : two such parts are one box that something hides in the middle if it fits so well
    """

    most: int = 12
    most_in_all: int = 40
    least_area: int = 80
    bridge_px: int = 3
    least_trace: float = 0.12
    faint_bridge_px: int = 5
    rim_px: int = 2
    smear_px: int = 4
    solid_share: float = 0.7
    solid_trace: float = 0.6
    faint_confidence: float = 0.6
    touch_px: int = 5
    joined_overlap: float = 0.9


@dataclass(frozen=True)
class OutlineConfig:
    """How a box is fitted to an outline.

    Attributes
    ----------
    directions : directions in which the outline is measured
    aside_px : what lies so far beside the outline may hide more of the box
    yaws : yaws in half a turn that the fit is started from; half as many where the size is not known
    pitches : the camera's pitches that it is started from where no table is known, rad
    size_shares : width, height and length of a box of unknown size at the start, as shares of the outline's
    nearest_m : and it is no nearer to the camera than this
    rounds : steps of a fit at most
    most_step : a step changes no number by more, in metres, radians and logarithms of metres
    still : steps that change no number by as much end the fit
    most_off_px : residuals beyond this count no more when fits are compared
    same_m, same_rad : two fits are one if place and yaw differ by no more
    kept : fits that are measured by their edges, the best first
    """

    directions: int = 72
    aside_px: float = 3.0
    yaws: int = 12
    pitches: tuple[float, ...] = (0.4, 0.7, 1.0)
    size_shares: tuple[float, float, float] = (0.7, 0.6, 0.7)
    nearest_m: float = 0.05
    rounds: int = 25
    most_step: float = 0.5
    still: float = 1e-4
    most_off_px: float = 20.0
    same_m: float = 0.02
    same_rad: float = 0.1
    kept: int = 4


@dataclass(frozen=True)
class PlacesConfig:
    """Where the edges of a box are measured.

    Attributes
    ----------
    spacing_px : distance of the places along an edge
    corner_px : so near to the ends of an edge nothing is measured, nor on an edge of less than three times this
    most : places on one edge
    border_px : nor so near to the edge of the picture
    behind_m : a place is hidden if what lies before it is nearer by so much
    beside_px : places so near to another box that is in front are not measured
    told_px : and where one is so near, an edge need not be seen: its colours are told by what lies so far beside it
    twin_px : an outer edge has no other paint beside it where a box of the same paint is so near
    """

    spacing_px: float = 2.0
    corner_px: float = 3.0
    most: int = 60
    border_px: float = 2.0
    behind_m: float = 0.004
    beside_px: float = 1.5
    told_px: float = 4.0
    twin_px: float = 3.0


@dataclass(frozen=True)
class ReliefConfig:
    """How faces of a box are told from a flat patch.

    Attributes
    ----------
    aside_px : so far from an inner edge the brightness of a face is taken
    middle : and so far along the edge from its middle at most, as a share of its length
    least : if no two faces differ in brightness by this share, it is a flat patch
    flat_trust : confidence is multiplied by this for a flat patch
    """

    aside_px: float = 3.5
    middle: float = 0.25
    least: float = 0.02
    flat_trust: float = 0.3


@dataclass(frozen=True)
class EdgesConfig:
    """How a box is fitted to its edges.

    Attributes
    ----------
    places : where edges are measured
    windows_px : how far from where an edge should be it is looked for, one after the other
    last_windows_px : the same once the best fit is chosen and it is known what hides it
    step_px : step of the profiles across edges
    fine_px : the exact place is looked for within this distance of the rough one
    side_px : the colour beside an edge is measured over so many pixels
    least_contrast : least difference in linear RGB, 0 to 1, of the two sides of an edge
    good_px : an edge that is so near to its place supports the box
    outlier_px : residuals beyond this weigh less
    outlier_share : but not below so many times their median
    most_step : a step changes no number by more, in metres, radians and logarithms of metres
    relief : how faces are told from a flat patch
    """

    places: PlacesConfig = field(default_factory=PlacesConfig)
    windows_px: tuple[float, ...] = (10.0, 7.0, 5.0, 4.0)
    last_windows_px: tuple[float, ...] = (5.0, 4.0, 4.0, 3.0, 3.0)
    step_px: float = 0.5
    fine_px: float = 2.0
    side_px: float = 2.0
    least_contrast: float = 0.015
    good_px: float = 1.2
    outlier_px: float = 0.7
    outlier_share: float = 1.5
    most_step: float = 0.1
    relief: ReliefConfig = field(default_factory=ReliefConfig)


@dataclass(frozen=True)
class SplitConfig:
    """When a part is taken for two boxes of the given size.

    Attributes
    ----------
    quality : if one box fits worse than this, two are tried
    area : and if its pixels are at most so many times those of a box of the given size
    step_m, yaws : steps of the places, and yaws in half a turn, at which two boxes are tried
    coarse_px : covers are compared at each pixel of so many, across and down
    inside : least share of a box that must lie on the paint or behind another
    most : places that are paired, those that cover most first
    cover_gain : two boxes must cover so much more than one, as a share of the part
    halvings : the best two are moved by half the steps, half of these and so on, so many times
    rounds : how often both are fitted again, once it is known where the other is
    gain : and they must fit better than one by this much
    """

    quality: float = 0.85
    area: float = 2.5
    step_m: float = 0.015
    yaws: int = 12
    coarse_px: int = 3
    inside: float = 0.88
    most: int = 400
    cover_gain: float = 0.05
    halvings: int = 4
    rounds: int = 2
    gain: float = 0.05


@dataclass(frozen=True)
class ChoiceConfig:
    """Which fits are told of, and how sure they are.

    Attributes
    ----------
    given_support : edges of a box of the given size must be where they should be at this share of places, or else the
        size is measured
    given_overlap : and it must have this share of common pixels
    freed_gain : and measuring the size must raise the product of both by this much
    rounds : how often boxes are fitted again, once it is known where the others are
    least_overlap : least share of common pixels for a box to be reported
    uneven : a box of a size that is not known, whose faces leave more than this share of the variance of brightness,
    other_heights : is also tried with its height times these
    most_scaled : extents that differ from the given ones by more than this factor are those of another thing
    sure_visible : a box of which less is seen is told of with less confidence, in proportion
    equal_sides : sides of a footprint that differ by at most this share count as equal
    """

    given_support: float = 0.85
    given_overlap: float = 0.93
    freed_gain: float = 0.04
    rounds: int = 2
    least_overlap: float = 0.6
    uneven: float = 0.2
    other_heights: tuple[float, ...] = (0.3, 0.45, 0.65, 1.5, 2.2)
    most_scaled: float = 4.0
    sure_visible: float = 0.5
    equal_sides: float = 0.03


@dataclass(frozen=True)
class BoxesConfig:
    """What counts as a box.

    Attributes
    ----------
    paint : how paints are told apart
    parts : which connected parts of a paint are looked at
    outline : how a box is fitted to the outline of a part
    edges : and then to its edges
    split : when a part is taken for two boxes
    choice : which fits are told of
    """

    paint: PaintConfig = field(default_factory=PaintConfig)
    parts: PartsConfig = field(default_factory=PartsConfig)
    outline: OutlineConfig = field(default_factory=OutlineConfig)
    edges: EdgesConfig = field(default_factory=EdgesConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    choice: ChoiceConfig = field(default_factory=ChoiceConfig)
