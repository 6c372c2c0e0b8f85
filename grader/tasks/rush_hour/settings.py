"""How lots are read and judged: every threshold, with its unit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from detectors.rush_hour.config import LotConfig
from grader.tasks.plans.settings import PlanRules, TrackRules


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
    shrunk : from a state that is measured, bodies are made smaller by this on each side, in units of the lot, for they
        may overlap by what is allowed for measuring
    shrunk_share : and by no more than this share of the shortest side of any
    near_exit : how far from the exit the red car may stand at the end, in units of the lot
    """

    still: float = 0.2
    contact: float = 0.2
    aside: float = 0.25
    turned_rad: float = math.radians(12.0)
    whole: float = 0.85
    shrunk: float = 0.05
    shrunk_share: float = 0.25
    near_exit: float = 0.4


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


@dataclass(frozen=True)
class ThroughRules:
    """When bodies were driven through one another. Lengths are in units of the lot.

    Attributes
    ----------
    depth : bodies deeper in one another have been driven through
    strict_depth : the same for the strict verdict
    frames : for so many frames
    way : or for so far, one against the other
    steps : places that are looked at from a frame to the next, where bodies may pass through one another
    hidden : a vehicle that is not seen, and of which more than this share is covered, is there
    back_again : so is one that comes back nearer than this to where it went
    """

    depth: float = 0.35
    strict_depth: float = 0.2
    frames: int = 3
    way: float = 0.6
    steps: int = 8
    hidden: float = 0.3
    back_again: float = 0.2


@dataclass(frozen=True)
class LotClipRules:
    """How a clip is judged by its moves.

    Attributes
    ----------
    tie_s : moves that begin within this time, in seconds, begin together
    together_s : moves that go on at once for longer than this, in seconds, are not one at a time
    after_frames : an event counts if it begins no later than so many frames after the red car is at the exit
    most_orders : more orders of moves that begin together are not tried
    """

    tie_s: float = 0.1
    together_s: float = 0.25
    after_frames: int = 3
    most_orders: int = 720


@dataclass(frozen=True)
class RushHourSettings:
    """How parking lots are read and judged.

    Attributes
    ----------
    lot : how clips and pictures are read
    moves : what counts as a move
    through : when bodies were driven through one another
    clip : how a clip is judged by its moves
    steps : how exactly pictures are to be drawn
    plan : how long a plan may be
    tracks : how exactly tracks are kept
    """

    lot: LotConfig = field(default_factory=LotConfig)
    moves: MoveConfig = field(default_factory=MoveConfig)
    through: ThroughRules = field(default_factory=ThroughRules)
    clip: LotClipRules = field(default_factory=LotClipRules)
    steps: StepTolerance = field(default_factory=StepTolerance)
    plan: PlanRules = field(default_factory=PlanRules)
    tracks: TrackRules = field(default_factory=TrackRules)


RUSH_HOUR_SETTINGS = RushHourSettings()
"""The settings in use."""
