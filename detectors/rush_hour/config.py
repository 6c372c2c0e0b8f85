"""Settings of the detector for parking lots. Lengths are in units of the lot, colours in CIELAB."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LotConfig:
    """What counts as a lot, a vehicle, and a change of the scene.

    A colour distance is Euclidean in CIELAB, with the lightness weighed by ``lightness_weight``, because pictures drift
    in brightness more than in hue.

    Attributes
    ----------
    px_per_unit : scale of the small picture in which everything is measured, in pixels; a smaller frame keeps its own
    margin : how much around the lot belongs to the small picture
    lightness_weight : weight of the lightness in a colour distance, 0 to 1
    known : farther than this from every known colour, a pixel shows something foreign
    alike : vehicles whose colours differ by less are told apart by place only
    floor_share : a colour is the floor's if at least this share of the free floor shows it in the first frame
    stated : how far a vehicle's colour in the first frame may be from the stated one
    adapt : share of a measured change of colour that is followed from one frame to the next, 0 to 1
    refresh : change of a colour at which pixels are classed anew
    faded : a vehicle is no longer seen where less than this share of its contrast with the floor is left
    min_lot_share : least side of the lot, as a share of the frame's shorter side
    max_aspect : how much the scales of x and y may differ, as a ratio
    min_side_share : least share of each side of the border that must be visible in the first frame
    place_tolerance : how far a vehicle may stand from its stated place in the first frame
    turn_tolerance : how far it may be turned there, in radians
    min_fit : least share of the vehicles that must stand right in the first frame
    search : how far around its expected place a vehicle is looked for before the whole picture is
    size_tolerance : share by which the sides of a seen rectangle may differ from the vehicle's
    min_visible : least share of a vehicle's uncovered area that must show its colour
    covered : with more than this share of its area under other bodies a vehicle is hidden, not gone
    line_search : how far a border line may move from one frame to the next
    line_match : least correlation of a piece of border with its look in the first frame
    jump : least way of a jump from one seen frame to the next
    jump_ratio : a step is a jump if it is so many times as long as every step near it
    jump_window : how many steps on either side are near
    longest_step : a longer step vouches for no other one, since it is no motion itself
    off_axis : farther than this from its axis a vehicle has gone sideways
    turned : turned by more than this, in radians, a vehicle has rotated
    recolored : least change of colour after which another vehicle's colour is an exchange
    patience_s, patience_frames : how long, at least, a change of the scene must last to be one; the longer of both
    gone_s : how long a vehicle that nothing covers must be missing to have vanished
    together_s : jumps and losses of several vehicles within this time are one change of the scene
    foreign_area : least area of a foreign body
    foreign_core : a foreign body is at least this thick
    foreign_strewn : area of thin foreign things, such as writing, that lie over the scene
    exit_run : least length of a further exit
    exit_kept : an exit is there while this share of its uncovered length shows its colour
    obstacle_kept : an obstacle is there while this share of its uncovered area is dark
    border_kept : the border is there while this share of its visible pieces is found
    """

    px_per_unit: float = 30.0
    margin: float = 1.0
    lightness_weight: float = 0.7
    known: float = 34.0
    alike: float = 16.0
    floor_share: float = 0.004
    stated: float = 45.0
    adapt: float = 0.35
    refresh: float = 3.0
    faded: float = 0.5
    min_lot_share: float = 0.35
    max_aspect: float = 1.25
    min_side_share: float = 0.45
    place_tolerance: float = 0.3
    turn_tolerance: float = 0.2
    min_fit: float = 0.8
    search: float = 0.7
    size_tolerance: float = 0.17
    min_visible: float = 0.45
    covered: float = 0.5
    line_search: float = 0.3
    line_match: float = 0.6
    jump: float = 0.45
    jump_ratio: float = 3.0
    jump_window: int = 3
    longest_step: float = 2.7
    off_axis: float = 0.25
    turned: float = 0.24
    recolored: float = 25.0
    patience_s: float = 0.12
    patience_frames: int = 3
    gone_s: float = 0.25
    together_s: float = 0.6
    foreign_area: float = 0.3
    foreign_core: float = 0.25
    foreign_strewn: float = 0.5
    exit_run: float = 0.35
    exit_kept: float = 0.6
    obstacle_kept: float = 0.5
    border_kept: float = 0.7


LOT_CONFIG = LotConfig()
"""The settings in use."""
