"""How a floor without cells is parted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FloorConfig:
    """How a floor without cells is parted into pieces of about a corridor's width.

    A *unit* is the width of a corridor and a wall together.

    Attributes
    ----------
    samples : widths of corridors and of walls are told by their middle ones, over about so many places
    widest_wall : of walls wider than so many corridors no width is told; none counts as wider than one
    few : nor where no more than this share of the middle lines is of narrower ones, which are corners of wide ones then
    least_wall_px : walls narrower than this, in pixels of the picture, can't be told
    least_corridor_px : and corridors narrower than this
    kept_wall_px : where walls are narrower than this, in working pixels, a working pixel is floor only if all of it is
    reach : pieces reach into walls by this share of a unit at most
    spur, spur_more : a branch of a wall's middle line shorter than so many times its depth there, and this share of a
        unit, is none
    tip_px : the direction of a wall's end is told over so many working pixels, or its depth where that is more
    sector_deg : cuts from a wall's end lead to its sides, up to so many degrees off them
    rays : of so many the shortest is taken
    longest_cut : and none that is longer than so many units
    least_piece, narrow : smaller pieces, as a share of a square of a corridor's width, and narrower ones, as a share of
        that width, belong to those beside them
    least_door : pieces that touch on less than this share of a corridor's width meet in a corner
    shown : a border shows a wall from this share of it on
    grazed : a stroke has to enter a piece by more than this share of a unit to visit it
    spur_out : a branch that reaches out of a stroke by more than this share of a unit leads aside
    sunk : a stroke that is deeper in a wall than this share of a unit runs within it, and so does...
    within_px : ...one that is deeper than half its width, and than so many working pixels
    cut_off : what a wall cuts off that was not there is at least a square of this share of a unit
    shut : and the wall is at least so many corridors' widths long
    thin_px : and the wall is wider than twice this, in working pixels
    end : the pieces of start and goal reach this share of a unit to both sides
    end_more : ...and so far around what marks them
    nearest : least way from start to goal, in units
    off_floor : how far start and goal may lie off the floor, as a share of a corridor's width
    most_pieces : most pieces that are looked at
    middle : how much longer a step at a wall's foot counts than one in the middle, where the way is told
    smooth : the way is averaged over this share of a corridor's width, to both sides
    mark : a marker is looked for within this share of a unit around start or goal...
    mark_away : ...by colours that are rare farther away than so many units...
    binned : ...told apart in steps of this many levels, 0 to 255...
    rare : ...and rare up to this share of all pixels there
    mark_closed : gaps of it up to twice this share of a unit are closed
    least_mark : smallest marker, as a share of a square of a unit
    edge_px : nearer to walls, in working pixels, floor is mixed with them
    least_px : of fewer pixels no look is told
    apart : how much less two parts of one kind may differ than two of different kinds, as a share of that
    alike : OKLab distance up to which two parts look alike in any case
    around : a drawing on the floor is told beside what lies around, over so many units...
    trimmed : ...of which this share, that differs least, counts
    usual, plainer, plain : it differs by more than what this quantile of the floor does, times the second, and by more
        levels, 0 to 255, than the third
    long : and is longer than so many units
    longest_mark : and markers are at most so many units long
    walls : nearest and farthest from the floor, as shares of a wall's width, where its colour is told
    unlike : most of what the mask has as floor that may look like wall in the picture
    """

    samples: int = 20_000
    widest_wall: float = 1.25
    few: float = 0.05
    least_wall_px: float = 2.0
    least_corridor_px: float = 5.0
    kept_wall_px: float = 3.5
    reach: float = 0.75
    spur: float = 1.1
    spur_more: float = 0.15
    tip_px: float = 4.0
    sector_deg: float = 45.0
    rays: int = 19
    longest_cut: float = 3.0
    least_piece: float = 0.4
    narrow: float = 0.55
    least_door: float = 0.2
    shown: float = 0.5
    grazed: float = 0.15
    spur_out: float = 0.35
    sunk: float = 0.1
    within_px: float = 2.5
    cut_off: float = 0.35
    shut: float = 0.3
    thin_px: int = 1
    end: float = 0.5
    end_more: float = 0.3
    nearest: float = 1.5
    off_floor: float = 0.4
    most_pieces: int = 4096
    middle: float = 8.0
    smooth: float = 0.2
    mark: float = 0.7
    mark_away: float = 1.2
    binned: int = 32
    rare: float = 0.0004
    mark_closed: float = 0.06
    least_mark: float = 0.01
    unlike: float = 0.02
    walls: tuple[float, float] = (0.15, 0.85)
    edge_px: float = 2.0
    least_px: int = 12
    apart: float = 0.75
    alike: float = 0.02
    around: float = 1.5
    trimmed: float = 0.6
    usual: float = 0.5
    plainer: float = 6.0
    plain: float = 40.0
    long: float = 0.35
    longest_mark: float = 1.6
