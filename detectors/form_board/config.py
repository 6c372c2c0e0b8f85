"""What tunes the reading of form boards. Lengths are shares of the silhouette's longer side where no unit is named."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.light import LightConfig
from detectors.common.residual.ground import GroundConfig
from detectors.common.shades import ShadeEdgeConfig
from detectors.form_board.page.config import LeftOverConfig


@dataclass(frozen=True)
class SegmentConfig:
    """How a silhouette is taken apart into areas of one colour.

    Attributes
    ----------
    side_px : the silhouette's longer side is looked at with so many pixels, where the puzzle has them
    zone : what lies this far around the silhouette is looked at with it
    smooth_px : deviation of the Gaussian under which slopes are told
    slope : contrast a pixel up to which an area is flat
    noise_slopes : or up to so many times the slope that half of the ground stays below...
    told : ...as about so many pixels of it tell
    ground : an area is ground if its colour differs by less than this contrast from the paper's
    noise_contrasts : or by less than so many times the contrast that nine tenths of the paper stay below...
    most_ground : ...but by less than this, since what lies on the paper may be taken for its noise
    marked : what differs by more than this contrast from the paper is plainly drawn
    line : half the width up to which what is drawn is a line between areas
    gap : half the width up to which what is ground is a seam between areas
    samples : an area's colour is told by about so many pixels
    same_color : what differs by less than this contrast from an area beside it belongs to it...
    spread_px : ...up to so many pixels from where it is flat
    hole : an area that lies within one other is part of it up to this share of the silhouette's area
    least : smaller areas than this share of the silhouette's are given to their neighbours
    paper : how the paper's colour is told
    """

    side_px: int = 200
    zone: float = 0.1
    smooth_px: float = 0.7
    slope: float = 0.014
    noise_slopes: float = 2.2
    told: int = 4000
    ground: float = 0.035
    noise_contrasts: float = 1.3
    most_ground: float = 0.08
    marked: float = 0.12
    line: float = 0.022
    gap: float = 0.011
    samples: int = 400
    same_color: float = 0.05
    spread_px: int = 4
    hole: float = 0.004
    least: float = 0.008
    paper: GroundConfig = field(default_factory=lambda: GroundConfig(samples=1000, rounds=3))


@dataclass(frozen=True)
class FitConfig:
    """When an area is a piece.

    Attributes
    ----------
    pad_px : an area is looked at with so many pixels around it
    points : outlines are compared at so many points
    steps : how often an outline is moved onto the other
    settled_px : which ends once it moves by less than so many pixels
    kept : share of the points, those that lie nearest, by which it is moved
    astray_px : where that moves it by more than so many pixels it may have fitted better before
    near : an area is a piece if this share of either outline...
    deviation : ...lies within this length of the other...
    farthest : ...and all of it within this one...
    misfit : ...and what only one of them has is at most this share of the piece...
    misfit_rim : ...and this length along its outline
    area_ratio : areas up to so many times larger or smaller are compared with a piece
    alike_ratio : areas up to so many times larger or smaller are compared with a piece that was turned
    turn_deg : a turned piece is looked for in steps of so many degrees
    told : a piece was mirrored or turned if it fits by so much better then, as a share of its area
    same_scale : what is larger or smaller by up to this share in either direction is as it was given
    like : an area is like a piece if what only one of them has is at most this share of it
    joined : an area so many times larger than the largest piece is several
    """

    pad_px: int = 12
    points: int = 72
    steps: int = 12
    settled_px: float = 0.05
    kept: float = 0.8
    astray_px: float = 1.5
    near: float = 0.9
    deviation: float = 0.014
    farthest: float = 0.1
    misfit: float = 0.012
    misfit_rim: float = 0.007
    area_ratio: float = 1.6
    alike_ratio: float = 1.12
    turn_deg: float = 45.0
    told: float = 0.08
    same_scale: float = 0.05
    like: float = 0.45
    joined: float = 1.15


@dataclass(frozen=True)
class ShapesBesideConfig:
    """What is drawn elsewhere.

    Attributes
    ----------
    side_px : the picture is looked at with its longer side at so many pixels at most
    contrast : what differs by this contrast from the paper is drawn
    noise : or by so many times the contrast that nine tenths of the paper stay below
    opened_px : what is thinner than so many of those pixels does not count
    paper : how the paper's colour is told
    room : what is given, pieces and labels, may be displaced by this length
    least : share of the silhouette's area from which a thing counts
    more : a picture shows more than the silhouette from this share of its area on
    """

    side_px: int = 240
    contrast: float = 0.08
    noise: float = 2.0
    opened_px: int = 3
    room: float = 0.05
    least: float = 0.02
    more: float = 0.15
    paper: GroundConfig = field(default_factory=lambda: GroundConfig(samples=1000, rounds=3))


@dataclass(frozen=True)
class PieceRimConfig:
    """How pieces lie, by their rims.

    Attributes
    ----------
    reach : a rim is looked for so far on both sides of where it should be
    step_px : in such steps
    stretch, samples : it is told by stretches of about this length, each on so many lines...
    corner : ...that begin so far from a corner...
    least : ...on edges of which so much is left then...
    told : ...if it is seen on this share of the stretch
    shown : ...and this share of an edge's stretches is...
    near : a piece whose colour is seen on less than this share of all lines lies elsewhere, or is smaller
    other : a rim is where the piece's colour ends nearest to there, at one of this distance, 0 to 442...
    lasting : ...after so many steps of it, since mixtures of a line and what lies beyond may have it, too...
    ahead : ...half way to the farthest of these within this length
    outer : rims so near to the silhouette's outline have its line beside them
    line_px, lined : there are lines where pieces end so far before their rims, on the whole; a piece so near to them in
        colour, 0 to 442, ends with its line...
    alike, beyond : ...or, if it is this near, where a colour follows that is so many times farther off than the line's
    outside_px : where pieces end with their rims, the silhouette's line is looked for so far outside of them
    widest : lines and seams take at most so much of a piece, or it is too small
    common : an edge tells to this length what all have in common
    noise : a stretch is told to about this length
    lines, apart : lines and seams are usually so wide, and those along the silhouette differ by so much from them
    usual : a stretch that lies off by this length counts half where it is told what all have in common
    posed : a piece may be moved, turned and scaled by this length at its rims
    bends, warp : a picture may be bent smoothly by so many times as far as the middle one of all stretches lies off,
        but by no more than this length
    straight : and it may lie aside, turned or scaled by this length...
    exact : ...or any of it by this one, where it needed not be laid onto the puzzle's
    rounds : how often stretches that this does not explain are trusted less...
    settled : ...unless nothing that is told of lines, seams and warps changes by more than this any more
    moved : a piece lies askew if it is moved by so much...
    sloppy, most_moved : ...and so many times as far as the middle one of all, or in any case by so much
    turned, shrunk, grown, bent : or from so much on
    precise, least_bent : or bent by so much already, where the middle one of all is moved by no more than this length
    alone : of so many stretches that are bent most, nothing is told
    edge, long : or one of its edges is displaced by so much, of at least so many stretches
    fine_px : all of it times as much as the silhouette's side has less than so many pixels
    vague : and times this, of a piece that is hardly told from its line
    inexact : and times this, where the picture had to be laid onto the puzzle's
    """

    reach: float = 0.05
    step_px: float = 0.5
    stretch: float = 0.03
    samples: int = 4
    corner: float = 0.015
    least: float = 0.015
    told: float = 0.6
    shown: float = 0.2
    near: float = 0.25
    other: float = 24.0
    lasting: int = 3
    ahead: float = 0.014
    outer: float = 0.012
    line_px: float = 0.3
    lined: float = 130.0
    alike: float = 60.0
    beyond: float = 1.4
    outside_px: float = 1.0
    widest: float = 0.024
    common: float = 0.008
    noise: float = 0.002
    lines: float = 0.02
    apart: float = 0.004
    usual: float = 0.003
    posed: float = 0.02
    bends: float = 1.5
    warp: float = 0.01
    straight: float = 0.006
    exact: float = 0.0015
    rounds: int = 8
    settled: float = 1e-6
    moved: float = 0.0105
    sloppy: float = 3.0
    most_moved: float = 0.013
    turned: float = 0.006
    shrunk: float = 0.0065
    grown: float = 0.007
    bent: float = 0.0125
    precise: float = 0.0018
    least_bent: float = 0.0072
    alone: int = 4
    edge: float = 0.0155
    long: int = 3
    fine_px: float = 160.0
    vague: float = 2.5
    inexact: float = 1.4


@dataclass(frozen=True)
class BoardShadeConfig:
    """What is but darker or lighter.

    Attributes
    ----------
    surface : how the light on a piece is fitted
    uneven, most : it is uneven from this contrast on, and something else than light beyond this one
    rim : and is told so far from the piece's rim
    tinted, tint : the hue of what is but shaded changes by this contrast, and this share of what its lightness does
    usual : the hue of a shade on the paper is told at this quantile
    strongest : it has at most this contrast
    edges : when it has no edge but that of what casts it
    """

    surface: GroundConfig = field(default_factory=lambda: GroundConfig(samples=500, rounds=3))
    uneven: float = 0.03
    most: float = 0.25
    rim: float = 0.03
    tinted: float = 0.025
    tint: float = 0.5
    usual: float = 0.9
    strongest: float = 0.4
    edges: ShadeEdgeConfig = field(default_factory=ShadeEdgeConfig)


@dataclass(frozen=True)
class StrokeConfig:
    """When something thin is drawn onto a piece.

    Attributes
    ----------
    even : a piece whose pixels differ by no more than so many levels, 0 to 255, is bare
    smooth_px : others are looked at under a Gaussian of this deviation
    told : about so many pixels tell a piece's colour where it is even
    visible : what differs by this contrast from a piece's own colour is plain...
    noise : ...or by so many times the contrast that nine tenths of it stay below...
    tail : ...or by so many times this times the one that half of it stays below
    most : more contrast than this does not count for more
    plain : what hangs together is seen from this contrast times the root of its pixels...
    least_px : ...if it has so many pixels
    shallow : what is nowhere deeper than so much beyond where rims may be runs along the rim
    speck_px, specks : where there are more than so many of at most so many pixels, those are specks
    strong : the parts of a letter are told by what has this share of its contrast
    near : what is so near to each other may be one letter...
    letter : ...which is at most so high and wide...
    slim : ...and at least so wide as it is long...
    slim_across, end : ...or so wide, where both ends of it, this share of its length, lie at rims
    ground : how a piece's own colour is told
    """

    even: int = 8
    smooth_px: float = 0.7
    told: int = 400
    visible: float = 0.06
    noise: float = 2.5
    tail: float = 3.0
    most: float = 0.3
    plain: float = 0.5
    least_px: int = 6
    shallow: float = 0.016
    speck_px: int = 8
    specks: int = 12
    strong: float = 0.4
    near: float = 0.04
    letter: float = 0.16
    slim: float = 0.14
    slim_across: float = 0.4
    end: float = 0.2
    ground: GroundConfig = field(default_factory=lambda: GroundConfig(samples=500, rounds=2))


@dataclass(frozen=True)
class ExplainConfig:
    """When a filled silhouette is explained by pieces in their places.

    Attributes
    ----------
    color : what differs by up to this contrast from a piece's colour is the piece...
    noise : ...or by so many times the contrast that nine tenths of it stay below...
    most_color : ...but by no more than this
    line : half the width up to which what is between pieces is a line or seam
    seam : half the width up to which paper between pieces is a seam
    gap : paper counts from this share of a piece's side on, beyond lines or seams
    place : a piece may be off by this share of its own side, the root of its area, more than such a line...
    unsteady : ...or by this length...
    slack_px : ...and so many pixels that are looked at
    run : what runs along a piece's rim for more than this share of its side is no writing
    bare : of which this share is paper, for lines and their mixtures with it lie along it, too
    least : what is there instead counts from this share of the piece's area on
    thick : half the width up to which what lies within a piece is writing...
    thick_px : ...and so many pixels, by which a blurred rim widens it...
    softer, sharp_px : ...and so many times the blur of the picture, beyond this one...
    closed, closing : ...or half the width of a whole letter, where blur of this length closes it
    around : what sticks out of the silhouette is looked for this far around it
    spill : a piece may end so far outside of the silhouette, and its line...
    spill_px : ...but for so many pixels
    faint : a piece is faint with less than this share of the least contrast that a given piece has
    same : a colour is another one's up to this contrast
    apart : and not its own from so many times that contrast on
    strokes : what is thin and drawn onto pieces
    rims : how pieces lie by their rims
    shades : how uneven light on pieces is told
    """

    color: float = 0.08
    noise: float = 2.5
    most_color: float = 0.12
    line: float = 0.022
    seam: float = 0.009
    gap: float = 0.022
    place: float = 0.03
    unsteady: float = 0.009
    slack_px: float = 0.7
    run: float = 0.15
    bare: float = 0.3
    least: float = 0.002
    thick: float = 0.011
    thick_px: float = 1.9
    softer: float = 1.5
    sharp_px: float = 1.3
    closed: float = 0.024
    closing: float = 0.006
    around: float = 0.08
    spill: float = 0.009
    spill_px: int = 5
    faint: float = 0.42
    same: float = 0.06
    apart: float = 1.7
    strokes: StrokeConfig = field(default_factory=StrokeConfig)
    rims: PieceRimConfig = field(default_factory=PieceRimConfig)
    shades: BoardShadeConfig = field(default_factory=BoardShadeConfig)


@dataclass(frozen=True)
class FormBoardConfig:
    """How form boards are read.

    Attributes
    ----------
    light : what counts as light, which is evened out
    segments : how a silhouette is taken apart
    fit : when an area is a piece
    beside : what is drawn elsewhere
    left : what else is drawn on the page, closely looked at
    explain : what is not explained by pieces in their places
    shades : what is but darker or lighter
    """

    light: LightConfig = field(default_factory=LightConfig)
    segments: SegmentConfig = field(default_factory=SegmentConfig)
    fit: FitConfig = field(default_factory=FitConfig)
    beside: ShapesBesideConfig = field(default_factory=ShapesBesideConfig)
    left: LeftOverConfig = field(default_factory=LeftOverConfig)
    explain: ExplainConfig = field(default_factory=ExplainConfig)
    shades: BoardShadeConfig = field(default_factory=BoardShadeConfig)
