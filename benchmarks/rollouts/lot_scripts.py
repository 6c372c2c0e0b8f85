"""What happens in a clip of rush hour, as data: motion of the vehicles, changes of the scene, a scene after it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from puzzles.common.easing import Easing, Pace
from puzzles.common.raster import Color
from puzzles.rush_hour.contact import Polygon, overlap_depth, rectangle
from puzzles.rush_hour.lot import Exit, Lot, Pose, Vehicle
from puzzles.rush_hour.motion import Slide, Timeline
from puzzles.rush_hour.rules import Move, Trajectory, simulate

_SAMPLES = 80  # of a way, to see what stands on it


@dataclass(frozen=True)
class Change:
    """A vehicle's looks change from a time to another one, and stay so.

    Attributes
    ----------
    vehicle
        Its place in the lot's vehicles.
    start_s, end_s
        When, in seconds.
    opacity, scale, wide
        What they are at the end, the last of its width only; 1 at first.
    color, label
        What they are at the end; ``None`` for no change. The label changes half way.
    """

    vehicle: int
    start_s: float
    end_s: float
    opacity: float = 1.0
    scale: float = 1.0
    wide: float = 1.0
    color: Color | None = None
    label: str | None = None


@dataclass(frozen=True)
class Stranger:
    """A vehicle that the lot does not have appears, perhaps moves, and stays, or goes at a time.

    Attributes
    ----------
    start_s, end_s
        When it fades in.
    vehicle
        What it is, at its first pose.
    slide
        Its way, with any vehicle number; ``None`` if it stands.
    until_s
        When it goes; never, if not given.
    """

    start_s: float
    end_s: float
    vehicle: Vehicle
    slide: Slide | None = None
    until_s: float = math.inf


@dataclass(frozen=True)
class ExitChange:
    """From a time on there are other exits; until ``end_s`` they glide there, if there are as many as before."""

    start_s: float
    end_s: float
    exits: tuple[Exit, ...]


@dataclass(frozen=True)
class Transition:
    """The picture dissolves into another script's, which has the same clock; at once if both times are the same.

    With ``through_black`` it gets black first.
    """

    start_s: float
    end_s: float
    script: LotScript
    through_black: bool = False


@dataclass(frozen=True)
class LotScript:
    """All that happens in a clip.

    Attributes
    ----------
    lot
        The lot at first.
    timeline
        Where its vehicles are.
    moves
        The moves that a patient person would write down, in order; of vehicles that slide along their axis only.
    changes, strangers, exits
        What changes beside.
    then
        What the scene turns into.
    """

    lot: Lot
    timeline: Timeline
    moves: tuple[Move, ...] = ()
    changes: tuple[Change, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    exits: tuple[ExitChange, ...] = ()
    then: Transition | None = None


@dataclass(frozen=True)
class Subject:
    """A puzzle for which a script is to be written.

    Attributes
    ----------
    lot, solution, run
        The lot, a shortest solution, and what it does.
    pace
        How fast things move.
    dice
        For what is random; it follows from the case.
    """

    lot: Lot
    solution: tuple[Move, ...]
    run: Trajectory
    pace: Pace
    dice: random.Random

    @property
    def red(self) -> int:
        """The red car's place in the lot's vehicles."""
        return self.lot.vehicles.index(self.lot.red)

    @property
    def goal(self) -> Pose:
        """The red car's pose at the exit."""
        return self.run.poses[-1][self.red]

    def number(self, label: str) -> int:
        """The place of a label's vehicle in the lot's vehicles."""
        return [vehicle.label for vehicle in self.lot.vehicles].index(label)


@dataclass
class Reel:
    """Writes a timeline, motion after motion.

    Attributes
    ----------
    lot, pace
        What moves, how fast.
    time
        The present, in seconds.
    poses
        Where all vehicles are at present.
    slides
        What was written.
    """

    lot: Lot
    pace: Pace
    time: float = field(init=False)
    poses: list[Pose] = field(init=False)
    slides: list[Slide] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.time = self.pace.before_s
        self.poses = [vehicle.pose for vehicle in self.lot.vehicles]

    def go(self, number: int, to: Pose, *, seconds: float | None = None, easing: Easing | None = None) -> Reel:
        """A vehicle goes to a pose, then there is a pause."""
        begin = self.poses[number]
        way = math.dist((begin.x, begin.y), (to.x, to.y)) + abs(to.theta - begin.theta)
        took = self.pace.time_of(way) if seconds is None else seconds
        self.slides.append(Slide(number, self.time, self.time + took, begin, to, easing or self.pace.easing))
        self.poses[number] = to
        self.time += took + self.pace.pause_s
        return self

    def together(self, ways: Sequence[tuple[int, Pose]], lead_s: float = 0.0) -> Reel:
        """Vehicles go at once, each a lead later than the one before; then there is a pause."""
        begin, until = self.time, self.time
        for place, (number, to) in enumerate(ways):
            self.time = begin + place * lead_s
            self.go(number, to)
            until = max(until, self.time)
        self.time = until
        return self

    def jump(self, ways: Sequence[tuple[int, Pose]]) -> Reel:
        """Vehicles are at other poses from one frame to the next; then there is a pause."""
        for number, to in ways:
            self.slides.append(Slide(number, self.time, self.time, self.poses[number], to))
            self.poses[number] = to
        self.time += self.pace.pause_s
        return self

    def play(self, run: Trajectory, first: int = 0, last: int | None = None) -> Reel:
        """The steps of a run, from one to before another."""
        numbers = {vehicle.label: place for place, vehicle in enumerate(self.lot.vehicles)}
        for place in range(first, len(run.steps) if last is None else last):
            number = numbers[run.steps[place].move.label]
            self.go(number, run.poses[place + 1][number])
        return self

    def wait(self, seconds: float) -> Reel:
        """Nothing moves for a time."""
        self.time += seconds
        return self

    def timeline(self, least_s: float = 0.0) -> Timeline:
        """What was written, with a rest at the end."""
        ends = [slide.end_s for slide in self.slides]
        until = max([self.time, *ends]) - (self.pace.pause_s if ends else 0.0) + self.pace.after_s
        slides = tuple(sorted(self.slides, key=lambda slide: slide.start_s))
        return Timeline(tuple(vehicle.pose for vehicle in self.lot.vehicles), slides, max(until, least_s, *ends, 0.0))


def along(vehicle: Vehicle, pose: Pose, distance: float) -> Pose:
    """A vehicle's pose after it went forward by a distance; backward if that is negative."""
    return Pose(pose.x + vehicle.axis[0] * distance, pose.y + vehicle.axis[1] * distance, pose.theta)


def part_way(start: Pose, end: Pose, share: float) -> Pose:
    """The pose between two after a share of the way."""
    return Pose(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share, start.theta)


def outline(vehicle: Vehicle, pose: Pose) -> Polygon:
    """A vehicle's corners at a pose."""
    return rectangle(pose.x, pose.y, pose.theta, vehicle.length, vehicle.width)


def way(vehicle: Vehicle, start: Pose, end: Pose) -> list[Polygon]:
    """A vehicle's corners at places of a straight way."""
    return [outline(vehicle, part_way(start, end, step / _SAMPLES)) for step in range(_SAMPLES + 1)]


def met_on_way(lot: Lot, poses: Sequence[Pose], number: int, to: Pose, depth: float = 1e-3) -> list[int]:
    """The vehicles into which one runs deeper than a depth on a straight way to a pose, by their places."""
    ways = way(lot.vehicles[number], poses[number], to)
    return [
        other
        for other, vehicle in enumerate(lot.vehicles)
        if other != number and max(overlap_depth(mine, outline(vehicle, poses[other])) for mine in ways) > depth
    ]


def is_free(lot: Lot, corners: Polygon, others: Sequence[Polygon], gap: float = 0.1) -> bool:
    """Whether a rectangle lies in the lot, a gap away from obstacles and other polygons."""
    inside = all(gap <= x <= lot.width - gap and gap <= y <= lot.height - gap for x, y in corners)
    blocks = [*others, *(obstacle.outline() for obstacle in lot.obstacles)]
    return inside and all(overlap_depth(corners, block) < -gap for block in blocks)


def moved_lot(lot: Lot, poses: Sequence[Pose]) -> Lot:
    """The lot with its vehicles at other poses; ValueError if they overlap there."""
    vehicles = tuple(replace(vehicle, pose=pose) for vehicle, pose in zip(lot.vehicles, poses, strict=True))
    return replace(lot, vehicles=vehicles)


def solves(lot: Lot, moves: Sequence[Move]) -> bool:
    """Whether a list of moves brings the red car to the exit."""
    return simulate(lot, moves).solved


def first_moves(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Each vehicle's first move, in order."""
    seen: dict[str, Move] = {}
    for move in moves:
        seen.setdefault(move.label, move)
    return tuple(seen.values())
