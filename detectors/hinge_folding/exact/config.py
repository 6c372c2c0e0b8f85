"""When what is seen of a laid chain is another thing than its pieces: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.residual.compression import CompressionConfig
from detectors.common.shades import ShadeEdgeConfig


@dataclass(frozen=True)
class CastConfig:
    """How the shade is found that a whole chain casts on the ground. Lengths are in units unless said otherwise.

    Attributes
    ----------
    unit_px : most pixels of a unit while it is looked for
    seen : places of which less than this share is ground do not count
    edge, edge_px : so near to a piece nothing is looked at, in units and in pixels more
    foreign : pixels that differ by more than this from what is darker, or lighter, are no shade, 0 to 255
    least : it is looked for where the ground differs by this share from an even light, as a standard deviation
    samples, fewest : so many places of the ground are looked at, and no fewer
    far, step : it is moved by so much at most, in such steps at first...
    softs : ...by such standard deviations, and then fitted...
    steps, tried : ...so often, by what differs where it is moved or softened by so much
    softest, strongest : it is no sharper, and no stronger than this share
    explained : and explains this share of how the ground differs
    rounds : how often it is taken off, each time from where outlines then are
    near : by how much an outline of the ground's colour, but darker or lighter, may differ from its shade, 0 to 255
    """

    unit_px: float = 24.0
    seen: float = 0.95
    edge: float = 0.02
    edge_px: float = 1.5
    foreign: float = 14.0
    least: float = 0.003
    samples: int = 12000
    fewest: int = 200
    far: float = 0.24
    step: float = 0.06
    softs: tuple[float, ...] = (0.03, 0.06, 0.1, 0.16)
    steps: int = 4
    tried: float = 0.01
    softest: float = 0.015
    strongest: float = 0.7
    explained: float = 0.5
    rounds: int = 2
    near: float = 24.0


@dataclass(frozen=True)
class ExactConfig:
    """How a picture is held against the chain that was read from it. Lengths are in units unless said otherwise.

    Attributes
    ----------
    unit_px : most pixels of a unit here; the picture is halved until it has as many or fewer
    speck, specks_beside, peppered : a pixel that differs by more than this from those around it, 0 to 255, with at most
        so many such ones beside it, is pepper where this share of all are
    stretched : and brought to its own shape where it is stretched by more than this factor
    pad : so much around the pieces is looked at
    samples_unit : points along an edge, a unit
    reach : the picture is looked at so far to either side of an edge...
    rim : ...and has to go on so far beyond it
    middle : a piece's colour is taken from so large a share of its width and height, about its middle
    own_px : so many pixels of an area tell which piece is seen there
    own : where pieces lie on each other, so large a share of what they share has nearly the upper one's colour
    near : owners of pixels count from so far beside an edge
    beside : and nothing else may be nearer than this to what is looked at
    joint : nearer to a hinge than this nothing is asked of edges...
    disc : ...and of pixels nearer than a disc as it was given and this...
    least_disc : ...or than this
    ring, ring_step, ring_most : a disc reaches as far as so large a share of a ring about the hinge, rings being so far
        apart, and no farther than the last, differs from pieces and ground...
    ring_off : ...by this, 0 to 255...
    disc_bins : ...and has the commonest colour of so many steps of each channel
    line : an outline differs by this from all mixtures of what it divides, 0 to 255...
    noise_weight : ...and by so many standard deviations of noise more
    lined : pieces have outlines if more than this share of edges has one
    alike : an outline that differs from what it lies at by less than so many times the same is not told from it
    contrast : edges between colours that differ less, 0 to 255, say nothing
    grid : points across a piece, of which only those along its edges count
    noise, noise_px : by how much an edge may be off by chance: in units, and in pixels more
    prior : how far a piece may be off along and across its axis, turned, in radians, and grown
    whole_noise, whole : likewise of a whole chain, which is moved, turned, resized, and stretched...
    apart : ...each only if edges then are off by less than this share in the mean
    whole_rounds : how often at most
    whole_good : and not if edges are off by less than this in the mean
    untold_deg : where hardly any edge of a piece is seen its angle may be so many degrees off
    again : pieces that are moved, or turned in radians, by more than this are looked at once more
    rounds : how often what is off is made to count less
    scaled : a piece whose edges are by more than this farther out or in than those of others has another size
    apart_size : nor may all pieces have another size than the chain says, by more than this
    off, off_px : an edge that is farther off than both together, in units and in pixels, is not the piece's
    corner : an edge begins so far from where the line of another one ends, and `off_px` more
    widest : an outline that is by more than this wider than others has something on it
    run : longest stretch of edge that may be off
    corner_off, corner_px : a corner that is cut by more than both together, in units and in pixels, is not the piece's
    least_points : a piece of which fewer points are seen is not held to its shape
    cast : the shade that it casts on the ground
    """

    unit_px: float = 72.0
    speck: int = 50
    specks_beside: int = 1
    peppered: float = 0.0003
    stretched: float = 1.003
    pad: float = 0.4
    samples_unit: float = 20.0
    reach: float = 0.14
    rim: float = 0.07
    middle: float = 0.75
    own_px: int = 300
    own: float = 0.25
    near: float = 0.04
    beside: float = 0.03
    joint: float = 0.17
    disc: float = 0.02
    least_disc: float = 0.07
    ring: float = 0.75
    ring_step: float = 0.01
    ring_most: float = 0.2
    ring_off: float = 25.0
    disc_bins: int = 12
    line: float = 24.0
    noise_weight: float = 3.0
    lined: float = 0.25
    alike: float = 1.6
    contrast: float = 18.0
    grid: int = 4
    noise: float = 0.012
    noise_px: float = 0.25
    prior: tuple[float, float, float, float] = (0.06, 0.06, 0.08, 0.06)
    whole_noise: float = 0.03
    whole: tuple[float, float, float, float, float] = (0.1, 0.1, 0.05, 0.06, 0.04)
    apart: float = 0.85
    whole_rounds: int = 4
    whole_good: float = 0.005
    untold_deg: float = 12.0
    again: float = 0.015
    rounds: int = 5
    scaled: float = 0.035
    apart_size: float = 0.016
    off: float = 0.025
    off_px: float = 0.7
    corner: float = 0.015
    widest: float = 0.07
    run: float = 0.12
    corner_off: float = 0.035
    corner_px: float = 1.2
    least_points: int = 8
    cast: CastConfig = field(default_factory=CastConfig)


@dataclass(frozen=True)
class LeftWindowConfig:
    """A square in which what is left is averaged.

    Attributes
    ----------
    wide, high : its sides in pixels
    visible : a mean from which something is plain to see, 0 to 255...
    times : ...if it is also so many times what most pixels stay below
    area : smaller ones are noise, in square units
    """

    wide: int
    high: int
    visible: float
    times: float
    area: float


@dataclass(frozen=True)
class HingeDiscConfig:
    """What may lie at a hinge.

    Attributes
    ----------
    off : what differs by less from a piece, a line, a disc, its letter or mixtures of them is that, 0 to 255
    filled : a disc is there if this share of where it may be has its colour
    most : a mixture may have so many times the colour of a disc, as that of a thin one is seen less...
    weakest : ...and a disc this share of the contrast to the ground that it was given with
    much, alike : where more than such a share of a hinge is drawn on, at least this share of it, by how much that is
        elsewhere, has the colour of discs
    least, least_px : what is smaller than this share of where a disc may be and no edge is, or has no more pixels, is
        noise
    """

    off: float = 60.0
    filled: float = 0.03
    most: float = 1.2
    weakest: float = 0.5
    much: float = 0.3
    alike: float = 0.4
    least: float = 0.12
    least_px: float = 6.0


@dataclass(frozen=True)
class SharpEdgeConfig:
    """When something on a piece has a sharp edge.

    Attributes
    ----------
    steep, noisy : it changes by this a pixel, 0 to 255, or more, and so many times as much as the piece mostly does...
    beside_px, narrow : ...and by less than this share of it so many pixels farther on, either way...
    apart_deg : ...in a direction that is so far from that of each side of the piece
    together : with its eight neighbours so many pixels do, or it is noise
    length : of a shade no more pixels do than so many times a unit has
    """

    steep: float = 4.0
    noisy: float = 4.0
    beside_px: float = 2.5
    narrow: float = 0.5
    apart_deg: float = 15.0
    together: int = 3
    length: float = 0.2


@dataclass(frozen=True)
class PieceShadeConfig:
    """When what is left is a shade that belongs to pieces.

    Attributes
    ----------
    tinted, tint : it only darkens or lightens: what is beside that is below this, 0 to 255, or this share of it...
    foreign : ...but for this share of its pixels
    darkest, lightest : by these shares of the way to black or white at most
    step : edges are told over so many units, or their own pixels
    reach : what pieces cast is at most so far from their edges, in units
    edges : when it has no edge but theirs...
    upon : ...and when on a piece, where a light may be small; a hard edge changes by two thirds of itself
    sharp : nor a sharp edge there
    """

    tinted: float = 10.0
    tint: float = 0.35
    foreign: float = 0.15
    darkest: float = 0.55
    lightest: float = 0.55
    step: float = 0.05
    reach: float = 0.3
    edges: ShadeEdgeConfig = field(default_factory=ShadeEdgeConfig)
    upon: ShadeEdgeConfig = field(default_factory=lambda: ShadeEdgeConfig(hard=0.6))
    sharp: SharpEdgeConfig = field(default_factory=SharpEdgeConfig)


@dataclass(frozen=True)
class PieceLightConfig:
    """When pieces are taken to be lit, or to lie in their own shades.

    Attributes
    ----------
    edge_px : so near to an edge, beyond its line, nothing is told, in pixels
    least : a piece of which less is seen, in square units, tells nothing
    visible : what differs by less from a piece's colour is its own, 0 to 255
    part : smaller parts are no light, in square units
    soft, soft_px : what varies within so much is noise, in units, and at least so many pixels
    most : light lies on this share of the pieces, or more
    """

    edge_px: float = 1.6
    least: float = 0.05
    visible: float = 5.0
    part: float = 0.004
    soft: float = 0.03
    soft_px: float = 1.0
    most: float = 0.6


@dataclass(frozen=True)
class LeftConfig:
    """What of a picture is left beside its pieces and its ground.

    Attributes
    ----------
    edge, edge_px : so near to an edge, beyond its line, nothing is looked at: in units, and in pixels more
    blur_px : nor, of a piece within its edge, so near to it in pixels
    shore : windows there
    ink : a thin outline's own colour may be so many times as far off as what is seen of it
    shade, shade_reach : pieces may cast a shade of this share of the ground's light, so far beside them
    companions : what belongs to pieces
    light : what lies on them all
    compressed : what compression leaves around edges, where anything is left
    hinges : what may lie at them
    rim_px : nor so near to the rim of the picture
    windows : in which it is averaged
    sample, quantile : of every so many pixels most, as a share, are below what is usual...
    noisy : ...which is no more than this, 0 to 255
    slowly : nor, on pieces, than windows differ from what is so many times as wide around them
    block_px : so near to pieces, in pixels of the picture, compression leaves more than elsewhere on the ground...
    blocky, blocks : ...and within them up to so many times what this share of pixels there are below, if as many of
        theirs are
    rough, rougher : a piece is drawn on whose pixels differ from its colour by this in the mean, 0 to 255, and so many
        times as much as is usual of pieces and of the ground beside them
    fine_px, finely : or by this in the mean from what is usual in such a square around each
    fitted : so many pixels of an area tell its colour
    near : those that differ by less from the middle one, 0 to 255
    fewest : of fewer no slope is told
    slope : most that an area's light changes, 0 to 255 a unit
    touch : what is nearer to a piece than this touches it, in units, and is no mark...
    mark_wide, mark_extent : ...nor is what is wider or longer than this, in units
    """

    edge: float = 0.01
    edge_px: float = 1.6
    blur_px: float = 1.6
    shore: tuple[LeftWindowConfig, ...] = (LeftWindowConfig(3, 3, 45.0, 3.0, 0.007),)
    ink: float = 1.5
    shade: float = 0.4
    shade_reach: float = 0.13
    rim_px: float = 2.0
    companions: PieceShadeConfig = field(default_factory=PieceShadeConfig)
    light: PieceLightConfig = field(default_factory=PieceLightConfig)
    compressed: CompressionConfig = field(default_factory=lambda: CompressionConfig(half=0.06))
    hinges: HingeDiscConfig = field(default_factory=HingeDiscConfig)
    windows: tuple[LeftWindowConfig, ...] = (
        LeftWindowConfig(3, 3, 22.0, 3.0, 0.004),
        LeftWindowConfig(9, 9, 8.0, 3.0, 0.03),
        LeftWindowConfig(1, 15, 24.0, 3.0, 0.008),
        LeftWindowConfig(15, 1, 24.0, 3.0, 0.008),
    )
    sample: int = 11
    quantile: float = 0.75
    noisy: float = 12.0
    slowly: int = 3
    block_px: float = 16.0
    blocky: float = 0.9
    blocks: float = 1.5
    rough: float = 12.0
    rougher: float = 2.5
    fine_px: int = 5
    finely: float = 5.0
    fitted: int = 800
    near: float = 60.0
    fewest: int = 40
    slope: float = 90.0
    touch: float = 0.12
    mark_wide: float = 0.075
    mark_extent: float = 0.45
