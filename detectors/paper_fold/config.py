"""How sheets are looked at: every threshold, with its unit.

Lengths are shares of a hole's radius unless a name says px.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.light import LightConfig
from detectors.common.residual.ground import GroundConfig
from detectors.common.residual.windows import WindowConfig, WindowsConfig


@dataclass(frozen=True)
class PaperConfig:
    """How the sheet's own colours are told from what is drawn on it.

    Attributes
    ----------
    least_radius_px : the working frame is the smallest, reduced by 2, 3, 4, 6, ..., in which a hole's radius is at
        least this
    smooth_px : the puzzle's picture is smoothed by a Gaussian of this deviation before its edges are told
    edge : contrast of neighbouring pixels from which there is an edge
    thin_px : what is not wider than twice this is no area, but a line
    middle : share of an edge's usual depth from which a pixel is of its middle
    alike : contrast up to which areas of the puzzle's picture have one colour
    least_area_px : smaller areas of one colour are taken for edges
    reach_px : so near to an edge its colours may mix into the paper
    most : largest share of an edge's colour that is taken off...
    core_px : ...so near to it...
    soft : ...and farther off, where it is blurred at most
    rings_px : so near to an edge, or to a hole, what is left everywhere is trusted less
    trusted : what is left counts as noise there up to this quantile of all that is as near...
    visible : ...where that is above this contrast
    lone : a pixel that differs by more than this, 0 to 255, from those around it...
    lone_px : ...with at most so many beside it, is pepper...
    peppered : ...where this share of the tiles of the picture has some
    line : contrast of the sheet's edge from which it is a line...
    line_left : ...that is gone where less than this share of what is usual is left...
    line_gone : ...over a length of so many radii
    line_px : an edge may lie so far off
    repainted : contrast between the sheet's colour and the puzzle's from which it was painted anew
    same : contrast up to which two pixels have one colour
    even : an area of which at least this share of the pixels has one colour is even
    ground : how its colour is fitted
    light : what counts as light
    """

    least_radius_px: float = 6.0
    smooth_px: float = 0.8
    edge: float = 0.05
    thin_px: int = 3
    middle: float = 0.75
    alike: float = 0.04
    least_area_px: int = 40
    reach_px: float = 3.0
    most: float = 1.3
    core_px: float = 1.5
    soft: float = 0.4
    rings_px: int = 8
    trusted: float = 0.9
    visible: float = 0.012
    lone: int = 40
    lone_px: int = 5
    peppered: float = 0.08
    line: float = 0.12
    line_left: float = 0.4
    line_gone: float = 2.5
    line_px: int = 2
    repainted: float = 0.3
    same: float = 0.003
    even: float = 0.75
    ground: GroundConfig = field(default_factory=GroundConfig)
    light: LightConfig = field(default_factory=LightConfig)


@dataclass(frozen=True)
class HolesConfig:
    """What counts as a hole.

    Attributes
    ----------
    smooth, least_px : what is left is smoothed by a Gaussian of this deviation, and of at least so many pixels
    visible : contrast from which something is drawn...
    noise : ...if it is also so many times the noise...
    loudest : ...which is at most this: what is stronger everywhere was drawn
    stroke : a stroke is plain to see from this contrast...
    surely : ...which is at least so many times that from which something is drawn...
    long : ...and from this length
    beside_px : what lies within so many pixels more of a hole is its own
    bridge : where discs that were taken apart lie so far from each other, a stroke joins them...
    bridging : ...if it has more than this share of their contrast
    middle_px : ...where it is as far from both, but for so much
    busy : share of the sheet that is drawn on from which it is covered with something
    closed : gaps up to this width are closed
    half : a hole ends where its contrast is this share of its own
    merged, most_merged : a mark of more than so many holes' area, and fewer than so many, may be holes that touch...
    deep : ...whose middles are at least this share of the deepest one's depth off its rim
    widest : what is drawn is filled where it is at most so wide; in what is wider, what it goes around is filled where
        that is as wide as the largest hole at most
    opened : what is narrower than twice this is a line, and no part of a hole
    smallest, largest : range of a hole's radius, as a share of the given one
    compact : radius of the circle around it over that of the circle of its area, at most...
    raster_px : ...where the raster makes both uncertain by so much
    rim : what is drawn so near around something round is its rim, and no crease; beside an edge it may have gaps
    plain : a hole's own contrast, in the part of it that differs most, is at least this...
    share : ...as a share of its area
    fainter : and at least this share of the middle one's of all holes
    mark : what is at least so large, as a share of a hole's area, is a mark
    torn : a mark of so many holes' area is a change of the sheet
    touching : so near to the sheet's edge, a mark of so much of a hole's area touches it
    """

    smooth: float = 0.09
    least_px: float = 0.6
    visible: float = 0.045
    noise: float = 5.0
    loudest: float = 0.03
    stroke: float = 0.11
    surely: float = 2.0
    long: float = 0.7
    beside_px: float = 2.0
    bridge: float = 0.2
    bridging: float = 0.35
    middle_px: float = 1.5
    busy: float = 0.04
    closed: float = 0.24
    half: float = 0.55
    merged: float = 2.3
    most_merged: float = 14.0
    deep: float = 0.7
    widest: float = 4.6
    opened: float = 0.34
    smallest: float = 0.79
    largest: float = 1.62
    compact: float = 1.2
    raster_px: float = 0.6
    rim: float = 0.35
    plain: float = 0.065
    share: float = 0.15
    fainter: float = 0.3
    mark: float = 0.08
    torn: float = 4.0
    touching: float = 0.5


@dataclass(frozen=True)
class MarksConfig:
    """How what is left beside the holes is told.

    Attributes
    ----------
    cell : side of the tiles by which places are told
    around : of a hole, what lies within so much more than its radius is its own...
    around_px : ...and so many pixels more
    crease : width of a crease that is a crease still
    crease_aside : how far a crease may lie from where the fold was...
    crease_px : ...and by how many working pixels more, as far as its edges are soft
    nothing : where nothing is left that has this contrast in any axis, there is no mark
    windows : over what areas what is left is averaged
    """

    cell: float = 3.0
    around: float = 0.2
    around_px: float = 2.5
    crease: float = 0.12
    crease_aside: float = 0.12
    crease_px: float = 1.0
    nothing: float = 0.005
    windows: WindowsConfig = field(
        default_factory=lambda: WindowsConfig(
            dot=WindowConfig(0.0, 3, 0.5, 0.07, 3.0, 6.0, 10.0, 0.172),
            spot=WindowConfig(0.15, 7, 0.5, 0.025, 3.0, 7.0, 0.027, 0.025),
            blot=WindowConfig(0.3, 9, 0.4, 0.0175, 3.0, 8.0, 0.021, 0.0175),
            patch=WindowConfig(0.6, 17, 0.35, 0.01, 3.0, 7.0, 0.014, 0.01),
            line=WindowConfig(0.4, 9, 0.7, 0.055, 3.0, 6.0, 10.0, 0.144),
        )
    )


@dataclass(frozen=True)
class CreaseLinesConfig:
    """What is a crease, wherever it lies: a thin straight line from rim to rim, in a direction of folds.

    Attributes
    ----------
    least : it is at least so long, in sides of the sheet
    covered : this share of it is drawn, as far as it is in sight...
    gap : ...without a gap of so many sides, as between dashes
    beside_px : what lies so far beside its middle is of it
    apart_px : two are so far apart
    most : with more of them it is a grid
    """

    least: float = 0.25
    covered: float = 0.35
    gap: float = 0.09
    beside_px: float = 1.5
    apart_px: int = 5
    most: int = 8


@dataclass(frozen=True)
class PlausibleConfig:
    """When a puzzle's picture of a sheet can be what it is said to be.

    Attributes
    ----------
    smooth_px : it is smoothed by a Gaussian of this deviation
    reach_px, reach : an edge may lie so far off, or this share of the picture's longer side, as rims of wide lines...
    edge : ...and is there from this contrast...
    corner : ...on all but this share of it at either end...
    seen : ...if it is there on this share of the rest
    middle, rim : a hole shows up to this share of its radius, and its rim from this one on...
    alike : ...unless it differs by no more than this contrast...
    common : ...from this share of the sheet...
    within : ...so many radii within its edge...
    around : ...and outside of so many around holes...
    samples : ...of which so many pixels are looked at
    """

    smooth_px: float = 0.7
    reach_px: int = 3
    reach: float = 0.006
    edge: float = 0.03
    corner: float = 0.06
    seen: float = 0.75
    middle: float = 0.7
    rim: float = 0.85
    alike: float = 0.05
    common: float = 0.02
    within: float = 0.5
    around: float = 1.3
    samples: int = 4000


@dataclass(frozen=True)
class LocatingConfig:
    """How a sheet is looked for in a candidate.

    Attributes
    ----------
    longest_px : the candidate is halved until its longest side is at most this
    step : difference of neighbouring pixels, 0 to 255, up to which they are of one area
    least : least side of a sheet, as a share of the candidate's shorter one
    filled : an area has the sheet's shape if the shares of their boxes that they fill differ by less than one less this
    beside : an area of the sheet's shape beside it is another one from this share of its area on...
    alike : ...if it is at most so many times as wide for its height, or as high for its width
    most : so many of the largest are looked at
    tried : so many are tried
    """

    longest_px: int = 400
    step: int = 24
    least: float = 0.1
    filled: float = 0.93
    beside: float = 0.06
    alike: float = 1.25
    most: int = 8
    tried: int = 2


@dataclass(frozen=True)
class SheetConfig:
    """How sheets are looked at."""

    locating: LocatingConfig = field(default_factory=LocatingConfig)
    paper: PaperConfig = field(default_factory=PaperConfig)
    holes: HolesConfig = field(default_factory=HolesConfig)
    marks: MarksConfig = field(default_factory=MarksConfig)
    lines: CreaseLinesConfig = field(default_factory=CreaseLinesConfig)
    plausible: PlausibleConfig = field(default_factory=PlausibleConfig)
