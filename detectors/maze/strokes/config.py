"""What counts as a stroke on a maze."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class SpeckConfig:
    """What is too small to be a stroke. Areas are shares of the cell length squared.

    Attributes
    ----------
    area : ink of less than this area, apart from any stroke, is noise
    seen : specks smaller than this are not even counted
    dots_in_cell : so many specks in a cell are a dotted line
    pinhole : gaps up to this share of the cell length are closed anyway
    opaque : the strength that all but one in so many pixels of a stroke stay below is an opaque pixel's
    pale, smear_px : ink that is nowhere stronger than this share of that, and lies within so many picture pixels of
        stronger ink, is what compression leaves, or nothing that is a stroke
    """

    area: float = 0.0025
    seen: float = 0.0006
    dots_in_cell: int = 3
    pinhole: float = 0.03
    opaque: int = 10
    pale: float = 0.35
    smear_px: float = 16.0


@dataclass(frozen=True)
class GapConfig:
    """Which gaps in a stroke are none.

    Attributes
    ----------
    bridge : gaps up to this share of a cell's width are closed where no wall lies between
    most_ends : strokes with more ends than this are dust, whose gaps are not bridged
    under_wall : strokes that end on two sides of a wall, at most this many walls' widths apart, go on beneath it
    thinned_px : by how many working pixels more ends may be apart, for what thinning takes off them
    bump : on a floor what is no longer than so many half-widths of the stroke that it leaves is a bump and no end
    """

    bridge: float = 0.12
    most_ends: int = 4000
    under_wall: float = 1.6
    thinned_px: float = 5.0
    bump: float = 1.6


@dataclass(frozen=True)
class DashConfig:
    """What counts as a dashed line.

    Attributes
    ----------
    bridge : its gaps are at most this share of a cell's width
    length : dashes are at most so many cell widths long...
    least_px : ...and their centrelines at least so many working pixels
    many : a line in at least this many pieces is dashed...
    few, alike : ...or in this many of which none is more than so many times as long as another...
    share : ...if they are at least this share of it, in number and in length...
    as_wide : ...where dots between them count that have at least this share of their width
    pale : pixels of a stroke weaker than this share of its middle may lie in a gap between dashes
    ahead_px : by how many working pixels what a dash points at may be nearer to the rest of it than to its end
    """

    bridge: float = 0.3
    length: float = 1.5
    least_px: float = 3.0
    many: int = 5
    few: int = 3
    alike: float = 2.0
    share: float = 0.6
    as_wide: float = 0.7
    pale: float = 0.6
    ahead_px: float = 1.5


@dataclass(frozen=True)
class DotConfig:
    """What counts as a dotted line.

    Attributes
    ----------
    many, most : it has so many pieces
    round : a disc's centreline is no longer than so many of its half-widths
    share : so much of the pieces are discs, and so much of these have another one near; some run together
    alike : the largest of most discs is so many times as wide as the smallest
    solid : what is no disc has at most this share of the length of all discs
    gap : between two of them lies at most so much of a disc's width...
    more_px : ...and so many working pixels, for what thinning takes off
    """

    many: int = 5
    most: int = 2000
    round: float = 1.0
    share: float = 0.7
    alike: float = 1.5
    solid: float = 0.75
    gap: float = 0.75
    more_px: float = 5.0


@dataclass(frozen=True)
class ApproachConfig:
    """When a stroke comes to a marker.

    Attributes
    ----------
    reach : a stroke that ends in a marker's cell has to come this close to it, as a share of the cell length
    touch : one that ends in the cell before, at an arm of a marker that reaches into it, this close
    pointing : the last dash before a marker points at it within this cosine...
    tip_px, tip_widths : ...by what of it is as near to its end as this many working pixels, or half-widths
    disc : a marker that fills more than this share of its box is a disc, others are crosses
    hidden : a stroke at most this share of an arm's width may lie hidden beneath it...
    cut : ...and one that at its end is narrower than this share of its usual width runs in beneath it...
    meets : ...as does one that comes to it within this share of a cell, as a marker's rim is wide, and points at it
    plain : ink at a marker's rim is a stroke's if it has this share of the stroke's strength; smears are paler
    margin_px : it is looked for this far around the marker, in working pixels...
    rim_px : ...and leads on if it comes as near as this
    beneath : the way from the stroke to it is at most this share of the marker's length
    """

    reach: float = 0.15
    touch: float = 0.12
    pointing: float = 0.7
    tip_px: float = 4.0
    tip_widths: float = 3.0
    disc: float = 0.6
    hidden: float = 0.75
    cut: float = 0.65
    meets: float = 0.05
    plain: float = 0.3
    margin_px: int = 4
    rim_px: float = 2.0
    beneath: float = 0.75


@dataclass(frozen=True)
class PaleStrokeConfig:
    """What was drawn beside a line in its colour, and hangs on it.

    Attributes
    ----------
    pale : it has less than this share of the line's strength...
    reach, reach_px : ...this many of the line's half-widths from it, or working pixels, for nearer is its edge...
    least : ...and is no less than this share of all that was drawn
    """

    pale: float = 0.5
    reach: float = 1.0
    reach_px: int = 3
    least: float = 0.01


@dataclass(frozen=True)
class OutgrowthConfig:
    """What hangs on a line and is no part of it.

    Attributes
    ----------
    around : how far strokes usually reach beside the line's middle is told over so many cells' widths to either side...
    beyond, beyond_px : ...and what reaches this many times as far, and so many working pixels more, is beyond
    marker_px : nearer to a marker than so many working pixels, or half the line's width, lie its ends
    area : there it has so many half-widths squared...
    least_px : ...and so many working pixels...
    together : ...in pieces that are at most so many half-widths apart along the line
    head, pointed : within so many half-widths of an end of the line it has this many times as much: heads of arrows
    point, point_long, point_wide : what hangs on so many half-widths of the middle, or on as much as a hand wobbles
        (point_wide), is the point of a sharp turn, where it reaches half a line's width and point_long farther at most
        and is wider than two lines by the wobble at most; both in cells' widths...
    point_deg : ...and the line turns by so many degrees
    way : what is longer than so many cells' widths is a way
    all_along : what lies beside more than this share of the line is how it is drawn...
    rail : ...and what lies apart from it, but is as long as this share of it, is its second rail
    repeated, similar, spread : so is what there is as often as this, as far and as large up to this factor as
        what reaches out most, and over this share of the line
    edge, edge_px : what is told then, beside the line's middle, goes on as near to it as this
    """

    around: float = 1.0
    beyond: float = 1.5
    beyond_px: float = 1.5
    marker_px: float = 3.0
    area: float = 5.0
    least_px: float = 24.0
    together: float = 3.0
    head: float = 6.0
    pointed: float = 3.0
    point: float = 7.0
    point_long: float = 0.3
    point_wide: float = 0.12
    point_deg: float = 50.0
    way: float = 1.0
    all_along: float = 0.35
    rail: float = 0.7
    repeated: int = 4
    similar: float = 3.5
    spread: float = 0.5
    edge: float = 1.2
    edge_px: float = 1.0


@dataclass(frozen=True)
class ExteriorConfig:
    """When what lies outside of a maze was painted.

    Attributes
    ----------
    least_area : an exterior of less than this area, in cell lengths squared, is no place to paint
    painted : exterior inked to more than this share is painted, not drawn on
    joined : paint hangs together with ink up to this many walls' widths inside of the rim...
    cut : ...of which this many walls' widths are taken away with it
    through_px : a stroke through an outer wall crosses it in at least so many working pixels; fewer are the edge of one
        along it
    """

    least_area: float = 0.1
    painted: float = 0.25
    joined: float = 2.0
    cut: float = 1.5
    through_px: int = 3


@dataclass(frozen=True)
class TextureConfig:
    """What is a pattern all over a maze, and no answer.

    Attributes
    ----------
    cells : strokes that visit more than this share of all cells...
    crossings : ...and cross more than this share of all walls...
    least_crossings : ...and more walls than this
    specks : more specks than this for each cell are a texture too
    """

    cells: float = 0.7
    crossings: float = 0.3
    least_crossings: float = 3.0
    specks: float = 2.0


@dataclass(frozen=True)
class PathConfig:
    """What counts as a path.

    Attributes
    ----------
    as_asked : strokes in the colour that was asked for are the path if they cover this share of what others cover
    crumbs : on a floor what is drawn in colour is nothing beside a black line if it covers at most this share of that
    filled : a cell whose floor is inked to more than this share is filled, not passed through...
    wider, deeper : ...where the ink is this many times as wide as the line, and as deep as it usually is in a cell...
    mostly : ...or of the cells that are inked at all more than this share is as full, and there is no line
    spilled : a cell inked to more than this share is not beside the path any more
    simplify : by how much a path's polyline may differ from its centreline, as a share of the cell length...
    simplify_px : ...or in working pixels, where that is more
    specks : what is too small to be a stroke
    gaps : which gaps are none
    dashes : what a dashed line is
    dots : what a dotted line is
    approach : when a stroke comes to a marker
    beside : what was drawn beside it
    outgrowths : what hangs on it in its own colour
    exterior : paint outside of the maze
    texture : patterns
    """

    as_asked: float = 0.25
    crumbs: float = 0.2
    filled: float = 0.72
    wider: float = 1.4
    deeper: float = 1.1
    mostly: float = 0.5
    spilled: float = 0.05
    simplify: float = 0.03
    simplify_px: float = 1.0
    specks: SpeckConfig = field(default_factory=SpeckConfig)
    gaps: GapConfig = field(default_factory=GapConfig)
    dashes: DashConfig = field(default_factory=DashConfig)
    dots: DotConfig = field(default_factory=DotConfig)
    approach: ApproachConfig = field(default_factory=ApproachConfig)
    beside: PaleStrokeConfig = field(default_factory=PaleStrokeConfig)
    outgrowths: OutgrowthConfig = field(default_factory=OutgrowthConfig)
    exterior: ExteriorConfig = field(default_factory=ExteriorConfig)
    texture: TextureConfig = field(default_factory=TextureConfig)
