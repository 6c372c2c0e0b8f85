"""How form boards are judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.surroundings import SurroundingsConfig
from detectors.form_board.config import BoardConfig
from grader.alignment.template import AlignmentConfig


@dataclass(frozen=True)
class CoverRules:
    """When pieces fill a silhouette by their outlines.

    Attributes
    ----------
    slack : areas count as equal, and a piece as inside, up to this share of the silhouette's area
    near : corners count as equally high within this share of the silhouette's longer side
    least_px : a silhouette is at least so high and wide, in pixels of its picture
    """

    slack: float = 0.002
    near: float = 1e-3
    least_px: float = 24.0


@dataclass(frozen=True)
class PlacingRules:
    """What of a drawn board counts. Lengths are shares of the silhouette's longer side, areas of its area.

    Attributes
    ----------
    place : a piece lies where it belongs up to this distance
    gap : paper in the silhouette up to this area is none
    outside : share of a shape that may lie outside of the silhouette
    stray : a shape of which less than this share lies in the silhouette is not in it
    overlap : share of a piece that another one may cover
    beside : what else is drawn is a fault from this area on
    """

    place: float = 0.025
    gap: float = 0.004
    outside: float = 0.06
    stray: float = 0.05
    overlap: float = 0.06
    beside: float = 0.04


@dataclass(frozen=True)
class FormBoardSettings:
    """How form boards are judged; where only labels are known, an answer is right or wrong by these.

    Attributes
    ----------
    cover : when pieces fill a silhouette
    alignment : how a picture is laid onto the puzzle's
    board : how it is read
    placing : what of it counts
    surroundings : what counts as a further drawing beside the puzzle
    """

    cover: CoverRules = field(default_factory=CoverRules)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    board: BoardConfig = field(default_factory=BoardConfig)
    placing: PlacingRules = field(default_factory=PlacingRules)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
