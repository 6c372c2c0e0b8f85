"""What happens in composed clips of a lot: right clips, lasting faults that a moment may hide, and passing ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from benchmarks.rollouts.composed.film import Hide, Moment
from benchmarks.rollouts.lot_faults import none, stop_then_go, two_at_once
from benchmarks.rollouts.lot_scripts import (
    Change,
    LotScript,
    Reel,
    Stranger,
    Subject,
    along,
    is_free,
    met_on_way,
    outline,
    part_way,
)
from puzzles.common.easing import Easing
from puzzles.rush_hour.contact import overlap_depth
from puzzles.rush_hour.lot import Pose, Vehicle

_FRAME_S = 1 / 24
_STEPS = 200
_BESIDE = 0.6  # units that a vehicle is off where it may be, in passing faults
_CLEAR = 0.06  # units between bodies that do not touch


@dataclass(frozen=True)
class LotDeed:
    """What happens.

    Attributes
    ----------
    script : with what hides it, where that is done to vehicles
    moments : what hides it in the frames
    fault_s : for how long something is shown that cannot be, or a state that nothing could lead to, in seconds
    depth : how far something is where it cannot be, in units of the lot; 0 for a right clip
    """

    script: LotScript
    moments: tuple[Moment, ...] = ()
    fault_s: float = 0.0
    depth: float = 0.0


LotWriter = Callable[[Subject, Hide, int], LotDeed | None]
"""Writes a deed for a puzzle, what hides it and for how many frames of 1/24 s; None where the puzzle has no such."""


def right(subject: Subject, _hide: Hide, _frames: int) -> LotDeed | None:
    """The solution."""
    return LotDeed(none(subject))


def pauses(subject: Subject, _hide: Hide, _frames: int) -> LotDeed | None:
    """The solution; a vehicle rests on its way."""
    script = stop_then_go(subject)
    return None if script is None else LotDeed(script)


def together(subject: Subject, _hide: Hide, _frames: int) -> LotDeed | None:
    """The solution; two vehicles move at once."""
    script = two_at_once(subject)
    return None if script is None else LotDeed(script)


def passes(subject: Subject, hide: Hide, frames: int) -> LotDeed | None:
    """Red drives up to a blocker, is behind it after some frames, and goes on to the exit."""
    red, blockers = subject.lot.red, met_on_way(subject.lot, subject.run.poses[0], subject.red, subject.goal)
    if not blockers:
        return None
    start = subject.run.poses[0][subject.red]
    others = [outline(subject.lot.vehicles[one], subject.run.poses[0][one]) for one in blockers]
    deep = [
        max(overlap_depth(outline(red, part_way(start, subject.goal, step / _STEPS)), other) for other in others)
        for step in range(_STEPS + 1)
    ]
    inside = [step for step in range(_STEPS + 1) if deep[step] > -_CLEAR]
    first, last = max(0, inside[0] - 1), min(_STEPS, inside[-1] + 1)
    before, after = (part_way(start, subject.goal, step / _STEPS) for step in (first, last))
    took = max(1, frames) * _FRAME_S
    reel = Reel(subject.lot, replace(subject.pace, pause_s=0.0))
    if first:
        reel.go(subject.red, before)
    begin = reel.time
    reel.go(subject.red, after, seconds=took, easing=Easing.LINEAR)
    end = reel.time
    if last < _STEPS:
        reel.go(subject.red, subject.goal)
    line = reel.timeline()
    changes, moments = _hides(subject, hide, begin - _FRAME_S, end + _FRAME_S / 2, (subject.red, *blockers[:1]))
    return LotDeed(LotScript(subject.lot, line, (), changes), moments, line.duration_s - end, max(deep))


def leaves(subject: Subject, hide: Hide, frames: int) -> LotDeed | None:
    """A blocker drives out through the wall, and red to the exit."""
    lot, blockers = subject.lot, met_on_way(subject.lot, subject.run.poses[0], subject.red, subject.goal)
    if len(blockers) != 1:
        return None
    number = blockers[0]
    vehicle, first = lot.vehicles[number], list(subject.run.poses[0])
    ends = []
    for sign in (1, -1):
        for step in range(1, 120):
            to = along(vehicle, first[number], sign * step * 0.1)
            poses = list(first)
            poses[number] = to
            out = _out(subject, vehicle, to)
            if out > _BESIDE and not met_on_way(lot, poses, subject.red, subject.goal, -_CLEAR):
                if not met_on_way(lot, first, number, to, 0.01):
                    ends.append((out, to))
                break
    if not ends:
        return None
    depth, to = min(ends, key=lambda pair: pair[0])
    reel = Reel(lot, subject.pace)
    begin = reel.time
    reel.go(number, to)
    end = reel.time - subject.pace.pause_s
    reel.go(subject.red, subject.goal)
    line = reel.timeline()
    until = end + _FRAME_S / 2
    changes, moments = _hides(subject, hide, max(begin, until - frames * _FRAME_S), until, (number,))
    return LotDeed(LotScript(lot, line, (), changes), moments, line.duration_s - end, depth)


def _out(subject: Subject, vehicle: Vehicle, pose: Pose) -> float:
    corners = outline(vehicle, pose)
    return max(
        max(max(-x, x - subject.lot.width) for x, _ in corners),
        max(max(-y, y - subject.lot.height) for _, y in corners),
    )


def _for_a_while(subject: Subject, frames: int, away: Callable[[Vehicle, Pose], Pose]) -> LotDeed | None:
    """The solution; before its last move a vehicle is elsewhere for some frames, and back."""
    script = none(subject)
    number = next((n for n, one in enumerate(subject.lot.vehicles) if one is not subject.lot.red), None)
    if number is None:
        return None
    vehicle, count = subject.lot.vehicles[number], len(subject.run.steps)
    reel = Reel(subject.lot, subject.pace).play(subject.run, 0, count - 1)
    here = reel.poses[number]
    there = away(vehicle, here)
    reel.jump([(number, there)])
    reel.time += frames * _FRAME_S - subject.pace.pause_s
    reel.jump([(number, here)])
    reel.play(subject.run, count - 1)
    depth = math.hypot(there.x - here.x, there.y - here.y) + abs(there.theta - here.theta)
    return LotDeed(replace(script, timeline=reel.timeline()), (), frames * _FRAME_S, depth)


def aside(subject: Subject, _hide: Hide, frames: int) -> LotDeed | None:
    """A vehicle stands off its axis for some frames."""

    def away(vehicle: Vehicle, at: Pose) -> Pose:
        return Pose(at.x - vehicle.axis[1] * _BESIDE, at.y + vehicle.axis[0] * _BESIDE, at.theta)

    return _for_a_while(subject, frames, away)


def turned(subject: Subject, _hide: Hide, frames: int) -> LotDeed | None:
    """A vehicle is turned by 40 degrees for some frames."""
    return _for_a_while(subject, frames, lambda _, at: replace(at, theta=at.theta + math.radians(40)))


def stranger(subject: Subject, _hide: Hide, frames: int) -> LotDeed | None:
    """A vehicle that is not in the lot is there for some frames, and goes as it came."""
    script, lot, dice = none(subject), subject.lot, subject.dice
    times = [step / 8 for step in range(int(script.timeline.duration_s * 8) + 2)]
    swept = [outline(one, at) for t in times for one, at in zip(lot.vehicles, script.timeline.poses(t), strict=True)]
    for _ in range(300):
        pose = Pose(dice.random() * lot.width, dice.random() * lot.height, 0.0)
        vehicle = Vehicle("stranger", "Z", 1.8, 0.9, pose, (1.0, 0.0), True, "#4CAF50")
        if is_free(lot, outline(vehicle, pose), swept):
            begin = math.floor(0.5 * script.timeline.duration_s / _FRAME_S) * _FRAME_S
            until = begin + frames * _FRAME_S
            one = Stranger(begin, begin, vehicle, None, until)
            return LotDeed(replace(script, strangers=(one,)), (), frames * _FRAME_S, 1.0)
    return None


def _hides(
    subject: Subject, hide: Hide, start_s: float, end_s: float, numbers: tuple[int, ...]
) -> tuple[tuple[Change, ...], tuple[Moment, ...]]:
    """What is done to vehicles, and to frames, to hide a time."""
    if hide is Hide.NOTHING:
        return (), ()
    values = {Hide.GONE: (0.0, 1.0), Hide.FAINT: (0.3, 1.0), Hide.THIN: (1.0, 0.3)}.get(hide)
    if values is None:
        pose = subject.run.poses[0][numbers[-1]]
        at = (pose.x / subject.lot.width, 1 - pose.y / subject.lot.height)
        return (), (Moment(hide, start_s, end_s, at),)
    opacity, wide = values
    hidden = numbers if hide is Hide.GONE else numbers[:1]
    changes = [Change(number, start_s, start_s, opacity=opacity, wide=wide) for number in hidden]
    changes += [Change(number, end_s, end_s, wide=1 / wide) for number in hidden]
    return tuple(changes), ()


RIGHT_LOTS: Mapping[str, LotWriter] = MappingProxyType({"right": right, "pauses": pauses, "together": together})
LASTING_LOTS: Mapping[str, LotWriter] = MappingProxyType({"passes": passes, "leaves": leaves})
PASSING_LOTS: Mapping[str, LotWriter] = MappingProxyType({"aside": aside, "turned": turned, "stranger": stranger})
