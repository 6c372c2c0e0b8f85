"""How a sheet that seems right is looked at again: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class HoleShapeConfig:
    """How holes of a sheet that seems right are looked at again, more closely.

    Attributes
    ----------
    smooth_px : under a Gaussian of this deviation
    rays, step_px : along so many rays from a hole's middle, in such steps...
    reach : ...with what is around it up to so many radii...
    beside : ...from which on that is paper...
    paper : ...which has to be this share of all that is looked at...
    usual : ...and whose noise is told at this quantile
    edge_px : so near to the sheet's edges, in its working pixels, they are drawn
    own, own_px : other holes are drawn up to so many radii, and so many pixels more
    creased : share of the creases that shows, from which they are not looked at
    rim : a rim is looked for from this share of the radius on...
    other : ...where it is so many times the noise...
    ending_px : ...with so much beyond it in sight...
    told : ...and has to be in sight on this share of the rays...
    many : ...and on this one to be told by its turns
    turns : a rim that is no ellipse is told by so many turns at most
    in_part : of a rim that is seen in part, this share of the unevenness is its own
    uneven, uneven_px : a hole's rim may be so far from an ellipse, as a share of its radius, and so many pixels more...
    all_uneven, all_uneven_px : ...and the middle one of all holes so far
    slim, whole : a hole may be so many times as long as wide, where this share of its rim is in sight
    visible : a colour within a hole is another one from this contrast...
    foreign : ...which is this share of the rim's...
    deep : ...or of the hole's own, so deep within the rim, as a share of the radius
    rim_px : the rim itself is so wide at most...
    aside : ...and a place may have the colour of one that is so many steps deeper or less deep
    alien, alien_px : share of a hole's area that may be of another colour, by how much it is another, and so much more
        over the radius
    clear, clear_px : what lies so many radii and pixels beside its rim is not its own, and is drawn...
    drawn, drawn_noise, drawn_share : ...from this contrast, so many times the noise, and this share of the rim's...
    around : ...if it covers this share of the hole's area
    unlike : the colour within a hole may be off that of the others by this contrast...
    unlike_share : ...this share of theirs against the paper...
    unlike_times : ...and so many times as far as that of the middle one of these
    fainter : a hole has at least this share of the contrast of the others
    one_paper : papers that differ by more than this are two...
    papers : ...on which holes may hide the paper by so many shares of it, from none to all
    """

    smooth_px: float = 0.7
    rays: int = 40
    step_px: float = 0.5
    reach: float = 1.9
    beside: float = 1.45
    paper: float = 0.05
    usual: float = 0.8
    edge_px: float = 2.0
    own: float = 1.3
    own_px: float = 2.0
    creased: float = 0.03
    rim: float = 0.7
    other: float = 2.5
    ending_px: float = 2.0
    told: float = 0.5
    many: float = 0.7
    turns: int = 8
    in_part: float = 0.7
    uneven: float = 0.012
    uneven_px: float = 0.12
    all_uneven: float = 0.01
    all_uneven_px: float = 0.06
    slim: float = 1.3
    whole: float = 0.9
    visible: float = 0.05
    foreign: float = 0.3
    deep: float = 0.4
    rim_px: float = 1.0
    aside: int = 3
    alien: float = 0.005
    alien_px: float = 0.02
    clear: float = 0.1
    clear_px: float = 1.5
    drawn: float = 0.08
    drawn_noise: float = 4.0
    drawn_share: float = 0.2
    around: float = 0.02
    unlike: float = 0.06
    unlike_share: float = 0.2
    unlike_times: float = 4.0
    fainter: float = 0.6
    one_paper: float = 0.03
    papers: int = 5


@dataclass(frozen=True)
class HoleShadeConfig:
    """What is a shade that all holes have in common, where they are no plain discs.

    Attributes
    ----------
    span : an edge is told by the change over so many steps to either side
    steep : a rim is the outermost edge along a ray with this share of the steepest one's change...
    noise : ...which is so many times the noise
    core : so deep within a hole, as a share of its radius or of where a rim that is drawn in it begins, a shade has no
        edge
    paper, paper_share, bare : it has the paper's colour, by this contrast or this share of the hole's, whichever is
        less, on no more than this share of a hole...
    hollow : ...unless that is the colour of this share of the core
    rings : what is around holes is looked at along so many rings
    weaker : around a hole it has at most this share of its contrast...
    faded : ...and no more than this share of that is left farther out...
    abrupt : ...from one ring to the next it changes by no more than this share...
    wide : ...it goes along this share of the rim, at half of its strength...
    tinted : ...and has this share of hue beside its lightness
    aside : a place may have the colour of one so many rings aside
    """

    span: int = 2
    steep: float = 0.4
    noise: float = 2.5
    core: float = 0.5
    paper: float = 0.04
    paper_share: float = 0.25
    bare: float = 0.06
    hollow: float = 0.9
    rings: int = 12
    weaker: float = 0.75
    faded: float = 0.5
    abrupt: float = 0.5
    wide: float = 0.25
    tinted: float = 0.5
    aside: int = 3


@dataclass(frozen=True)
class PaperTextureConfig:
    """When a texture is stronger than the paper's own.

    Attributes
    ----------
    most : a pixel counts with at most so many levels, 0 to 255, by which it differs from those around it
    side : they are averaged over squares of this side, in radii of a hole...
    filled : ...of which this share is paper
    block_px : so near to holes, edges and specks, in pixels of the candidate, compression leaves texture of its own
    specks : there are specks where pixels of `most` levels are in this share of all squares of `speckled` radii
    speckled : side of these
    times, levels : texture is stronger from so many times the usual one, and so many levels more
    """

    most: int = 40
    side: float = 1.2
    filled: float = 0.55
    block_px: float = 10.0
    specks: float = 0.08
    speckled: float = 3.0
    times: float = 1.7
    levels: float = 2.5


@dataclass(frozen=True)
class GhostConfig:
    """When a ring of a hole's size is seen.

    Attributes
    ----------
    radii : rings of so many radii are looked for...
    thick_px : ...of this deviation across...
    apart_px : ...against what is so far around them
    visible : contrast, averaged over the ring, from which it is seen...
    times : ...if that is so many times what is usual...
    tail, quantile : ...and so many times this quantile of all
    glance : rings are not looked for where at half of the size nothing has this share of ``visible``
    """

    radii: tuple[float, ...] = (0.9, 1.05, 1.25)
    thick_px: float = 0.8
    apart_px: float = 3.0
    visible: float = 0.011
    times: float = 7.0
    tail: float = 2.0
    quantile: float = 0.98
    glance: float = 0.4


@dataclass(frozen=True)
class CreaseConfig:
    """What along a crease is no crease.

    Attributes
    ----------
    smooth_px : it is looked at under a Gaussian of this deviation
    reach, reach_px : so many times as far as a crease may lie aside, and so many pixels more
    beside_px : the outermost so many pixels on either side are paper...
    usual : ...whose noise is told at this quantile
    drawn, noise : something is drawn from this contrast, and so many times the noise, on
    line : it is a line if it goes along this share of the crease...
    ragged_px : ...and what lies so much farther out than most of it is none
    least : what is at least so large, as a share of a hole's area, is a mark
    own, own_px, cross_px : what is so near to a hole, in radii and pixels, or to another crease, is not looked at
    """

    smooth_px: float = 0.6
    reach: float = 1.0
    reach_px: float = 4.0
    beside_px: int = 2
    usual: float = 0.8
    drawn: float = 0.07
    noise: float = 5.0
    line: float = 0.35
    ragged_px: float = 1.5
    least: float = 0.02
    own: float = 1.3
    own_px: float = 2.0
    cross_px: float = 4.0


@dataclass(frozen=True)
class CloserConfig:
    """How a sheet that seems right is looked at again."""

    shape: HoleShapeConfig = field(default_factory=HoleShapeConfig)
    shade: HoleShadeConfig = field(default_factory=HoleShadeConfig)
    texture: PaperTextureConfig = field(default_factory=PaperTextureConfig)
    ghosts: GhostConfig = field(default_factory=GhostConfig)
    crease: CreaseConfig = field(default_factory=CreaseConfig)
