"""Moves in a lot and what they do: a vehicle slides along its axis until it touches something."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.slides import SlideTable, Stop, StopKind

__all__ = [
    "Direction",
    "Failure",
    "FaultKind",
    "Move",
    "Step",
    "Stop",
    "StopKind",
    "Trajectory",
    "move_numbers",
    "simulate",
]


class Direction(enum.Enum):
    """Along a vehicle's axis, or against it."""

    FORWARD = "forward"
    BACKWARD = "backward"


@dataclass(frozen=True)
class Move:
    """The vehicle with a label slides as far as it can."""

    label: str
    direction: Direction

    def __str__(self) -> str:
        return f"{self.label} {self.direction.value}"


@dataclass(frozen=True)
class Step:
    """A move that was made.

    Attributes
    ----------
    move
        The move.
    distance
        How far the vehicle went, in units of the lot; 0 where it could not move, which is no fault.
    stop
        What it touched first.
    """

    move: Move
    distance: float
    stop: Stop


class FaultKind(enum.Enum):
    """Why a move cannot be made."""

    UNKNOWN_LABEL = "unknown label"
    IMMOVABLE = "immovable"


@dataclass(frozen=True)
class Failure:
    """The first move that cannot be made: its place in the list, from 0, why, and a sentence."""

    place: int
    move: Move
    kind: FaultKind
    message: str


@dataclass(frozen=True)
class Trajectory:
    """What a list of moves does.

    Attributes
    ----------
    steps
        The moves that were made: all, or those before the failure.
    poses
        The vehicles' poses, in the lot's order, at first and after each step.
    failure
        The first move that cannot be made, or ``None``.
    solved
        Whether all moves were made and the red car is at an exit after the last.
    first_solved
        After how many steps the red car was at an exit for the first time, or ``None``.
    """

    steps: tuple[Step, ...]
    poses: tuple[tuple[Pose, ...], ...]
    failure: Failure | None
    solved: bool
    first_solved: int | None


def simulate(lot: Lot, moves: Sequence[Move], margin: float = 0.0) -> Trajectory:
    """Make moves one after another, up to the first one that cannot be made.

    Parameters
    ----------
    lot
        The lot.
    moves
        Any list of moves; it may be empty.
    margin
        By how much each side of each vehicle is moved outwards, in units of the lot; inwards if it is negative. What
        holds with a small margin of either sign hangs on no near miss and no graze. Vehicles that overlap once they
        are larger may slide apart or along.

    Raises
    ------
    ValueError
        If the margin is not finite, or leaves nothing of a vehicle.
    """
    table, numbers = _prepared(lot, margin)
    state = table.start[None, :]
    states = [state]
    steps: list[Step] = []
    failure = None
    for place, move in enumerate(moves):
        if move not in numbers:
            failure = _failure(lot, place, move)
            break
        state, distance, stop = table.step(state, numbers[move])
        steps.append(Step(move, distance, stop))
        states.append(state)
    solved = table.solved(np.concatenate(states)).tolist()
    poses = [table.poses(one[0]) for one in states]
    return Trajectory(
        tuple(steps),
        tuple(poses),
        failure,
        failure is None and solved[-1],
        solved.index(True) if any(solved) else None,
    )


def move_numbers(lot: Lot) -> dict[Move, int]:
    """Return all moves of a lot with their numbers in a `SlideTable`, ascending."""
    labels = [vehicle.label for vehicle in lot.vehicles if vehicle.movable]
    moves = [Move(label, direction) for label in labels for direction in (Direction.FORWARD, Direction.BACKWARD)]
    return {move: number for number, move in enumerate(moves)}


@lru_cache(maxsize=256)
def _prepared(lot: Lot, margin: float) -> tuple[SlideTable, dict[Move, int]]:
    """What is worked out once a lot, for many plans are made for one."""
    return SlideTable(lot, margin), move_numbers(lot)


def _failure(lot: Lot, place: int, move: Move) -> Failure:
    if any(vehicle.label == move.label for vehicle in lot.vehicles):
        return Failure(
            place, move, FaultKind.IMMOVABLE, f"move {place + 1} names vehicle {move.label}, which cannot move"
        )
    known = ", ".join(sorted(vehicle.label for vehicle in lot.vehicles))
    message = f"move {place + 1} names vehicle {move.label!r}, which is not in the lot; there are {known}"
    return Failure(place, move, FaultKind.UNKNOWN_LABEL, message)
