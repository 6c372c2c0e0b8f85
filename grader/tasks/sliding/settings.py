"""How sliding puzzles are read and judged: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.sliding.config import TileConfig
from grader.tasks.plans.settings import PlanRules, TrackRules


@dataclass(frozen=True)
class RimRules:
    """What of a puzzle's picture is no part of the board: a margin, and a frame within it.

    Attributes
    ----------
    most : so many rims are taken off
    levels : by which the pixels of a rim may differ in a channel, 0 to 255
    spread : by which its widths may differ, as a share of the widest
    least_board_px : a rim is left on where the board would be smaller, in pixels
    """

    most: int = 2
    levels: int = 12
    spread: float = 0.1
    least_board_px: int = 16


@dataclass(frozen=True)
class TileClipRules:
    """How a clip is judged by its moves.

    Attributes
    ----------
    instant_s : while a tile changes its place that is not seen on its way, the board may show something else for one
        frame, or for so long, in seconds: the move is an instant one
    on_the_way : a tile this far from both ends, in cells, is seen on its way
    arrived : a tile this near to its cell, in cells, has arrived
    most_states : states the solver may meet; beyond, the distance of tiles to their places stands in for the moves
    """

    instant_s: float = 0.08
    on_the_way: float = 0.1
    arrived: float = 0.12
    most_states: int = 200_000


@dataclass(frozen=True)
class SlidingSettings:
    """How sliding puzzles are read and judged.

    Attributes
    ----------
    tiles : how clips and pictures are read
    rim : what of a puzzle's picture is no part of the board
    clip : how a clip is judged by its moves
    plan : how long a plan may be
    tracks : how exactly tracks are kept
    """

    tiles: TileConfig = field(default_factory=TileConfig)
    rim: RimRules = field(default_factory=RimRules)
    clip: TileClipRules = field(default_factory=TileClipRules)
    plan: PlanRules = field(default_factory=PlanRules)
    tracks: TrackRules = field(default_factory=TrackRules)


SLIDING_SETTINGS = SlidingSettings()
"""The settings in use."""
