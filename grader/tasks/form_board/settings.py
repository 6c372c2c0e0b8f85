"""How form boards are judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.framing import InnerFrameConfig
from detectors.common.surroundings import SurroundingsConfig
from detectors.form_board.config import FormBoardConfig
from detectors.form_board.outlines import PieceOutlineConfig
from grader.alignment.template import AlignmentConfig
from grader.tasks.plans.settings import PlanRules


@dataclass(frozen=True)
class CoverRules:
    """When pieces fill a silhouette by their outlines.

    Attributes
    ----------
    slack : areas count as equal, and a piece as inside, up to this share of the silhouette's area
    near : corners count as equally high within this share of the silhouette's longer side
    ways : a set of pieces may fill a silhouette in so many ways
    least_px : a silhouette is at least so high and wide, in pixels of its picture
    """

    slack: float = 0.002
    near: float = 1e-3
    ways: int = 4
    least_px: float = 24.0


@dataclass(frozen=True)
class PlacingRules:
    """What of a drawn board counts. Lengths are shares of the silhouette's longer side, areas of its area.

    Attributes
    ----------
    place : a piece lies where it belongs up to this distance
    gap : paper in the silhouette up to this area is none
    outside : share of a shape that may lie outside of the silhouette
    vague : how far most of the outline of the last piece may be off, where all others are in their places
    cut : how far a side of that piece may be off, where it seems to have another size
    stray : a shape of which less than this share lies in the silhouette is not in it
    overlap : share of a piece that another one may cover
    lines : lines around the silhouette count as apart from it from this area on
    beside : what else is drawn is a fault from this area on
    near : and so is whatever begins so near to the silhouette...
    touching : ...but for words that do not begin as near as this...
    bump : ...if it reaches so far off the silhouette
    solid : elsewhere so is what is in half its width this thick and has a piece's colour...
    hull : ...or is a disc or a block, filling this share of its hull, from this area on...
    block : ...which is at least this
    spread : and so is a drawing that is at least so high and wide
    labels : where this share of labels lies in place, and not half as many with the silhouette, it alone was changed
    """

    place: float = 0.025
    gap: float = 0.004
    outside: float = 0.06
    vague: float = 0.06
    cut: float = 0.08
    stray: float = 0.05
    overlap: float = 0.06
    lines: float = 0.006
    beside: float = 0.04
    near: float = 0.12
    touching: float = 0.03
    bump: float = 0.015
    solid: float = 0.012
    hull: float = 0.92
    block: float = 0.004
    spread: float = 0.2
    labels: float = 0.7


@dataclass(frozen=True)
class BoardClipRules:
    """How a clip is looked at and judged.

    Attributes
    ----------
    looks_a_second : so many frames of a second are looked at, and the last one
    on_the_way : a piece so far from where it lies in the end, and from where it was given, is on its way, as a share
        of the silhouette's longer side
    still : a piece that moves by less than this share of the silhouette's longer side from look to look does not move
    like_size : what is up to so many times larger or smaller than a piece may be it, half hidden
    compared_px : frames are compared with the first one with their longer side at so many pixels
    levels : by more than which a pixel's channel differs, 0 to 255
    replaced : share of a frame that may differ
    """

    looks_a_second: float = 12.0
    on_the_way: float = 0.12
    still: float = 0.012
    like_size: float = 1.6
    compared_px: int = 160
    levels: int = 40
    replaced: float = 0.6


@dataclass(frozen=True)
class FormBoardSettings:
    """How form boards are judged; where only labels are known, an answer is right or wrong by these.

    Attributes
    ----------
    cover : when pieces fill a silhouette
    alignment : how a picture is laid onto the puzzle's; bent but little, since more would make a wrong piece right
    frame : where that fails, when a picture is one within another one, such as a page
    outline : how a silhouette is looked for where that fails, too
    board : how it is read
    placing : what of it counts
    clip : how clips are judged
    plan : how long a plan may be
    surroundings : what counts as a further drawing beside the puzzle
    """

    cover: CoverRules = field(default_factory=CoverRules)
    alignment: AlignmentConfig = field(default_factory=lambda: AlignmentConfig(max_bend=0.008, hopeful=0.05))
    frame: InnerFrameConfig = field(default_factory=InnerFrameConfig)
    outline: PieceOutlineConfig = field(default_factory=PieceOutlineConfig)
    board: FormBoardConfig = field(default_factory=FormBoardConfig)
    placing: PlacingRules = field(default_factory=PlacingRules)
    clip: BoardClipRules = field(default_factory=BoardClipRules)
    plan: PlanRules = field(default_factory=PlanRules)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
