"""A lot in words and numbers, for tests without a picture and for people who debug one."""

from __future__ import annotations

import math

from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Side, Vehicle


def describe(lot: Lot) -> str:
    """Return a lot as text, a line for each thing in it; the same lot gives the same text.

    Lengths are in units of the lot and angles in degrees, counter-clockwise from the x axis; both are rounded to two
    decimals. The order is that of the lot: exits, vehicles, obstacles.
    """
    lines = [
        f"Lot: {_number(lot.width)} wide, {_number(lot.height)} high; x goes right and y up from the lower left corner."
    ]
    lines += map(_exit, lot.exits)
    lines += map(_vehicle, lot.vehicles)
    lines += map(_obstacle, lot.obstacles)
    return "\n".join(lines) + "\n"


def _exit(opening: Exit) -> str:
    along = "y" if opening.side in (Side.LEFT, Side.RIGHT) else "x"
    return f"Exit: {opening.side.value} side, {along} from {_number(opening.start)} to {_number(opening.end)}."


def _vehicle(vehicle: Vehicle) -> str:
    forward = _vector(*vehicle.axis)
    motion = f"forward is {forward}" if vehicle.movable else "it cannot move"
    return (
        f"Vehicle {vehicle.label}: length {_number(vehicle.length)}, width {_number(vehicle.width)}, centre "
        f"{_vector(vehicle.pose.x, vehicle.pose.y)}, angle {_number(math.degrees(vehicle.pose.theta))}; {motion}."
    )


def _obstacle(obstacle: Obstacle) -> str:
    return (
        f"Obstacle: length {_number(obstacle.length)}, width {_number(obstacle.width)}, centre "
        f"{_vector(obstacle.pose.x, obstacle.pose.y)}, angle {_number(math.degrees(obstacle.pose.theta))}."
    )


def _vector(x: float, y: float) -> str:
    return f"({_number(x)}, {_number(y)})"


def _number(value: float) -> str:
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text
