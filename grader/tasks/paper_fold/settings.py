"""How paper folds are read and judged: every threshold, with its unit. Words are right or wrong by the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.changes import BlockConfig
from detectors.common.surroundings import SurroundingsConfig
from detectors.paper_fold.closer.config import CloserConfig
from detectors.paper_fold.config import SheetConfig
from grader.alignment.template import AlignmentConfig, AnswerConfig


@dataclass(frozen=True)
class HoleRules:
    """What of a drawn sheet counts.

    Attributes
    ----------
    near : a hole is where it belongs up to this distance, in radii of a hole
    misplaced : a hole that belongs nowhere, and a place without one, are one misplaced hole up to this distance
    everywhere : more holes than so many times as many as belong there, and so many more, are no answer
    creased : share of the creases from which they are told
    whole : the sheet is whole if at least this share of it is as it was
    in_place : a sheet whose area is seen to lie so near to its place, in sides of the picture, lies there...
    placed : ...if the picture agrees at least so much, -1 to 1
    told : a picture of a series shows a state if the sheet is as it is there, with at least this share of its holes
    most_stretch : a sheet whose one side is scaled so many times as much as the other is another one
    """

    near: float = 1.0
    misplaced: float = 4.0
    everywhere: float = 2.0
    creased: float = 0.15
    whole: float = 0.98
    in_place: float = 0.01
    placed: float = 0.1
    told: float = 0.5
    most_stretch: float = 1.3


@dataclass(frozen=True)
class SheetRules:
    """What of a puzzle can be read.

    Attributes
    ----------
    least_radius, most_radius : of a hole, in sides of the sheet
    least_radius_px : of a hole, in pixels of the pictures
    clear : holes lie at least so many radii from edges and creases, by their middles
    apart : and so many from each other
    """

    least_radius: float = 0.01
    most_radius: float = 0.08
    least_radius_px: float = 5.0
    clear: float = 1.2
    apart: float = 2.5


@dataclass(frozen=True)
class PaperFoldSettings:
    """How pictures of sheets are read and judged; nothing tunes words. Holes may be dark, and many.

    Of clips, a flap of a few pixels that turns slowly, and a hole of few pixels, are changes.
    """

    limits: SheetRules = field(default_factory=SheetRules)
    alignment: AlignmentConfig = field(
        default_factory=lambda: AlignmentConfig(marks=AnswerConfig(are_dark=True), good=0.93, hopeful=0.3, accept=0.35)
    )
    sheet: SheetConfig = field(default_factory=SheetConfig)
    closer: CloserConfig = field(default_factory=CloserConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
    rules: HoleRules = field(default_factory=HoleRules)
    changes: BlockConfig = field(default_factory=lambda: BlockConfig(side_px=48, by_parts=True, least_part=12.0))
