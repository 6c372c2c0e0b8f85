"""What counts as a queen, and as a change of a board."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class BoardConfig:
    """How a board is looked at, and what counts as a change of it. Lengths are shares of a cell's side.

    Attributes
    ----------
    min_cell_px, min_px : the working frame is the smallest, by powers of two, in which a cell is at least this wide, in
        pixels, and the board so wide
    line : a pixel is of a grid line if it is darker than this share of its cell's brightness
    corners : where, between a cell's edges, its colour is told: what a queen leaves free, in both directions
    samples : light is told by about so many pixels
    cell_drift : OKLab distance up to which a cell still has the colour of its region...
    other_drift : ...and up to which it has it where another region's colour is nearer
    region_contrast : two regions have merged when less than this share of their contrast is left
    """

    min_cell_px: float = 32.0
    min_px: float = 200.0
    line: float = 0.6
    corners: tuple[float, ...] = (0.10, 0.14, 0.18, 0.82, 0.86, 0.90)
    samples: int = 1500
    cell_drift: float = 0.06
    other_drift: float = 0.02
    region_contrast: float = 0.4


@dataclass(frozen=True)
class DiscConfig:
    """What counts as a solid dark disc.

    Attributes
    ----------
    crossing : discs on crossings of grid lines up to this share of the cell's width are taken for the crossing...
    crossing_px : ...as are those up to two lines' widths and so many working pixels more
    usual_crossing : ...and, where most crossings have such a mark, as blurred ones do, up to so many times its width
    on_lines : a mark of which more than this share lies on grid lines is a line, unless it is thicker than a crossing
    hung : a mark longer than this many cells has run into grid lines
    min_fill : least share of its enclosing ellipse that a disc covers (a square covers 0.64)
    large_px, min_fill_large : the same for marks of at least so many pixels, whose corners the raster does not round
    full : share of its ellipse from which a disc is told without a doubt
    max_aspect : largest ratio of a disc's axes
    few_px : area of a mark whose axes the raster makes uncertain: by a fifth at a radius of 3.5 pixels
    colorful : OKLab chroma above which, unless it is very dark, a mark is coloured and no queen
    colored_part : share of the inside of a mark from which its colour is that of a part of it
    core_px : least area of a mark off its rim, by which its colour is told
    hollow : share of holes within a mark's outline from which it is a ring...
    gloss : ...unless they are a highlight: their middle lies off its own by more than this share of its radius...
    most_gloss : ...they take less than this share of it...
    gloss_chroma, gloss_smeared : ...and have less than this OKLab chroma, or than this share of the ground's
    very_dark : OKLab lightness up to which colour is not looked at
    inside : least share of a disc that lies in one cell
    pale : what is no disc, and this share as black as queens or less, is left to be told by what it leaves on the board
    """

    crossing: float = 0.13
    crossing_px: float = 3.0
    usual_crossing: float = 1.6
    on_lines: float = 0.6
    hung: float = 1.05
    min_fill: float = 0.74
    large_px: int = 150
    min_fill_large: float = 0.8
    full: float = 0.9
    max_aspect: float = 1.35
    few_px: int = 40
    colorful: float = 0.1
    colored_part: float = 0.15
    core_px: int = 10
    hollow: float = 0.06
    gloss: float = 0.15
    most_gloss: float = 0.3
    gloss_chroma: float = 0.03
    gloss_smeared: float = 0.35
    very_dark: float = 0.35
    inside: float = 0.88
    pale: float = 0.3


@dataclass(frozen=True)
class QueensConfig:
    """What counts as a queen, and as a change of the board.

    Attributes
    ----------
    darker : a mark is dark below this share of the darkest region's brightness
    dimmest : share of a board's brightness below which it is not taken for a darker board
    line : widest grid line, as a share of the cell; narrower strokes are no solid disc
    min_area : smallest dark mark that is looked at, as a share of a cell's area
    covered_board : a board that is dark to more than this share is covered, not marked
    corner, sign : a disc within this share of the picture's sides of a corner, with less than this share of the middle
        queen's radius, is a sign...
    fewest : ...where there are more discs than so many
    board : how the board is looked at
    discs : what counts as a disc
    """

    darker: float = 0.78
    dimmest: float = 0.5
    line: float = 0.07
    min_area: float = 0.004
    covered_board: float = 0.6
    corner: float = 0.1
    sign: float = 0.6
    fewest: int = 3
    board: BoardConfig = field(default_factory=BoardConfig)
    discs: DiscConfig = field(default_factory=DiscConfig)
