"""How jigsaw puzzles are judged: every threshold, with its unit. Answers in words are right or wrong by the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.common.changes import BlockConfig
from detectors.jigsaw.config import AssemblyConfig


@dataclass(frozen=True)
class DrawnRules:
    """What of a drawn assembly counts.

    Attributes
    ----------
    least_likeness : a quarter holds a piece if their correlation is at least so high
    least_resembling : and in a series, before the last picture, what is left of a piece if at least so high
    most_altered : largest coherent share of a quarter that its piece need not explain
    most_displaced : a piece may be off the place, or the size, that the others have by so much of a side
    least_detail : least correlation of the fine structure of a quarter and its piece
    most_shift : a piece may be lighter or darker than all together by at most so many levels of 255
    most_rough, rough_times : its finest structure may be off by at most so many levels, and so many times what that of
        the middle piece is off
    """

    least_likeness: float = 0.75
    least_resembling: float = 0.5
    most_altered: float = 0.002
    most_displaced: float = 0.035
    least_detail: float = 0.6
    most_shift: float = 14.0
    most_rough: float = 4.5
    rough_times: float = 1.3


@dataclass(frozen=True)
class JigsawSettings:
    """How drawn orders are read and judged; nothing tunes words.

    Attributes
    ----------
    assembly : how pieces are found in pictures
    changes : how clips change
    drawn : what of that counts
    """

    assembly: AssemblyConfig = field(default_factory=AssemblyConfig)
    changes: BlockConfig = field(default_factory=BlockConfig)
    drawn: DrawnRules = field(default_factory=DrawnRules)
