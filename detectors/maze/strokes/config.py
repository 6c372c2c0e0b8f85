"""What counts as a stroke on a maze."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PathConfig:
    """What counts as a stroke.

    Attributes
    ----------
    speck_area : ink of less than this share of the cell length squared, apart from any stroke, is noise
    bridge : gaps up to this share of a cell's width are closed where no wall lies between
    dashed_bridge : the same where the line is dashed
    most_ends : strokes with more ends than this are dust, whose gaps are not bridged
    under_wall : strokes that end on two sides of a wall, at most this many walls' widths apart, go on beneath it
    dots_in_cell : so many specks in a cell are a dotted line
    seen_speck : specks smaller than this share are not even counted
    marker_reach : a stroke that ends in a marker's cell has to come this close to it, as a share of the cell length
    marker_touch : one that ends in the cell before, at an arm of a marker that reaches into it, this close
    pointing : the last dash before a marker points at it within this cosine
    disc : a marker that fills more than this share of its box is a disc, others are crosses
    hidden : a stroke at most this share of an arm's width may lie hidden beneath it...
    cut : ...and one that at its end is narrower than this share of its usual width runs in beneath it
    dash : dashes are at most so many cell widths long
    dashes : a line in at least this many pieces is dashed...
    few_dashes : ...or in this many that are alike...
    dashed : ...if they are at least this share of it, in number and in length
    pale : pixels of a stroke weaker than this share of its middle may lie in a gap between dashes
    pinhole : gaps up to this share of the cell length are closed anyway
    filled : a cell whose floor is inked to more than this share is filled, not passed through
    painted : exterior inked to more than this share is painted, not drawn on
    foreign_chroma : least OKLab chroma of strokes in a foreign colour; JPEG smears weaker ones
    foreign_chroma_on_dark : the same on a dark floor, where what JPEG smears is farther in OKLab
    dark_floor : OKLab lightness up to which a floor is dark
    muted_chroma : least OKLab chroma of muted strokes away from the path
    muted_area : least area of muted or grey strokes in a cell, as a share of the cell length squared
    smear : near strokes, ink paler than this share of theirs is JPEG's smear
    foreign_area : least area of them in a cell, as a share of the cell length squared
    spilled : a cell inked to more than this share is not beside the path any more
    texture_cells : strokes that visit more than this share of all cells...
    texture_specks : more specks than this for each cell are a texture too
    texture_crossings : ...and cross more than this share of all walls are a texture, not an answer
    """

    speck_area: float = 0.0025
    bridge: float = 0.12
    dashed_bridge: float = 0.3
    most_ends: int = 4000
    under_wall: float = 1.6
    dots_in_cell: int = 3
    seen_speck: float = 0.0006
    marker_reach: float = 0.15
    marker_touch: float = 0.12
    pointing: float = 0.7
    disc: float = 0.6
    hidden: float = 0.75
    cut: float = 0.65
    dashes: int = 5
    few_dashes: int = 3
    pale: float = 0.6
    dashed: float = 0.6
    dash: float = 1.5
    pinhole: float = 0.03
    filled: float = 0.72
    painted: float = 0.25
    foreign_chroma: float = 0.05
    foreign_chroma_on_dark: float = 0.1
    dark_floor: float = 0.4
    muted_chroma: float = 0.022
    muted_area: float = 0.03
    smear: float = 0.65
    foreign_area: float = 0.005
    spilled: float = 0.05
    texture_cells: float = 0.7
    texture_crossings: float = 0.3
    texture_specks: float = 2.0
