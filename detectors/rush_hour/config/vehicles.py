"""Settings of vehicles: how one is measured, followed, and found in a single picture. Lengths in units of the lot."""

from __future__ import annotations

from dataclasses import dataclass, field

from detectors.rush_hour.config.border import SideGapConfig
from detectors.rush_hour.config.colors import InsideConfig


@dataclass(frozen=True)
class ShapeConfig:
    """The points at which a vehicle and its surroundings are looked at.

    Attributes
    ----------
    inside : within its outline, without the disc on it
    disc_share : the disc's radius is at most this share of the width
    ring : how far outside its sides the surroundings are looked at
    ring_along, ring_across : points along each side, and along each end
    """

    inside: InsideConfig = field(default_factory=lambda: InsideConfig(0.92, 0.34, 6))
    disc_share: float = 0.4
    ring: float = 0.13
    ring_along: int = 9
    ring_across: int = 5


@dataclass(frozen=True)
class HullConfig:
    """How a vehicle is measured by the outline of its colour.

    Attributes
    ----------
    most_reach : it is measured so within this many lengths of its place
    thin : what is thinner, such as a rail, is no part of a vehicle
    thin_px : and what is thinner than so many pixels of the small picture
    least_part : smaller parts of its area are noise; the main part is at least twice as large
    away_weight : a part as far away as the reach counts as if it were smaller by this share of the area
    near : parts this near to the main one, in lengths, belong to it: a disc may cut a vehicle in two
    largest_disc : radius of the largest disc that may cut it
    size_tolerance : share by which the length may differ from the vehicle's
    width_tolerance : the same for its width
    askew : turned by less than this, in radians, a hull tells the angle
    """

    most_reach: float = 2.0
    thin: float = 0.17
    thin_px: int = 3
    least_part: float = 0.04
    away_weight: float = 0.3
    near: float = 0.8
    largest_disc: float = 0.38
    size_tolerance: float = 0.17
    width_tolerance: float = 0.25
    askew: float = 0.15


@dataclass(frozen=True)
class PlaceFitConfig:
    """How the rectangle of a vehicle is moved to where it fits best.

    Attributes
    ----------
    coarse, fine : steps along the axis, first and then; what goes less far from frame to frame stands
    coarse_across, fine_across : ways across the axis that are tried, first and then
    fine_reach : how far along the axis is searched in fine steps
    pull : by so much a place scores less for each unit that it is off the expected one
    told : an inside or a ring of which less than this share is told tells nothing
    ring_weight : weight of the ring, which should not show its colour, against the inside, which should
    """

    coarse: float = 0.1
    fine: float = 0.025
    coarse_across: tuple[float, ...] = (-0.15, 0.0, 0.15)
    fine_across: tuple[float, ...] = (-0.1, -0.05, 0.0, 0.05, 0.1)
    fine_reach: float = 0.1
    pull: float = 0.02
    told: float = 0.25
    ring_weight: float = 0.5


@dataclass(frozen=True)
class VehicleConfig:
    """How one vehicle is measured.

    Attributes
    ----------
    shape : where it is looked at
    hull : how it is measured by its outline
    fit : how it is fitted
    min_visible : least share of its uncovered area that must show its colour
    covered : with more than this share of its area under other bodies it is hidden, not gone
    most_covered : a fitted one may be covered by this share
    shown_part : of a vehicle that lies under others at least this share of its area must be seen
    shown_reach : its middle is no farther than this share of its length from the middle of what is seen
    shown_sure : and of what shows it or the floor this share must show it
    """

    shape: ShapeConfig = field(default_factory=ShapeConfig)
    hull: HullConfig = field(default_factory=HullConfig)
    fit: PlaceFitConfig = field(default_factory=PlaceFitConfig)
    min_visible: float = 0.45
    covered: float = 0.5
    most_covered: float = 0.7
    shown_part: float = 0.15
    shown_reach: float = 0.5
    shown_sure: float = 0.7


@dataclass(frozen=True)
class RepaintConfig:
    """When a body of another colour at a vehicle's place is that vehicle, repainted; distances in CIELAB.

    Attributes
    ----------
    other : where another vehicle's colour covers more than this share of the place, it may be that one
    uniform : half of its pixels differ from their median by less
    body : it differs from the floor by at least this much
    around : and so does at least this share of its surroundings from it
    """

    other: float = 0.3
    uniform: float = 9.0
    body: float = 18.0
    around: float = 0.6


@dataclass(frozen=True)
class TrackConfig:
    """How vehicles are followed from frame to frame.

    Attributes
    ----------
    near : a vehicle is looked for this far around where its motion leads, and as far as it goes in a frame
    search : and at most this far; then so far around its last place
    speed_reach : farther by this share of what it goes in a frame
    sure : with this share of what nothing covers visible, it was fitted well
    same : a vehicle around which less than this share of its pixels changed is where it was
    claim : around a vehicle's sides its colour is its own
    apart : of two like ones nearer than this share of their width only one is there
    left : a vehicle that was seen to stand out of the lot by more has left it
    max_speed : ways from one frame to the next that are foreseen
    adapt : share of a measured change of colour that is followed from one frame to the next, 0 to 1
    drift : a colour that changes by less from a frame to the next, in each channel of CIELAB, stays
    faded : a vehicle is no longer seen where less than this share of its contrast with the floor is left
    mixed : a colour this near to the way from its own to the floor's is a fading one, in CIELAB
    floor_points : points in a row, and rows, at which the floor's colour is followed
    floor_free : it is not followed where less than this share of them shows it
    repaint : when it was repainted
    """

    near: float = 0.3
    search: float = 0.7
    speed_reach: float = 0.5
    sure: float = 0.75
    same: float = 0.006
    claim: float = 0.12
    apart: float = 0.4
    left: float = 0.4
    max_speed: float = 2.5
    adapt: float = 0.35
    drift: float = 0.5
    faded: float = 0.5
    mixed: float = 12.0
    floor_points: int = 16
    floor_free: float = 0.25
    repaint: RepaintConfig = field(default_factory=RepaintConfig)


@dataclass(frozen=True)
class StillConfig:
    """How a single picture is read.

    Attributes
    ----------
    stays : a vehicle is looked for this near to its first place before anywhere else
    sure : with this share of it visible it was fitted well
    rounds : readings, each with the colours that the one before found
    sides : what counts as a gap in the border
    """

    stays: float = 0.25
    sure: float = 0.8
    rounds: int = 2
    sides: SideGapConfig = field(default_factory=SideGapConfig)
