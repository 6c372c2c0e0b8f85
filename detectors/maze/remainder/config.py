"""What counts as left over on a maze."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.residual.compression import CompressionConfig
from detectors.common.residual.energy import EnergyConfig
from detectors.common.residual.ground import GroundConfig
from detectors.common.residual.signs import SignConfig
from detectors.common.residual.windows import WindowsConfig
from detectors.maze.remainder.around import AroundConfig
from detectors.maze.remainder.holes import HoleConfig
from detectors.maze.remainder.on_walls import WithinConfig
from detectors.maze.shapes.cast import LineShadowConfig
from detectors.maze.shapes.faded import FadedConfig
from detectors.maze.shapes.labels import LabelConfig
from detectors.maze.shapes.outlines import MarkerOutlineConfig
from detectors.maze.shapes.recolored import RecoloredConfig
from detectors.maze.shapes.writing import WritingConfig


@dataclass(frozen=True)
class MixingConfig:
    """How far the things of a maze mix into the floor around them.

    Attributes
    ----------
    reach, reach_px : as far as this share of a cell, and at least so many working pixels...
    blurred : ...or as far as the floor along walls differs by this contrast from what it is elsewhere, in the middle...
    most_reach : ...but at most this share of a cell
    marker_reach : a marker may be larger by this share of a cell
    beyond : share by which a thing may be stronger than its own colour: sharpening overshoots
    thin_px, thin : walls thinner than so many working pixels are darker by this factor where they meet the pixels' grid
    subsampled_px : at a stroke's edge hues lie as far beside its lightness, in picture pixels
    smear_px : JPEG smears hues over a block, in picture pixels...
    smear : ...of at most this share of the thing's colour
    """

    reach: float = 0.06
    reach_px: float = 2.5
    blurred: float = 0.012
    most_reach: float = 0.16
    marker_reach: float = 0.08
    beyond: float = 1.15
    thin_px: float = 2.0
    thin: float = 2.2
    subsampled_px: float = 2.0
    smear_px: int = 16
    smear: float = 0.2


@dataclass(frozen=True)
class CompanionConfig:
    """What goes along a stroke all its way: a rim, a shadow, a glow.

    Attributes
    ----------
    reach : it is within this share of a cell from the stroke
    share : of the pixels at a distance from the stroke, at least this share shows it
    along : on the pieces of a floor, whose corridors may be narrow, there are at least this share of the pixels at that
        distance that there are beside the stroke
    visible : contrast from which it shows...
    noisy : ...if that is also so many times the floor's noise
    strong : its colour is that of its strongest pixels, this share of them
    beyond : it may be stronger than that by this factor
    kinds : most companions of different colours
    hue_deg : it has no hue of its own: none, or the stroke's, within so many degrees...
    colorful : ...where its a and b, doubled, are at least this long
    """

    reach: float = 0.25
    share: float = 0.3
    along: float = 0.4
    visible: float = 0.01
    noisy: float = 1.5
    strong: float = 0.3
    beyond: float = 1.4
    kinds: int = 2
    hue_deg: float = 45.0
    colorful: float = 0.08


@dataclass(frozen=True)
class EdgeConfig:
    """How far what is left is trusted near walls and strokes, whose edges are never just as they were.

    Attributes
    ----------
    wall_px : so many working pixels from walls...
    wall_quantile : ...what is left counts as noise up to this quantile of all that is as near
    stroke_px, stroke_quantile : the same near strokes and their companions, and near markers
    visible : where that is above this contrast...
    noisy : ...and so many times the floor's noise
    """

    wall_px: int = 4
    wall_quantile: float = 0.97
    stroke_px: int = 4
    stroke_quantile: float = 0.95
    visible: float = 0.03
    noisy: float = 2.0


@dataclass(frozen=True)
class StrokePieceConfig:
    """Which pieces of ink belong to the line that was read; the others have to be explained.

    Attributes
    ----------
    length : a piece at least this share of a cell long, as wide as the line, ...
    area : ...or of this area, in cell lengths squared, ...
    width : ...or nearly as wide as the line, by this factor, and no mere crumb, belongs to it
    dash : of a dashed line, pieces of at least this share of the middle one's area...
    dot : ...or of the area of a disc with this share of its width
    beside, beside_px : ink of its colour within this share of a cell of it, or so many working pixels, is its own
    darker : pixels that are darker than the line by this lightness are not its own...
    outlined : ...unless they lie along this share of its rim
    """

    length: float = 0.6
    area: float = 0.02
    width: float = 0.75
    dash: float = 0.4
    dot: float = 0.8
    beside: float = 0.08
    beside_px: float = 3.0
    darker: float = 0.3
    outlined: float = 0.8


@dataclass(frozen=True)
class MatchedConfig:
    """How what is left is looked for across borders and along ways.

    Attributes
    ----------
    smooth : side of the square over which it is averaged first, as a share of a cell
    flank : how far to either side what lies beside it is taken off, as a share of a cell
    visible : contrast, averaged over a bar or a way, from which it is plain to see...
    times : ...if it is also so many times what the middle one of all borders has, or than the floor is noisy
    fewest, alike : of at least so many passages the middle bar is plain to see from this contrast...
    sure : ...if it is also so many times the usual deviation from it, by the root of their number
    """

    smooth: float = 0.1
    flank: float = 0.25
    visible: float = 0.0135
    times: float = 7.0
    fewest: int = 6
    alike: float = 0.005
    sure: float = 12.0


@dataclass(frozen=True)
class TwoColorsConfig:
    """When a line has two colours.

    Attributes
    ----------
    beside : it is looked at up to this many half-widths from its ink, ...
    beside_px : ...and at least so many working pixels
    marker_px : but not as near to a marker as this, in working pixels
    colorful : pixels whose a and b, doubled, are at least this long have a hue...
    turn_deg : ...which is another one than the line's if it is so many degrees off
    noisy, step : where the middle pixel of the floor is so many levels off its neighbours there is noise, and as much
        longer they have to be as a step of so many levels makes a longer hue of a dark grey than of white
    share, within : a line has two colours if as many pixels as this share of its own have another hue, on it and
        beside it, or as many as this one on it...
    samples : from so many pixels of a line it is told whether its hues are apart at all
    spread_deg : ...or if the middle four fifths of its hues are so many degrees apart...
    apart_deg : ...and the middle half so many...
    flat : ...and this share of that: of one hue that is spread the middle ones are the most...
    outlying : ...or if as large a share is as many degrees off the middle, and so many times what the middle half spans
    strongest : the colour of a line that mixes with the floor is that of its strongest pixels, from this quantile on
    """

    beside: float = 2.0
    beside_px: float = 1.5
    marker_px: float = 5.0
    colorful: float = 0.1
    turn_deg: float = 50.0
    noisy: float = 1.5
    step: float = 12.0
    share: float = 0.06
    within: float = 0.04
    samples: int = 800
    spread_deg: float = 28.0
    apart_deg: float = 16.0
    flat: float = 0.58
    outlying: float = 2.0
    strongest: float = 0.75


@dataclass(frozen=True)
class RoleConfig:
    """What is left, by where it lies.

    Attributes
    ----------
    beside : a cell in which less than this share of the plainest beside it shows only catches its rim
    textured : on a floor with textures something is so many times as plain as what is just seen...
    grained : ...and so it is where the floor's noise is above this contrast
    crowd : and it is so many times as plain as what most pieces show, as far as that is not plain itself
    beside_line : noise is told by itself in cells through which the line leads, for compression leaves more there;
        but what is plain there is at most so many times what is plain elsewhere
    written : what is written in a marker's cell may reach out of it by this share of a cell...
    barred : ...but what shows all along a passage of it, over this share of what is in sight, is a bar
    corner_width, corner_height : what lies in a corner of the picture, of these shares of it, is decoration...
    apart, clear : ...where the line and the markers are farther away than this share of a cell, or, of what looks like
        a sign, the line than this one
    wall : what is left is a wall if it is so far on the way from the floor's colour to the walls'...
    hue : ...and differs from that way by less than this contrast
    grown, grown_long, grown_gap, grown_far : in a marker's cell it is no writing where it goes on from a wall or lies
        at the line, this share of a wall wide and so many of its widths long or more, after a gap of this share of its
        width or less, farther from walls than this share of a cell...
    writing : ...unless it is told to be writing...
    colorful, hue_deg, along : ...or has the marker's own hue, up to so many degrees, where this share of both is
        colour, and lies along less than this share of a passage
    """

    beside: float = 0.35
    textured: float = 1.15
    grained: float = 0.01
    crowd: float = 1.6
    beside_line: float = 1.5
    written: float = 0.12
    barred: float = 0.97
    corner_width: float = 0.25
    corner_height: float = 0.14
    apart: float = 0.3
    clear: float = 0.08
    wall: float = 0.3
    hue: float = 0.1
    grown: float = 0.6
    grown_long: float = 1.5
    grown_gap: float = 0.75
    grown_far: float = 0.12
    writing: WritingConfig = field(default_factory=WritingConfig)
    colorful: float = 0.5
    hue_deg: float = 25.0
    along: float = 0.4


@dataclass(frozen=True)
class MarkerShapeConfig:
    """What counts as another marker in the place of one.

    Attributes
    ----------
    shown : a marker of which less than this share is in sight was painted over, and one of which less than this share
        of what is in sight has its colour is gone
    alike : correlation with the puzzle's marker, at the best size and place, below which it is another one
    step, sizes : so many sizes are tried either way, each by this factor larger or smaller than the one before
    whole : beside a marker whose place has its colour to at least this share...
    inked : ...what has at least this share of the colour...
    low, long : ...is writing, if it is lower than this share of the marker's size, and so many times as long as high
    blurs, blurred : it may be blurred by up to so many working pixels, or this share of its size
    shift_px : by how many it may lie elsewhere
    part : a part of it is gone, or there is more, where over a window of this share of its size...
    differs : ...more than this share of the pixels differ
    through : what a pale line shows of a marker differs by so many levels, 0 to 255, from their mixture...
    opaque : ...in which the marker has at least this share...
    same : ...and whose difference to the floor is another one than the line's by this cosine
    fringe_px : nearer to a line than so many working pixels, its soft edge is mixed with a marker
    least_shown : one of a floor of which less than this share is in sight was painted over
    least_seen : where less than this share is left of it apart from edges, its colour alone tells
    palest, aside : a marker of a floor may have this share of its colour all over, if it is beside that by no more than
        the other share
    small_px, small_alike : a smaller one of a floor, in working pixels, is another one below this correlation
    outline_px, outlined : within so many working pixels of its edge, what has another colour all along this share of
        the edge is an outline
    colorful : a marker whose a and b, doubled, are at least so far from the floor's has a colour, and...
    drained, kept : ...is another one with less than this share of it, beside what another marker has, which is at least
        the other share
    rimmed : what this share of a marker, just as near to the line, has none of its colour is the line's rim
    stroke : on a marker's inside, but for its outline, what is darker or lighter by this...
    rough : ...and so many times what the middle of it is beside its own surroundings...
    thin_stroke : ...and thinner than twice this share of its size...
    piece, across : ...and at least so long, in pieces of at least so much, as shares of its size, crosses it out...
    apart_deg : ...if it comes to the edge in directions that are so many degrees apart...
    beside_line : ...if it is farther from the line than this share of its width...
    least_inner : ...and this share of the marker lies there
    outlines : how far its edge may lie off the puzzle's
    """

    shown: float = 0.25
    alike: float = 0.94
    step: float = 1.06
    sizes: int = 6
    whole: float = 0.8
    inked: float = 0.15
    low: float = 0.5
    long: float = 1.5
    blurs: int = 2
    blurred: float = 0.09
    shift_px: int = 4
    part: float = 0.2
    differs: float = 0.4
    colorful: float = 0.2
    through: float = 36.0
    opaque: float = 0.1
    same: float = 0.95
    fringe_px: float = 3.5
    least_shown: float = 0.12
    least_seen: float = 0.08
    palest: float = 0.35
    aside: float = 0.2
    small_px: int = 14
    small_alike: float = 0.9
    outline_px: float = 3.0
    outlined: float = 0.85
    drained: float = 0.45
    kept: float = 0.6
    rimmed: float = 0.5
    stroke: float = 0.08
    rough: float = 5.0
    thin_stroke: float = 0.12
    piece: float = 0.15
    across: float = 0.3
    apart_deg: float = 60.0
    beside_line: float = 1.0
    least_inner: float = 0.15
    outlines: MarkerOutlineConfig = field(default_factory=MarkerOutlineConfig)


@dataclass(frozen=True)
class RemainderConfig:
    """What counts as left over on a maze.

    Attributes
    ----------
    flat : difference of a channel (0 to 255), averaged over a few pixels, up to which nothing is left of a picture
    thick_px : walls between cells that are at least so wide, in working pixels, are looked at by themselves...
    on_thick : ...for holes, and for marks of more than this share of the range of a channel
    ground : how the floor's colour is told
    windows : what is plain to see, of what has one colour
    energy : what is plain to see, whatever its shape
    mixing : how far things mix into the floor
    companions : what goes along a stroke
    cast : its shadow
    edges : how far what is left is trusted near walls and strokes...
    compression : ...and where something is left, in a picture that was compressed
    strokes : which ink belongs to the line that was read
    matched : how it is looked for across borders and along ways
    two_colors : when a line has two colours
    roles : what is left, by where it lies
    holes : holes in walls
    markers : other markers
    faded : markers of which a part has faded
    recolored : markers in another colour
    labels : what is written over or under markers
    around : what leads around the maze
    within : of a maze without cells, what is drawn on its walls
    signs : what is a sign in a corner of the picture
    """

    flat: float = 1.0
    thick_px: float = 7.0
    on_thick: float = 0.18
    ground: GroundConfig = field(default_factory=GroundConfig)
    windows: WindowsConfig = field(default_factory=WindowsConfig)
    energy: EnergyConfig = field(default_factory=EnergyConfig)
    mixing: MixingConfig = field(default_factory=MixingConfig)
    companions: CompanionConfig = field(default_factory=CompanionConfig)
    cast: LineShadowConfig = field(default_factory=LineShadowConfig)
    edges: EdgeConfig = field(default_factory=EdgeConfig)
    compression: CompressionConfig = field(default_factory=CompressionConfig)
    strokes: StrokePieceConfig = field(default_factory=StrokePieceConfig)
    matched: MatchedConfig = field(default_factory=MatchedConfig)
    two_colors: TwoColorsConfig = field(default_factory=TwoColorsConfig)
    roles: RoleConfig = field(default_factory=RoleConfig)
    holes: HoleConfig = field(default_factory=HoleConfig)
    markers: MarkerShapeConfig = field(default_factory=MarkerShapeConfig)
    faded: FadedConfig = field(default_factory=FadedConfig)
    recolored: RecoloredConfig = field(default_factory=RecoloredConfig)
    labels: LabelConfig = field(default_factory=LabelConfig)
    around: AroundConfig = field(default_factory=AroundConfig)
    within: WithinConfig = field(default_factory=WithinConfig)
    signs: SignConfig = field(default_factory=SignConfig)
