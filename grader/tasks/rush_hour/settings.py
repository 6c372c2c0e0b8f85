"""How lots are read and judged: every threshold, with its unit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from detectors.rush_hour.config import LotConfig


@dataclass(frozen=True)
class StepTolerance:
    """How exactly pictures are to be drawn.

    Attributes
    ----------
    still : a vehicle that is displaced by no more, in units of the lot, stands where it stood
    contact : how far from the contact a move may end, in units of the lot
    aside : how far a vehicle may stand off its axis, in units of the lot
    turned_rad : how far it may be turned
    whole : a vehicle of which less shows, as a share of its area, is not the puzzle's
    """

    still: float = 0.2
    contact: float = 0.2
    aside: float = 0.25
    turned_rad: float = math.radians(12.0)
    whole: float = 0.85


@dataclass(frozen=True)
class MoveConfig:
    """What counts as a move. Lengths are in units of the lot.

    Attributes
    ----------
    least : a vehicle that goes no farther has not moved
    noise_factor : nor one that goes no farther than so many times the trembling of resting vehicles
    settled : what gets no farther than this rests
    pause_s, pause_frames : for so long, at least; the longer of both
    contact : a move that ends this near to what it would touch has gone to contact
    grown : vehicles are also tried this much larger on each side, since a measured corner may miss by a hair what a
        true one touches
    shrunk : and this much smaller, to ask how far they may go
    at_exit : the red car is at an exit this near to its side
    beside_exit : with its centre no farther than this beside the opening
    through : bodies this deep in one another have been driven through
    through_strict : the same for the strict verdict
    through_frames : for so many frames
    through_way : or for so far, one against the other
    """

    least: float = 0.1
    noise_factor: float = 6.0
    settled: float = 0.03
    pause_s: float = 0.2
    pause_frames: int = 3
    contact: float = 0.2
    grown: float = 0.03
    shrunk: float = 0.05
    at_exit: float = 0.25
    beside_exit: float = 0.15
    through: float = 0.35
    through_strict: float = 0.2
    through_frames: int = 3
    through_way: float = 0.6


@dataclass(frozen=True)
class RushHourSettings:
    """How parking lots are read."""

    lot: LotConfig = field(default_factory=LotConfig)
    moves: MoveConfig = field(default_factory=MoveConfig)
    steps: StepTolerance = field(default_factory=StepTolerance)
