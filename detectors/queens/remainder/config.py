"""What counts as left over on a board. Lengths are shares of a cell's side where nothing else is said."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.residual.energy import EnergyConfig
from detectors.common.residual.ground import GroundConfig
from detectors.common.residual.signs import SignConfig
from detectors.common.residual.windows import WindowConfig, WindowsConfig


@dataclass(frozen=True)
class BoardMixingConfig:
    """How far the things of a board mix into its cells.

    Attributes
    ----------
    reach, reach_px : lines, and the cells beyond them, as far as this, and at least so many working pixels...
    blurred : ...or as far as cells along lines differ by this contrast from what they are elsewhere, in the middle...
    most_reach : ...but at most this far
    least : what differs by less than this contrast mixes in unseen
    beyond : share by which a thing may be stronger than its own colour: sharpening overshoots
    beside : what is left all along a side of a cell is a line displaced by a part of a pixel, up to this contrast
    on_lines : what is left where a line mixes in counts by this share
    frame : as near to the edge of the picture nothing is told: a frame may lie there, or what it was cut from
    smear_px : JPEG smears hues over a block, in picture pixels...
    smear : ...which takes at most this share of a cell's colour beside a queen
    rim_px : so many working pixels either side of a queen's outline nothing is told by single pixels
    edge_quantile : near lines and queens what is left counts as noise up to this quantile of all that is as near...
    edge_visible : ...where that is above this contrast
    edge_px : so many working pixels are near
    """

    reach: float = 0.03
    reach_px: float = 2.0
    blurred: float = 0.012
    most_reach: float = 0.14
    least: float = 0.02
    beyond: float = 1.15
    beside: float = 0.15
    on_lines: float = 0.35
    frame: float = 0.08
    smear_px: int = 16
    smear: float = 0.3
    rim_px: float = 1.5
    edge_quantile: float = 0.95
    edge_visible: float = 0.03
    edge_px: int = 4


@dataclass(frozen=True)
class QueenCompanionConfig:
    """What lies close around every queen alike: a rim, a shadow, a glow.

    Attributes
    ----------
    reach : it is within so many radii of a queen's middle...
    rims : ...but of a cell that has nothing beyond, the colour is told where a rim hardly reaches, or as far as can be
    turn_deg : it changes slowly around the queen: a stroke that takes less than half of this angle is none of it
    visible : share of the way to white or black from which it shows...
    faintest : ...and to which it is followed outwards, for a glow fades slowly
    opaque : what takes this share of the cell's colour hides a line; through less it shows
    beyond : one queen's may be stronger than the middle one's by this factor
    doubt, doubted : in a queen's cell what is seen has to be so many times as plain as in another, and the energy of
        what is left in it so many times
    rays : directions in which it is looked at
    step_px : and how often along them, in working pixels
    quantile : just outside of queens what is left counts as noise up to this quantile of all that is as near
    """

    reach: float = 2.0
    rims: tuple[float, ...] = (1.6, 1.4, 1.25)
    turn_deg: float = 60.0
    visible: float = 0.02
    faintest: float = 0.005
    opaque: float = 0.5
    beyond: float = 1.5
    doubt: float = 2.3
    doubted: float = 1.2
    rays: int = 72
    step_px: float = 0.5
    quantile: float = 0.9


@dataclass(frozen=True)
class QueenOutlineConfig:
    """What a queen's outline and its inside may be.

    Attributes
    ----------
    dark : a queen ends where less than this share of its darkness is left
    uneven : an outline that lies off an ellipse by more than this share of its radius is not that of one disc...
    uneven_px : ...and by so many working pixels
    oval : share of the radius by which a queen may be more oval than the middle one and than a circle: 0.085 is a ratio
        of axes of 1.19
    grey, less_grey : a highlight has less than this share of the colour of the cell, or the other one where most queens
        have a highlight
    core : its inside is what lies within this share of the outline
    window : side of the window, in radii, over which hues are averaged...
    colorful : ...whose contrast tells something coloured on it
    light : lightness above the queen's own from which something light lies on it
    gloss : a highlight fills at least this share of the circle around it; what fills less is a stroke...
    thin : ...if it is at least so many radii long
    most_gloss : a highlight takes at most this share of the inside
    least_px : of an inside of fewer working pixels nothing is told
    unlike : a queen is not as the others where she is lighter or darker by this share of the way to her cell...
    most_unlike : ...over more than this share of her inside...
    fewest_alike : ...where there are so many queens
    darkest : this quantile of how dark a queen's inside is tells what she was
    faded : she has faded where she is not even this share as opaque as the middle queen
    """

    dark: float = 0.55
    uneven: float = 0.1
    uneven_px: float = 0.8
    oval: float = 0.085
    grey: float = 0.35
    less_grey: float = 0.8
    core: float = 0.85
    window: float = 0.25
    colorful: float = 0.12
    light: float = 0.1
    gloss: float = 0.45
    thin: float = 0.9
    most_gloss: float = 0.4
    least_px: int = 60
    unlike: float = 0.15
    most_unlike: float = 0.3
    fewest_alike: int = 3
    darkest: float = 0.9
    faded: float = 0.85


@dataclass(frozen=True)
class GridConfig:
    """How grid lines are held against the puzzle's.

    Attributes
    ----------
    reach : as far to either side of a line it is summed how dark the picture is
    around : ...less what is dark beyond that, over this share of it more
    stain : which counts up to this share of a line's darkness
    smooth : and averaged over this length along it
    crossing : as far from a crossing nothing is told
    gone : a line is gone where less than this share of its darkness is left, of what is left of all lines...
    faded : ...and has faded as a whole where its middle has less than this share
    thinned : ...unless the line as a whole has this share: repeated pixels draw some lines thinner by a pixel...
    alike : ...and the stretch has so much of what its line has
    gone_beside : close to a queen it is gone where less than this share stands out; a shadow takes a part of it
    noisy : all only where it is so many times the middle deviation along lines
    least_left : least share of the puzzle's darkness that has to be left of all lines, where queens are as black
    crossed : something lies on a crossing where its darkness is more by a square of this side
    thicker : something lies on a line where it is wider by this much...
    thicker_px : ...and by so many working pixels
    wide_px : narrower cells, in working pixels, are too coarse to tell a line from what touches it
    """

    reach: float = 0.14
    around: float = 0.6
    stain: float = 0.08
    smooth: float = 0.08
    crossing: float = 0.1
    gone: float = 0.42
    faded: float = 0.62
    thinned: float = 0.55
    alike: float = 0.8
    gone_beside: float = 0.3
    noisy: float = 6.0
    least_left: float = 0.6
    crossed: float = 0.07
    thicker: float = 0.05
    thicker_px: float = 1.5
    wide_px: float = 44.0


@dataclass(frozen=True)
class RegionsConfig:
    """How colours of regions and cells are held against the puzzle's.

    Attributes
    ----------
    shift : contrast by which a region may be off the colour that all the others let expect...
    noisy : ...or so many times what they are off theirs
    toward : share of the way to another region's colour from which a region has faded into it
    straight : ...and so much of what it is off lies on that way
    cell : contrast of a cell's middle colour to its region's from which it is repainted...
    times : ...and so many times the middle one of all cells
    """

    shift: float = 0.03
    noisy: float = 4.0
    toward: float = 0.25
    straight: float = 0.8
    cell: float = 0.02
    times: float = 5.0


@dataclass(frozen=True)
class BoardRoleConfig:
    """What is left, by where it lies.

    Attributes
    ----------
    corner : signs lie within this share of the picture's sides of a corner, where no queen stands
    writing : what shows in so many cells that adjoin is writing over cells
    by_chance, noisy : what is left is plainer by this factor where most pixels have more noise than this contrast
    """

    corner: float = 0.1
    writing: int = 3
    by_chance: float = 1.2
    noisy: float = 0.008


@dataclass(frozen=True)
class BoardRemainderConfig:
    """What counts as left over on a board.

    Attributes
    ----------
    least_cell_px : of cells that are narrower than this, in picture pixels, nothing is told
    min_cell_px : the working frame is the smallest, by powers of two, in which a cell is at least this wide, in pixels
    lone : difference of a channel from which a pixel differs from all around it...
    peppered : ...which is noise where more than this share of cells has such pixels
    lone_px : of which so many may touch; more are a stroke
    ground : how the cells' colour is told
    windows : what is plain to see, of what has one colour
    energy : what is plain to see, whatever its shape
    mixing : how far things mix into cells
    companions : what lies around queens
    outlines : what a queen may look like
    grid : grid lines
    regions : colours of regions
    roles : what is left, by where it lies
    signs : what is a sign in a corner of the picture; its noise is what most pixels stay below
    """

    least_cell_px: float = 16.0
    min_cell_px: float = 48.0
    lone: float = 24.0
    lone_px: int = 3
    peppered: float = 0.15
    ground: GroundConfig = field(default_factory=GroundConfig)
    # What is in most cells alike is noise up to what the worst compression leaves, and all around them counts as it is.
    windows: WindowsConfig = field(
        default_factory=lambda: WindowsConfig(
            dot=WindowConfig(0.0, 3, 0.5, 0.045, 3.5, 3.5, 0.082, 1.0),
            spot=WindowConfig(0.12, 5, 0.5, 0.0155, 3.5, 3.5, 0.035, 1.0),
            blot=WindowConfig(0.25, 9, 0.4, 0.0105, 3.5, 3.5, 0.0165, 1.0),
            patch=WindowConfig(0.5, 17, 0.35, 0.0075, 3.5, 3.5, 0.0095, 1.0),
            line=WindowConfig(0.25, 9, 0.7, 0.07, 3.5, 3.5, 0.058, 1.0),
            quiet=0.0,
            kept=1.0,
        )
    )
    # Lines all around cells leave more of what compression does.
    energy: EnergyConfig = field(default_factory=lambda: EnergyConfig(visible=4.6))
    mixing: BoardMixingConfig = field(default_factory=BoardMixingConfig)
    companions: QueenCompanionConfig = field(default_factory=QueenCompanionConfig)
    outlines: QueenOutlineConfig = field(default_factory=QueenOutlineConfig)
    grid: GridConfig = field(default_factory=GridConfig)
    regions: RegionsConfig = field(default_factory=RegionsConfig)
    roles: BoardRoleConfig = field(default_factory=BoardRoleConfig)
    signs: SignConfig = field(default_factory=lambda: SignConfig(noisy=1.0, soft=0.62))
