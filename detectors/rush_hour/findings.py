"""What is seen in a clip or a picture of a parking lot: where the vehicles are, and what changes in the scene."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class LotEventKind(enum.Enum):
    """What happens in a clip that no slide of a vehicle explains."""

    HARD_CUT = "HARD_CUT"
    CROSS_FADE = "CROSS_FADE"
    SCENE_REPLACED = "SCENE_REPLACED"
    NEW_VEHICLE = "NEW_VEHICLE"
    OVERLAY = "OVERLAY"
    DRAWN = "DRAWN"
    VEHICLE_VANISHED = "VEHICLE_VANISHED"
    EXTRA_EXIT = "EXTRA_EXIT"
    EXIT_MOVED = "EXIT_MOVED"
    IDENTITY_SWAP = "IDENTITY_SWAP"
    TELEPORT = "TELEPORT"
    ROTATION = "ROTATION"
    SIDEWAYS = "SIDEWAYS"
    WALLS_CHANGED = "WALLS_CHANGED"


@dataclass(frozen=True)
class FrameBox:
    """A box of a frame in pixels: from (left, top) up to and without (right, bottom)."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True)
class LotEvent:
    """Something that happens.

    Attributes
    ----------
    kind : what
    first, last : the first and the last frame that show it, as places in the clip
    first_s, last_s : their times, in seconds
    box : where in the first of them; None if everywhere
    label : the vehicle it happens to; empty if none in particular
    """

    kind: LotEventKind
    first: int
    last: int
    first_s: float
    last_s: float
    box: FrameBox | None = None
    label: str = ""


@dataclass(frozen=True, eq=False)
class VehicleTrack:
    """Where one vehicle is, frame by frame.

    Attributes
    ----------
    label : the vehicle's
    seen : (N,) whether it is seen; elsewhere it is taken to be where it was seen last
    x, y : (N,) its centre, in units of the lot
    theta : (N,) the angle of its length, in radians, within a quarter turn of the first one
    visible : (N,) share of its area that shows its colour, 0 to 1
    covered : (N,) share of its area over which other bodies are drawn, 0 to 1
    color : (N, 3) its colour in CIELAB
    """

    label: str
    seen: Flags
    x: Floats
    y: Floats
    theta: Floats
    visible: Floats
    covered: Floats
    color: Floats


@dataclass(frozen=True)
class LotFit:
    """How well the first frame shows the stated lot.

    Attributes
    ----------
    is_the_puzzle : whether it does
    border : share of the border that is seen, 0 to 1; 0 if no border was found
    vehicles : share of the vehicles that stand where they should in the stated colours, 0 to 1
    misplaced : labels of the others
    box : the lot in the frame; None if no border was found
    """

    is_the_puzzle: bool
    border: float
    vehicles: float
    misplaced: tuple[str, ...]
    box: FrameBox | None


@dataclass(frozen=True, eq=False)
class LotFindings:
    """What a clip of a lot shows.

    Attributes
    ----------
    times_s : (N,) when each frame is shown, in seconds, never falling
    fit : how well the first frame shows the lot; without a fit there are no tracks and no events
    tracks : one for each vehicle, in the lot's order
    camera : (N, 6) where the lot's point (X, Y) is, in pixels of the frame: x = c0 X + c1 Y + c2, y = c3 X + c4 Y + c5
    events : by first frame
    noise : how much the places of resting vehicles tremble, in units of the lot; at least 0
    """

    times_s: Floats
    fit: LotFit
    tracks: tuple[VehicleTrack, ...]
    camera: Floats
    events: tuple[LotEvent, ...]
    noise: float

    def box_of(self, place: int, frame: int) -> FrameBox | None:
        """Returns the box around a vehicle, given by its place in the lot, at a frame; None without tracks."""
        if not self.tracks:
            return None
        track = self.tracks[place]
        return camera_box(self.camera[frame], float(track.x[frame]), float(track.y[frame]))


_BOX_REACH = 1.1  # not a threshold: how far around a vehicle's middle its box is drawn, in units of the lot


def camera_box(camera: Floats, x: float, y: float, reach: float = _BOX_REACH) -> FrameBox:
    """Returns the box in a frame around a point of the lot, ``reach`` units each way; ``camera`` is (6,)."""
    column = camera[0] * x + camera[1] * y + camera[2]
    row = camera[3] * x + camera[4] * y + camera[5]
    wide, high = abs(camera[0]) * reach, abs(camera[4]) * reach
    edges = (max(0.0, column - wide), max(0.0, row - high), max(0.0, column + wide), max(0.0, row + high))
    return FrameBox(*(round(float(edge)) for edge in edges))


@dataclass(frozen=True)
class DrawnThing:
    """Something that is drawn on a lot and belongs neither to it nor to its vehicles.

    Attributes
    ----------
    label : of the vehicle over which it lies; empty for none
    box : where, in the picture
    plainness : how many times as plain it is as what is just seen
    """

    label: str
    box: FrameBox
    plainness: float


@dataclass(frozen=True)
class StillVehicle:
    """A vehicle in a single picture: whether it is seen, where (lot units, radians), and how much of it, 0 to 1."""

    label: str
    seen: bool
    x: float
    y: float
    theta: float
    visible: float


@dataclass(frozen=True)
class LotStill:
    """What a single picture of a lot shows.

    Attributes
    ----------
    border : share of the border that is seen, 0 to 1; 0 if no border was found, and then nothing else was looked for
    box : the lot in the picture
    vehicles : in the lot's order
    foreign : boxes of bodies that are no vehicle of the lot
    exits_kept : whether all exits are at their places, and no others
    walls_kept : whether obstacles and border are at their places
    drawn : what is drawn over vehicles, obstacles and floor, the plainest first
    """

    border: float
    box: FrameBox | None
    vehicles: tuple[StillVehicle, ...]
    foreign: tuple[FrameBox, ...]
    exits_kept: bool
    walls_kept: bool
    drawn: tuple[DrawnThing, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Labels of the vehicles that are not seen."""
        return tuple(vehicle.label for vehicle in self.vehicles if not vehicle.seen)
