"""How form boards are judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field


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
class FormBoardSettings:
    """How form boards are judged; where only labels are known, an answer is right or wrong by these."""

    cover: CoverRules = field(default_factory=CoverRules)
