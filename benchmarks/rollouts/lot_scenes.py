"""Scripts of rush hour in which the scene changes: cuts, fades, vehicles and exits that come, go or change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from benchmarks.rollouts.lot_faults import Writer, none
from benchmarks.rollouts.lot_scripts import (
    Change,
    ExitChange,
    LotScript,
    Reel,
    Stranger,
    Subject,
    Transition,
    along,
    is_free,
    met_on_way,
    outline,
)
from benchmarks.rollouts.records import LotFault
from puzzles.common.raster import Color
from puzzles.rush_hour.contact import Polygon
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side, Vehicle
from puzzles.rush_hour.motion import Slide, Timeline, plan_motion
from puzzles.rush_hour.rules import Direction, Move

_TRIES = 600
_SHOWN_S = 3.0
_NEW_COLOR = "#4CAF50"
"""Of a vehicle that was not there; none of the lots has it."""


def _still(lot: Lot, poses: tuple[Pose, ...], duration_s: float) -> Timeline:
    """Nothing moves; the vehicles stand at poses from the first frame on."""
    slides = tuple(Slide(number, 0.0, 0.0, pose, pose) for number, pose in enumerate(poses))
    return Timeline(tuple(vehicle.pose for vehicle in lot.vehicles), slides, duration_s)


def _to_solved(start_s: float, end_s: float, *, black: bool = False) -> Writer:
    def write(subject: Subject) -> LotScript | None:
        if len(subject.solution) < 2:
            return None
        begin, end = (_still(subject.lot, subject.run.poses[place], _SHOWN_S) for place in (0, -1))
        then = Transition(start_s, end_s, LotScript(subject.lot, end), black)
        return LotScript(subject.lot, begin, then=then)

    return write


def scene_replaced(other: Subject) -> Writer:
    """After the first move the scene turns into another puzzle, which is then solved."""

    def write(subject: Subject) -> LotScript | None:
        if len(subject.solution) < 2 or other.lot == subject.lot:
            return None
        first = Reel(subject.lot, subject.pace).play(subject.run, 0, 1)
        turn = first.time
        later = replace(other.pace, before_s=turn + 0.6)
        solved = plan_motion(other.lot, other.solution, later)
        line = first.timeline()
        line = Timeline(line.start, line.slides, solved.duration_s)
        return LotScript(
            subject.lot, line, subject.solution[:1], then=Transition(turn, turn + 0.4, LotScript(other.lot, solved))
        )

    return write


def _blockers(subject: Subject) -> list[int]:
    return met_on_way(subject.lot, subject.run.poses[0], subject.red, subject.goal)


def _removed(opacity: float, scale: float) -> Writer:
    """The blockers fade or shrink; then the red car drives."""

    def write(subject: Subject) -> LotScript | None:
        blockers = _blockers(subject)
        if not blockers:
            return None
        begin = subject.pace.before_s
        changes = tuple(Change(number, begin, begin + 0.8, opacity, scale) for number in blockers)
        reel = Reel(subject.lot, subject.pace).wait(1.1).go(subject.red, subject.goal)
        return LotScript(subject.lot, reel.timeline(), subject.solution[-1:], changes)

    return write


def vanish_bystander(subject: Subject) -> LotScript | None:
    """The solution; a vehicle that has no part in it fades away in the middle."""
    used = {move.label for move in subject.solution}
    idle = [number for number, vehicle in enumerate(subject.lot.vehicles) if vehicle.label not in used]
    if not idle:
        return None
    script = none(subject)
    middle = script.timeline.duration_s / 2
    return replace(script, changes=(Change(idle[0], middle - 0.3, middle + 0.3, opacity=0.0),))


def _swept(script: LotScript, fps: float = 12.0) -> list[Polygon]:
    """Where vehicles are in the course of a script."""
    times = [frame / fps for frame in range(int(script.timeline.duration_s * fps) + 2)]
    return [
        outline(vehicle, pose)
        for time in times
        for vehicle, pose in zip(script.lot.vehicles, script.timeline.poses(time), strict=True)
    ]


def _appears(color: str, label: str, fade_s: float) -> Writer:
    """The solution; a vehicle that was not there appears at a free place and stays."""

    def write(subject: Subject) -> LotScript | None:
        script = none(subject)
        swept = _swept(script)
        lot, dice = subject.lot, subject.dice
        for _ in range(_TRIES):
            pose = Pose(dice.random() * lot.width, dice.random() * lot.height, 0.0)
            vehicle = Vehicle("stranger", label, 1.8, 0.9, pose, (1.0, 0.0), True, color)
            if is_free(lot, outline(vehicle, pose), swept):
                begin = script.timeline.duration_s * 0.4
                return replace(script, strangers=(Stranger(begin, begin + fade_s, vehicle),))
        return None

    return write


def red_copy_leaves(subject: Subject) -> LotScript | None:
    """A copy of the red car drives out of it, through the blockers to the exit; the red car itself stays."""
    if not _blockers(subject):
        return None
    lot, begin = subject.lot, subject.pace.before_s
    until = begin + subject.pace.time_of(subject.run.steps[-1].distance)
    red = replace(lot.red, id="copy")
    slide = Slide(0, begin, until, red.pose, subject.goal, subject.pace.easing)
    line = Timeline(subject.run.poses[0], (), until + subject.pace.after_s)
    return LotScript(lot, line, strangers=(Stranger(begin, begin, red, slide),))


_ACROSS = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT, Side.BOTTOM: Side.TOP, Side.TOP: Side.BOTTOM}
_BESIDE = {Side.LEFT: Side.TOP, Side.RIGHT: Side.BOTTOM, Side.BOTTOM: Side.LEFT, Side.TOP: Side.RIGHT}


def extra_exit(subject: Subject) -> LotScript:
    """The solution; a second exit appears on another side."""
    script, (opening, *_) = none(subject), subject.lot.exits
    begin = script.timeline.duration_s * 0.35
    middle = 2.5 + 5 * subject.dice.random()
    extra = Exit(_BESIDE[opening.side], middle - 0.5, middle + 0.5)
    return replace(script, exits=(ExitChange(begin, begin, (opening, extra)),))


def extra_exit_used(subject: Subject) -> LotScript:
    """A second exit appears behind the red car, which backs into it."""
    lot, (opening, *_) = subject.lot, subject.lot.exits
    begin = subject.pace.before_s
    extra = Exit(_ACROSS[opening.side], opening.start, opening.end)
    sign = -1 if subject.solution[-1].direction is Direction.FORWARD else 1
    reel = Reel(lot, subject.pace).wait(0.8).go(subject.red, along(lot.red, lot.red.pose, sign * 0.1))
    move = Move("R", Direction.FORWARD if sign == 1 else Direction.BACKWARD)
    return LotScript(lot, reel.timeline(2.5), (move,), exits=(ExitChange(begin, begin, (opening, extra)),))


def _swap(*, letters: bool) -> Writer:
    """The red car and a blocker change colours; the one that is red now slides along its own axis."""

    def write(subject: Subject) -> LotScript | None:
        lot = subject.lot
        for number in _blockers(subject):
            other = lot.vehicles[number]
            for place, step in enumerate(subject.run.steps):
                if step.move.label != other.label or place != 0 or step.distance < 1:
                    continue
                begin = subject.pace.before_s
                changes = (
                    Change(subject.red, begin, begin + 0.5, color=_rgb(other), label=other.label if letters else None),
                    Change(number, begin, begin + 0.5, color=_rgb(lot.red), label="R" if letters else None),
                )
                reel = Reel(lot, subject.pace).wait(0.9).go(number, subject.run.poses[1][number])
                return LotScript(lot, reel.timeline(), (step.move,), changes)
        return None

    return write


def exit_glides(subject: Subject) -> LotScript:
    """The solution; meanwhile the exit glides along its side, so that the red car stops where it used to be."""
    script, (opening, *_) = none(subject), subject.lot.exits
    shift = 3.2 if opening.end + 3.2 <= subject.lot.width else -3.2
    if opening.start + shift < 0:
        shift = 2.5 if opening.end + 2.5 <= subject.lot.width else -2.0
    moved = Exit(opening.side, opening.start + shift, opening.end + shift)
    return replace(script, exits=(ExitChange(0.6, 0.6 + 1.2, (moved,)),))


def exit_jumps(subject: Subject) -> LotScript | None:
    """The exit is gone and a new one opens in front of a nearer vehicle's end: beside the red car, which goes there."""
    lot, (opening, *_) = subject.lot, subject.lot.exits
    first = lot.red.pose
    upright = opening.side in (Side.BOTTOM, Side.TOP)
    middle = first.y if upright else first.x
    low = first.x < lot.width / 2 if upright else first.y < lot.height / 2
    side = (Side.LEFT if low else Side.RIGHT) if upright else (Side.BOTTOM if low else Side.TOP)
    half = min(1.0, middle, lot.width - middle)
    new = Exit(side, middle - half, middle + half)
    across = 0.45 if low else lot.width - 0.45
    to = Pose(across, first.y, first.theta) if upright else Pose(first.x, across, first.theta)
    begin = subject.pace.before_s
    reel = Reel(lot, subject.pace).wait(0.8).go(subject.red, to)
    return LotScript(lot, reel.timeline(), exits=(ExitChange(begin, begin, (new,)),))


def _rgb(vehicle: Vehicle) -> Color:
    red, green, blue = (int(vehicle.color[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


SCENES: Mapping[LotFault, Writer] = MappingProxyType(
    {
        LotFault.CUT: _to_solved(1.5, 1.5),
        LotFault.CROSSFADE: _to_solved(0.6, 2.2),
        LotFault.BLACKOUT: _to_solved(1.0, 2.0, black=True),
        LotFault.VANISH: _removed(0.0, 1.0),
        LotFault.SHRINK: _removed(1.0, 0.25),
        LotFault.VANISH_BYSTANDER: vanish_bystander,
        LotFault.NEW_VEHICLE: _appears(_NEW_COLOR, "Z", 0.4),
        LotFault.SECOND_RED: _appears("#E85D75", "R", 0.0),
        LotFault.RED_COPY_LEAVES: red_copy_leaves,
        LotFault.EXTRA_EXIT: extra_exit,
        LotFault.EXTRA_EXIT_USED: extra_exit_used,
        LotFault.IDENTITY_SWAP: _swap(letters=True),
        LotFault.COLOR_SWAP: _swap(letters=False),
        LotFault.EXIT_GLIDES: exit_glides,
        LotFault.EXIT_JUMPS: exit_jumps,
    }
)

NewScene = Callable[[Subject], Writer]
