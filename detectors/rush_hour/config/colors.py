"""Settings of colours: which are alike, and how they are learned from a picture of a lot."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class InsideConfig:
    """The points at which the inside of a body is looked at.

    Attributes
    ----------
    share : how much of the body's length and width they cover
    hole : radius of a disc in its middle that is left out, in units of the lot
    per_unit : points in a unit of the lot
    least : and at least so many along each side
    least_free : the disc is not left out where no more than this share of the points would be left
    """

    share: float = 0.8
    hole: float = 0.0
    per_unit: int = 4
    least: int = 4
    least_free: float = 0.3


@dataclass(frozen=True)
class LotColorConfig:
    """Which colour is which thing's; distances in CIELAB.

    Attributes
    ----------
    lightness_weight : weight of the lightness in a colour distance, 0 to 1
    known : farther than this from every known colour, a pixel shows something foreign
    floor_known : farther than this from every tone of the floor, it shows no floor
    alike : vehicles whose colours differ by less are told apart by place only
    stated : how far a thing's colour may be from the stated one
    refresh : change of a colour at which pixels are classed anew
    """

    lightness_weight: float = 0.7
    known: float = 34.0
    floor_known: float = 12.0
    alike: float = 16.0
    stated: float = 45.0
    refresh: float = 3.0


@dataclass(frozen=True)
class PaletteConfig:
    """How the colours are learned from a picture.

    Attributes
    ----------
    vehicle : where a vehicle's colour is looked at
    obstacle : the same for an obstacle
    body : the points around which a body's place is left out of the floor
    floor_edge : this near to the border nothing is floor, in units of the lot
    floor_around : nor this near to a body
    floor_share : a colour is the floor's if at least this share of the free floor shows it
    floors : tones that a floor may have
    floor_spread : they are nearer than this to the commonest
    still_spread : the same where bodies that are not in the puzzle may stand on the floor
    exit_reach : how far from the side an exit may be drawn, in units of the lot
    exit_step : distance of the lines along the side at which it is looked for, in units of the lot
    side_step : distance of the points on such a line, in units of the lot
    exit_share : an exit has a known colour if at least this share of the points shows one like the stated
    """

    vehicle: InsideConfig = field(default_factory=lambda: InsideConfig(0.84, 0.34, 8))
    obstacle: InsideConfig = field(default_factory=InsideConfig)
    body: InsideConfig = field(default_factory=lambda: InsideConfig(1.0, 0.0, 2))
    floor_edge: float = 0.3
    floor_around: float = 0.2
    floor_share: float = 0.004
    floors: int = 6
    floor_spread: float = 30.0
    still_spread: float = 14.0
    exit_reach: float = 0.5
    exit_step: float = 0.05
    side_step: float = 0.1
    exit_share: float = 0.04
