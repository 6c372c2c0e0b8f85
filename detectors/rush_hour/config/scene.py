"""Settings of what should stay as it is, and of what is an event. Lengths in units of the lot."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class FixedConfig:
    """How exits and obstacles are looked at.

    Attributes
    ----------
    step : distance of the points at which a side is looked at
    offset_reach : exits are looked at this far to both sides of the border
    offset_step : in steps of this
    offset_good : lines that show this share of what the best one shows are as good
    offsets : so many good lines are looked at
    closed : from this share of dark border on, along an opening, there is no opening
    beside : this near to a stated opening a further exit is that opening's
    hidden_points : a vehicle in an opening hides so many points around each of its own
    hidden : an exit of which more is hidden, and nothing is seen, is there
    obstacle_free : an obstacle of which no more is free is there
    """

    step: float = 0.1
    offset_reach: float = 0.45
    offset_step: float = 0.075
    offset_good: float = 0.75
    offsets: int = 3
    closed: float = 0.6
    beside: float = 0.3
    hidden_points: int = 5
    hidden: float = 0.6
    obstacle_free: float = 0.2


@dataclass(frozen=True)
class ForeignBodyConfig:
    """Where nothing foreign should be, and how thick it is.

    Attributes
    ----------
    edge : this near to the border nothing is foreign
    around : nor this near to a body
    exit_inside, exit_outside : nor this far inside and outside of the side, along an exit
    rail : this near to a vehicle's axis its rail may be drawn
    line_px : a rail is at least so thick, in pixels of the small picture, and so is a foreign body
    speckle_px : what is smaller than half of so many pixels across is noise
    core : a foreign body is at least this thick
    least_like, most_like : a body of a vehicle's colour is like a vehicle with an area from this share of the smallest
        one's to this multiple of the largest one's
    """

    edge: float = 0.3
    around: float = 0.18
    exit_inside: float = 0.7
    exit_outside: float = 0.2
    rail: float = 0.17
    line_px: int = 3
    speckle_px: int = 3
    core: float = 0.25
    least_like: float = 0.4
    most_like: float = 1.6


@dataclass(frozen=True)
class LotSceneConfig:
    """How all that should stay as it is is looked at.

    Attributes
    ----------
    fixed : exits and obstacles
    foreign : what is foreign
    """

    fixed: FixedConfig = field(default_factory=FixedConfig)
    foreign: ForeignBodyConfig = field(default_factory=ForeignBodyConfig)


@dataclass(frozen=True)
class ChangeConfig:
    """From which size on a change of the scene counts.

    Attributes
    ----------
    exit_run : least length of a further exit
    exit_kept : an exit is there while this share of its uncovered length shows its colour
    obstacle_kept : an obstacle is there while this share of its uncovered area is dark
    border_kept : the border is there while this share of its visible pieces is found
    foreign_area : least area of a foreign body, in square units
    picture : from this area on it is no vehicle, whatever its colour
    strewn : area of thin foreign things, such as writing, that lie over the scene
    """

    exit_run: float = 0.35
    exit_kept: float = 0.6
    obstacle_kept: float = 0.5
    border_kept: float = 0.7
    foreign_area: float = 0.3
    picture: float = 4.0
    strewn: float = 0.5


@dataclass(frozen=True)
class JumpConfig:
    """When a way from one seen frame to the next is a jump.

    Attributes
    ----------
    least : least way of a jump
    ratio : a step is a jump if it is so many times as long as every step near it
    window : how many steps on either side are near
    longest_step : a longer step vouches for no other one, since it is no motion itself
    under : a hidden vehicle may move by so many units a frame
    unseen : an unseen one may go so many times as far a frame as near to it
    back : a vehicle that comes back as near as this share of a jump was misread
    """

    least: float = 0.45
    ratio: float = 3.0
    window: int = 3
    longest_step: float = 2.7
    under: float = 0.5
    unseen: float = 1.5
    back: float = 0.5


@dataclass(frozen=True)
class LastingConfig:
    """How long, at least, a change must last to be one.

    Attributes
    ----------
    patience_s, patience_frames : a change of the scene; the longer of both
    gone_s : how long a vehicle that nothing covers must be missing to have vanished
    together_s : jumps and losses within this time, or within `blink_frames`, are one change of the scene
    blink_frames : what is otherwise for no more frames is a misreading; a vehicle that is missing for longer dissolves,
        and for twice as long it may be a streak or a mixture on its way from one sighting to the next
    """

    patience_s: float = 0.1
    patience_frames: int = 2
    gone_s: float = 0.25
    together_s: float = 0.6
    blink_frames: int = 2


@dataclass(frozen=True)
class ConductConfig:
    """What a vehicle must not do.

    Attributes
    ----------
    off_axis : farther than this from its axis it has gone sideways
    turned : turned by more than this, in radians, it has rotated
    bare : with this share of it covered, or more, its angle is not known well
    recolored : least change of colour after which another vehicle's colour is an exchange, in CIELAB
    swap_ratio : two whose colours are nearer to each other's than to their own by this factor were exchanged
    taken_ratio : one whose colour is nearer to another's by this factor has taken it on
    """

    off_axis: float = 0.25
    turned: float = 0.24
    bare: float = 0.1
    recolored: float = 25.0
    swap_ratio: float = 0.6
    taken_ratio: float = 0.3


@dataclass(frozen=True)
class EventConfig:
    """What is an event.

    Attributes
    ----------
    change : changes of the scene
    jump : jumps
    lasting : how long they last
    conduct : what vehicles must not do
    """

    change: ChangeConfig = field(default_factory=ChangeConfig)
    jump: JumpConfig = field(default_factory=JumpConfig)
    lasting: LastingConfig = field(default_factory=LastingConfig)
    conduct: ConductConfig = field(default_factory=ConductConfig)
