"""How sliding puzzles are read and judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.sliding.config import TileConfig


@dataclass(frozen=True)
class SlidingSettings:
    """How sliding puzzles are read."""

    tiles: TileConfig = field(default_factory=TileConfig)
