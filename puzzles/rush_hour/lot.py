"""A parking lot: vehicles at any place and angle, obstacles, and exits in its sides.

The origin is the lower left corner, x goes right and y up. Lengths are in units of the lot, angles in radians,
counter-clockwise.
"""

from __future__ import annotations

import enum
import math
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from puzzles.rush_hour.contact import Polygon, overlap_depth, rectangle

RED_LABEL = "R"
# How far bodies may overlap, or stand out of the lot, by rounding.
PLACE_TOLERANCE = 1e-6
# Bounds within which contacts and states are exact to far less than their tolerances, and searches end.
MIN_SIDE = 0.01
MAX_SIDE = 1000.0
MAX_BODIES = 64
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


class Side(enum.Enum):
    """A side of the lot: x = 0, x = width, y = 0, y = height."""

    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"
    TOP = "top"


@dataclass(frozen=True)
class Exit:
    """An opening in a side, from ``start`` to ``end``: y on the left and right, x on the bottom and top.

    Raises
    ------
    ValueError
        If the opening is empty or not finite.
    """

    side: Side
    start: float
    end: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.start) and math.isfinite(self.end) and self.start < self.end):
            raise ValueError(
                f"the exit's opening must go from a smaller to a larger place, not {self.start:g} to {self.end:g}"
            )


@dataclass(frozen=True)
class Pose:
    """The centre of a rectangle and the angle of its length."""

    x: float
    y: float
    theta: float = 0.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.x, self.y, self.theta))):
            raise ValueError(f"a pose must be of finite numbers, not x {self.x}, y {self.y}, theta {self.theta}")


@dataclass(frozen=True)
class Vehicle:
    """A rectangle that slides along its axis.

    Attributes
    ----------
    id
        Its name in files.
    label
        Its name in answers; the car that is to leave is R.
    length, width
        Its sides; the length lies along the axis.
    pose
        Where it stands at first.
    axis
        The direction of FORWARD, of length 1, along the length.
    movable
        Whether a move may name it.
    color
        ``#RRGGBB``.

    Raises
    ------
    ValueError
        If a name is empty, a side is not from 0.01 to 1000, the axis is not of length 1 or not along the length, or
        the colour has another form.
    """

    id: str
    label: str
    length: float
    width: float
    pose: Pose
    axis: tuple[float, float]
    movable: bool = True
    color: str = "#808080"

    def __post_init__(self) -> None:
        name = f"vehicle {self.id!r}"
        if not self.id or not self.label:
            raise ValueError(f"{name} needs an id and a label, not {self.label!r}")
        _check_size(name, self.length, self.width)
        # Written so that an axis that is not a number is refused too.
        if not abs(math.hypot(*self.axis) - 1) < PLACE_TOLERANCE:
            raise ValueError(f"{name} has an axis of length {math.hypot(*self.axis):g}; give one of length 1")
        if abs(self.axis[0] * math.sin(self.pose.theta) - self.axis[1] * math.cos(self.pose.theta)) > PLACE_TOLERANCE:
            raise ValueError(
                f"{name} has its axis at {math.degrees(math.atan2(self.axis[1], self.axis[0])):.4g} degrees"
                f" but its length at {math.degrees(self.pose.theta):.4g}; it must slide along its length"
            )
        if not _COLOR.fullmatch(self.color):
            raise ValueError(f"{name} has the colour {self.color!r}; write it as #RRGGBB")

    def outline(self, margin: float = 0.0) -> Polygon:
        """Return its corners at its first pose, each side moved outwards by a margin."""
        return rectangle(self.pose.x, self.pose.y, self.pose.theta, self.length + 2 * margin, self.width + 2 * margin)


@dataclass(frozen=True)
class Obstacle:
    """A rectangle that never moves; ``length`` lies along the pose's angle. ValueError as for a vehicle."""

    id: str
    length: float
    width: float
    pose: Pose

    def __post_init__(self) -> None:
        _check_size(f"obstacle {self.id!r}", self.length, self.width)

    def outline(self) -> Polygon:
        """Return its corners."""
        return rectangle(self.pose.x, self.pose.y, self.pose.theta, self.length, self.width)


@dataclass(frozen=True)
class Lot:
    """A lot with what stands in it.

    Attributes
    ----------
    width, height
        Its sides.
    exits
        At least one opening.
    vehicles
        Exactly one of them has the label R.
    obstacles
        What never moves.

    Raises
    ------
    ValueError
        If a side is not from 0.01 to 1000, an opening is not in its side, an id or a label is there twice, the red car
        is missing, there are more than 64 bodies, or a body stands out of the lot or overlaps another one by more than
        1e-6.
    """

    width: float
    height: float
    exits: tuple[Exit, ...]
    vehicles: tuple[Vehicle, ...]
    obstacles: tuple[Obstacle, ...] = ()

    def __post_init__(self) -> None:
        _check_size("the lot", self.width, self.height)
        self._check_exits()
        self._check_names()
        self._check_places()

    @property
    def bodies(self) -> tuple[Vehicle | Obstacle, ...]:
        """The vehicles, then the obstacles."""
        return (*self.vehicles, *self.obstacles)

    @cached_property
    def red(self) -> Vehicle:
        """The car that is to leave."""
        return next(vehicle for vehicle in self.vehicles if vehicle.label == RED_LABEL)

    def _check_exits(self) -> None:
        if not self.exits:
            raise ValueError("the lot has no exit")
        for opening in self.exits:
            size = self.height if opening.side in (Side.LEFT, Side.RIGHT) else self.width
            if opening.start < -PLACE_TOLERANCE or opening.end > size + PLACE_TOLERANCE:
                raise ValueError(
                    f"the exit on the {opening.side.value} goes from {opening.start:g} to "
                    f"{opening.end:g}, but that side from 0 to {size:g}"
                )

    def _check_names(self) -> None:
        if len(self.bodies) > MAX_BODIES:
            raise ValueError(f"there are {len(self.bodies)} vehicles and obstacles; at most {MAX_BODIES} are allowed")
        ids = [body.id for body in self.bodies]
        labels = [vehicle.label for vehicle in self.vehicles]
        for what, names in (("id", ids), ("label", labels)):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"the {what} {twice[0]!r} is there more than once")
        if RED_LABEL not in labels:
            raise ValueError(f"no vehicle has the label {RED_LABEL}, which is the red car's")

    def _check_places(self) -> None:
        outlines = [(body.id, body.outline()) for body in self.bodies]
        for name, outline in outlines:
            out = max(max(-x, x - self.width, -y, y - self.height) for x, y in outline)
            if out > PLACE_TOLERANCE:
                raise ValueError(f"{name!r} stands out of the lot by {out:.4g}")
        for (name, outline), (other_name, other) in combinations(outlines, 2):
            depth = overlap_depth(outline, other)
            if depth > PLACE_TOLERANCE:
                raise ValueError(f"{name!r} and {other_name!r} overlap by {depth:.4g}")


def _check_size(name: str, length: float, width: float) -> None:
    if not (MIN_SIDE <= length <= MAX_SIDE and MIN_SIDE <= width <= MAX_SIDE):
        raise ValueError(f"{name} must have sides from {MIN_SIDE:g} to {MAX_SIDE:g}, not {length:g} x {width:g}")
