"""Settings of the search for a lot, and of following it. Lengths are in units of the lot where nothing else is said."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.rush_hour.config.colors import InsideConfig


@dataclass(frozen=True)
class RectangleConfig:
    """Which rectangles of edges may be a lot's border.

    Attributes
    ----------
    step_px : lightness is compared over so many pixels to both sides, so that a soft edge counts fully
    full_step : a step of lightness, 0 to 255, that counts fully as an edge
    peaks : lines that are tried for each side
    peak_gap_px : two of them are farther apart than this
    min_lot_share : least side of the lot, as a share of the picture's shorter side
    max_aspect : how much the scales of x and y may differ, as a ratio
    min_side_share : least share of each side of the border that must be visible
    tried : so many of the best rectangles are looked at closer
    edge_px : how far to both sides the inner edge is looked for to a part of a pixel
    line_share : the thickest border line, as a share of the lot's shorter side
    least_line_px : and at least so many pixels
    outer_share : the outer edge of the line counts if it is stronger than this share of the inner one
    """

    step_px: int = 2
    full_step: float = 14.0
    peaks: int = 7
    peak_gap_px: int = 3
    min_lot_share: float = 0.35
    max_aspect: float = 1.25
    min_side_share: float = 0.45
    tried: int = 24
    edge_px: int = 2
    line_share: float = 0.02
    least_line_px: int = 4
    outer_share: float = 0.4


@dataclass(frozen=True)
class BorderConfig:
    """How the border is found in a picture of which nothing is known.

    Attributes
    ----------
    side_px : pictures with a longer shorter side are made smaller for the search
    frame_px : width of what is drawn around a picture whose own edge may be the border
    rectangles : which rectangles may be it
    inside : where bodies are looked at, to choose between rectangles
    seen_weight : weight of the share of the border that is seen, against that of the bodies' colours
    exit_near : an exit shows its colour this near to the border
    exit_along, exit_across : points of an exit that are looked at
    exit_weight : an exit counts as so many bodies
    """

    side_px: int = 480
    frame_px: int = 6
    rectangles: RectangleConfig = field(default_factory=RectangleConfig)
    inside: InsideConfig = field(default_factory=lambda: InsideConfig(0.8, 0.34, 4))
    seen_weight: float = 0.5
    exit_near: float = 0.3
    exit_along: int = 24
    exit_across: int = 7
    exit_weight: int = 2


@dataclass(frozen=True)
class ViewConfig:
    """How the lot is cut out and made small.

    Attributes
    ----------
    px_per_unit : scale of the small picture in which everything is measured, in pixels; a smaller frame keeps its own
    margin : how much around the lot belongs to the small picture
    """

    px_per_unit: float = 30.0
    margin: float = 1.0


@dataclass(frozen=True)
class BorderFollowConfig:
    """How the border is followed from frame to frame.

    Attributes
    ----------
    piece : length of a piece of the border
    inset_px : so much at both ends of a piece is left out
    beside_exit : a piece this near to an exit is not used
    depth : how far to either side of the line a piece's look is compared
    search : how far the line may move from one frame to the next
    least_px : both at least so many pixels of the small picture
    least_spread : a piece whose look has a smaller standard deviation, in levels, tells nothing
    least_match : least correlation of a piece with its look in the first frame
    agree : pieces farther off than this from the common motion are left out
    agree_factor : unless they are no farther off than so many times the median
    least_pieces : fewest pieces that tell a motion
    rounds : most rounds of leaving out
    stiffness : how many pieces' worth holds zoom and turn at the last frame's
    still_px : by so much the lot may be off its last view before it has another one, in pixels of the small picture
    same_levels : by so much a strip of the border may differ from the one that was read and be the same
    """

    piece: float = 1.0
    inset_px: int = 2
    beside_exit: float = 0.2
    depth: float = 0.3
    search: float = 0.3
    least_px: int = 3
    least_spread: float = 2.0
    least_match: float = 0.6
    agree: float = 0.06
    agree_factor: float = 2.5
    least_pieces: int = 6
    rounds: int = 4
    stiffness: float = 0.5
    still_px: float = 0.04
    same_levels: float = 4.0


@dataclass(frozen=True)
class FirstFrameConfig:
    """What the first frame must show, and which later frames need no reading.

    Attributes
    ----------
    place_tolerance : how far a vehicle may stand from its stated place
    turn_tolerance : how far it may be turned there, in radians
    min_fit : least share of the vehicles that must stand right
    same_levels : a frame no pixel of which is farther than this from the last one, in any channel, is not read anew
    """

    place_tolerance: float = 0.3
    turn_tolerance: float = 0.2
    min_fit: float = 0.8
    same_levels: float = 6.0


@dataclass(frozen=True)
class SideGapConfig:
    """What counts as a gap in a lot's border in a single picture.

    Attributes
    ----------
    step : the border is looked at so often...
    near : ...so far to either side of where it runs, which a body beside it may be, too...
    outside : ...and held against what lies so far outside
    corner, exit : this near to corners and exits nothing is told
    visible : contrast from which half of a border is told at all
    faded : where it has less than this share of what it has at most places it is gone...
    gap : ...and so long a piece that is gone is a gap
    """

    step: float = 0.1
    near: float = 0.1
    outside: float = 0.25
    corner: float = 0.2
    exit: float = 0.3
    visible: float = 0.1
    faded: float = 0.3
    gap: float = 0.6
